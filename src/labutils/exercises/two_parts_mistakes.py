"""What comes out of merging two parts of a row if one thing goes wrong, for exercise 4.1.

Of a part three things are kept, (m, s, o): the largest score, the sum of e^(score - m), the mixture of values (d_v,).
"""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

Part = tuple[float, float, Tensor]


def wrong_m(first: Part, second: Part) -> Iterator[tuple[str, float]]:
    """What is said of the usual mistakes, and the m that each gives."""
    yield "That is the m of the first part.", first[0]
    yield "That is the m of the second part.", second[0]
    yield "That is the sum of both.", first[0] + second[0]


def wrong_s(first: Part, second: Part) -> Iterator[tuple[str, float]]:
    """What is said of the usual mistakes, and the s that each gives."""
    (m_1, s_1, _), (m_2, s_2, _), m = first, second, max(first[0], second[0])
    if m == -math.inf:
        yield "−∞ minus −∞ is no number.", math.nan
    elif m > 700:
        too_large = f"e to the power of {m:.0f} is too large for a number."
        yield too_large, math.inf
        yield too_large, math.nan
    else:
        yield "That is the sum of both, but each was counted from an m of its own.", s_1 + s_2
    if max(abs(m_1), abs(m_2)) < 100:
        other_way_round = "Each was multiplied by e to the power of m minus its own m: the other way round."
        yield other_way_round, s_1 * math.exp(m - m_1) + s_2 * math.exp(m - m_2)
        whole_power = "That is the sum of e^score, not of e^(score − m)."
        yield whole_power, s_1 * math.exp(m_1) + s_2 * math.exp(m_2)


def wrong_o(first: Part, second: Part) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and the o that each gives."""
    (m_1, s_1, o_1), (m_2, s_2, o_2), m = first, second, max(first[0], second[0])
    if m == -math.inf:
        yield "0 divided by 0 is no number.", torch.full_like(o_1, math.nan)
        return
    e_1, e_2 = math.exp(m_1 - m), math.exp(m_2 - m)
    yield "That is the sum of both mixtures.", o_1 + o_2
    yield "That is the mean of both mixtures, as if both parts had the same weight.", (o_1 + o_2) / 2
    undivided = "The shares are right but for a factor: they sum to s, not to 1."
    yield undivided, s_1 * e_1 * o_1 + s_2 * e_2 * o_2
    different_m = "Each mixture was weighted by its s, but these are counted from different m."
    yield different_m, (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)
    without_s = "Each mixture was weighted by e^(its m − m) alone; its s is missing."
    yield without_s, (e_1 * o_1 + e_2 * o_2) / (e_1 + e_2)


MISTAKES: dict[str, Callable[[Part, Part], Iterator[tuple]]] = {"m": wrong_m, "s": wrong_s, "o": wrong_o}
