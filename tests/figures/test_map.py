"""The static map of a head: what is drawn, and what is refused."""

import re

import pytest
import torch

from labutils.figures import attention_map

WEIGHTS = torch.tensor([[1.0, 0.0], [0.25, 0.75]])
HIDDEN = torch.tensor([[False, True], [False, False]])


def drawn(weights=WEIGHTS, tokens=("the", "cat"), masked=HIDDEN, title="Who looks", alt="cat looks at itself: 0.75"):
    return attention_map(weights, list(tokens), title, "<b>Figure.</b>", alt, masked)


def test_every_weight_has_a_cell_and_a_masked_one_no_colour():
    html = drawn()._repr_html_()
    assert len(re.findall(r'<rect [^>]*style="fill', html)) == 3
    assert len(re.findall(r'class="itt-map-masked"', html)) == 1
    assert re.findall(r'class="itt-map-number is-\w+">([\d.]+)<', html) == ["1", ".25", ".75"]


def test_zero_is_drawn_as_zero_where_nothing_is_masked():
    html = drawn(masked=None)._repr_html_()
    assert "itt-map-masked" not in html and "masked, not 0" not in html
    assert html.count("fill: var(--itt-seq-0)") == 1


def test_a_token_is_text_never_markup():
    html = drawn(tokens=("<img src=x onerror=alert(1)>", "cat"))._repr_html_()
    assert "<img" not in html and "&lt;img" in html


def test_rows_may_have_names_of_their_own():
    html = attention_map(WEIGHTS[:1], ["the", "cat"], "One row", "", "one row", rows=["le"])._repr_html_()
    assert re.findall(r">(le|the|cat)</text>", html) == ["le", "the", "cat"]
    with pytest.raises(ValueError, match=r"\(1, 2\).*\(2, 2\)"):
        attention_map(WEIGHTS, ["the", "cat"], "One row", "", "one row", rows=["le"])


def test_the_axes_may_be_of_another_table():
    html = attention_map(WEIGHTS, ["the", "cat"], "A table", "", "a table", axes=("row", "<from>"))._repr_html_()
    assert re.findall(r'itt-map-axis">([^<]*)</text>', html) == ["row ↓", "&lt;from&gt; →"]
    assert re.findall(r'itt-map-axis">([^<]*)</text>', drawn()._repr_html_()) == ["query ↓", "key →"]


def test_a_framed_cell_has_a_frame_and_the_legend_says_what_it_is():
    html = attention_map(WEIGHTS, ["the", "cat"], "Framed", "", "framed", framed=HIDDEN, frame="<gold>")._repr_html_()
    x, y = re.search(r'<rect x="(\d+)" y="(\d+)" [^>]*class="itt-map-frame"/>', html).groups()
    cell = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" [^>]*style="fill', html)[1]  # row the, column cat
    assert (float(x) + 0.5, float(y) + 0.5) == tuple(map(float, cell))
    assert html.count('class="itt-map-frame"') == 1 and "&lt;gold&gt;</span>" in html
    assert "itt-map-frame" not in drawn()._repr_html_() and "itt-swatch-frame" not in drawn()._repr_html_()


def test_scores_missing_words_and_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="did you pass the scores"):
        drawn(weights=torch.tensor([[1.0, 0.0], [-2.0, 3.0]]))
    with pytest.raises(ValueError, match=r"\(2, 2\).*\(3, 3\)"):
        drawn(weights=torch.eye(3))
    with pytest.raises(ValueError, match="alternative text"):
        drawn(alt=" ")


@pytest.mark.parametrize(("n", "width"), [(2, 186), (10, 554), (18, 70 + 18 * 43 + 24), (24, 910)])
def test_a_map_of_few_words_has_large_cells_and_one_of_many_fills_the_page(n, width):
    html = drawn(torch.eye(n), [str(i) for i in range(n)], masked=torch.ones(n, n).triu(1).bool())._repr_html_()
    assert re.search(r'viewBox="0 0 (\d+) ', html)[1] == str(width) and f"max-width: {width}px" in html
    side = (width - 94) / n
    ends = [tuple(map(float, line)) for line in re.findall(r'<line x1="(\S+)" y1="(\S+)" x2="(\S+)" y2="(\S+)"', html)]
    assert all(0 < x2 - x1 <= side and x2 - x1 == y1 - y2 for x1, y1, x2, y2 in ends)
