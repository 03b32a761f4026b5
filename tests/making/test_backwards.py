"""The trainings behind chapter 1: what is stored is what the code gives."""

import pytest

from labutils.making import backwards


def test_every_run_of_the_plan_is_stored_with_every_seed():
    for seeds, plan in ((3, backwards.PLAN), (2, backwards.LONG)):
        for score, longest, d, steps in plan:
            for n in backwards.LENGTHS:
                shares = backwards.stored(score, n, longest, d, steps)
                assert len(shares) == seeds and all(0 < share <= 1 for share in shares)
    with pytest.raises(ValueError, match="No run with"):
        backwards.stored(None, 8, steps=401)


@pytest.mark.parametrize("score", [None, "dot"])
def test_the_shortest_run_gives_what_is_stored(score):
    """Other machines round differently, so a few hundredths may lie between."""
    found = backwards.one_run(score, 16, 64, 100, 0)["right"]
    for n in backwards.LENGTHS:
        assert found[str(n)] == pytest.approx(backwards.stored(score, n, steps=100)[0], abs=0.06)


@pytest.mark.parametrize("score", [None, "dot"])
def test_word_by_word_is_the_same_run(score):
    for n in (4, 8, 16):
        shares, wrote = backwards.places(score, n)
        assert len(shares) == len(wrote) == n
        assert sum(shares) / n == pytest.approx(backwards.stored(score, n)[0], abs=0.001)
    with pytest.raises(ValueError, match="Nothing is stored"):
        backwards.places(score, 5)
