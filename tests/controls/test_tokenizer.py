"""The tokenizer playground: the same cut as Python's, every merge with its rivals, and what it says of them."""

import random
from itertools import accumulate

import pytest
from controls.expected import readout, shown
from controls.modules import load as load_module
from engine.strings import strings
from playwright.sync_api import expect

from labutils.checkpoints import load, load_tokenizer
from labutils.controls import Tokenizer
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.script import call
from labutils.text import ByteLevelBPE
from labutils.text.bpe_train import count_words, learn_merges_naively
from labutils.text.bytes import to_symbols
from labutils.text.pretokenize import gpt2_words
from labutils.text.unicode import table

NAMES = ("little-gpt2", "little-bert")
TEXTS = [
    "",
    " ",
    "a",
    "The cat sat on the mat. It was unbelievably tired.",
    "Crème brûlée for the cat 🐈 and 猫",
    "The [MASK] sat.<|endoftext|>It was tired.",
    "don't  stop\n\tnow",
    "[UNK] is typed",
    "x" * 120,
    "אבג \u202eabc",
    "e\u0301\u0301 ﬁ ǅ",
    "1234 5 678",
    "unwashable unwashed washing",
    "\u0000a\u0007",
]


@pytest.fixture(scope="module")
def tokenizers():
    return {name: load(name).tokenizer for name in NAMES}


@pytest.fixture(scope="module")
def page(browser, tokenizers):
    """An empty page with the cutting of the playground and both tokenizers."""
    page = browser.new_page()
    load_module(page, "tokenizer/numbers.js", "playground")
    load_module(page, "engine/tokenizer.js", "engine")
    load_module(page, "engine/unicode.js", "classes")
    page.evaluate("table => { globalThis.unicode = classes.openUnicode(table); globalThis.toks = {}; }", table())
    for name, tokenizer in tokenizers.items():
        page.evaluate(
            "([name, data]) => { toks[name] = engine.openTokenizer(data, unicode); }", [name, tokenizer_file(tokenizer)]
        )
    yield page
    page.close()


def check(tokenizer, text: str, lane: dict) -> None:
    """A lane is what the package's tokenizer makes of the text, and each step of each word follows from its vocabulary."""
    e = tokenizer.encode(text)
    place = [0, *accumulate(1 + (ord(char) > 0xFFFF) for char in text)]  # a browser counts UTF-16 units
    assert [[t["id"], t["text"], t["start"], t["end"], t["word"]] for t in lane["tokens"]] == [
        [i, shown(tokenizer, i), place[a], place[b], word] for i, (a, b), word in zip(e.ids, e.offsets, e.word_ids)
    ]
    unknown = tokenizer.unk_token if hasattr(tokenizer, "unk_token") else None
    assert [(t["special"], t["unknown"]) for t in lane["tokens"]] == [
        (word is None or token != unknown and token in tokenizer.special_tokens, token == unknown)
        for token, word in zip(e.tokens, e.word_ids)
    ]
    assert lane["decoded"] == tokenizer.decode([i for i, word in zip(e.ids, e.word_ids) if word is not None])
    for n, word in enumerate(lane["words"]):
        tokens = [token for token, of in zip(e.tokens, e.word_ids) if of == n]
        assert (
            word["text"].encode("utf-16-le", "surrogatepass")
            == text.encode("utf-16-le")[2 * word["start"] : 2 * word["end"]]
        )
        if word["steps"]:
            (check_merges if isinstance(tokenizer, ByteLevelBPE) else check_tries)(tokenizer, tokens, word)


def check_merges(tokenizer, tokens: list[str], word: dict) -> None:
    """Every merge joins the pair of lowest rank, the leftmost of equals, and the last parts are the tokens."""
    parts = list(to_symbols(word["text"]))
    for step in word["steps"]:
        ranks = [tokenizer.ranks.get(pair) for pair in zip(parts, parts[1:])]
        known = [rank for rank in ranks if rank is not None]
        assert step["ranks"] == ranks and step["won"] == (ranks.index(min(known)) if known else -1)
        assert len(step["parts"]) == len(parts)
        if known:
            parts[step["won"] : step["won"] + 2] = ["".join(parts[step["won"] : step["won"] + 2])]
    assert parts == tokens and word["steps"][-1]["won"] == -1


def check_tries(tokenizer, tokens: list[str], word: dict) -> None:
    """Each piece is the longest that fits: what was tried before it is longer, and not in the vocabulary."""
    steps = word["steps"]
    assert tokens == ([tokenizer.unk_token] if steps[-1]["found"] is None else [step["found"] for step in steps])
    for step in steps:
        assert not any(piece in tokenizer.model_vocab for piece in step["tried"])
        pieces = [*step["tried"], *([step["found"]] if step["found"] is not None else [])]
        assert [len(piece) for piece in pieces] == list(range(len(pieces[0]), len(pieces[0]) - len(pieces), -1))
        assert all(pieces[0].startswith(piece) for piece in pieces)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_cuts_as_python_does_step_by_step(page, tokenizers, name):
    texts = TEXTS + strings(400, seed=5)
    found = page.evaluate("([name, texts]) => texts.map((text) => playground.cutting(toks[name], text))", [name, texts])
    for text, lane in zip(texts, found):
        check(tokenizers[name], text, lane)
    words = [word for lane in found for word in lane["words"]]
    assert sum(len(word["steps"]) > 1 for word in words) > 200


def test_the_state_it_comes_with_is_cut_as_in_python(tokenizers):
    for text in TEXTS:
        lanes = Tokenizer(text).finished["lanes"]
        for (name, tokenizer), lane in zip(tokenizers.items(), lanes, strict=True):
            check(tokenizer, text, lane)
            assert (lane["name"], lane["size"], lane["merges"]) == (
                name,
                len(tokenizer),
                len(getattr(tokenizer, "merges", ())),
            )


def steps_of(word: str, lane: int) -> list[dict]:
    return Tokenizer(word).finished["lanes"][lane]["words"][0]["steps"]


def test_a_word_that_no_piece_begins():
    assert steps_of("猫", 1) == [{"tried": ["猫"], "found": None}]


def ids(root, lane: int) -> list[int]:
    return [int(text) for text in root.locator(".tok-lane").nth(lane).locator(".tok-chip small").all_inner_texts()]


def how(root):
    """The part that says how a word was cut."""
    return root.locator(".tok-how").first


def test_typed_text_shows_the_ids_of_python(open_page, tokenizers):
    root = open_page(Tokenizer()).control()
    for text in ("The nurse was unwashable.", "Ünïcode 🐈 — done", "[MASK] a<|endoftext|>"):
        root.get_by_label("Your text").fill(text)
        root.locator(".tok-chip").first.wait_for()
        for lane, tokenizer in enumerate(tokenizers.values()):
            assert ids(root, lane) == tokenizer.encode(text).ids
        lanes = Tokenizer(text).finished["lanes"]
        assert [int(root.locator(".tok-total").nth(i).inner_text()) for i in (0, 1)] == [
            len(lane["tokens"]) for lane in lanes
        ]
        assert root.locator(".itt-readout").inner_text() == readout(Tokenizer(text))


def test_the_picture_at_rest_says_the_same_as_the_control(open_page):
    control = Tokenizer()
    opened = open_page(control, without=("*.js",))
    root = opened.control()
    assert root.locator(".itt-readout").inner_text() == readout(control)


def test_merges_one_by_one_with_the_places_of_their_rivals(open_page):
    root = open_page(Tokenizer("unbelievably")).control()
    steps = steps_of("unbelievably", 0)
    total = len(steps) - 1
    assert how(root).locator(".tok-walk .itt-value").inner_text() == f"{total} of {total}"
    for at in range(total, 0, -1):
        shown = [int(text) - 1 for text in how(root).locator(".tok-steps .tok-place").all_inner_texts()]
        assert shown == [rank for rank in steps[at - 1]["ranks"] if rank is not None]
        assert int(how(root).locator(".tok-place.is-won").inner_text()) - 1 == min(shown)
        assert f"at no. {min(shown) + 1}" in how(root).locator(".tok-why").inner_text()
        assert how(root).locator(".tok-steps .is-now .tok-sym").all_inner_texts() == steps[at]["parts"]
        how(root).get_by_role("button", name="Back").click()
    assert how(root).get_by_role("button", name="Back").is_disabled() and how(root).locator(
        ".tok-sym"
    ).all_inner_texts() == list("unbelievably")
    how(root).get_by_role("slider", name="Merge").press("ArrowRight")
    assert how(root).locator(".tok-walk .itt-value").inner_text() == f"1 of {total}"
    how(root).get_by_role("button", name="Next").click()
    assert how(root).locator(".tok-walk .itt-value").inner_text() == f"2 of {total}"


def test_wordpiece_shows_what_it_tried(open_page):
    root = open_page(Tokenizer("unbelievably 猫")).control()
    root.locator(".tok-lane").nth(1).locator(".tok-chip").nth(1).click()
    steps = steps_of("unbelievably", 1)
    assert how(root).locator(".tok-walk .itt-value").inner_text() == f"{len(steps)} of {len(steps)}"
    for _ in range(len(steps) - 1):
        how(root).get_by_role("button", name="Back").click()
    assert how(root).locator(".tok-steps .is-no").all_inner_texts() == steps[0]["tried"][:10]
    assert how(root).locator(".tok-steps .is-new").inner_text() == steps[0]["found"]
    root.locator(".tok-chip.is-unknown").click()
    assert "whole word is unknown" in how(root).locator(".tok-why").inner_text()
    root.locator(".tok-chip.is-special").first.click()
    assert "the template of the tokenizer adds it" in how(root).locator(".tok-fact").inner_text()


def test_pointing_marks_the_same_characters_in_both(open_page):
    root = open_page(Tokenizer("a cat sat")).control()
    lanes = [root.locator(".tok-lane").nth(i).locator(".tok-chip") for i in (0, 1)]
    lanes[1].get_by_text("cat", exact=True).hover()
    assert root.locator(".tok-chip.is-linked .tok-piece").all_inner_texts() == ["·cat", "cat"]


def test_arrow_keys_walk_the_chips_of_both_lanes(open_page):
    root = open_page(Tokenizer("a cat sat")).control()
    chosen = lambda: root.locator('.tok-chip[aria-selected="true"]')
    root.locator(".tok-chip").first.click()
    focused = root.page.locator(":focus")
    focused.press("ArrowRight")
    assert chosen().locator(".tok-piece").inner_text() == "·cat" == focused.locator(".tok-piece").inner_text()
    focused.press("ArrowDown")
    assert chosen().locator(".tok-piece").inner_text() == "cat"
    focused.press("End")
    assert chosen().locator(".tok-piece").inner_text() == "[SEP]"
    focused.press("Home")
    assert chosen().locator(".tok-piece").inner_text() == "[CLS]"


def test_a_folded_playground_shows_how_a_word_was_cut_once_a_token_is_chosen(open_page):
    root = open_page(Tokenizer(folded=True, trains=False)).control()
    expect(root.locator(".tok-how:not(.tok-train)")).to_be_hidden()
    root.locator(".tok-chip", has_text="cat").first.click()
    expect(root.locator(".tok-how:not(.tok-train)")).to_be_visible()


def test_bytes_and_characters_below_the_pieces(open_page):
    root = open_page(Tokenizer("é 🐈")).control()
    root.locator(".itt-seg-item", has_text="bytes").click()
    below = root.locator(".tok-lane").nth(0).locator(".tok-chip small").all_inner_texts()
    assert " ".join(below) == "é 🐈".encode().hex(" ").upper()
    root.locator(".itt-seg-item", has_text="characters").click()
    below = root.locator(".tok-lane").nth(0).locator(".tok-chip small").all_inner_texts()
    assert below[0] == "0" and below[-1] == "2"


def test_the_cap_is_said_and_a_lone_surrogate_refused(open_page):
    root = open_page(Tokenizer()).control()
    field, note = root.get_by_label("Your text"), root.locator(".itt-note").first
    field.fill("ab " * 100)
    assert note.inner_text() == "The first 160 characters are cut; 140 characters more are left out."
    before = root.locator(".itt-readout").inner_text()
    root.page.evaluate(
        """() => { const field = document.querySelector(".itt-live input[type=text]"); field.value = "a \\ud800"; field.dispatchEvent(new Event("input")); }"""
    )
    assert "lone surrogate" in note.inner_text() and root.locator(".itt-readout").inner_text() == before


def test_without_its_files_it_stays_complete_and_says_why(open_page):
    opened = open_page(Tokenizer(), without=("little-bert.tokenizer.js",))
    root = opened.control()
    assert root.locator(".tok-chip").count() > 20
    root.get_by_label("Your text").fill("another text")
    note = root.locator(".itt-note").first
    note.get_by_text("could not be loaded").wait_for()
    assert "What is shown is the text “The cat sat" in note.inner_text() and root.locator(".tok-chip").count() > 20


def test_wrong_arguments_are_one_sentence():
    with pytest.raises(ValueError, match="two names"):
        Tokenizer(models="little-gpt2")
    with pytest.raises(ValueError, match="no model named"):
        Tokenizer(models=("little-gpt2", "nothing-here"))
    with pytest.raises(ValueError, match="lone surrogate"):
        Tokenizer("a \ud800")


@pytest.mark.parametrize("seed", range(12))
def test_the_training_in_the_page_learns_pythons_merges(seed):
    draw = random.Random(seed)
    letters = draw.choice(["ab ", "the catson ", "é猫a 🐈", "aB, .1 "])
    text = "".join(draw.choice(letters) for _ in range(draw.randint(1, 160)))
    states = call("tokenizer/training.js", "trained", list(gpt2_words(text)))
    merges = [((left, right), count) for state in states[:-1] for left, right, count in state["pairs"][:1]]
    assert merges == learn_merges_naively(count_words([text]), len(merges), min_frequency=2)
    assert len(learn_merges_naively(count_words([text]), len(merges) + 1, min_frequency=2)) == len(merges)
    assert {"".join(word["symbols"]): word["count"] for word in states[-1]["words"]} == count_words([text])


def test_a_reader_trains_on_words_of_his_own(open_page):
    opened = open_page(Tokenizer("the cat sat, the cats sat on the mat, that cat"))
    root = opened.control()
    train = root.get_by_role("region", name="Train BPE on these words")
    for _ in range(2):
        train.get_by_role("button", name="Next").click()
    expect(train.locator(".tok-why")).to_contain_text("Merge 2: “t” and “h” stood side by side 4 times")
    expect(train.locator(".is-new").first).to_have_text("th")
    train.get_by_label("Merges learned").press("End")
    expect(train.locator(".tok-why")).to_contain_text("No pair occurs twice any more.")
    assert train.get_by_role("button", name="Next").is_disabled()
    train.get_by_label("Merges learned").press("Home")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")  # on paper it is at its end
    expect(train.locator(".tok-why")).to_contain_text("No pair occurs twice any more.")
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(train.locator(".tok-why")).not_to_contain_text("No pair occurs twice any more.")
    root.get_by_label("Your text").fill("a b")
    expect(train.locator(".tok-why")).to_contain_text("No pair occurs twice, so there is nothing to learn.")
    assert opened.complaints == []


def test_where_merges_are_not_known_yet_nothing_is_trained(open_page):
    root = open_page(Tokenizer(trains=False)).control()
    expect(root.get_by_text("Tokens", exact=False).first).to_be_visible()
    expect(root.get_by_role("region", name="Train BPE on these words")).to_have_count(0)


def test_the_merges_play_and_stop(open_page):
    opened = open_page(Tokenizer("the cat sat, the cats sat on the mat, that cat"))
    train = opened.control().get_by_role("region", name="Train BPE on these words")
    opened.stop_the_clock()
    train.get_by_role("button", name="Play the merges").click()
    for step in ("Merge 1:", "Merge 2:"):
        for _ in range(200):
            if step in train.locator(".tok-why").inner_text():
                break
            opened.page.clock.run_for(250)
        expect(train.locator(".tok-why")).to_contain_text(step)
    train.get_by_role("button", name="Back").click()
    expect(train.get_by_role("button", name="Play the merges")).to_be_visible()


def test_the_real_vocabularies_cut_a_text_in_the_page_as_in_python(open_page):
    text = "The cat sat. Unbelievable embeddings, naïve café 🐈!"
    opened = open_page(Tokenizer(text))
    root = opened.control()
    assert not [url for url in opened.requests if "gpt2.tokenizer" in url and "little" not in url]  # until it is chosen
    root.get_by_label("of the real ones").check(force=True)
    expect(root.locator(".itt-source")).to_contain_text("50,257 entries, 50,000 merges")
    for lane, name in enumerate(("gpt2", "bert-base-uncased")):
        ids = [int(one) for one in root.locator(".tok-chips").nth(lane).locator("small").all_inner_texts()]
        assert ids == load_tokenizer(name).encode(text).ids
    root.get_by_label("of the little models").check(force=True)
    expect(root.locator(".itt-source")).to_contain_text("Little GPT-2")
    assert opened.complaints == []


def test_a_vocabulary_that_does_not_come_is_said_and_loses_nothing(open_page):
    opened = open_page(Tokenizer("The cat"), without=("gpt2.tokenizer.js",))
    root = opened.control()
    before = root.locator(".tok-chips").first.inner_text()
    root.get_by_label("of the real ones").check(force=True)
    expect(root.locator(".itt-field, .itt-note, [role=alert], .itt-bar").first).to_contain_text("The cat")
    assert root.locator(".tok-chips").first.inner_text() == before


def test_where_parts_wait_the_training_waits_in_a_fold(open_page):
    root = open_page(Tokenizer(folded=True)).control()
    expect(root.get_by_text("The commonest pairs now")).to_be_hidden()
    root.locator("summary", has_text="Train BPE on these words").click()
    expect(root.get_by_text("The commonest pairs now")).to_be_visible()
