"""Beam search: several beginnings are kept at once, and the best whole text wins.

A search and no sampling: it draws nothing. As HuggingFace's `generate(num_beams=…)`
with its defaults, where a text is compared by its log-probability divided by a power of
its length.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral

import torch
from jaxtyping import Float
from torch import Tensor, nn

from labutils.layers import Cache
from labutils.models import for_writing
from labutils.models.inputs import tensor_of

from .progress import watched
from .writing import check_most


@dataclass(frozen=True)
class Beam:
    """ids: the tokens that were added. log_prob: of all of them together, in nats.
    ended: whether the last of them is the end sign.
    """

    ids: tuple[int, ...] = ()
    log_prob: float = 0.0
    ended: bool = False

    def score(self, length_penalty: float) -> float:
        """The log-probability divided by the length to a power: with 0 long texts are
        at a disadvantage, with 1 the mean of a token is compared.
        """
        return self.log_prob / len(self.ids) ** length_penalty


@dataclass(frozen=True)
class Step:
    """One step: which beams go on, which have just ended, and which were best of the
    rest; each from the most probable on.
    """

    running: tuple[Beam, ...]
    ended: tuple[Beam, ...]
    dropped: tuple[Beam, ...]


def beam_step(
    running: tuple[Beam, ...],
    log_probs: Float[Tensor, "b V"],
    width: int,
    end: int | None = None,
) -> Step:
    """Every beam is continued by every token; the best `width` that do not end go on.

    All b · V continuations are compared with one another, not beam by beam, and by the
    log-probability of the whole. One that ends is kept if it is among the best `width`
    of all, and is not continued.

    >>> step = beam_step((Beam(),), torch.tensor([[0.25, 0.5, 0.25]]).log(), width=1)
    >>> step.running[0].ids, len(step.dropped)
    ((1,), 1)
    """
    before = torch.tensor([beam.log_prob for beam in running], dtype=log_probs.dtype)
    all_ = (before[:, None] + log_probs).flatten()  # (b V,)
    best = all_.topk(min(2 * width, len(all_)))  # enough, if each beam may end
    found = []
    for value, place in zip(best.values.tolist(), best.indices.tolist()):
        beam, token = divmod(place, log_probs.shape[-1])
        found.append(Beam((*running[beam].ids, token), value, token == end))
    on = [beam for beam in found if not beam.ended]
    ended = tuple(beam for beam in found[:width] if beam.ended)
    return Step(tuple(on[:width]), ended, tuple(on[width:]))


@torch.no_grad()
def beam_steps(
    model: nn.Module,
    ids: list[int],
    width: int,
    most: int,
    end: int | None = None,
    length_penalty: float = 1.0,
) -> Iterator[Step]:
    """The steps of a search, until it cannot find anything better or `most` tokens were
    added. Keys and values are kept, and go to the beams that go on. Raises ValueError
    for a width or a `most` below 1, and a length penalty that is not from -10 to 10.
    """
    if not (isinstance(width, Integral) and width >= 1):
        raise ValueError(f"A search keeps at least one beam, not {width}.")
    if not -10 <= length_penalty <= 10:
        raise ValueError(f"A length penalty is from -10 to 10, not {length_penalty}.")
    check_most(most)
    running, best = (Beam(),), []
    new = tensor_of(ids, "ids")[None]
    model, cache = for_writing(model, last=1), Cache(new.shape[1] + most)
    for length in range(1, most + 1):
        log_probs = model(new, cache=cache).logits[:, -1].log_softmax(-1)  # (b, V)
        step = beam_step(running, log_probs, width, end)
        yield step
        place = {beam.ids: row for row, beam in enumerate(running)}
        running = step.running
        cache.pick([place[beam.ids[:-1]] for beam in running])
        new = torch.tensor([beam.ids[-1:] for beam in running])  # (b, 1)
        best += [beam.score(length_penalty) for beam in step.ended]
        best = sorted(best)[-width:]
        hope = running[0].log_prob / length**length_penalty
        if len(best) == width and hope <= best[0]:
            return  # as HuggingFace's rule: the best beam no longer beats the worst end


def beam_search(
    model: nn.Module,
    ids: list[int],
    width: int,
    most: int,
    end: int | None = None,
    length_penalty: float = 1.0,
) -> list[Beam]:
    """The best `width` texts that were found, the best first.

    Those that have ended compete with those that stand when `most` is reached.

    >>> from labutils.models import paper_model
    >>> mat_cat_mat = [4, 1, 4]
    >>> for width in (1, 2):
    ...     best = beam_search(paper_model(), mat_cat_mat, width, most=2)[0]
    ...     print(best.ids, round(best.log_prob, 2))
    (4, 0) -1.35
    (3, 0) -1.19
    """
    steps = beam_steps(model, ids, width, most, end, length_penalty)
    steps = list(watched(steps, most))
    found = [beam for step in steps for beam in step.ended]
    if len(steps) == most:
        found += _at_the_limit(steps[-1], width)
    return sorted(found, key=lambda beam: -beam.score(length_penalty))[:width]


def _at_the_limit(step: Step, width: int) -> list[Beam]:
    """Of the best `width` continuations of the last step those that have not ended."""
    return list(step.running[: width - len(step.ended)])
