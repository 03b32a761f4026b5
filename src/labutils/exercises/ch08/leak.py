"""Exercise 8.5: a test that no model passes which looks ahead."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.ch08.given import Given
from labutils.exercises.checking import NotYet, call, check
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show

Model = Callable[[list[int]], Tensor]  # ids (n) -> logits (n, V), in float64
V, D = 12, 8
ROUNDING = "Texts of other lengths are computed in another order, so the last digits may differ: allow a little."


def check_leak(leaks: Callable[[Model, list[int]], bool], seed: int | None = None) -> None:
    """Check `leaks`: a model and ids -> whether what it says after a beginning depends on what follows.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        leaks,
        lets_honest_models_pass,
        catches_a_missing_mask,
        catches_what_only_the_length_tells,
        catches_a_leak_at_the_beginning,
        catches_a_leak_at_either_end,
        catches_a_faint_leak,
        is_not_fooled_by_rounding,
        repeat="check_leak(leaks, seed={seed})",
        seed=seed,
    )


def leaks(model, ids):
    whole = model(ids)
    for n in range(1, len(ids)):
        gap = (model(ids[:n]) - whole[:n]).abs().max()
        if gap > 1e-9 * (1 + whole.abs().max()):
            return True
    return False


RIGHT = (leaks,)
# fmt: off
MISTAKES = ()  # True and False tell no mistake from another: each property says what it found
REFUSED = (
    ("leaves out the last token alone", "row 1 sees token 2.*Try every beginning", "range(1, len(ids))",
     "range(max(1, len(ids) - 1), len(ids))"),
    ("keeps the first token alone", "row 1 sees token 2.*Try every beginning", "range(1, len(ids))", "range(1, 2)"),
    ("leaves out the shortest beginning", "row 0 sees token 1.*Try every beginning", "range(1, len(ids))",
     "range(2, len(ids))"),
    ("leaves out the longest beginning", "the last row but one sees the last token.*Try every beginning",
     "range(1, len(ids))", "range(1, len(ids) - 1)"),
    ("asks for equal bits", "allow a little", "gap > 1e-9 * (1 + whole.abs().max())", "gap > 0"),
    ("asks for a large gap", "far smaller than a logit", "1e-9 * (1 + whole.abs().max())", "0.1"),
    ("compares the first choices", "far smaller than a logit|row 1 sees token 2",
     "(model(ids[:n]) - whole[:n]).abs().max()", "(model(ids[:n]).softmax(-1) - whole[:n].softmax(-1)).abs().max()",
     "1e-9 * (1 + whole.abs().max())", "0.01"),
    ("changes what follows", "leave tokens out", "model(ids[:n]) -",
     "model([*ids[:n], *((i + 1) % 12 for i in ids[n:])])[:n] -"),
    ("compares the last row of the longest beginning", "row 1 sees token 2.*Try every beginning", "range(1, len(ids))",
     "range(max(1, len(ids) - 1), len(ids))", "(model(ids[:n]) - whole[:n])", "(model(ids[:n])[-1] - whole[n - 1])"),
    ("says it the other way round", "This model looks back only, and leaks said True of it",
     "return True\n    return False", "return False\n    return True"),
    ("returns the gap", "True or False", "    return False", "    return float(whole.abs().max())"),
)
# fmt: on


def a_model(draw: Draw, mixes: Callable[[int], Tensor], places: Callable[[int], Tensor] = torch.arange) -> Model:
    """Embeddings, one mixing of rows, a head; `mixes(n)` is which share of each row goes to each, (n, n)."""
    normal = lambda *shape: draw.normal(*shape, dtype=torch.float64)
    table, position, back = normal(V, D), normal(64, D), normal(D, V)

    def model(ids: list[int]) -> Tensor:
        n = len(ids)
        x = table[torch.tensor(ids)] + position[places(n)]
        return torch.tanh(x + mixes(n).double() @ torch.tanh(x)) @ back

    return model


def even(n: int) -> Tensor:
    return torch.ones(n, n).tril() / torch.arange(1, n + 1)[:, None]


def expect(answer, model: Model, ids: list[int], right: bool, said: str, hint: str = "") -> None:
    found = call(answer, Given("model", model), ids)
    found = found.item() if isinstance(found, Tensor) and found.numel() == 1 else found
    if found not in (True, False) or isinstance(found, float):
        raise NotYet(f"leaks should return True or False, and it returned {show(found)}.")
    if bool(found) != right:
        raise NotYet(f"{said}, and leaks said {bool(found)} of it. {hint}".rstrip())


def words(draw: Draw) -> list[int]:
    return draw.choices(range(V), draw.between(6, 9))


def lets_honest_models_pass(answer, draw: Draw):
    """A model that looks back only passes."""
    expect(answer, a_model(draw, even), words(draw), False, "This model looks back only", ROUNDING)
    expect(answer, a_model(draw, torch.eye), [3], False, "A text of one token has nothing ahead")


def catches_a_missing_mask(answer, draw: Draw):
    """A model in which each row sees all rows is caught."""
    expect(answer, a_model(draw, lambda n: torch.ones(n, n) / n), words(draw), True, "This model has no mask")


def catches_what_only_the_length_tells(answer, draw: Draw):
    """A model that counts its places from the end is caught."""
    model = a_model(draw, even, lambda n: torch.arange(n).flip(0))
    expect(
        answer,
        model,
        words(draw),
        True,
        "This model counts its places from the end",
        "Another token there shows nothing, since only the length gets through: leave tokens out.",
    )


def catches_a_leak_at_the_beginning(answer, draw: Draw):
    """A model of which one early row looks one ahead is caught."""

    expect_ahead(answer, draw, words(draw), 1, "row 1 sees token 2")


def expect_ahead(answer, draw: Draw, ids: list[int], row: int, said: str) -> None:
    """A model of which this row alone sees the token after it."""

    def mixes(n: int) -> Tensor:
        seen = even(n)
        if n > row + 1:
            seen[row, row + 1] = 0.5
        return seen

    expect(
        answer,
        a_model(draw, mixes),
        ids,
        True,
        f"In this model {said}",
        "Try every beginning, and compare all its rows.",
    )


def catches_a_leak_at_either_end(answer, draw: Draw):
    """A model is caught of which the very first row, or the last but one, looks one ahead."""
    expect_ahead(answer, draw, words(draw), 0, "row 0 sees token 1")
    ids = words(draw)
    expect_ahead(answer, draw, ids, len(ids) - 2, "the last row but one sees the last token")


def catches_a_faint_leak(answer, draw: Draw):
    """A leak of a hundred-thousandth is caught."""
    mixes = lambda n: even(n) + 1e-5 * torch.eye(n).roll(1, 1).triu(1)
    expect(
        answer,
        a_model(draw, mixes),
        words(draw),
        True,
        "In this model each row sees a little of the next",
        "A leak may be far smaller than a logit, and still far larger than rounding.",
    )


def is_not_fooled_by_rounding(answer, draw: Draw):
    """Rounding that differs with the length of a text is no leak."""
    honest = a_model(draw, even)
    model = lambda ids: (honest(ids) + 7.1 * len(ids)) - 7.1 * len(ids)
    expect(
        answer,
        model,
        words(draw),
        False,
        "This model looks back only, and rounds",
        "Other sizes are computed in another order: allow a little.",
    )
