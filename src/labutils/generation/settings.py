"""Settings: all that may change a distribution before a token is drawn, in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

from .penalty import frequency_penalty, repetition_penalty
from .temperature import temperature
from .truncation import min_p, top_k, top_p, typical


def are_ids(given: object) -> bool:
    """Whether this is a list or tuple of whole numbers.

    >>> are_ids([3, 5]), are_ids(3), are_ids([0.5])
    (True, False, False)
    """
    return isinstance(given, list | tuple) and all(
        isinstance(i, Integral) for i in given
    )


@dataclass(frozen=True)
class Settings:
    """What is done to the logits before a token is drawn; these defaults do nothing.

    temperature: 0 is greedy. top_k: 0 keeps all. top_p: 1 keeps all. min_p: 0 keeps
    all. typical: 1 keeps all. penalty: for tokens that stand in the text, 1 is none.
    frequency: for each time that they stand there, 0 is none. forbidden: ids that are
    never written. A value that is out of its range is refused by its rule, with a
    ValueError.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    typical: float = 1.0
    penalty: float = 1.0
    frequency: float = 0.0
    forbidden: tuple[int, ...] = ()


PLAIN, GREEDY = Settings(), Settings(temperature=0.0)


def stages(
    logits: Float[Tensor, "B V"],
    settings: Settings,
    ids: Integer[Tensor, "B n"] | None = None,
    real: Bool[Tensor, "B n"] | None = None,
) -> Iterator[tuple[str, Float[Tensor, "B V"]]]:
    """The logits after each rule, with its name, in the order of HuggingFace.

    The order is part of the result: a nucleus is taken of the distribution that the
    temperature has left. ids, real: the text so far, for the two penalties alone.

    >>> import torch
    >>> odds = torch.tensor([[1.0, 1, 8, 4, 2]]) / 16
    >>> for tau in (0.5, 1, 2):
    ...     done = dict(stages(odds.log(), Settings(temperature=tau, top_p=0.7)))
    ...     print(tau, done["top_p"].isfinite().sum().item(), "stay")
    0.5 1 stay
    1 2 stay
    2 3 stay
    """
    if ids is not None and settings.penalty != 1:
        logits = repetition_penalty(logits, ids, settings.penalty, real)
    yield "penalty", logits
    if ids is not None and settings.frequency != 0:
        logits = frequency_penalty(logits, ids, settings.frequency, real)
    yield "frequency", logits
    if settings.forbidden != ():
        logits = _without(logits, settings.forbidden)
    yield "forbidden", logits
    for rule in (temperature, top_k, top_p, min_p, typical):
        logits = rule(logits, getattr(settings, rule.__name__))
        yield rule.__name__, logits


def processed(
    logits: Float[Tensor, "B V"],
    settings: Settings,
    ids: Integer[Tensor, "B n"] | None = None,
    real: Bool[Tensor, "B n"] | None = None,
) -> Float[Tensor, "B V"]:
    """The logits after all rules: the softmax of them is what is drawn from."""
    *_, (_, last) = stages(logits, settings, ids, real)
    return last


def _without(
    logits: Float[Tensor, "B V"], forbidden: tuple[int, ...]
) -> Float[Tensor, "B V"]:
    """Raises ValueError for what are no ids, for one outside the vocabulary, and if
    nothing is left.
    """
    V = logits.shape[-1]
    if not are_ids(forbidden):
        raise ValueError(
            f"Give forbidden ids as a tuple such as (3, 5), not {forbidden}."
        )
    if not all(0 <= i < V for i in forbidden):
        raise ValueError(
            f"Forbidden ids go from 0 to {V - 1}; these do not: {forbidden}."
        )
    if len(set(forbidden)) == V:
        raise ValueError(f"All {V} tokens are forbidden, and one has to be written.")
    places = torch.tensor(forbidden, device=logits.device)
    return logits.index_fill(-1, places, -torch.inf)
