"""Three schedules in print, as factors: by what the peak rate is multiplied at a step, counted from 0.

HuggingFace's `get_linear_schedule_with_warmup` and `get_cosine_schedule_with_warmup` return the same numbers; the loop
of this book uses `warmup_cosine` (optimisation.py), whose first step already moves.
"""

import math


def noam(step: int, warmup: int, d: int) -> float:
    """The rate itself at `step`, counted from 1: up in a straight line, then down with 1 / √step.

    Source: Vaswani et al. 2017, section 5.3, equation 3.

    >>> max(range(1, 9000), key=lambda step: noam(step, 4000, 512)), round(noam(4000, 4000, 512), 6)
    (4000, 0.000699)
    """
    return d**-0.5 * min(step**-0.5, step * warmup**-1.5)


def linear(step: int, warmup: int, steps: int) -> float:
    """Up to 1 in `warmup` steps and down to 0 at `steps`, both in a straight line.

    Source: Devlin et al. 2019, appendix A.2.
    """
    if step < warmup:
        return step / max(1, warmup)
    return max(0.0, (steps - step) / max(1, steps - warmup))


def cosine(step: int, warmup: int, steps: int) -> float:
    """Up to 1 in a straight line, and down to 0 along half a cosine.

    Source: Radford et al. 2018, section 4.1, "Model specifications".
    """
    if step < warmup:
        return step / max(1, warmup)
    done = (step - warmup) / max(1, steps - warmup)
    return max(0.0, 0.5 * (1 + math.cos(math.pi * done)))
