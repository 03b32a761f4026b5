"""Streaming: a text is shown while it is written, and ends where a string says so.

A token is no letter and no word. Two tokens may share one letter, whose bytes then
arrive one by one, and a string that ends a text may begin in the middle of a token and
end in the middle of another. So what is not sure yet waits.
"""

from collections.abc import Iterable, Iterator, Sequence

from torch import nn

from labutils.text.tokenizer import Tokenizer

from .settings import GREEDY, Settings
from .writing import Stop, check_room, written


def spoken(
    tokenizer: Tokenizer, tokens: Iterable[int], stop: Sequence[str] = ()
) -> Iterator[str]:
    """The text of these tokens in pieces, each as soon as it is sure: no half letter,
    and nothing that may still become one of the strings in `stop`. The text ends before
    the first of them.
    """
    check_strings(stop)
    ids: list[int] = []
    text, said = "", 0
    for token in tokens:
        ids.append(token)
        text = tokenizer.decode(ids)
        found = [at for at in map(text.find, stop) if at >= 0]
        sure = min(found) if found else _sure(text, stop)
        if sure > said:
            yield text[said:sure]
            said = sure
        if found:
            return
    if text[said:]:
        yield text[said:]


def _sure(text: str, stop: Sequence[str]) -> int:
    """How many characters stay whatever comes next."""
    whole = text.rstrip("\ufffd")  # bytes that are no letter yet
    waits = [n for one in stop for n in range(1, len(one)) if whole.endswith(one[:n])]
    return len(whole) - max(waits, default=0)


def stream(
    model: nn.Module,
    tokenizer: Tokenizer,
    ids: list[int],
    most: int,
    end: int | None = None,
    settings: Settings = GREEDY,
    seed: int = 0,
    stop: Sequence[str] = (),
) -> Iterator[str]:
    """What `generate` writes after `ids`, as text and while it is written, without the
    end sign and without the string that stopped it.
    """
    check_room(model, [ids], most, end)
    check_strings(stop)
    tokens = (int(new) for new in written(model, [ids], most, settings, seed))
    return spoken(tokenizer, iter(lambda: next(tokens, end), end), stop)


def stop_strings(tokenizer: Tokenizer, *strings: str) -> Stop:
    """For `generate`: a text ends with the token that completes one of these strings,
    wherever the borders of the tokens lie. The prompt is not searched.
    """
    check_strings(strings)
    return lambda told: any(one in tokenizer.decode(told) for one in strings)


def check_strings(strings: Sequence[str]) -> None:
    """Raises ValueError for one string in place of several, and for an empty one."""
    if isinstance(strings, str) or not all(strings):
        raise ValueError(
            "Give the strings that end a text as a list; none of them is empty."
        )
