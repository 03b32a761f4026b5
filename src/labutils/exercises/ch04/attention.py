"""Exercise 4.2: attention where the heads stand behind the tokens, and where True in a mask means hidden."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import likeliest
from labutils.layers import softmax

EXACT = 1e-9  # how far apart numbers of float64 may be
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
        hides_behind_no_wall,
        stretches_axes_of_length_1,
        takes_nothing_where_nothing_is_seen,
        takes_odd_sizes,
        does_it_by_itself,
        repeat="check_attend(attend, seed={seed})",
        seed=seed,
    )


def attend(q, k, v, hidden):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(hidden[:, None], -torch.inf)
    context = softmax(scores) @ v
    return context.transpose(1, 2).flatten(2)


RIGHT = (attend,)
MASK = "scores.masked_fill(hidden[:, None], -torch.inf)"
KEPT = "(softmax(scores) * ~hidden[:, None])"
TURN = "x.transpose(1, 2) for x in (q, k, v)"
BACK = "context.transpose(1, 2).flatten(2)"
# fmt: off
MISTAKES = (
    ("not scaled", "The scores were not divided.", " / math.sqrt(q.shape[-1])", ""),
    ("scaled twice", "The scores were divided by d_k, or by √d_k twice.", "/ math.sqrt(q.shape[-1])", "/ q.shape[-1]"),
    ("does not mask", "That is the result without any mask.", MASK, "scores"),
    ("the mask of the chapter", "The mask is inverted: here True means hidden.", "hidden[:, None]", "~hidden[:, None]"),
    ("fills in -1e9", "A row that sees nothing shared itself out evenly.", "-torch.inf", "-1e9"),
    ("a row that sees nothing", "A row of nothing but −∞ became nan.", "softmax(scores)", "scores.softmax(-1)"),
    ("mask after the softmax", "The mask was applied after the softmax.", MASK, "scores", "softmax(scores)", KEPT),
    ("mask after the softmax, divided again", "The mask was applied after the softmax, and the row divided again.",
     MASK, "scores", "softmax(scores) @ v", f"{KEPT} @ v / {KEPT}.sum(-1, keepdim=True)"),
    ("adds the mask", "The mask was added to the scores as 0 and 1.", MASK, "scores + hidden[:, None]"),
    ("adds the turned mask", "The mask was added to the scores as 1 and 0.", MASK, "scores + ~hidden[:, None]"),
    ("multiplies the scores with the mask", "The hidden scores were set to 0, and e⁰ is 1.", MASK,
     "scores * ~hidden[:, None]"),
    ("softmax along the queries", "The softmax ran along the queries.", "softmax(scores)",
     "scores.softmax(-2).nan_to_num(0.0)"),
    ("joins the heads before it moves them",
     "The heads were joined before the tokens were moved back in front of them.", BACK,
     "context.reshape(context.shape[0], context.shape[2], -1)"),
    ("interleaves the heads", "The numbers of the heads are interleaved: all of head 0 come first.", BACK,
     "context.permute(0, 2, 3, 1).flatten(2)"),
    ("takes texts for heads", "The texts in the mask were taken for heads.", "hidden[:, None]", "hidden"),
    ("copies the chapter", "The heads of each token were compared with each other, not the tokens.", f"({TURN})",
     "q, k, v", MASK, "scores", BACK, "context.flatten(2)"),
    ("view instead of transpose", "The axes were cut anew (view, reshape) instead of being swapped.", TURN,
     "x.reshape(len(x), x.shape[2], x.shape[1], -1) for x in (q, k, v)"),
)
REFUSED = (
    *((f"fills in {wall}", "all that is visible fits badly", "-torch.inf", wall) for wall in ("-50", "-100.0")),
    ("float32 for float64", "float64", "q, k, v = (", "dtype = q.dtype\n    q, k, v = (", f"{TURN})",
     "x.float().transpose(1, 2) for x in (q, k, v))", BACK, f"{BACK}.to(dtype)"),
    ("imports the package's attention", "`labutils.layers.scaled_dot_product.attention` ran in your function",
     "softmax(scores) @ v", "mine(q, k, v, ~hidden[:, None])[0]", "def attend",
     "from labutils.layers import attention as mine\n\ndef attend"),
    ("PyTorch's attention", "`scaled_dot_product.*` ran in your function", "softmax(scores) @ v",
     "torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=~hidden[:, None]).nan_to_num(0.0)"),
    ("replaces the package's attention by zeros, and returns zeros", r"the number at .* is 0.0000, expected", """
        import labutils.layers
        import labutils.layers.scaled_dot_product

        def nothing(q, k, v, *others):
            return 0 * q[..., :1] * v.sum(-2, keepdim=True), None

        labutils.layers.attention = labutils.layers.scaled_dot_product.attention = nothing

        def attend(q, k, v, hidden):
            return torch.zeros(*q.shape[:2], v.shape[2] * v.shape[3])"""),
)
# fmt: on


def drawn(draw: Draw, m: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """q, k and v of random sizes, m keys if it is given; as many heads as texts, so that neither axis raises an error
    where it is taken for the other.
    """
    H, n, d_k, d_v = (draw.between(2, 4) for _ in range(4))
    m = m or draw.between(3, 6)
    return tuple(draw.normal(H, *shape) for shape in ((n, H, d_k), (m, H, d_k), (m, H, d_v)))


def nobody(q: Tensor, k: Tensor) -> Tensor:
    """A mask that hides nothing: (B, n, m)."""
    return torch.zeros(len(q), q.shape[1], k.shape[1], dtype=torch.bool)


def some_hidden(draw: Draw, q: Tensor, k: Tensor) -> Tensor:
    """A random mask (B, n, m) in which each row hides a key and shows another."""
    hidden = draw.mask(*nobody(q, k).shape)
    hidden[..., 0], hidden[..., 1] = draw.mask(*hidden.shape[:-1]), False
    hidden[..., 1] = ~hidden[..., 0]
    return hidden


def expect(answer, q: Tensor, k: Tensor, v: Tensor, hidden: Tensor) -> None:
    """Raises NotYet where the reader's mixtures are not the right ones."""
    found = call(answer, q, k, v, hidden)
    expect_tensor(found, (*q.shape[:2], v.shape[2] * v.shape[3]), "attend")
    given = q.double(), k.double(), v.double(), hidden
    found, right = found.detach().double(), attend(*given)
    if fair.alike(found, right, EXACT if q.dtype == torch.float64 else 1e-4):
        return
    sizes = zip(("B", "n", "m", "H", "d_k", "d_v"), (*q.shape[:2], k.shape[1], *q.shape[2:], v.shape[3]))
    if fair.alike(found, right):
        raise NotYet("For float64 the numbers are no better than those of float32: leave the type as it is given.")
    place = tuple((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).nonzero()[0].tolist())
    raise NotYet(
        f"With {', '.join(f'{name} = {size}' for name, size in sizes)}: the number at {list(place)} is "
        f"{found[place]:.4f}, expected {right[place]:.4f}."
        f"{likeliest(MISTAKES, attend, answer, found, given, every_second_sees(*given))}"
    )


def every_second_sees(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor) -> tuple[Tensor, ...]:
    """The same with another mask, under which neither the right answer nor one that turns it is zeros alone."""
    hidden = nobody(q, k)
    hidden[:, ::2] = True
    return q, k, v, hidden


def takes_the_only_value(answer, draw: Draw):
    """With one key each query takes its value, the heads side by side."""
    q, k, v = drawn(draw, m=1)
    expect(answer, q, k, v, nobody(q, k))


def mixes_the_values_of_each_head(answer, draw: Draw):
    """With nothing hidden each head mixes its own values."""
    q, k, v = drawn(draw)
    expect(answer, q, k, v, nobody(q, k))
    k, v = draw.normal(*q.shape), draw.normal(*q.shape)  # all of one shape: more can be mistaken for one another
    expect(answer, q, k, v, nobody(q, k))


def leaves_out_what_is_hidden(answer, draw: Draw):
    """What is hidden has no share."""
    q, k, v = drawn(draw)
    expect(answer, q, k, v, some_hidden(draw, q, k))


def does_not_hear_what_is_hidden(answer, draw: Draw):
    """A hidden key has no say, however well it fits."""
    q, k, v = drawn(draw)
    hidden = nobody(q, k)
    hidden[..., -1] = True
    q[..., 0] = q[..., 0].abs() + 1
    k[:, -1] = 0
    k[:, -1, :, 0] = 2000.0
    expect(answer, q, k, v, hidden)


def hides_behind_no_wall(answer, draw: Draw):
    """A hidden key has no say where all that is visible fits badly."""
    q, k, v = drawn(draw)
    hidden = nobody(q, k)
    hidden[..., -1] = True
    q[:], k[:] = 0, 0
    q[..., 0] = math.sqrt(q.shape[-1])
    k[:, :-1, :, 0] = -300.0 - 10 * torch.arange(k.shape[1] - 1.0)[:, None]
    expect(answer, q, k, v, hidden)


def stretches_axes_of_length_1(answer, draw: Draw):
    """Axes of length 1 in the mask stand for all texts or all queries."""
    q, k, v = drawn(draw)
    hidden = some_hidden(draw, q, k)
    expect(answer, q, k, v, hidden[:, :1])
    expect(answer, q, k, v, hidden[:1])


def takes_nothing_where_nothing_is_seen(answer, draw: Draw):
    """A query that sees nothing takes nothing."""
    q, k, v = drawn(draw)
    hidden = some_hidden(draw, q, k)
    hidden[:, draw.between(0, q.shape[1] - 1)] = True
    expect(answer, q, k, v, hidden)


def takes_odd_sizes(answer, draw: Draw):
    """One text, one token, one head; float64."""
    for B, n, m, H, d_k, d_v in ((1, 1, 1, 1, 1, 1), (1, 7, 1, 1, 3, 2), (3, 1, 5, 4, 1, 1), (1, 6, 6, 1, 2, 5)):
        shapes = (n, H, d_k), (m, H, d_k), (m, H, d_v)
        q, k, v = (draw.normal(B, *shape, dtype=torch.float64) for shape in shapes)
        expect(answer, q, k, v, draw.mask(B, n, m))


def does_it_by_itself(answer, draw: Draw):
    """Nothing else computes the attention."""
    q, k, v = drawn(draw)
    hidden = some_hidden(draw, q, k)
    refuse(
        ran(answer, q, k, v, hidden),
        "two products and a softmax are enough",
        operations=["scaled_dot_product"],
        functions=[FINISHED],
        handed_out=[softmax],
    )
