"""GPT-2's 256 printable symbols, one for each byte.

Merges are kept in text files, where a space or a control character would be
invisible.  So each byte has a symbol: itself if it is printable, else a character
from U+0100 on.  Source: ``bytes_to_unicode`` of openai/gpt-2 ``encoder.py``.

>>> to_symbols(" cat"), to_symbols("é"), to_symbols("\\n")
('Ġcat', 'Ã©', 'Ċ')
>>> from_symbols("Ġcat")
b' cat'
"""

PRINTABLE = [
    *range(ord("!"), ord("~") + 1),
    *range(ord("¡"), ord("¬") + 1),
    *range(ord("®"), ord("ÿ") + 1),
]
REST = [byte for byte in range(256) if byte not in PRINTABLE]

SYMBOL = {byte: chr(byte) for byte in PRINTABLE} | {
    byte: chr(256 + n) for n, byte in enumerate(REST)
}
BYTE = {symbol: byte for byte, symbol in SYMBOL.items()}
ALPHABET = list(BYTE)  # in the order of GPT-2's ids 0 to 255

_SYMBOLS_BY_BYTE = "".join(SYMBOL[byte] for byte in range(256))
_TRANSLATE = dict(enumerate(_SYMBOLS_BY_BYTE))


def to_symbols(text: str) -> str:
    """A text as one symbol per byte of its UTF-8 form."""
    return text.encode("utf-8").decode("latin-1").translate(_TRANSLATE)


def from_symbols(symbols: str) -> bytes:
    """The bytes behind a string of symbols.

    Raises:
        KeyError: for a character that is not one of the 256 symbols.
    """
    return bytes(BYTE[symbol] for symbol in symbols)
