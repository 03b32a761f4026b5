"""Train: a guess before the lines, a run in a worker that learns, what breaks it, and a sentence for whatever is missing."""

import re
import zlib

import pytest
from playwright.sync_api import expect

from labutils.controls import Train
from labutils.controls.train import larger

LONG = 240_000  # ms: a loaded machine trains slowly
GUESSED = {"placed": True, "line": 3.0}


def said(root):
    return root.locator(".itt-readout").inner_text()


def loss(root) -> float:
    return float(root.locator(".tr-meters b").first.inner_text())


def tokens(root) -> int:
    return int(root.locator(".tr-meters b").nth(1).inner_text().replace(",", ""))


def until(root, what: str):
    """Wait until the meters, as {loss, tokens}, are as the expression says."""
    root.page.wait_for_function(
        "what => { const [loss, tokens] = [...document.querySelectorAll('.tr-meters b')].map((b) =>"
        " +b.textContent.replaceAll(',', '')); return new Function('loss', 'tokens', `return ${what}`)(loss, tokens); }",
        arg=what,
        timeout=LONG,
    )


def started(open_page, **more):
    opened = open_page(Train(number="10.1", **GUESSED, **more))
    root = opened.control()
    return opened, root


def test_on_paper_the_recorded_run_stands_to_its_end_and_nothing_can_be_dragged(open_page):
    opened = open_page(Train(number="10.1"))
    root, page = opened.control(), opened.page
    before = root.locator(".tr-chart").text_content()
    assert "drag" in before
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert "drag" not in root.locator(".tr-chart").text_content()
    assert "arrow keys" not in said(root) and "above the floor" in said(root) and "You guessed" not in said(root)
    assert loss(root) < 2 and tokens(root) > 500_000
    page.emulate_media(media="print")
    expect(root.locator(".tr-story input")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert root.locator(".tr-chart").text_content() == before and tokens(root) == 0


def test_nothing_is_told_before_the_guess_and_the_keys_move_it(open_page):
    opened = open_page(Train(number="10.1"))
    root = opened.control()
    chart, line = root.locator(".tr-chart"), root.get_by_role("slider", name="Your guess")
    assert not re.search("floor|counting|blind", chart.text_content() + said(root))
    expect(root.get_by_role("button", name="Show a recorded run")).to_be_hidden()
    line.focus()
    for key, there in (
        ("ArrowUp", "4.05"),
        ("PageDown", "3.55"),
        ("ArrowDown", "3.50"),
        ("End", "8.00"),
        ("Home", "0.00"),
    ):
        opened.page.keyboard.press(key)
        expect(line).to_have_attribute("aria-valuenow", there)
    opened.page.keyboard.press("PageUp")
    opened.page.keyboard.press("Enter")
    expect(chart).to_contain_text("exact floor")
    expect(chart).to_contain_text("your guess, 0.50")
    assert "The floor lies at 1.10 nats" in said(root)
    assert not any("stories.js" in url for url in opened.requests)  # it is large, and asked for when it trains
    assert opened.complaints == []
    assert opened.axe() == []


def test_the_line_is_dragged(open_page):
    root = open_page(Train(number="10.1")).control()
    handle = root.locator(".tr-guess circle").bounding_box()
    mouse, x, y = root.page.mouse, handle["x"] + 4, handle["y"] + handle["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 10, y + 70, steps=4)
    mouse.up()
    expect(root.get_by_role("slider", name="Your guess")).to_have_attribute(
        "aria-valuenow", re.compile(r"^[12]\.\d\d$")
    )


def test_it_learns_in_a_worker_pauses_and_goes_on_after_the_tab_has_slept(open_page):
    opened, root = started(open_page)
    root.get_by_role("button", name="Train it here").click()
    until(root, "loss < 5.4 && tokens > 5000")  # less than counting single tokens costs
    assert len(opened.page.workers) == 1 and "counting single tokens" in said(root)
    devtools = opened.page.context.new_cdp_session(opened.page)
    asleep = tokens(root)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    until(root, f"tokens > {asleep + 1000}")
    root.get_by_text("Change the training, or break it").click()
    root.locator(".itt-seg-item", has_text="labels not shifted").click()  # a setting that changes while it trains
    expect(root.locator(".tr-chart")).to_contain_text("labels not shifted")
    expect(root.locator(".itt-readout")).to_contain_text(
        re.compile("not shifted since [\\d,]+ tokens, so it is taught to")
    )
    root.get_by_role("button", name="Pause").click()
    root.get_by_role("button", name="Go on").click()
    paused = tokens(root)
    until(root, f"tokens > {paused + 1000}")
    root.get_by_role("button", name="Pause").click()
    scrubber = root.get_by_role("slider", name="What it writes")
    scrubber.focus()
    opened.page.keyboard.press("Home")
    expect(root.locator(".tr-verdict")).to_contain_text("Written at step 0.")
    expect(root.locator(".itt-readout")).not_to_contain_text("taught")  # nothing was broken there
    opened.page.keyboard.press("End")
    root.locator(".itt-seg-item", has_text="nothing").click()
    root.get_by_role("button", name="Go on").click()
    expect(root.locator(".itt-readout")).to_contain_text(re.compile("It was broken until [\\d,]+ tokens, and goes on"))
    assert opened.complaints == []
    assert all(url.startswith(("file:", "data:", "blob:")) for url in opened.requests)


def test_over_a_finished_run_other_settings_make_it_pale_and_say_whose_it_is(open_page):
    opened, root = started(open_page)
    chart, readout = root.locator(".tr-chart"), root.locator(".itt-readout")
    show, pale = root.get_by_role("button", name="Show a recorded run"), re.compile("is-of-others")
    show.click()
    expect(show).to_be_hidden()
    root.get_by_text("Change the training, or break it").click()
    broken = lambda words: root.locator(".itt-seg-item", has_text=words).click()
    broken("labels not shifted")
    expect(root).to_have_class(pale)
    assert float(chart.evaluate("one => getComputedStyle(one).opacity")) < 0.6
    expect(readout).to_have_text(
        "The pale run had nothing broken; you have chosen labels not shifted. It is recorded, or you train with it here."
    )
    expect(root.get_by_role("button", name="Train with this")).to_be_visible()
    assert opened.complaints == []
    opened.theme("dark")
    assert opened.axe() == []
    opened.complaints.clear()
    show.click()
    expect(root).not_to_have_class(pale)
    sick = Train().sick["labels"]
    assert loss(root) == pytest.approx(sick[-1]["loss"], abs=0.006)
    expect(readout).to_contain_text("taught to repeat")
    assert root.locator(".tr-chart circle[opacity]").count() == len([one for one in sick if "trained" in one])
    broken("nothing")
    expect(root).to_have_class(pale)
    show.click()
    assert loss(root) == pytest.approx(Train().finished[-1]["loss"], abs=0.006)
    root.get_by_role("slider", name="Learning rate").focus()
    opened.page.keyboard.press("ArrowRight")
    expect(readout).to_contain_text("The pale run had rate 0.008; you have chosen rate 0.016. Train with this to see")
    expect(show).to_be_hidden()  # no run with this rate is recorded
    root.get_by_role("button", name="Train with this").click()
    until(root, "tokens > 0")
    expect(root).not_to_have_class(pale)
    assert opened.complaints == []


def test_the_broken_runs_are_recorded_with_the_loss_that_they_train_on():
    sick, lines = Train().sick, Train().references
    assert list(sick) == ["rate", "labels"]
    rate, labels = (run[-1] for run in sick.values())
    assert labels["trained"] < 0.1 < lines["floor"] < lines["blind"] < labels["loss"]
    assert rate["loss"] > lines["pairs"]
    assert rate["tokens"] == Train().finished[-1]["tokens"]
    assert labels["tokens"] == rate["tokens"] + Train().info["stories"]  # the first token of each is asked for too


def test_a_run_leaves_nothing_but_its_grey_line_to_the_next(open_page):
    opened, root = started(open_page)
    root.get_by_role("button", name="Train it here").click()
    until(root, "tokens > 1500")
    root.get_by_text("Change the training, or break it").click()
    root.locator(".itt-seg-item", has_text="rate × 30").click()
    expect(root.locator(".tr-chart")).to_contain_text("rate × 30")
    root.get_by_role("button", name="Pause").click()
    root.get_by_role("button", name="Show a recorded run").click()
    assert tokens(root) == Train().finished[-1]["tokens"]
    expect(root.locator(".tr-chart")).not_to_contain_text("rate × 30")
    trained = [one for one in Train().sick["rate"] if "trained" in one]
    expect(root.locator(".tr-chart circle[opacity]")).to_have_count(len(trained))  # none of the run before
    assert opened.complaints == []


def test_without_a_worker_it_trains_in_the_page_and_says_so(open_page):
    opened, root = started(open_page)
    opened.page.evaluate("() => { globalThis.Worker = undefined; }")
    root.get_by_role("button", name="Train it here").click()
    until(root, "tokens > 1500 && loss < 6.9")
    root.get_by_role("button", name="Pause").click()
    expect(root.locator(".itt-told")).to_contain_text("the model trains in the page")
    assert opened.page.workers == [] and opened.complaints == []


def test_a_run_whose_loss_is_no_number_stops_and_says_where(open_page):
    control = Train(number="10.1", **GUESSED)
    control.task = control.task | {"spread": 1.2e18}  # a score is more than float32 holds
    opened = open_page(control)
    root = opened.control()
    root.get_by_role("button", name="Train it here").click()
    readout = root.locator(".itt-readout")
    expect(readout).to_contain_text("no number any more at step 0", timeout=LONG)
    expect(readout).to_contain_text("the first value that is none stands in the attention weights of block 0")
    expect(root.get_by_role("button", name="Train it again")).to_be_visible()
    assert opened.complaints == []


def test_python_hands_the_stories_to_a_page_in_jupyterlab(monkeypatch):
    control, sent = Train(), []
    monkeypatch.setattr(control, "send", lambda *message: sent.append(message))
    control._hear(None, {"ask": "stories", "id": "7"}, [])
    control._hear(None, {"ask": "hello"}, [])
    [(content, buffers)] = sent
    assert content["id"] == "7" and len(content["stories"]["pieces"]) == 1000
    assert [len(zlib.decompress(one)) > 3000 for one in buffers] == [True, True]


def test_without_its_stories_a_sentence_says_so_and_nothing_is_lost(open_page):
    opened = open_page(Train(number="10.1", **GUESSED), without=("stories.js",))
    root = opened.control()
    root.get_by_role("button", name="Train it here").click()
    expect(root.locator(".itt-readout")).to_contain_text("stories.js could not be loaded")
    root.get_by_role("button", name="Show a recorded run").click()
    expect(root.locator(".itt-readout")).to_contain_text("You guessed 3.00")


def test_a_recorded_run_shows_no_meter_without_a_number(open_page):
    _, root = started(open_page)
    root.get_by_role("button", name="Show a recorded run").click()
    expect(root.locator(".tr-meters > div:visible")).to_have_count(2)


def test_the_recorded_run_tells_the_guess_apart_from_its_end(open_page):
    opened, root = started(open_page, beside=True)
    root.get_by_role("button", name="Show a recorded run").click()
    end = Train().finished[-1]
    assert loss(root) == pytest.approx(end["loss"], abs=0.006) and tokens(root) == end["tokens"]
    assert f"{3 - end['loss']:.2f} too high" in said(root) and "counting triples" in said(root)
    expect(root.locator(".tr-text")).to_contain_text(end["held"].split()[0])
    expect(root.locator(".tr-chart")).to_contain_text("little GPT-2, 954,112 parameters")
    root.get_by_text("Read it as a table").click()
    expect(root.locator(".itt-table tbody tr")).to_have_count(len(Train().finished))
    for width in (350, 1280):
        opened.page.set_viewport_size({"width": width, "height": 900})
        assert opened.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    opened.theme("dark")
    assert opened.axe() == []


def test_at_rest_it_is_the_recorded_run_with_every_line():
    picture = Train(number="10.1").picture()
    for words in ("counting triples", "exact floor", "602,489", "parameters"):
        assert words in picture


@pytest.mark.parametrize(
    "given, words",
    [
        ({"rate": -1.0}, "rate=-1.0 is outside"),
        ({"batch": 0}, "batch=0"),
        ({"broken": "x"}, "choose 'nothing'"),
        ({"line": 9.0}, "line"),
    ],
)
def test_settings_that_cannot_be_are_refused(given, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        Train(**given)


def test_what_the_larger_run_wrote_is_told_in_a_fold_that_draws_its_curve(open_page):
    opened, root = started(open_page)
    told, fold = Train().told, root.locator(".tr-larger")
    assert "little GPT-2" not in root.locator(".tr-chart").text_content()
    fold.get_by_text("A larger run, recorded").click()
    expect(root.locator(".tr-chart")).to_contain_text("little GPT-2")
    expect(fold).to_contain_text(f"{told['parameters']:,} parameters")
    dot, scrubber = root.locator(".tr-chart circle[fill='var(--itt-c4)']"), fold.get_by_role("slider")
    scrubber.focus()
    opened.page.keyboard.press("Home")
    places = []
    for point in told["points"]:
        expect(fold.locator(".tr-judged")).to_contain_text(
            f"After {point['tokens']:,} tokens: {point['loss']:.2f} nats; on the same stories the grammar itself loses"
            f" {told['floor']:.2f}. Of {told['stories']} stories that it told then, the grammar follows"
            f" {point['followed']} to the end."
        )
        if point["held"]:
            expect(fold.locator(".tr-told b")).to_have_text(point["held"].strip())
        else:
            expect(fold.locator(".tr-told b")).to_have_count(0)
        places.append(float(dot.get_attribute("cx")))
        opened.page.keyboard.press("ArrowRight")
    assert places == sorted(places) and len(set(places)) == len(places)
    fold.get_by_text("A larger run, recorded").click()
    expect(dot).to_have_count(0)
    assert opened.complaints == []
    assert opened.axe() == []


def test_the_larger_record_is_its_run():
    """Its losses are those of growth.csv; its first point, and the last with all its stories, are made again."""
    points, grown = larger.recorded(), dict(Train().larger)
    assert [point["step"] for point in points[:-1]] == list(larger.STEPS)
    for point in points[1:]:
        assert point["loss"] == pytest.approx(grown[point["tokens"]], abs=0.02), point["step"]
    assert points[-1]["whole"] > 25 > points[0]["whole"] == 0
    assert larger.FILE.stat().st_size < 40_000
    first, last = larger.made((0,))
    for made, kept in ((first, points[0]), (last, points[-1])):
        assert made == kept | {"loss": pytest.approx(kept["loss"], abs=2e-4)}
