"""A figure is two drawings in the page's own colours, the same in every run, and clashes with no other."""

import re

import pytest

from labutils.figures import INK, figure
from labutils.figures.plot import NARROW, TOKENS

PHONE = 280  # px of the column on the smallest phone


def line(ax, wide):
    ax.plot([0, 1, 2], [0, 1, 4], "o-")
    ax.text(1, 1, "wide" if wide else "narrow", color=INK)


def drawn(title="Squares grow", alt="A line from 0 to 4.", caption="<b>Figure 1.</b> Counted."):
    return figure(line, title, caption, alt)._repr_html_()


def test_two_runs_draw_the_same():
    assert drawn() == drawn()


def test_both_widths_are_there_and_told_apart():
    wide, narrow = drawn().split('<div class="itt-narrow">')
    assert ">wide<" in wide and ">narrow<" in narrow
    assert ">narrow<" not in wide and ">wide<" not in narrow


def test_every_colour_follows_the_theme():
    html = drawn()
    bare = re.sub(r"var\(--itt-[\w-]+, #[0-9a-f]{6}\)", "", html)
    assert re.findall(r"#[0-9a-f]{6}\b", bare) == []
    assert f"var(--itt-c1, {list(TOKENS)[4]})" in html


def test_ids_are_used_and_belong_to_one_drawing():
    html = drawn() + drawn("Another title")
    ids = re.findall(r'\bid="([^"]+)"', html)
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', html))
    assert len(ids) == len(set(ids)) > 0
    assert set(ids) == {name for pair in used for name in pair if name}


def test_no_style_reaches_out_of_the_figure_and_no_size_is_fixed():
    html = drawn()
    assert "<style" not in html
    assert not re.search(r'<svg[^>]*\b(width|height)="', html)
    assert html.count("viewBox=") == 2


def test_text_is_data():
    html = drawn(title="a < b", alt='says "<b>"')
    assert "a &lt; b" in html and 'aria-label="says &quot;&lt;b&gt;&quot;"' in html
    assert "<b>Figure 1.</b>" in html  # the caption is the author's own HTML


@pytest.mark.parametrize("top, words", [(1e4, ["1", "100", "10,000"]), (1e8, ["10⁰", "10⁴", "10⁸"])])
def test_an_axis_writes_its_powers_of_ten_in_one_way(top, words):
    def grows(ax, wide):
        ax.semilogy([0, 1], [1, top])

    wide = figure(grows, "It grows", "c", "It grows.")._repr_html_().split('<div class="itt-narrow">')[0]
    found = [word for word in re.findall(r">\s*([\d,⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*</text>", wide) if word[0] == "1"]
    assert set(words) <= set(found)
    assert len({"10⁰" in found, all(word.startswith("10") and word[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹" for word in found)}) == 1


def test_plain_form_is_the_title():
    assert repr(figure(line, "Squares grow", "", "x")) == "Figure: Squares grow"


@pytest.mark.parametrize(("title", "alt"), [("", "x"), ("x", " ")])
def test_a_figure_without_words_is_refused(title, alt):
    with pytest.raises(ValueError, match="title .* alternative text"):
        figure(line, title, "", alt)


def test_each_line_of_a_label_ends_at_its_bar():
    def draw(ax, wide):
        ax.barh(range(2), [1, 2])
        ax.set_yticks(range(2), ["BERT,\nfrom both sides", "one line"])
        ax.text(1, 0.5, "in the\nmiddle", ha="center")

    html = figure(draw, "A finding", "<b>Figure 1.</b> Source.", "Alt").html
    for words in ("BERT,", "from both sides", "one line"):
        assert len(re.findall(rf"text-anchor: end[^>]*>{words}<", html)) == 2  # wide and narrow
    ends = [float(x) for x in re.findall(r'text-anchor: end[^>]* x="([\d.]+)"', html)]
    assert len(ends) == 6 and max(ends[:3]) - min(ends[:3]) < 0.01 and max(ends[3:]) - min(ends[3:]) < 0.01
    assert len(re.findall(r"text-anchor: middle[^>]*>middle<", html)) == 2


def test_no_letter_of_a_narrow_drawing_is_smaller_than_a_phone_can_show():
    def draw(ax, wide):
        ax.bar(range(2), [1, 2])
        ax.set_xticks(range(2), ["a", "b"], fontsize=6)
        ax.text(1, 1, "tiny", fontsize=5)

    wide, narrow = figure(draw, "A finding", "", "Alt").html.split('<div class="itt-narrow">')
    sizes = lambda html: [float(size) for size in re.findall(r"font-size: ([\d.]+)px", html)]
    assert min(sizes(wide)) == 5 and min(sizes(narrow)) * PHONE / (72 * NARROW) >= 9


def test_powers_of_ten_are_written_in_full():
    def draw(ax, wide):
        ax.loglog([1, 1000], [0.01, 100])
        ax.set_xticks([1, 1000], ["one", "many"])

    words = re.findall(r">([^<>]+)</text>", figure(draw, "A finding", "", "Alt").html.split("itt-narrow")[1])
    assert {"one", "many", "0.01", "0.1", "1", "10", "100"} <= set(words) and not [w for w in words if "^" in w]
