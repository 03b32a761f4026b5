"""Exercise 11.1: keys that are written into their room, column by column, and one too many."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes, wrong_functions
from labutils.exercises.showing import show


def check_append(append: Callable[..., tuple[Tensor, int]], seed: int | None = None) -> None:
    """Check `append`: room (d_k, capacity), length, new (d_k, n) -> the room with them, the new length.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        append,
        writes_one,
        writes_many,
        fills_the_room,
        refuses_one_too_many,
        takes_no_token,
        goes_by_the_length,
        repeat="check_append(append, seed={seed})",
        seed=seed,
    )


def append(room, length, new):
    n = new.shape[1]
    if length + n > room.shape[1]:
        raise ValueError(f"{length} of {room.shape[1]} places are taken: {n} more do not fit.")
    room = room.clone()
    room[:, length : length + n] = new
    return room, length + n


RIGHT = (append,)
WRITE, END = "room[:, length : length + n] = new", "return room, length + n"
COLUMN = "A key is a column here: keys and places are counted along the second axis."
# fmt: off
MISTAKES = (
    ("does not advance the length", "The length is the old one: the next keys would be written over these.", END,
     "return room, length"),
    ("advances by one", "The length grew by 1, whatever the number of new keys.", END, "return room, length + 1"),
    ("writes one slot only", "Only the first of the new keys was written.", WRITE,
     "room[:, length : length + 1] = new[:, :1]"),
    ("writes at the beginning", "The new keys stand at the beginning, over the old ones.", WRITE, "room[:, :n] = new"),
    ("writes one place late", "The new keys stand one place too late.", WRITE,
     "room[:, length + 1 : length + 1 + n] = new[:, : room.shape[1] - length - 1]"),
    ("writes at the end of the room", "The new keys stand at the end of the room, behind a gap.", WRITE,
     "room[:, room.shape[1] - n :] = new"),
    ("counts along the first axis", COLUMN, "new.shape[1]", "new.shape[0]"),
    ("goes by the first axis throughout", COLUMN, "shape[1]", "shape[0]", WRITE,
     "room[length : length + n] = new"),
    ("writes into rows", "A key is a column here: write into columns, along the second axis.", WRITE,
     "room[length : length + n] = new"),
    ("cuts the room", "The room was cut: its free places have to stay.", END,
     "return room[:, : length + n], length + n"),
)
REFUSED = (
    ("adds to what stood there", "What stood in the free places", WRITE, "room[:, length : length + n] += new"),
    ("counts the columns that are not 0", "A key of zeros is a key", "    n = new.shape[1]",
     "    n = new.shape[1]\n    length = int((room != 0).any(0).sum())"),
    ("overflows in silence", "no error came", "if length + n > room.shape[1]:", "if False:", WRITE,
     "room[:, length : length + n] = new[:, : max(0, room.shape[1] - length)]"),
    ("refuses a full room", "ValueError", "length + n > room", "length + n >= room"),
    ("writes one row into many places", "raised RuntimeError", WRITE, "room[:, length : length + 1] = new"),
    ("writes into what it was given", "changed what it was given", "room = room.clone()", "room = room"),
    ("raises another error", "raised IndexError", "ValueError", "IndexError"),
)
# fmt: on


def drawn(draw: Draw, length: int, n: int, free: int) -> tuple[Tensor, int, Tensor]:
    """A room with `length` keys, n new ones, and so many places that stay free (a negative number: too few)."""
    d_k = draw.between(2, 4)
    room = torch.zeros(d_k, max(1, length + n + free))
    room[:, :length] = draw.normal(d_k, length)
    return room, length, draw.normal(d_k, n)


def expect(answer, room: Tensor, length: int, new: Tensor) -> None:
    try:
        found = call(answer, room, length, new)
    except NotYet as refused:
        cause = refused.__cause__
        raise NotYet(f"{refused}{_axis(cause, room, length, new) if cause else ''}") from cause
    wanted = append(room, length, new)
    pair = fair.plain(found) if not isinstance(found, tuple | list) else found
    expect_type(pair, (tuple, list), "append", "a pair: the room and the length")
    if len(pair) != 2:
        raise NotYet(f"append should return a pair, the room and the length, and it returned {len(pair)} things.")
    cause = likely(tuple(pair), outcomes(MISTAKES, append, room, length, new))
    told = f"With {length} of {room.shape[1]} places taken and {new.shape[1]} new keys"
    if isinstance(pair[0], Tensor) and pair[0].shape != room.shape and cause:
        raise NotYet(f"{told} the room has the shape {tuple(pair[0].shape)}, expected {tuple(room.shape)}.{cause}")
    expect_tensor(pair[0], tuple(room.shape), "append")
    if fair.whole(pair[1]) != wanted[1]:
        raise NotYet(f"{told} the length is {show(pair[1])}, expected {wanted[1]}.{cause}")
    if not fair.alike(pair[0], wanted[0], 1e-6):
        at = int((pair[0] - wanted[0]).abs().sum(0).argmax())
        raise NotYet(f"{told} place {at} holds {show(pair[0][:, at])}, expected {show(wanted[0][:, at])}.{cause}")


def _axis(error: BaseException, room: Tensor, length: int, new: Tensor) -> str:
    """What to say about an error: the first mistake that raises it here too. Keys that fit are refused by none but
    those that count along another axis, unless the last place is asked for.
    """
    if isinstance(error, ValueError) and length + new.shape[1] == room.shape[1]:
        return ""
    for said, wrong in wrong_functions(MISTAKES, append):
        try:
            wrong(room.clone(), length, new)
        except Exception as other:  # whatever a wrong answer runs into
            alike = str(other) == str(error) or isinstance(error, ValueError)
            if type(other) is type(error) and alike:
                return f" {said}"
    return ""


def writes_one(answer, draw: Draw):
    """One key goes behind the others, and the length grows by one."""
    expect(answer, *drawn(draw, draw.between(1, 3), 1, draw.between(2, 3)))


def writes_many(answer, draw: Draw):
    """A prompt of several keys goes in at once."""
    expect(answer, *drawn(draw, 0, draw.between(3, 5), 2))
    expect(answer, *drawn(draw, draw.between(1, 3), draw.between(2, 4), 3))


def fills_the_room(answer, draw: Draw):
    """The last place may be taken."""
    expect(answer, *drawn(draw, draw.between(1, 3), draw.between(1, 2), 0))


def refuses_one_too_many(answer, draw: Draw):
    """A key too many raises a ValueError."""
    for free in (-1, -2):
        room, length, new = drawn(draw, draw.between(2, 4), draw.between(2, 3), free)
        try:
            call(answer, room, length, new)
        except NotYet as refused:
            if isinstance(refused.__cause__, ValueError):
                continue
            raise
        raise NotYet(
            f"{length} of {room.shape[1]} places were taken, {new.shape[1]} keys came, and no error came. What does not"
            " fit would be lost in silence."
        )


def takes_no_token(answer, draw: Draw):
    """No new key changes nothing, and a room of one place is a room."""
    expect(answer, *drawn(draw, 2, 0, 1))
    expect(answer, *drawn(draw, 0, 1, 0))


def goes_by_the_length(answer, draw: Draw):
    """The length alone says what is taken: a key may be zeros, and a free place may hold what was left there."""
    room, length, new = drawn(draw, 3, 2, 2)
    left, zeros = room.clone(), room.clone()
    left[:, length:] = draw.normal(len(room), room.shape[1] - length)
    zeros[:, 1] = 0
    said = (
        "A key of zeros is a key, and it was written over or left out",
        "What stood in the free places is in the keys",
    )
    for one, what in zip((zeros, left), said):
        found = call(answer, one, length, new)
        wanted = append(one, length, new)[0]
        if fair.whole(found[1]) != length + 2 or not fair.alike(
            found[0][:, : length + 2], wanted[:, : length + 2], 1e-6
        ):
            raise NotYet(f"{what}: the first {length} columns are the old keys, the next 2 the new ones.")
