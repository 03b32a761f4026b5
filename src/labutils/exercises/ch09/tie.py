"""Exercise 9.4: the gradient of a tied table in two parts: from looking tokens up, and from the head."""

import torch
from torch import Tensor, nn

from labutils.exercises.checking import NotYet, call, check, expect_tensor, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes


def check_two_parts(two_parts, seed: int | None = None) -> None:
    """Check `two_parts`: table (V, d), ids (n,), targets (n,) and a body -> two tensors (V, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        two_parts,
        gives_two_tables,
        looks_up_only_what_stands_there,
        asks_every_row_of_the_head,
        adds_up_to_the_whole,
        counts_a_token_each_time,
        repeat="check_two_parts(two_parts, seed={seed})",
        seed=seed,
    )


def two_parts(table, ids, targets, body):
    lookup, head = (table.detach().clone().requires_grad_() for _ in range(2))
    logits = body(lookup[ids]) @ head.T
    nn.functional.cross_entropy(logits, targets).backward()
    return lookup.grad, head.grad


RIGHT = (two_parts,)
ADDED = (
    "The gradients of two backward passes have added up: a tensor keeps its gradient, and the next pass adds to it."
    " Empty it in between, or take one pass."
)
# fmt: off
MISTAKES = (
    ("the wrong way round", "The two parts are the wrong way round.", "return lookup.grad, head.grad",
     "return head.grad, lookup.grad"),
    ("one table for both",
     "Both are the whole gradient: one table did both jobs, or two backward passes added up in it.",
     "lookup, head = (table.detach().clone().requires_grad_() for _ in range(2))",
     "lookup = head = table.detach().clone().requires_grad_()"),
    ("backward called twice", ADDED, "    nn.functional.cross_entropy(logits, targets).backward()",
     "    for _ in range(2):\n        nn.functional.cross_entropy(logits, targets).backward(retain_graph=True)"),
    ("the look-up, then the head on top of it", ADDED, "return lookup.grad, head.grad",
     "return lookup.grad, lookup.grad + head.grad"),
    ("the head, then the look-up on top of it", ADDED, "return lookup.grad, head.grad",
     "return head.grad + lookup.grad, head.grad"),
    ("sums instead of a mean", "The losses of the tokens were added: cross-entropy takes their mean.",
     "cross_entropy(logits, targets)", "cross_entropy(logits, targets, reduction='sum')"),
    ("half of the whole for each", "Half of the whole gradient was given to each: their shares of it differ.",
     "    return lookup.grad, head.grad", "    return ((lookup.grad + head.grad) / 2,) * 2"),
    ("shared out by rows",
     "The whole gradient was shared out by rows, those of the text to the look-up. These rows hear from both.",
     "return lookup.grad, head.grad",
     "whole, there = lookup.grad + head.grad, torch.zeros(len(table), 1)\n    there[ids] = 1\n"
     "    return whole * there, whole * (1 - there)"),
    ("without the body", "The body was left out: the head reads what comes out of it.", "body(lookup[ids])",
     "lookup[ids]"),
    ("each token once", "A token that stands there twice was counted once.",
     "    nn.functional.cross_entropy(logits, targets).backward()\n    return lookup.grad, head.grad",
     "    rows = lookup[ids]\n    loss = nn.functional.cross_entropy(body(rows) @ head.T, targets)\n"
     "    from_rows, from_head = torch.autograd.grad(loss, (rows, head))\n"
     "    once = torch.zeros_like(table)\n    once[ids] = from_rows\n    return once, from_head"),
)
REFUSED = (
    ("one tensor", "a pair", "return lookup.grad, head.grad", "return lookup.grad + head.grad"),
    ("takes token 0 for padding", "The part of the look-up differs", "body(lookup[ids])",
     "body(nn.functional.embedding(ids, lookup, padding_idx=0))"),
    ("too many rows", "returned the shape", "return lookup.grad, head.grad", "return lookup.grad[ids], head.grad"),
)
# fmt: on


def given(draw: Draw, twice: bool = False):
    V, d, n = draw.between(8, 11), draw.between(2, 4), draw.between(3, 5)
    ids = torch.tensor(draw.sample(range(V), n))
    if twice:
        ids[0] = ids[-1] = 0  # a token like any other
    matrix = draw.normal(d, d)
    return draw.normal(V, d), ids, torch.tensor(draw.choices(range(V), n)), lambda x: torch.tanh(x @ matrix) + x


def parts(answer, *inputs) -> tuple[Tensor, Tensor]:
    table = inputs[0]
    found = call(answer, *inputs)
    expect_type(found, list | tuple, "two_parts", "a pair: of the look-up, of the head")
    if len(found) != 2:
        raise NotYet(f"two_parts should return a pair, and it returned {len(found)} things.")
    for part in found:
        expect_tensor(part, tuple(table.shape), "two_parts")
    return tuple(found)


def expect(answer, *inputs) -> tuple[Tensor, Tensor]:
    found, right = parts(answer, *inputs), two_parts(*inputs)
    for i, name in enumerate(("look-up", "head")):
        if not torch.allclose(found[i].double(), right[i].double(), atol=1e-4):
            cause = likely(torch.stack(list(found)), ((said, torch.stack(list(gives)))
                           for said, gives in outcomes(MISTAKES, two_parts, *inputs)))  # fmt: skip
            far = float((found[i] - right[i]).abs().max())
            what = f"The part of the {name} differs by {far:.3f} from what was expected."
            raise NotYet(f"{cause.strip()} {what}" if cause else what)
    return found


def gives_two_tables(answer, draw: Draw):
    """It gives two tensors of the table's shape."""
    parts(answer, *given(draw))


def looks_up_only_what_stands_there(answer, draw: Draw):
    """The part of the look-up is 0 for tokens that are not in the text."""
    inputs = given(draw)
    found, _ = parts(answer, *inputs)
    others = torch.ones(len(inputs[0]), dtype=torch.bool)
    others[inputs[1]] = False
    if found[others].abs().max() > 0:
        expect(answer, *inputs)


def asks_every_row_of_the_head(answer, draw: Draw):
    """Each part is the gradient of its one job, and that of the head is in every row."""
    expect(answer, *given(draw))


def adds_up_to_the_whole(answer, draw: Draw):
    """Their sum is the gradient of the tied table."""
    table, ids, targets, body = given(draw)
    found = sum(part.double() for part in expect(answer, table, ids, targets, body))
    tied = table.clone().requires_grad_()
    nn.functional.cross_entropy(body(tied[ids]) @ tied.T, targets).backward()
    if not torch.allclose(found, tied.grad.double(), atol=1e-4):
        raise NotYet(f"The sum differs by {float((found - tied.grad).abs().max()):.3f}.")


def counts_a_token_each_time(answer, draw: Draw):
    """A token that stands in two places is asked twice."""
    expect(answer, *given(draw, twice=True))
