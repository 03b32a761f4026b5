"""Exercise 4.2: attention where the heads stand behind the tokens, and where True in a mask means hidden."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.attending_mistakes import attended, mistakes
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.layers import softmax

FINISHED = "torch.nn.functional.multi_head_attention_forward"  # where PyTorch's does not use its own kernel


def check_attend(attend: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor], seed: int | None = None) -> None:
    """Check `attend`: q, k, v with the heads behind the tokens and what is hidden -> mixtures (B, n, H * d_v).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        attend,
        takes_the_only_value,
        mixes_the_values_of_each_head,
        leaves_out_what_is_hidden,
        does_not_hear_what_is_hidden,
        stretches_axes_of_length_1,
        takes_nothing_where_nothing_is_seen,
        takes_odd_sizes,
        does_it_by_itself,
        repeat="check_attend(attend, seed={seed})",
        seed=seed,
    )


def drawn(draw: Draw, m: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """q, k and v of random sizes, m keys if it is given."""
    B, n, H, d_k, d_v = (draw.between(2, 4) for _ in range(5))
    m = m or draw.between(3, 6)
    return tuple(draw.normal(B, *shape) for shape in ((n, H, d_k), (m, H, d_k), (m, H, d_v)))


def nobody(q: Tensor, k: Tensor) -> Tensor:
    """A mask that hides nothing: (B, n, m)."""
    return torch.zeros(len(q), q.shape[1], k.shape[1], dtype=torch.bool)


def some_hidden(draw: Draw, q: Tensor, k: Tensor) -> Tensor:
    """A random mask (B, n, m) in which each row hides a key and shows another."""
    hidden = draw.mask(*nobody(q, k).shape)
    hidden[..., 0], hidden[..., 1] = draw.mask(*hidden.shape[:-1]), False
    hidden[..., 1] = ~hidden[..., 0]
    return hidden


def expect(attend, q: Tensor, k: Tensor, v: Tensor, hidden: Tensor) -> None:
    """Raises NotYet where the reader's mixtures are not the right ones."""
    found = call(attend, q, k, v, hidden)
    expect_tensor(found, (*q.shape[:2], v.shape[2] * v.shape[3]), "attend")
    found, right = found.detach().double(), attended(q, k, v, hidden)
    if fair.alike(found, right):
        return
    sizes = zip(("B", "n", "m", "H", "d_k", "d_v"), (*q.shape[:2], k.shape[1], *q.shape[2:], v.shape[3]))
    place = tuple((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).nonzero()[0].tolist())
    raise NotYet(
        f"With {', '.join(f'{name} = {size}' for name, size in sizes)}: the number at {list(place)} is "
        f"{found[place]:.4f}, expected {right[place]:.4f}.{likely(found, mistakes(q, k, v, hidden))}"
    )


def takes_the_only_value(attend, draw: Draw):
    """With one key each query takes its value, the heads side by side."""
    q, k, v = drawn(draw, m=1)
    expect(attend, q, k, v, nobody(q, k))


def mixes_the_values_of_each_head(attend, draw: Draw):
    """With nothing hidden each head mixes its own values."""
    q, k, v = drawn(draw)
    expect(attend, q, k, v, nobody(q, k))
    k, v = draw.normal(*q.shape), draw.normal(*q.shape)  # all of one shape: more can be mistaken for one another
    expect(attend, q, k, v, nobody(q, k))


def leaves_out_what_is_hidden(attend, draw: Draw):
    """What is hidden has no share."""
    q, k, v = drawn(draw)
    expect(attend, q, k, v, some_hidden(draw, q, k))


def does_not_hear_what_is_hidden(attend, draw: Draw):
    """A hidden key has no say, however well it fits."""
    q, k, v = drawn(draw)
    hidden = nobody(q, k)
    hidden[..., -1] = True
    q[..., 0] = q[..., 0].abs() + 1
    k[:, -1] = 0
    k[:, -1, :, 0] = 2000.0
    expect(attend, q, k, v, hidden)


def stretches_axes_of_length_1(attend, draw: Draw):
    """Axes of length 1 in the mask stand for all texts or all queries."""
    q, k, v = drawn(draw)
    hidden = some_hidden(draw, q, k)
    expect(attend, q, k, v, hidden[:, :1])
    expect(attend, q, k, v, hidden[:1])


def takes_nothing_where_nothing_is_seen(attend, draw: Draw):
    """A query that sees nothing takes nothing."""
    q, k, v = drawn(draw)
    hidden = some_hidden(draw, q, k)
    hidden[:, draw.between(0, q.shape[1] - 1)] = True
    expect(attend, q, k, v, hidden)


def takes_odd_sizes(attend, draw: Draw):
    """One text, one token, one head; float64."""
    for B, n, m, H, d_k, d_v in ((1, 1, 1, 1, 1, 1), (1, 7, 1, 1, 3, 2), (3, 1, 5, 4, 1, 1), (1, 6, 6, 1, 2, 5)):
        shapes = (n, H, d_k), (m, H, d_k), (m, H, d_v)
        q, k, v = (draw.normal(B, *shape, dtype=torch.float64) for shape in shapes)
        expect(attend, q, k, v, draw.mask(B, n, m))


def does_it_by_itself(attend, draw: Draw):
    """Nothing else computes the attention."""
    q, k, v = drawn(draw)
    hidden = some_hidden(draw, q, k)
    refuse(
        ran(attend, q, k, v, hidden),
        "two products and a softmax are enough",
        operations=["scaled_dot_product"],
        functions=[FINISHED],
        handed_out=[softmax],
    )
