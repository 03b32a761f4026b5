"""Walk: each stage holds Python's numbers, in both homes of the numbers; the sentences say what a trace says."""

import re

import pytest
import torch
from controls.expected import after, drawn, readout, uniform
from controls.hostile import HOSTILE, shown_or_refused, type_in, unharmed
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Walk
from labutils.controls.kernel import answer
from labutils.controls.predict import predict
from labutils.controls.script import call
from labutils.controls.shots import LONG
from labutils.controls.whole_words import whole_word
from labutils.models import FAMILIES
from labutils.models.stages import STAGES
from labutils.trace import trace

TEXTS = {"little-gpt2": "Anna saw a dog on", "little-bert": "Anna saw a [MASK] on the hill.", "paper-gpt2": "the cat"}
SETTINGS, OF_EVERY_STAGE = "Another block, head or row", "Another model, block or row"
INSIDE = {"rows": "n d", "heads": "H n d_k", "pairs": "H n n"}


@pytest.fixture(scope="module")
def checkpoints():
    return {name: load(name, dtype=torch.float64 if name == "paper-gpt2" else torch.float32) for name in TEXTS}


def table(root) -> list[dict]:
    """The rows of the open table by the titles of its columns."""
    head, *rows = root.locator(".itt-table").evaluate(
        "el => [...el.querySelectorAll('tr')].map(tr => [...tr.children].map(one => one.textContent))"
    )
    return [dict(zip(head, row)) for row in rows]


def stages_of(kind: str) -> list[str]:
    return list(Walk(model=f"little-{kind}").known[kind])


def unfold(root) -> None:
    root.locator(".wk-settings").evaluate("el => { el.open = true }")


def choose(root, block: int) -> None:
    unfold(root)
    root.get_by_role("group", name="Block").get_by_role("radio", name=str(block), exact=True).check(force=True)


def settled(root, text: str):
    expect(root.get_by_label("Your text")).to_have_value(text)
    root.page.wait_for_function("() => !globalThis.ittReading")


def test_each_model_walks_all_stages_of_its_family_but_those_of_the_whole_text():
    known = Walk().known
    for kind, family in FAMILIES.items():
        assert set(known[kind]) == family.stages - set(family.same) - {"pooled", "nsp_logits"}
        assert known[kind] == [name for name in STAGES if name in known[kind]]


@pytest.mark.parametrize("name", TEXTS)
def test_the_state_it_comes_with_is_pythons(checkpoints, name):
    one = Walk(TEXTS[name], model=name, layer=-1)
    traced = trace(checkpoints[name].model, TEXTS[name], checkpoints[name].tokenizer)
    for stage, data in one.finished["arrays"].items():
        value = getattr(traced.layers[-1] if stage in traced.layers[-1] else traced, stage)
        assert torch.equal(torch.frombuffer(bytearray(data), dtype=torch.float32), value.float().flatten()), stage
    assert set(one.finished["arrays"]) == set(one.known[one.finished["info"]["kind"]]) - {"logits"}
    for row, logits in zip(one.finished["ahead"], traced.logits):
        p = logits.double().softmax(-1)
        assert max(abs(each["p"] - float(p[each["id"]])) for each in row) < 1e-9
        assert [each["p"] for each in row] == sorted((each["p"] for each in row), reverse=True)
        assert abs(row[0]["p"] - float(p.max())) < 1e-9


@pytest.mark.parametrize("name", TEXTS)
def test_in_jupyterlab_python_answers_with_the_same_stages(checkpoints, name):
    one = Walk(TEXTS[name], model=name)
    known = one.known[one.finished["info"]["kind"]]
    said, arrays = answer(checkpoints[name], {"ask": "trace", "text": TEXTS[name], "want": known})
    assert list(arrays) == known and said["ids"] == one.finished["ids"] and said["tokens"] == one.finished["tokens"]
    for stage, data in one.finished["arrays"].items():
        value = arrays[stage][0] if STAGES[stage].in_block else arrays[stage]
        assert torch.equal(torch.frombuffer(bytearray(data), dtype=torch.float32), value.float().flatten()), stage


@pytest.mark.parametrize("name", TEXTS)
def test_every_stage_on_the_page_is_pythons(open_page, checkpoints, name):
    opened = open_page(Walk(model=name))
    root = opened.control()
    text, checkpoint = TEXTS[name], checkpoints[name]
    root.get_by_label("Your text").fill(text)
    settled(root, text)
    traced = trace(checkpoint.model, text, checkpoint.tokenizer)
    last = checkpoint.model.config.n_layers - 1
    if last:
        choose(root, last)
    asked = traced.tokens.index("[MASK]") if "[MASK]" in traced.tokens else len(traced.tokens) - 1
    root.get_by_text("Read it as a table").click()
    radios = root.locator(".wk-stop input")
    names = root.locator(".wk-title").all_inner_texts()
    assert names[:2] == ["text", "tokens"] and names[-1] == "chance of each word"
    for k, stage in enumerate(stages_of(traced.kind), 2):
        assert names[k] == STAGES[stage].title
        radios.nth(k).check(force=True)
        rows = table(root)
        value = getattr(traced.layers[-1] if stage in traced.layers[-1] else traced, stage)
        if stage == "logits":
            best = value[asked].double().topk(len(rows))
            found = [(int(row["id"]), float(row["logit"].replace("−", "-"))) for row in rows]
            assert found[0][0] == int(best.indices[0])
            assert max(abs(x - float(value[asked, i])) for i, x in found) < 1e-3
            continue
        number = lambda word: -torch.inf if word in ("masked", "−∞") else float(word.replace("−", "-"))
        found = torch.tensor([[number(x) for x in list(row.values())[1:]] for row in rows])
        right = value.T if STAGES[stage].axes[0] == "n" else value[:, asked]
        if stage == "weights" and asked + 1 < len(traced.tokens) and traced.kind == "gpt2":
            right = right.masked_fill(right == 0, -torch.inf)
        assert found.shape == right.shape, stage
        same = torch.where(found == right, 0.0, (found - right).abs())
        assert float(same.max()) < 2e-3 * max(1.0, float(right[right.isfinite()].abs().max())) / 10, stage
    assert opened.complaints == []


def test_the_row_that_is_asked_is_followed_until_another_is_chosen(open_page, checkpoints):
    opened = open_page(Walk())
    root = opened.control()
    expect(root.locator(".itt-readout")).to_contain_text("After “the” the model gives “mat”")
    root.get_by_text(OF_EVERY_STAGE).click()
    root.locator(".itt-token", has_text="cat").click()
    little = checkpoints["little-gpt2"]
    traced = trace(little.model, "The cat sat on the", little.tokenizer)
    p = traced.logits[1].softmax(-1)
    ids = little.tokenizer.encode("The cat").ids
    word = whole_word(little, ids, int(p.argmax())).strip("␣")  # the piece “s” becomes the word that it begins
    expect(root.locator(".itt-readout")).to_contain_text(f"After “cat” the model gives “{word}” {float(p.max()):.0%}")
    root.get_by_label("Your text").fill("The mat sat on the cat")
    expect(root.locator(".itt-token input:checked")).to_have_attribute("aria-label", "cat, position 5")


def test_another_block_is_another_state(open_page):
    root = open_page(Walk(stage="output")).control()
    said = [root.locator(".itt-readout").inner_text()]
    for block in (1, 2, 3):
        choose(root, block)
        expect(root.locator(".wk-name")).to_contain_text(f"Output, block {block}")
        said.append(root.locator(".itt-readout").inner_text())
    assert len(set(said)) == 4
    lengths = [float(re.search(r"is now ([\d.]+) long", one)[1]) for one in said]
    before = [float(re.search(r"it was ([\d.]+) when", one)[1]) for one in said]
    assert before[1:] == lengths[:-1]


def test_the_keyboard_walks_and_the_button_plays(open_page):
    root = open_page(Walk(stage="text"), reduced_motion="reduce").control()
    expect(root.locator(".itt-readout")).to_contain_text("18 characters")
    root.locator(".wk-stop input").first.focus()
    root.page.keyboard.press("ArrowDown")
    expect(root.locator(".itt-readout")).to_contain_text("The tokenizer makes 5 tokens")
    root.get_by_role("button", name="Next step").click()
    expect(root.locator(".itt-readout")).to_contain_text("fetches row")


def test_a_drawn_token_is_pythons_and_goes_into_the_text(open_page, checkpoints):
    root = open_page(Walk(seed=5)).control()
    root.page.wait_for_function("() => !globalThis.ittReading")
    little, text = checkpoints["little-gpt2"], "The cat sat on the"
    for step in range(2):
        ids = little.tokenizer.encode(text).ids
        text += little.tokenizer.decode([drawn(after(little, ids), uniform(5 + step, len(ids)))])
        root.get_by_role("button", name="Draw a token").click()
        expect(root.get_by_label("Your text")).to_have_value(text)
        settled(root, text)
    assert root.locator(".itt-readout").inner_text().startswith("Drawn: “")
    expect(root.locator(".itt-told")).to_be_empty()


def test_bert_fills_its_hole_and_then_has_none(open_page, checkpoints):
    root = open_page(Walk(model="little-bert")).control()
    root.page.wait_for_function("() => !globalThis.ittReading")
    fill = root.get_by_role("button", name="Fill the hole")
    fill.click()
    expect(root.get_by_label("Your text")).to_have_value(re.compile(r"^The cat sat on the \w+\.$"))
    expect(fill).to_be_disabled()


@pytest.mark.parametrize(
    "text, piece, wanted",
    [
        ("The cat sat on the [MASK].", "mat", "The cat sat on the mat."),
        ("The cat sat on the [MASK]", ".", "The cat sat on the."),
        ("The cat play [MASK] here.", "##ed", "The cat played here."),
        ("[MASK] cat sat.", "the", "the cat sat."),
    ],
)
def test_what_fills_a_hole_is_spelt_as_it_is_written(text, piece, wanted):
    assert call("walk/numbers.js", "filled", text, piece) == wanted


def test_the_end_sign_is_followed_and_nothing_is_drawn_after_it():
    said = readout(Walk("The cat sat on the mat.<|endoftext|>"))
    assert said == "The story has ended. Nothing comes after it."


@pytest.mark.parametrize("name, bend", [("paper-gpt2", "ReLU"), ("little-gpt2", "GELU"), ("little-bert", "GELU")])
def test_shapes_and_the_bend_are_those_of_the_model(open_page, name, bend):
    root = open_page(Walk(model=name, stage="ffn_activated")).control()
    expect(root.locator(".wk-meaning")).to_have_text(f"the same after the bend, {bend}")
    V, n = load(name).model.config.vocab_size, root.locator(".itt-token").count()
    root.page.wait_for_function("() => !globalThis.ittReading")  # the numbers of the page's own model now
    expect(root.locator(".wk-meaning")).to_have_text(f"the same after the bend, {bend}")
    root.get_by_role("radio", name="logits").check(force=True)
    expect(root.locator(".wk-name")).to_contain_text(f"({n}, {V})")


def test_the_reader_changes_the_model_and_the_text_follows(open_page):
    root = open_page(Walk()).control()
    unfold(root)
    root.locator(".itt-seg-item", has_text="Little BERT").click()
    expect(root.get_by_label("Your text")).to_have_value("The cat sat on the [MASK].")
    expect(root.locator(".itt-readout")).to_contain_text("In the place of “[MASK]” the model gives “mat”")
    expect(root.locator(".wk-title", has_text="segment embedding")).to_be_visible()
    root.locator(".itt-seg-item", has_text="Paper model").click()
    expect(root.locator(".itt-readout")).to_contain_text("After “sat” the model gives “on” 50%")
    root.locator(".itt-seg-item", has_text="Little GPT-2").click()
    root.get_by_label("Your text").fill("A dog sat on a")
    root.locator(".itt-seg-item", has_text="Little BERT").click()
    expect(root.get_by_label("Your text")).to_have_value("A dog sat on a")  # a text of one's own stays


def test_a_long_text_is_cut_with_a_sentence(open_page):
    root = open_page(Walk()).control()
    root.get_by_label("Your text").fill(LONG)
    expect(root.locator(".itt-note").first).to_contain_text("The first 24 tokens are shown")
    expect(root.locator(".itt-token")).to_have_count(24)
    expect(root.get_by_role("button", name="Draw a token")).to_be_disabled()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_as_text_or_refused_with_a_sentence(lasting_page, text):
    opened, control = lasting_page(Walk)
    unfold(control)  # the tokens are those of the rows to follow
    shown_or_refused(opened, control, text, ".itt-tokens bdi", 24)


def test_a_word_that_is_markup_stays_a_word_in_every_stage(open_page):
    opened = open_page(Walk(stage="text"))
    control = opened.control()
    type_in(control, '<img src=x onerror="globalThis.hit=1">')
    for stop in control.locator(".wk-stop input").all():
        stop.check(force=True)
    unharmed(opened, control)


def test_an_unreadable_text_loses_nothing(open_page):
    control = open_page(Walk()).control()
    before = control.locator(".itt-readout").inner_text()
    control.get_by_label("Your text").fill("")
    control.locator(".itt-note.is-wrong").wait_for()
    assert control.locator(".itt-readout").inner_text() == before


def test_the_address_sets_the_state_and_nonsense_in_it_does_no_harm(open_page):
    good = {"itt": "walk", "stage": "weights", "layer": "3", "row": "3"}
    root = open_page(Walk(), state=good).control()
    expect(root.locator(".itt-readout")).to_contain_text("“on” takes")
    expect(root.locator(".wk-name")).to_contain_text("Weights, block 3")
    bad = {"itt": "walk", "stage": "<b>", "layer": "99", "row": "1e9", "seed": "-4"}
    opened = open_page(Walk(), state=bad)
    expect(opened.control().locator(".wk-name")).to_contain_text("Chance of each word")
    assert opened.complaints == []


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Walk(), Walk(model="little-bert", stage="weights", name="other"), width=1280)
    roots = [opened.control(i) for i in range(2)]
    for details in opened.page.locator("details").all():
        details.evaluate("el => { el.open = true }")

    def way_or_list(width: int) -> None:
        for root in roots:
            expect(root.locator(".wk-way")).to_be_visible(visible=width > 640)
            expect(root.locator("select")).to_be_visible(visible=width <= 640)

    opened.fits(1280, 700, 350, look=way_or_list)


def test_the_picture_says_what_the_control_says(open_page):
    control = Walk(stage="weights", layer=2)
    root = open_page(control, without=("*.js",)).control()
    assert root.locator(".itt-readout").inner_text() == readout(control)
    assert "appear when the model is there" not in root.locator(".itt-told").inner_text()
    choose(root, 0)
    expect(root.locator(".itt-told")).to_contain_text("The other blocks appear when the model is there")


def test_the_paper_model_says_its_whole_numbers():
    said = {stage: readout(Walk(model="paper-gpt2", stage=stage)) for stage in ("token", "weights", "output", "odds")}
    assert "row 2 of the table: 4 numbers, from 0.00 to 1.00" in said["token"]
    assert said["weights"] == "Head 0: “sat” takes 50% from “cat”, the largest share of 2 heads."
    assert "7.21 long; it was 4.47" in said["output"]
    assert "gives “on” 50%, then “mat” 25%" in said["odds"]


def formula(control: Walk) -> list[str]:
    traits = {name: getattr(control, name) for name in ("finished", "table", "known", "stage", "layer", "row")}
    return call("walk/formula.js", "finishedFormula", traits)


def put_in(line: str) -> list[float]:
    """The numbers of a line, a minus sign and brackets as written."""
    return [float(found.replace("−", "-")) for found in re.findall(r"−?\d+\.\d+", line)]


@pytest.mark.parametrize("name", TEXTS)
def test_every_stage_has_its_formula_with_its_own_numbers_put_in(checkpoints, name):
    model, text = checkpoints[name].model, TEXTS[name]
    traced = trace(model, text, checkpoints[name].tokenizer)
    block, config = traced.layers[-1], model.config
    close = lambda found, *wanted: found == pytest.approx([float(one) for one in wanted], abs=0.0006)
    said = {}
    for stage in [*stages_of(FAMILIES["bert" if "bert" in name else "gpt2"].name), "odds"]:
        symbols, worked = formula(Walk(text, model=name, stage=stage, layer=-1))
        assert symbols and worked and "NaN" not in worked and "undefined" not in symbols + worked
        said[stage] = (symbols, worked, put_in(worked))
    i = text.split().index("[MASK]") if "bert" in name else len(block.input) - 1  # [CLS] in front, "Anna saw a"
    i += "bert" in name
    parts = [getattr(traced, key)[i, 0] for key in ("token", "segment", "position") if key in said]
    assert close(said["embedding_sum"][2], *parts, sum(parts))
    summed = block.input[i] + block.attention_output[i]
    if "bert" in name:
        normal = (summed - summed.mean()) / (summed.var(correction=0) + config.layer_norm_eps).sqrt()
        assert close(said["attention_stream"][2][-2:], normal[0], block.attention_stream[i, 0])
    else:
        assert close(said["attention_stream"][2], block.input[i, 0], block.attention_output[i, 0], summed[0])
        assert close(said["final"][2][-1:], traced.final[i, 0])
    head, j = divmod(int(block.scores[:, i].argmax()), block.scores.shape[-1])
    dot = block.q[head, i] @ block.k[head, j]
    assert close(said["scores"][2], dot, block.scores[head, i, j]) and f"head {head}, " in said["scores"][1]
    head, j = divmod(int(block.weights[:, i].argmax()), block.weights.shape[-1])
    row = block.scores[head, i] if "bert" in name else block.scores[head, i, : i + 1]
    assert close(said["weights"][2], row[j], row.logsumexp(-1), row.softmax(-1)[j])
    assert close(said["context"][2][-1:], block.weights[0, i] @ block.v[0, :, 0])
    most = int((block.ffn_activated[i] - block.ffn_hidden[i]).abs().argmax())
    assert said["ffn_activated"][1].startswith(f"number {most}, ")
    assert close(said["ffn_activated"][2], block.ffn_hidden[i, most], block.ffn_activated[i, most])
    logits = traced.logits[i]
    assert close(said["odds"][2], logits.max(), logits.logsumexp(-1), logits.softmax(-1).max())


def test_what_stands_before_the_numbers_has_no_formula():
    assert formula(Walk(stage="text")) == formula(Walk(stage="ids")) == []


def test_the_formula_follows_the_row_and_the_picture_shows_it(open_page):
    control = Walk(stage="embedding_sum")
    root = open_page(control).control()
    settled(root, "The cat sat on the")
    line = root.locator(".wk-worked")
    expect(line).to_have_text(formula(control)[1])
    unfold(root)
    root.get_by_role("group", name="Row: the token that is followed").get_by_role("radio").nth(1).check(force=True)
    expect(line).to_have_text(formula(Walk(stage="embedding_sum", row=1))[1])
    assert formula(control)[0] in root.locator(".wk-formula").inner_text()
    assert "x = e + p, of token and position" in control.still()


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"model": "nothing"}, "no model named"),
        ({"text": ""}, "no token that little-gpt2 could read"),
        ({"stage": "segment"}, "no stage 'segment' in little-gpt2"),
        ({"layer": 4}, "There is no layer 4"),
        ({"row": 7}, "There is no row 7"),
    ],
)
def test_wrong_arguments_are_one_sentence(wrong, words):
    with pytest.raises(ValueError, match=words):
        Walk(**wrong)


def test_a_first_walk_shows_few_stations_and_all_of_them_at_once(open_page):
    opened = open_page(Walk(view="stations", layer=3))
    root = opened.control()
    titles = ["Overview", "Text", "Tokens", "Rows", "Attention", "Network", "New rows", "Next word"]
    assert root.locator(".wk-title").all_inner_texts() == titles
    expect(root.locator(".itt-readout")).to_contain_text("“the” takes over 99% from “cat” in head 4 of block 3.")
    expect(root.locator(".wk-canvas")).to_contain_text("rug")
    for k in range(1, len(titles)):
        root.locator(".wk-stop input").nth(k).check(force=True)
        expect(root.locator(".wk-name")).to_contain_text(titles[k])
        assert root.locator(".wk-canvas path, .wk-canvas rect, .wk-canvas text").count() > 5
        expect(root.locator(".wk-formula")).to_be_empty()
    root.get_by_text(SETTINGS).click()
    root.locator(".itt-seg-item", has_text="Every stage").click()
    assert root.locator(".wk-title").count() > 20 and opened.complaints == []


def test_a_first_walk_has_its_picture_before_its_guess_and_its_settings_folded(open_page):
    guess = predict("walk-order", "Which?", ("this", "Yes."), ("that", "No."), ("neither", "No."), right=0)
    root = open_page(Walk(view="stations", guess=guess)).control()
    expect(root.get_by_role("group", name="Block")).to_be_hidden()
    order = ".itt-bar, .itt-stage, .itt-readout, .guess, .itt-foot"
    assert root.locator(order).evaluate_all("all => all.map((one) => one.className.split(' ')[0])") == [
        "itt-stage",
        "itt-readout",
        "itt-bar",
        "guess",
        "itt-foot",
    ]
    root.get_by_text(SETTINGS).click()
    choose(root, 2)
    root.locator(".itt-seg-item", has_text="Every stage").click()
    expect(root.get_by_text(OF_EVERY_STAGE)).to_be_visible()
    expect(root.get_by_role("group", name="Block")).to_be_visible()
    expect(root.get_by_role("radio", name="Every stage")).to_be_focused()
    assert root.locator(order).first.get_attribute("class").startswith("guess")


def test_the_stations_of_a_bert_end_in_a_hole(open_page):
    root = open_page(Walk(model="little-bert", view="stations", stage="odds")).control()
    expect(root.locator(".wk-title").last).to_have_text("The hole")
    expect(root.locator(".itt-readout")).to_contain_text("In the place of “[MASK]” the model gives “mat”")


def test_next_tokens_stand_as_words_at_every_row(open_page):
    root = open_page(Walk(view="stations", stage="odds")).control()
    expect(root.locator(".wk-canvas")).to_contain_text("lovely")
    root.get_by_label("Your text").fill("The cat sat on the mat. It was")
    settled(root, "The cat sat on the mat. It was")
    expect(root.locator(".wk-canvas")).to_contain_text("sleepy")


def test_after_the_end_sign_nothing_is_offered(open_page):
    for view in ("stations", "stages"):
        root = open_page(Walk("The cat sat on the mat.<|endoftext|>", view=view, stage="odds")).control()
        assert root.locator(".wk-canvas rect").count() == 0
        expect(root.locator(".wk-canvas")).to_have_text("the end of the story")
        expect(root.locator(".itt-readout")).to_have_text("The story has ended. Nothing comes after it.")
        root.get_by_text("Read it as a table").click()
        assert table(root) == []
        expect(root.get_by_role("button", name="Draw a token")).to_be_disabled()


def test_the_end_sign_itself_is_called_so():
    assert readout(Walk("The cat sat on the mat. It was there.", view="stations", stage="odds")).startswith(
        "After “.” the model gives “the end of the story” "
    )


def test_a_view_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="view='all' is not known: choose 'stages' or 'stations'"):
        Walk(view="all")


@pytest.mark.parametrize(
    "name, text, word",
    [
        ("little-gpt2", "The wolf sat on the", "wolf"),
        ("little-bert", "The [MASK] sat on the mat. It was timid.", "timid"),
    ],
)
def test_a_first_walk_shows_the_head_that_its_answer_needs(open_page, checkpoints, name, text, word):
    """Each head is switched off with PyTorch. On the page, and in the state that comes with it, the same one is shown."""
    little = checkpoints[name]
    whole = trace(little.model, text, little.tokenizer)
    row = whole.tokens.index("[MASK]") if "[MASK]" in whole.tokens else len(whole.tokens) - 1
    p = whole.logits[row].softmax(-1)
    cost, look = {}, {}
    for layer, part in enumerate(whole.layers):
        for head in range(len(part.weights)):
            off = {f"layer {layer} weights": lambda w, head=head: w.index_fill(1, torch.tensor([head]), 0.0)}
            without = trace(little.model, text, little.tokenizer, change=off).logits[row].softmax(-1)
            cost[layer, head] = float(p.max() - without[p.argmax()])
            look[layer, head] = part.weights[head, row].clone().index_fill_(0, torch.tensor(row), -1).max(0)
    dear = [one for one in cost if cost[one] >= max(cost.values()) / 2]
    layer, head = max(dear, key=lambda one: float(look[one].values))
    weight, key = look[layer, head]
    assert whole.tokens[int(key)].strip("Ġ") == word
    share = "over 99%" if weight > 0.995 else f"{float(weight):.0%}"
    said = f"takes {share} from “{word}” in head {head} of block {layer}."
    left = f"has {float(p.max()) - cost[layer, head]:.0%} instead of {float(p.max()):.0%}"
    told = readout(Walk(text, model=name, view="stations"))
    assert said in told and left in told
    root = open_page(Walk(model=name, view="stations")).control()
    root.get_by_label("Your text").fill(text)
    settled(root, text)
    expect(root.locator(".itt-readout")).to_contain_text(said)
    expect(root.locator(".itt-readout")).to_contain_text(left)
    root.get_by_text(SETTINGS).click()
    heads = root.get_by_role("group", name="Head")
    expect(heads.get_by_role("radio", checked=True)).to_have_attribute("value", str(head))
    heads.get_by_role("radio", name="0", exact=True).check(force=True)
    expect(root.locator(".itt-readout")).to_contain_text(f"in head 0 of block {layer}")
    choose(root, 0)
    expect(root.locator(".itt-readout")).to_contain_text("of block 0.")
    root.get_by_label("Your text").fill(text.replace("sat", "was"))
    settled(root, text.replace("sat", "was"))
    root.get_by_label("Your text").fill(text)
    settled(root, text)
    expect(root.locator(".itt-readout")).to_contain_text(said)  # another text shows its own head


def test_a_guess_that_is_made_reads_what_it_was_about(open_page):
    guess = predict("walk-then", "What now?", ("*mat*", "No."), ("*hill*", "Yes."), ("*nice*", "No."), right=1)
    root = open_page(Walk(view="stations", then="The wolf sat on the", guess=guess)).control()
    root.get_by_role("radio", name="hill").check(force=True)
    root.get_by_role("button", name="See the answer").click()
    settled(root, "The wolf sat on the")
    expect(root.locator(".itt-readout")).to_contain_text("the model gives “hill” 60%")


def test_a_word_and_its_number_stand_near_each_other(open_page):
    root = open_page(Walk(view="stations"), width=1280).control()
    root.locator(".wk-stop input").nth(2).check(force=True)
    of = lambda words: root.locator(".wk-canvas text", has_text=words).first.bounding_box()
    word, number = of("·cat"), of("457")
    assert number["y"] == pytest.approx(word["y"], abs=2) and number["x"] - word["x"] < 320


def test_on_a_phone_the_words_beside_a_scale_are_whole(open_page):
    root = open_page(Walk(view="stations"), width=390).control()
    root.locator(".wk-stop input").nth(5).check(force=True)
    said = " ".join(root.locator(".wk-canvas text").all_text_contents())
    assert "512 numbers a row, of each 4 the strongest" in said
    edge = root.locator(".wk-canvas").bounding_box()
    low = max(
        one["y"] + one["height"] for one in (text.bounding_box() for text in root.locator(".wk-canvas text").all())
    )
    assert low <= edge["y"] + edge["height"] + 1


def test_on_the_narrowest_screen_the_panels_fill_the_column(open_page):
    """A frame around a row ends where its last panel does, and the next words have the whole width."""
    root = open_page(Walk(view="stations"), width=320).control()
    frames = root.locator('.wk-canvas svg rect[stroke="var(--itt-edge)"]')
    expect(frames).to_have_count(3)
    width = root.locator(".wk-canvas").bounding_box()["width"]
    for frame in frames.all():
        assert frame.bounding_box()["width"] == pytest.approx(width, abs=4)
