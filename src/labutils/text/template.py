"""Around the tokens of the text: special tokens for one and two segments, truncation,
padding.

A template is a list of (slot, type id): slot ``"A"`` is the first text, ``"B"`` the
second, anything else a special token.  BERT's template for a pair (Devlin et al.
2019, figure 2) is::

    [("[CLS]", 0), ("A", 0), ("[SEP]", 0), ("B", 1), ("[SEP]", 1)]
"""

from labutils.text.encoding import Encoding, special

Template = list[tuple[str, int]]
SIDES = ("right", "left")


def fill(
    template: Template,
    segments: dict[str, Encoding],
    ids: dict[str, int],
    add_special_tokens: bool = True,
) -> Encoding:
    """Put segments into a template.

    Args:
        template: list of (slot, type id).
        segments: ``{"A": Encoding, "B": Encoding}``.
        ids: special token -> id.
        add_special_tokens: leave the special tokens out when false.
    """
    filled = Encoding()
    for slot, type_id in template:
        if slot in segments:
            filled += segments[slot].with_type(type_id)
        elif add_special_tokens:
            filled += special(slot, ids[slot], type_id)
    return filled


def room_for(first: int, second: int, room: int) -> tuple[int, int]:
    """How many tokens of two texts to keep when together they may have ``room``: the
    longer one gives first.

    This is ``longest_first`` as HuggingFace's Rust code has it; the odd token goes
    to the longer text.

    >>> room_for(2, 8, 7), room_for(8, 8, 7), room_for(8, 7, 7), room_for(2, 3, 7)
    ((2, 5), (3, 4), (4, 3), (2, 3))
    """
    if first + second <= room:
        return first, second
    short, long = sorted((first, second))
    long = short if short > room else max(short, room - short)
    if short + long > room:
        short, long = room // 2, room // 2 + room % 2
    return (long, short) if first > second else (short, long)


def cut(encoding: Encoding, length: int, side: str = "right") -> Encoding:
    """The first ``length`` tokens, or the last ones when truncating on the left."""
    return (
        encoding[:length]
        if side == "right"
        else encoding[max(0, len(encoding) - length) :]
    )


def pad(
    encoding: Encoding, length: int, token: str, token_id: int, side: str = "right"
) -> Encoding:
    """Fill up to ``length`` with padding that no model attends to."""
    filling = special(token, token_id, attended=0, count=max(0, length - len(encoding)))
    return encoding + filling if side == "right" else filling + encoding


def check_side(name: str, side: str) -> None:
    """Raises ValueError unless ``side`` is "right" or "left"."""
    if side not in SIDES:
        raise ValueError(f'{name} must be "right" or "left", not {side!r}.')
