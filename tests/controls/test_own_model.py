"""Own model: a page takes a reader's file, its controls change over to it and back, and a wrong file is one sentence."""

import base64
import re

import pytest
import torch
from engine.own_files import drawn, published
from engine.own_workers import ENDS, FASTER, NO_LOOPS, NO_ROOM, PREPARED, SLOWER, at_the_third_sum
from playwright.sync_api import expect

from labutils.checkpoints import load_tokenizer
from labutils.controls import Explorer, NextWord, OwnModel, Reuse, Transplant, Walk
from labutils.controls.bundle import site
from labutils.controls.script import call
from labutils.trace import trace

TEXT = "The cat sat on the mat. It was"
VOCABULARY = {"n_embd": 64, "n_head": 1, "n_positions": 40, "vocab_size": 50257}


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A small GPT-2 with the real vocabulary, as its file holds it, and the file in float16."""
    model = drawn(dtype=torch.float16, **VOCABULARY)
    return model, published(model, tmp_path_factory.mktemp("own") / "model.safetensors", torch.float16)


def chosen(opened, path):
    control = opened.control(0)
    control.locator("input[type=file]").set_input_files(path)
    return control


def test_every_control_of_the_page_shows_the_file_and_goes_back(open_page, own):
    model, path = own
    opened = open_page(
        OwnModel(), NextWord(TEXT), Explorer(text=TEXT), Walk(text=TEXT),
        Transplant(TEXT, "The horse sat on the mat. It was"), Reuse("The cat sat", placed=True, step=6),
    )  # fmt: skip
    ahead = opened.control(1)
    expect(ahead.locator(".itt-source")).to_contain_text("Little GPT-2")
    mine = chosen(opened, path)
    parameters = f"{sum(p.numel() for p in model.parameters()):,}"
    expect(mine.locator(".itt-readout")).to_contain_text(f"{parameters} parameters")
    expect(mine.locator(".om-facts")).to_contain_text("WebAssembly")

    tokenizer = load_tokenizer("gpt2")
    ids = tokenizer.encode(TEXT).ids
    t = trace(model, ids)
    shares = t.logits[-1].softmax(-1)
    best = int(shares.argmax())
    for i in (1, 2, 3, 4, 5):
        expect(opened.control(i).locator(".itt-source")).to_contain_text(f"Your GPT-2, {parameters} parameters")
    expect(ahead.get_by_role("radio", name="Your GPT-2")).to_be_checked()
    expect(ahead.locator(".itt-readout")).to_contain_text("the largest share of 50,257 tokens")
    ahead.get_by_text("Read it as a table").click()
    row = ahead.locator(".itt-table tr", has=opened.page.get_by_text("next 1", exact=True)).locator("td")
    assert int(row.nth(2).inner_text()) == best
    assert float(row.nth(3).inner_text()) == pytest.approx(float(shares[best]), abs=2e-6)

    weights = t.layers[0].weights[0, -1]
    words = opened.control(2).locator(".ex-word")
    expect(words).to_have_count(len(ids))
    assert [float(text.rsplit("\n", 1)[1]) for text in words.all_inner_texts()] == pytest.approx(weights, abs=0.0051)
    # a head is switched off in the worker too
    opened.control(2).get_by_role("button", name="Switch head 0.0 off").click()
    expect(opened.control(2).locator(".itt-source")).to_contain_text("Head 0.0 switched off")
    expect(opened.control(3).locator(".itt-readout")).to_contain_text(f"{tokenizer.pieces(best).replace('␣', '')}")
    opened.control(4).get_by_role("button", name="Try all places").click()
    expect(opened.control(4).locator(".tp-count")).to_have_text(f"All {5 * len(ids)} places tried")

    # what the cache of this model takes: 8 rows of 64 numbers as keys and as values in each of 2 layers
    expect(opened.control(5).locator(".itt-readout")).to_contain_text("The price is 8 KiB of memory")
    expect(opened.control(5).locator("select option")).to_have_count(2)

    ahead.get_by_role("button", name="Draw a token").click()
    expect(ahead.locator(".nw-step")).to_have_count(1)
    mine.get_by_role("button", name="Back to the small model").click()
    for i in (1, 2, 3, 4, 5):
        expect(opened.control(i).locator(".itt-source")).to_contain_text("Little GPT-2")
    expect(opened.control(5).locator("select option")).to_have_count(32)
    expect(mine.get_by_role("button", name="Choose the file")).to_be_focused()
    expect(ahead.locator(".nw-step")).to_have_count(0)  # its token was of the other vocabulary
    ahead.get_by_role("group", name="Model").locator("label", has_text="Your GPT-2").click()
    expect(ahead).to_contain_text("No file is chosen yet")
    assert opened.complaints == [] and all(url.startswith(("file:", "data:", "blob:")) for url in opened.requests)


def test_a_wrong_file_is_one_sentence_and_the_next_one_is_read(open_page, own, tmp_path):
    wrong = tmp_path / "<img src=x onerror=hit()>.bin"
    wrong.write_bytes(b"PK\3\4 and more")
    opened = open_page(OwnModel(), NextWord())
    mine = chosen(opened, wrong)
    expect(mine.locator(".itt-told")).to_have_text(
        f"“{wrong.name}” is a pickle of PyTorch, which may run any code and is never opened here. "
        "Choose the file model.safetensors of GPT-2."
    )
    assert mine.locator("img").count() == 0
    expect(opened.control(1).locator(".itt-source")).to_contain_text("Little GPT-2")
    chosen(opened, own[1])
    expect(opened.control(1).locator(".itt-source")).to_contain_text("Your GPT-2")
    expect(mine.locator(".itt-told")).to_have_text("")
    assert opened.complaints == []


def test_a_file_can_be_dropped(open_page, own):
    opened = open_page(OwnModel())
    mine = opened.control(0)
    data = opened.page.evaluate_handle(
        """(text) => {
          const files = new DataTransfer(), bytes = Uint8Array.from(atob(text), (ch) => ch.charCodeAt(0));
          files.items.add(new File([bytes], "model.safetensors"));
          return files;
        }""",
        base64.b64encode(own[1].read_bytes()).decode(),
    )
    mine.locator(".om-drop").dispatch_event("drop", {"dataTransfer": data})
    expect(mine.locator(".om-facts")).to_contain_text("Parameters")


def test_a_kept_file_is_there_after_a_reload_until_it_is_forgotten(open_page, own):
    opened = open_page(OwnModel(), NextWord(TEXT))
    mine = chosen(opened, own[1])
    kept, size = mine.locator(".om-kept"), f"{round(own[1].stat().st_size / 1e6)} MB"
    kept.get_by_role("button", name=f"Keep it for the next visit, {size}").click()
    expect(kept).to_contain_text(f"Kept in this browser: model.safetensors, {size}.")
    expect(kept.get_by_role("button", name="Forget it")).to_be_focused()
    expect(kept.get_by_role("button")).to_have_count(1)

    opened.page.reload()
    mine, kept = opened.control(0), opened.control(0).locator(".om-kept")
    expect(opened.control(1).locator(".itt-source")).to_contain_text("Little GPT-2")
    kept.get_by_role("button", name="Read it again").click()
    expect(mine.locator(".om-facts")).to_contain_text("WebAssembly")
    expect(opened.control(1).locator(".itt-source")).to_contain_text("Your GPT-2")
    expect(kept.get_by_role("button")).to_have_count(1)  # it is kept already
    mine.get_by_role("button", name="Back to the small model").click()
    expect(kept.get_by_role("button", name="Read it again")).to_be_visible()
    kept.get_by_role("button", name="Forget it").click()
    expect(kept).to_be_hidden()
    expect(mine.get_by_role("button", name="Choose the file")).to_be_focused()

    opened.page.reload()
    opened.control(0)
    assert opened.page.evaluate(KEPT) is None and opened.complaints == []


KEPT = """() => new Promise((done) => {
  const asking = indexedDB.open("inside-the-transformer", 1);
  asking.onsuccess = () => {
    const one = asking.result.transaction("own-model").objectStore("own-model").get("files");
    one.onsuccess = () => done(one.result ?? null);
  };
})"""


@pytest.mark.parametrize(
    ("refuses", "told"),
    [("IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError') }", "has no room to keep"),
     ("indexedDB.open = () => { throw new DOMException('', 'SecurityError') }", "keeps nothing for this page")],
    ids=["full", "private"],
)  # fmt: skip
def test_a_browser_that_keeps_nothing_says_so_and_loses_nothing(open_page, own, refuses, told):
    opened = open_page(OwnModel(), NextWord(TEXT))
    opened.page.evaluate(f"() => {{ {refuses} }}")
    mine = chosen(opened, own[1])
    mine.get_by_role("button", name="Keep it for the next visit").click()
    expect(mine.locator(".itt-told")).to_contain_text(told)
    expect(opened.control(1).locator(".itt-source")).to_contain_text("Your GPT-2")
    expect(mine.get_by_role("button", name="Keep it for the next visit")).to_be_enabled()
    assert opened.complaints == []


def test_no_serious_finding_and_no_sideways_scroll(open_page, own):
    opened = open_page(OwnModel(number="1"), width=350)
    opened.control(0)
    assert opened.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    chosen(opened, own[1])
    expect(opened.control(0).locator(".om-facts")).to_contain_text("Memory")
    opened.fits(1280, 350)


def test_the_largest_of_many_are_those_that_sorting_finds():
    values = [(i * i) % 23 for i in range(200)]  # with many that are equal
    for most in (1, 7, 200, 300):
        order = sorted(range(200), key=lambda i: (-values[i], i))
        assert call("look/ranked.js", "largest", values, most) == order[:most]


def test_the_script_of_the_site_holds_the_compiled_loops_fused_and_plain():
    codes = [base64.b64decode(code) for code in re.findall(r"AGFzbQ[\w+/=]+", site())]
    assert all(code[:8] == b"\0asm\1\0\0\0" for code in codes)
    # products of four numbers by four, and the same with the sum in one instruction; a trainer has more of both
    found = [(code.count(b"\xfd\xe6\x01"), code.count(b"\xfd\x85\x02")) for code in codes]
    assert found.index((0, 12)) + 1 == found.index((12, 0))


@pytest.mark.parametrize("has", ["relaxed", "plain"])
def test_a_browser_takes_the_first_of_the_loops_that_it_knows(open_page, own, has):
    """A browser without relaxed SIMD finds the first of the two invalid, and takes the second."""
    opened = open_page(OwnModel())
    if has == "plain":
        opened.page.evaluate(WITHOUT_RELAXED)
    expect(chosen(opened, own[1]).locator(".om-facts")).to_contain_text("WebAssembly")
    assert opened.complaints == []


# as seen by the worker too, whose script is a text
WITHOUT_RELAXED = """() => {
  const Whole = Blob;
  globalThis.Blob = class extends Whole {
    constructor(parts, how) {
      const old = "const known = WebAssembly.validate; WebAssembly.validate = (code) => " +
        "!Array.from(code).some((x, i) => x === 0xfd && code[i + 1] === 0x85 && code[i + 2] === 2) && known(code);";
      super(how?.type === "text/javascript" ? [old, ...parts] : parts, how);
    }
  };
}"""


SHORT = "The cat sat"


@pytest.fixture(scope="module")
def even(tmp_path_factory):
    """A GPT-2 with two heads, which two workers can share, its file, and what Python says follows SHORT."""
    model = drawn(dtype=torch.float16, **(VOCABULARY | {"n_embd": 128, "n_head": 2}))
    path = published(model, tmp_path_factory.mktemp("even") / "model.safetensors", torch.float16)
    ids = load_tokenizer("gpt2").encode(SHORT).ids
    return path, ids, trace(model, ids).logits[-1].softmax(-1)


def shared(open_page, even, script, before="() => {}"):
    """The page with the model of two heads, once it says what it has measured, and how many workers were begun."""
    opened = open_page(OwnModel(), NextWord(SHORT))
    opened.page.evaluate(PREPARED, script)
    opened.page.evaluate(before)
    mine = chosen(opened, even[0])
    expect(mine.locator(".om-facts")).to_contain_text("Workers")
    return opened, mine, opened.page.evaluate("workers.length")


def says_what_python_says(opened, even):
    _, _, shares = even
    best = int(shares.argmax())
    ahead = opened.control(1)
    expect(ahead.locator(".itt-source")).to_contain_text("Your GPT-2")
    expect(ahead.locator(".itt-readout")).to_contain_text("the largest share of 50,257 tokens")
    ahead.get_by_text("Read it as a table").click()
    row = ahead.locator(".itt-table tr", has=opened.page.get_by_text("next 1", exact=True)).locator("td")
    assert int(row.nth(2).inner_text()) == best
    assert float(row.nth(3).inner_text()) == pytest.approx(float(shares[best]), abs=2e-6)


def over(opened):
    return opened.page.evaluate("workers.map(({ over }) => over === true)")


def test_two_workers_write_on_where_they_are_faster_and_both_end_with_the_model(open_page, even):
    opened, mine, begun = shared(open_page, even, FASTER)
    expect(mine.locator(".itt-readout")).to_have_text(
        re.compile(r"one more token took [\d.]+ ms with one worker and [\d.]+ ms with two, so two write on\.$")
    )
    expect(mine.locator(".om-facts div").last).to_have_text("Workers2")
    assert begun == 2 and over(opened) == [False, False]
    says_what_python_says(opened, even)
    chosen(opened, even[0])
    expect(mine.locator(".om-facts div").last).to_have_text("Workers2")
    assert over(opened) == [True, True, False, False]
    mine.get_by_role("button", name="Back to the small model").click()
    assert over(opened) == [True] * 4 and opened.complaints == []


def test_one_worker_writes_on_where_two_are_slower(open_page, even):
    opened, mine, begun = shared(open_page, even, SLOWER)
    expect(mine.locator(".itt-readout")).to_have_text(re.compile(r"ms with two, so one writes on\.$"))
    expect(mine.locator(".om-facts div").last).to_have_text("Workers1")
    assert begun == 2 and over(opened) == [False, True]
    says_what_python_says(opened, even)
    assert opened.complaints == []


ONE_CORE = "() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 })"


@pytest.mark.parametrize(
    ("script", "before", "begun", "by"),
    [(FASTER, ONE_CORE, 1, "WebAssembly"), (FASTER + NO_ROOM, "() => {}", 2, "WebAssembly"),
     (FASTER + NO_LOOPS, "() => {}", 1, "JavaScript")],
    ids=["one core", "no memory", "no WebAssembly"],
)  # fmt: skip
def test_where_there_can_be_no_second_worker_one_is_said_nothing_of(open_page, even, script, before, begun, by):
    opened, mine, made = shared(open_page, even, script, before)
    expect(mine.locator(".itt-readout")).to_have_text(re.compile(r"one more token took [\d.]+ ms\.$"))
    expect(mine.locator(".om-facts")).to_contain_text(re.compile(f"Computed by{by}Workers1$"))
    assert made == begun and over(opened) == [False, True][:made]
    says_what_python_says(opened, even)
    assert opened.complaints == []


@pytest.mark.parametrize("how", ENDS)
def test_where_the_second_worker_ends_in_the_middle_the_first_goes_on(open_page, even, how):
    """After the second of four sums of the first text; what is timed before has one row at a time."""
    numbers = 128 * len(even[1])
    opened, mine, _ = shared(open_page, even, FASTER + at_the_third_sum(numbers, ENDS[how]))
    says_what_python_says(opened, even)
    expect(mine.locator(".om-facts div").last).to_have_text("Workers1")
    expect(mine.locator(".itt-readout")).to_have_text(re.compile(r"one more token took [\d.]+ ms\.$"))
    assert over(opened) == [False, True]
    opened.control(1).get_by_role("button", name="Draw a token").click()
    expect(opened.control(1).locator(".nw-step")).to_have_count(1)
    assert opened.complaints == []


def test_the_still_picture_says_what_is_asked_for():
    still = OwnModel().picture()
    assert "model.safetensors" in still and "the small model" in still
