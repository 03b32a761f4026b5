"""Writing: a batch of texts goes on, one token at a time, with a seed.

Texts of different lengths are padded on the left, so that the last row of each is the
one that says what comes next.
"""

from collections.abc import Callable, Iterable, Iterator
from numbers import Integral

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from labutils.layers import Cache
from labutils.models import for_writing

from .settings import GREEDY, Settings, are_ids, processed

Stop = Callable[[list[int]], bool]  # whether what was written is enough


def draw(
    odds: Float[Tensor, "B V"], generator: torch.Generator
) -> Integer[Tensor, " B"]:
    """One token for each row, as probable as the row says.

    The odds are laid end to end on a line, and the token is taken in whose stretch a
    random number falls. Odds may be on any scale; a token with 0 is never drawn. Raises
    ValueError for a row in which every token has 0.

    >>> generator = torch.Generator().manual_seed(0)
    >>> draw(torch.tensor([[0.0, 1.0, 0.0]]), generator)
    tensor([1])
    """
    ends = odds.double().cumsum(-1)  # where the stretch of each token ends
    if not (ends[..., -1] > 0).all():  # later
        raise ValueError("Every token is forbidden here: one has to have a chance.")
    shape, kind = (*odds.shape[:-1], 1), torch.float64
    u = torch.rand(shape, dtype=kind, generator=generator) * ends[..., -1:]
    return torch.searchsorted(ends, u, right=True).squeeze(-1)


def chosen(
    logits: Float[Tensor, "B V"],
    settings: Settings,
    generator: torch.Generator,
    ids: Integer[Tensor, "B n"] | None = None,
    real: Bool[Tensor, "B n"] | None = None,
) -> Integer[Tensor, " B"]:
    """The next token of each text: drawn from what the rules leave. At temperature 0
    they leave one, and nothing is drawn. ids, real: as in `processed`.
    """
    logits = processed(logits, settings, ids, real)
    if settings.temperature == 0:
        best = logits.max(-1)
        if best.values.isfinite().all():
            return best.indices
    return draw(logits.softmax(-1), generator)


def left_padded(
    texts: list[list[int]], pad: int
) -> tuple[Integer[Tensor, "B n"], Integer[Tensor, "B n"], Integer[Tensor, "B n"]]:
    """ids, attention mask (0 on padding), and position ids that do not count padding.

    >>> left_padded([[7, 8, 9], [5]], pad=0)[2]
    tensor([[0, 1, 2],
            [0, 0, 0]])
    """
    n = max(map(len, texts))
    ids = torch.tensor([[pad] * (n - len(text)) + text for text in texts])
    mask = torch.tensor([[0] * (n - len(text)) + [1] * len(text) for text in texts])
    return ids, mask, (mask.cumsum(-1) - 1).clamp(min=0)


@torch.no_grad()
def written(
    model: nn.Module,
    texts: list[list[int]],
    most: int,
    settings: Settings = GREEDY,
    seed: int = 0,
    pad: int = 0,
) -> Iterator[Integer[Tensor, " B"]]:
    """One more token for each text, `most` times. Keys and values are kept, so a step
    reads one token of each text, with the weights laid out for it.

    >>> from labutils.models import paper_model
    >>> [new.tolist() for new in written(paper_model(), [[0, 1, 2]], 3)]  # the cat sat
    [[3], [0], [4]]
    """
    generator = torch.Generator().manual_seed(seed)
    ids, mask, positions = left_padded(texts, pad)
    model, cache = for_writing(model, last=1), Cache(ids.shape[1] + most)
    new, real, places = ids, mask, positions
    for _ in range(most):
        logits = model(new, real, places, cache=cache).logits[:, -1]  # (B, V)
        new = chosen(logits, settings, generator, ids, mask.bool())[:, None]  # (B, 1)
        yield new[:, 0]
        real, places = torch.ones_like(new), places[:, -1:] + 1
        ids, mask = torch.cat([ids, new], -1), torch.cat([mask, real], -1)


def until(tokens: Iterable[int], end: int | None, stop: Stop | None) -> list[int]:
    """The tokens up to the one that ends the text.

    >>> until([5, 6, 7, 8], end=7, stop=None)
    [5, 6, 7]
    """
    told: list[int] = []
    for token in tokens:
        told.append(token)
        if over(told, end, stop):
            break
    return told


def over(told: list[int], end: int | None, stop: Stop | None) -> bool:
    """Whether a text has ended with its last token: the end sign, or enough."""
    return told[-1] == end or (stop is not None and stop(told))


def check_most(most: int) -> None:
    """Raises ValueError where no token is to be written."""
    if not (isinstance(most, Integral) and most >= 1):
        raise ValueError(f"At least one token is written: most is not {most}.")


def check_room(
    model: nn.Module,
    texts: list[list[int]],
    most: int,
    end: int | None = None,
    beyond: int = 0,
) -> None:
    """Raises ValueError for what are no texts, a text without a token, an end sign that
    is no token, no token to write, and where a text would outgrow the positions of the
    model. beyond: how many of the last tokens are read although nothing follows.
    """
    if not (
        isinstance(texts, list | tuple) and all(isinstance(t, list) for t in texts)
    ):
        raise ValueError("Give texts as a list of lists of ids, such as [[5, 6], [7]].")
    if not all(map(are_ids, texts)):
        raise ValueError("A text is a list of ids, and each of them is a whole number.")
    if not texts or not all(texts):
        raise ValueError("Each text has to have a token that can be continued.")
    check_most(most)
    V = model.config.vocab_size
    if end is not None and not (isinstance(end, Integral) and 0 <= end < V):
        raise ValueError(f"The end sign is an id from 0 to {V - 1}, not {end}.")
    longest, room = max(map(len, texts)), model.config.n_positions
    if longest > room:
        raise ValueError(
            f"A text has {longest} tokens and this model reads {room}: shorten it."
        )
    left = room - longest + 1 - beyond
    if most > left:
        raise ValueError(
            f"A text of {longest} tokens has room for {left} more in this model, not"
            f" for {most}."
        )
