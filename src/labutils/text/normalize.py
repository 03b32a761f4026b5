"""BERT's normalisation, with the way back: every character remembers where it came
from.

Source: ``BasicTokenizer`` of google-research/bert, as HuggingFace's ``BertNormalizer``
performs it.  A text in the making is a list of ``(character, origin)`` pairs;
``origin`` is the index of the character in the text that the reader wrote.

>>> normalize("Café 猫!", lowercase=True)
('cafe  猫 !', [0, 1, 2, 3, 4, 5, 5, 5, 6])
"""

from labutils.text.unicode import combining_rank, decompose, is_in, lower

Chars = list[tuple[str, int]]


def clean(chars: Chars) -> Chars:
    """Drop control characters; every kind of white space becomes a plain space."""
    kept = ((char, origin) for char, origin in chars if not is_in("removed", char))
    return [(" " if is_in("space", char) else char, origin) for char, origin in kept]


def space_out_cjk(chars: Chars) -> Chars:
    """Put a space on both sides of each Chinese character: it becomes a word."""
    spaced = []
    for char, origin in chars:
        spaced += (
            [(" ", origin), (char, origin), (" ", origin)]
            if is_in("cjk", char)
            else [(char, origin)]
        )
    return spaced


def nfd(chars: Chars) -> Chars:
    """Canonical decomposition: letters and their accents apart, accents in canonical
    order.

    Where accents change places, origins do not: as in HuggingFace, the first part
    of the k-th character keeps the k-th origin, wherever it now stands.
    """
    parts = [
        (part, i == 0) for char, _ in chars for i, part in enumerate(decompose(char))
    ]
    start = 0
    while start < len(parts):
        end = start + 1
        while end < len(parts) and combining_rank(parts[end][0]):
            end += 1
        parts[start:end] = sorted(
            parts[start:end], key=lambda part: combining_rank(part[0])
        )
        start = end
    decomposed, origins, origin = [], iter(chars), 0
    for part, is_first in parts:
        origin = next(origins)[1] if is_first else origin
        decomposed.append((part, origin))
    return decomposed


def without_accents(chars: Chars) -> Chars:
    """Decompose, then drop the marks: é -> e."""
    return [
        (char, origin) for char, origin in nfd(chars) if not is_in("nonspacing", char)
    ]


def to_lower(chars: Chars) -> Chars:
    """Lower-case each character by itself (a final Σ becomes σ like any other)."""
    return [(small, origin) for char, origin in chars for small in lower(char)]


def normalize(
    text: str,
    *,
    clean_text: bool = True,
    tokenize_chinese_chars: bool = True,
    strip_accents: bool | None = None,
    lowercase: bool = True,
) -> tuple[str, list[int]]:
    """Normalise a text as BERT does.

    Args:
        clean_text: remove control characters, make all white space plain.
        tokenize_chinese_chars: surround Chinese characters with spaces.
        strip_accents: drop accents; ``None`` means "if lower-casing", as in BERT.
        lowercase: lower-case.

    Returns:
        The new text and, for each of its characters, the index in ``text`` it came
        from.
    """
    chars = [(char, i) for i, char in enumerate(text)]
    if clean_text:
        chars = clean(chars)
    if tokenize_chinese_chars:
        chars = space_out_cjk(chars)
    if strip_accents or (strip_accents is None and lowercase):
        chars = without_accents(chars)
    if lowercase:
        chars = to_lower(chars)
    return "".join(char for char, _ in chars), [origin for _, origin in chars]
