"""What stays on one line, the way on at the end of a page, and the picture with which it is shared."""

import sys
from io import BytesIO

import numpy as np
import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from PIL import Image

from labutils.figures import figure
from labutils.places import BOOK

sys.path.insert(0, str(BOOK / "_ext"))
import breaks
import contents
import page_end
import preview_paint
import preview_pictures
import preview_room
import preview_words
import previews


@pytest.mark.parametrize(
    "kept", ["GPT-2", "UTF-8", "96 %", "40 minutes", "layer 3", "Figure 5.2", "12 × 64 = 768", "(0.5, 1)", "was …"]
)
def test_what_belongs_together_is_one_piece(kept):
    assert (kept, True) in breaks.pieces(f"so {kept} it is")


def test_plain_words_are_left_alone():
    assert breaks.pieces("A head is wide.") == [("A head is wide.", False)]


def test_a_formula_keeps_its_bracket_and_its_stop():
    paragraph = nodes.paragraph("", "", nodes.Text("Widths ("), nodes.math("", "d_k"), nodes.Text("), and more"))
    document = nodes.document(None, None)
    document += paragraph
    breaks.Breaks.hold(None, paragraph[1])
    held = paragraph[1]
    assert held["classes"] == [breaks.CLASS] and held.astext() == "(d_k),"
    assert paragraph.astext() == "Widths (d_k), and more"


def test_code_in_a_paragraph_of_html_stays_as_it_is():
    assert breaks.kept_in_html("<p><code>GPT-2</code></p><b>GPT-2</b>") == "<p><code>GPT-2</code></p><b>GPT-2</b>"


def test_a_last_link_is_the_way_on_also_where_its_paragraph_has_an_id():
    link = '<a href="02.html"><span><em>2</em> Tokenization</span></a></p></section>'
    assert page_end.own_way_on(f'<section><p id="cell-onward">{link}').startswith(
        '<section><p id="cell-onward" class="itt-onward itt-to-chapter"><a'
    )
    assert page_end.own_way_on("<section><p>No link.</p></section>") is None


def test_a_name_in_the_sidebar_is_one_piece_in_pages_and_sections():
    tree = '<ul><li class="current active"><a href="#">The little GPT-2</a></li></ul>'
    made = contents.below(tree, '<ul><li><a href="#c">What UTF-8 is</a></li></ul>')
    assert '><span>The little <span class="itt-nb">GPT-2</span></span></a>' in made
    assert '><span>What <span class="itt-nb">UTF-8</span> is</span></a>' in made


def test_a_page_whose_first_picture_is_a_figure_has_a_preview():
    """A second notebook may have no control; matplotlib’s drawings name a second namespace."""
    drawn = figure(lambda ax, wide: ax.bar(["a", "b"], [2, 1]), "One is twice the other", "", "2 and 1.")
    picture = BeautifulSoup(drawn._repr_html_(), "html.parser").select_one(preview_pictures.PICTURES)
    with Image.open(BytesIO(previews.card("More on BERT", "", picture))) as card:
        dark = (np.asarray(card.convert("L").crop((0, 150, 1200, 630))) < 200).sum()
        assert card.size == (1200, 630) and dark > 10_000


def test_a_preview_says_what_its_figure_finds_and_draws_it_to_the_last_tick():
    """A tall control ends with its last whole row; a figure has its axis there."""
    plot = figure(lambda ax, wide: ax.bar(["a", "b"], [2, 1]), "One is twice the other", "", "2 and 1.", height=6)
    picture = BeautifulSoup(plot._repr_html_(), "html.parser").select_one(preview_pictures.PICTURES)
    assert preview_paint.found_in(picture) == "One is twice the other"
    assert seen_of(picture) == pytest.approx(float(picture["viewbox"].split()[3]), abs=0.1)
    bare = previews.card("More on BERT", "", picture)
    assert previews.card("More on BERT", "", picture, "One is twice the other") != bare
    rows = "".join(f'<rect y="{90 * row}" width="680" height="60" fill="#000000"/>' for row in range(10))
    axis = '<rect x="300" width="1" height="870" fill="#000000"/><text x="0" y="265">Another part</text>'
    control = BeautifulSoup(f'<svg viewbox="0 0 680 900">{rows}{axis}</svg>', "html.parser").svg
    assert preview_paint.found_in(control) == ""
    assert seen_of(control) == pytest.approx(420, abs=3), "five rows fit, and a part of the sixth"
    assert seen_of(control, "Another") == pytest.approx(240, abs=3), "what begins with these words is another part"


def seen_of(picture, cut=None) -> float:
    """How much of the height of a drawing its card shows."""
    return float(BeautifulSoup(preview_room.placed(picture, 230, cut), "html.parser").svg["viewbox"].split()[3])


def test_a_card_without_a_picture_has_an_entry_of_its_page():
    page = '<section class="itt-term" id="logit"><h3>logit<a>#</a></h3><p>A number.</p></section>'
    assert preview_words.entry(BeautifulSoup(page, "html.parser")) == ["logit", "A number."]
    index = '<div class="itt-index"><li class="is-ready"><b class="itt-map-title">ALiBi</b></li></div>'
    assert preview_words.entry(BeautifulSoup(index + "<h2>Along</h2>", "html.parser")) == ["ALiBi"]
    sections = BeautifulSoup("<h2>A</h2><h2>Take it home<a>#</a></h2>", "html.parser")
    assert preview_words.entry(sections) == ["Take it home"]
    task = '<div class="exercise"><section><p><strong>1.1 Take a step</strong></p><p><strong>No</strong></p></section></div>'
    assert preview_words.entry(BeautifulSoup(task + "<h2>How to work</h2>", "html.parser")) == ["1.1 Take a step"]
    assert previews.worded("Glossary", "What is it?", ["logit"]) != previews.worded("Glossary", "What is it?")


def test_a_preview_mixes_colours_that_have_no_share():
    assert preview_paint.resolved("color-mix(in srgb, var(--itt-q), #ffffff)") == "#81a7cd"
    assert preview_paint.resolved("color-mix(in srgb, #000000 25%, #ffffff)") == "#bfbfbf"
