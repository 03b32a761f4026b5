"""With √d_k and without: the stored runs are those of the code, and they say what chapter 4 says."""

import math

import pytest

from labutils.making import scale


@pytest.mark.parametrize("way", scale.WAYS)
def test_a_run_repeats_what_is_stored(way):
    kept = next(run for run in scale.stored() if (run.way, run.lr, run.seed) == (way, scale.SHOWN, 0))
    again = scale.trained(way, scale.SHOWN, 0, steps=4)
    assert again.losses == pytest.approx(kept.losses[:4], rel=0.02)


def test_who_may_not_look_only_guesses():
    blind = [run for run in scale.stored() if run.way == "blind"]
    assert len(blind) == len(scale.RATES) * len(scale.SEEDS)
    assert min(sum(run.losses[-20:]) / 20 for run in blind) > math.log(8)


def test_each_at_its_best_rate():
    """A rival is tuned: the division still saves most of the steps."""

    def steps(way, rate):
        return [run.below(1.0) or math.inf for run in scale.stored() if (run.way, run.lr) == (way, rate)]

    best = {way: min((steps(way, rate) for rate in scale.RATES), key=sum) for way in ("√d_k", "nothing")}
    assert max(best["√d_k"]) <= 8 and min(best["nothing"]) > 30
    assert best["√d_k"] == steps("√d_k", scale.SHOWN) and steps("nothing", scale.SHOWN).count(math.inf) == 2


def test_the_division_is_mostly_the_size_at_the_start():
    """Started as small, and divided by nothing, the head is nearly as quick; and it starts with the same scores."""
    steps = {
        way: min(
            (
                [run.below(1.0) or math.inf for run in scale.stored() if (run.way, run.lr) == (way, rate)]
                for rate in scale.RATES
            ),
            key=sum,
        )
        for way in ("√d_k", "nothing", "small start")
    }
    assert max(steps["√d_k"]) <= 8 and max(steps["small start"]) <= 13 and min(steps["nothing"]) > 30
    first = {run.way: run.losses[0] for run in scale.stored() if (run.lr, run.seed) == (scale.SHOWN, 0)}
    assert (
        first["small start"] == pytest.approx(first["√d_k"], abs=1e-3) and abs(first["nothing"] - first["√d_k"]) > 0.02
    )
