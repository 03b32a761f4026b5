"""Exercise 8.4: a loop for several texts at once that stops each of them where it ends."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.ch08.given import Given
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

V = 10
Loop = Callable[[Callable[[Tensor], Tensor], Tensor, int, int, int], Tensor]


def check_loop(go_on: Loop, seed: int | None = None) -> None:
    """Check `go_on`: a model, ids (B, n), the end sign, a filler and a number -> ids (B, n + new).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        go_on,
        writes_one_text,
        stops_where_a_text_ends,
        fills_up_the_others,
        counts_new_tokens_only,
        ignores_the_end_sign_of_the_beginning,
        asks_no_more_than_needed,
        lets_the_model_write_the_filler,
        repeat="check_loop(go_on, seed={seed})",
        seed=seed,
    )


def go_on(model, ids, end, pad, most):
    ended = torch.zeros(len(ids), dtype=torch.bool)
    for _ in range(most):
        new = model(ids).argmax(-1)
        new = torch.where(ended, pad, new)
        ids = torch.cat([ids, new[:, None]], dim=1)
        ended = ended | (new == end)
        if ended.all():
            break
    return ids


RIGHT = (go_on,)
# fmt: off
MISTAKES = (
    ("waits until all end at once", "All texts have ended, and it still goes on: they need not end in the same step.",
     "ended.all()", "(new == end).all()"),
    ("writes on after the end", "A text that has ended goes on: behind its end sign only the filler may stand.",
     "torch.where(ended, pad, new)", "new"),
    ("stops with the first", "It stops as soon as one text ends: the others are not finished.", "ended.all()",
     "ended.any()"),
    ("fills with the end sign", "Behind the end sign stands the end sign again, and not the filler.",
     "torch.where(ended, pad, new)", "torch.where(ended, end, new)"),
    ("ends with an end sign of the beginning",
     "An end sign that was given ended the text: only one that is written does.",
     "torch.zeros(len(ids), dtype=torch.bool)", "(ids == end).any(1)"),
    ("writes one more", "That is one token more than `most`.", "range(most)", "range(most + 1)"),
    ("counts the beginning", "The tokens that were given were counted as well: `most` counts new ones.", "range(most)",
     "range(most - ids.shape[1])"),
    ("forgets who has ended", "A text that has ended begins again: who has ended stays ended.", "ended | (new == end)",
     "new == end"),
    ("tests one step late", "It looks for the end one step late: test as soon as a token is written, before the next.",
     "        ended = ended | (new == end)\n        if ended.all():\n            break\n",
     "        if ended.all():\n            break\n        ended = ended | (new == end)\n"),
    ("tests one step late and fills nothing",
     "It looks for the end one step late, and writes a token behind the end sign: test before the next is written.",
     """
def go_on(model, ids, end, pad, most):
    ended = torch.zeros(len(ids), dtype=torch.bool)
    for _ in range(most):
        new = model(ids).argmax(-1)
        ids = torch.cat([ids, new[:, None]], dim=1)
        if ended.all():
            break
        ended = ended | (new == end)
    return ids
"""),
    ("leaves the end sign out", "The end sign is missing: it is written like any other token.",
     """
def go_on(model, ids, end, pad, most):
    ended = torch.zeros(len(ids), dtype=torch.bool)
    for _ in range(most):
        new = torch.where(ended, pad, model(ids).argmax(-1))
        ended = ended | (new == end)
        if ended.all():
            break
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids
"""),
)
REFUSED = (
    ("fills with 0", "holds 0 behind an end sign, and the filler here is", "torch.where(ended, pad, new)",
     "new * ~ended"),
    ("knows one end sign", "expected", "new == end", "new == 9"),
    ("takes the filler for an end", "the model itself writes the filler", "ended | (new == end)",
     "(ids[:, -1] == end) | (ids[:, -1] == pad)"),
    ("asks until the end and cuts", "asked the model", """
def go_on(model, ids, end, pad, most):
    ended, given = torch.zeros(len(ids), dtype=torch.bool), ids.shape[1]
    for _ in range(most):
        new = torch.where(ended, pad, model(ids).argmax(-1))
        ids = torch.cat([ids, new[:, None]], dim=1)
        ended = ended | (new == end)
    while ids.shape[1] > given and (ids[:, -1] == pad).all():
        ids = ids[:, :-1]
    return ids
"""),
    ("forgets to put the token behind", "expected", "torch.cat([ids, new[:, None]], dim=1)", "ids"),
)
# fmt: on


def scripted(table: list[list[int]], given: int, asked: list) -> Given:
    """A model that says what a table has for each text, whatever was said before, and notes when it is `asked`. The
    table is what is to be found, so no attribute holds it.
    """

    def model(ids: Tensor) -> Tensor:
        asked.append(ids.shape)
        step = ids.shape[1] - given
        says = [row[step] if step < len(row) else row[-1] for row in table]
        return torch.nn.functional.one_hot(torch.tensor(says), V).float()

    return Given("model", model)


def drawn(
    draw: Draw, lengths: list[int], most: int, ended: bool = False, filler: bool = False, asked: list | None = None
) -> tuple:
    """Texts that end after so many tokens; what follows in their scripts is never to be seen. With `filler` the first
    text has that in its script.
    """
    n = draw.between(2, 5)
    pad, end = draw.sample(range(1, V), 2)  # neither is 0
    words = [i for i in range(V) if i not in (pad, end)]
    table = [[*draw.choices(words, size - 1), end, *draw.choices(words, 40)] for size in lengths]
    ids = torch.tensor([draw.choices(words, n) for _ in lengths])
    if filler:
        table[0][1] = pad
    if ended:
        ids[0, draw.between(0, n - 1)] = end
        ids[-1, 0] = end
    return scripted(table, n, [] if asked is None else asked), ids, end, pad, most


def expect(answer: Loop, given: tuple) -> None:
    found, right = call(answer, *given), go_on(*given)
    if not isinstance(found, Tensor) or found.ndim != 2:
        expect_tensor(found, right.shape, "go_on")
    if found.tolist() != right.tolist():
        cause = likely(found.tolist(), ((said, one.tolist()) for said, one in outcomes(MISTAKES, go_on, *given)))
        raise NotYet(f"go_on gave {found.tolist()}, expected {right.tolist()}.{cause or _filled(found, right, given)}")


def _filled(found: Tensor, right: Tensor, given: tuple) -> str:
    """What to say where another filler stands behind the end signs."""
    pad = given[3]
    others = found[found != right].unique() if found.shape == right.shape else []
    if len(others) == 1 and bool((right[found != right] == pad).all()):
        return f" It holds {int(others[0])} behind an end sign, and the filler here is {pad}."
    return ""


def writes_one_text(answer: Loop, draw: Draw):
    """One text is written until it may not be longer."""
    most = draw.between(2, 5)
    expect(answer, drawn(draw, [20], most))
    expect(answer, drawn(draw, [20], 1))


def stops_where_a_text_ends(answer: Loop, draw: Draw):
    """It stops with the end sign, and the end sign is written."""
    expect(answer, drawn(draw, [draw.between(1, 4)], 12))


def fills_up_the_others(answer: Loop, draw: Draw):
    """Texts that have ended are filled up until all have."""
    for lengths in ([2, 5, 3], [4, 1], draw.choices(range(1, 7), 4)):
        expect(answer, drawn(draw, lengths, 12))


def counts_new_tokens_only(answer: Loop, draw: Draw):
    """What was given does not count, and no new token may be asked for."""
    expect(answer, drawn(draw, [8, 9], 6))
    expect(answer, drawn(draw, [8, 9], 0))


def ignores_the_end_sign_of_the_beginning(answer: Loop, draw: Draw):
    """A text may begin with the end sign."""
    expect(answer, drawn(draw, [4, 6, 3], 12, ended=True))


def asks_no_more_than_needed(answer: Loop, draw: Draw):
    """The model is asked once for each new token."""
    asked = []
    call(answer, *drawn(draw, [3, 5], 12, asked=asked))
    if len(asked) != 5:
        raise NotYet(f"go_on asked the model {len(asked)} times for 5 new tokens.")


def lets_the_model_write_the_filler(answer: Loop, draw: Draw):
    """A text goes on where the model itself writes the filler: only the end sign ends it."""
    given = drawn(draw, [5, 3], 12, filler=True)
    found, right = call(answer, *given), go_on(*given)
    expect_tensor(found, right.shape, "go_on, where the model itself writes the filler,")
    expect(answer, given)
