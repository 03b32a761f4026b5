"""The two languages differ in what they should and in nothing else; a short run comes out as it did; what is stored is
whole, and says what the second notebook of chapter 7 says.
"""

import math
from statistics import fmean

import pytest
import torch

from labutils.analysis import cosines
from labutils.making import two_languages as two


def test_a_short_run_repeats_what_is_stored():
    both, kept = two.languages("nothing"), two.stored()["rehearsal"]["nothing"]
    assert two.rehearsed("nothing") == pytest.approx(kept, abs=0.05)
    assert kept < math.log(both.size) - 0.5  # it has learned something


def test_an_untrained_body_and_the_rivals_are_measured_as_they_are_stored():
    kept, both = two.stored(), two.languages("nothing")
    found = two.measured(two.fresh(both.size, 0), both)
    for name, values in kept["untrained"]["nothing"][0].items():
        assert found[name] == pytest.approx(values, abs=0.01), name
    assert two.rivals() == kept["rivals"] and two.chosen() == kept["words"]
    assert len(two.sentences()) == kept["sentences"]


@pytest.mark.parametrize("condition", two.CONDITIONS)
def test_the_languages_share_what_the_condition_says(condition):
    both, kind = two.languages(condition), {two.form(w): w.upos for words in two.sentences() for w in words}
    a, b = both.ids
    same = {one for one in a if a[one] == b[one]}
    names, marks = ({one for one in kind if kind[one] == upos} for upos in ("PROPN", "PUNCT"))
    assert same == (set() if condition.startswith("nothing") else names | marks)
    assert set(a) == set(b) == set(kind) and len({*a.values(), *b.values()}) == both.size - two.FIRST
    words = two.sentences()[0]
    told = both.row(words, 1)[1:]
    straight = [b[two.form(w)] for w in words]
    assert told == ([*straight[-2::-1], straight[-1]] if "mirrored" in condition else straight)
    assert both.row(words, 0) == [two.CLS, *(a[two.form(w)] for w in words)]


def test_the_words_that_are_read_stand_by_their_rows():
    both, some = two.languages("nothing, mirrored"), two.sentences()[:3]
    model = two.fresh(both.size, 0)
    states, words = two.read(model, both, 1, some)
    table = model.embeddings.token.weight
    positions = [i + 1 for one in some for i in range(len(one))]
    rows = table[[both.ids[1][two.form(w)] for w in words]] + model.embeddings.position.table.weight[positions]
    wanted = model.embeddings.norm(rows + model.embeddings.segment.weight[0])
    torch.testing.assert_close(states[0], wanted.detach())


def test_what_is_stored_is_whole_and_says_what_is_said():
    kept, rows = two.stored(), two.along()
    last = {
        name: {key: [run[key][-1] for run in runs] for key in ("A", "B", "pairs")}
        for name, runs in kept["trained"].items()
    }
    assert set(last) == set(two.CONDITIONS) and all(len(one["B"]) == len(two.SEEDS) for one in last.values())
    rivals, luck = kept["rivals"], 1 / kept["rivals"]["words"]
    for name, one in last.items():
        assert fmean(one["A"]) > 0.85, name
    for name in ("nothing", "names and marks"):
        assert fmean(last[name]["B"]) > rivals["ranked"] and fmean(last[name]["pairs"]) > rivals["ranked pairs"], name
        for mirrored in ("nothing, mirrored", "names and marks, mirrored"):
            assert max(last[mirrored]["B"]) < min(last[name]["B"]), (name, mirrored)
            assert max(last[mirrored]["pairs"]) < 10 * luck < min(last[name]["pairs"]), (name, mirrored)
    n = sum(two.SHOWN.values())
    for name, steps in two.WATCHED.items():
        assert rows[name].shape == (len(steps), 2, n, 64)
    found = [int((cosines(b, a).argmax(-1) == torch.arange(n)).sum()) for a, b in rows["nothing"]]
    assert found[0] < 8 and found[-1] > n / 2


def test_one_sentence_in_eight_stands_in_both_languages():
    """Short and common ones are drawn more than once; the notebook says how many."""
    told = [tuple(map(two.form, words)) for words in two.sentences()[2 * two.TESTED :]]
    in_a, in_b = set(told[::2]), set(told[1::2])
    assert sum(one in in_a and one in in_b for one in told) / len(told) == pytest.approx(1 / 8, abs=0.005)
