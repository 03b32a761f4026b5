"""A bounded memory: words repeat, so the pieces of a word are worth remembering."""

from collections.abc import Callable

LONGEST = 256  # characters; a longer key is computed each time


class Memory(dict):
    """``memory[key]`` computes once and remembers; when full, it forgets everything and
    starts again.

    Looking up a remembered key costs one C-level dictionary access.

    >>> lengths = Memory(len, limit=2)
    >>> [lengths[word] for word in ("a", "bb", "a", "ccc")], list(lengths)
    ([1, 2, 1, 3], ['ccc'])
    """

    def __init__(self, compute: Callable, limit: int = 1 << 15):
        super().__init__()
        self.compute, self.limit = compute, limit

    def __missing__(self, key):
        value = self.compute(key)
        if len(key) <= LONGEST:
            if len(self) >= self.limit:
                self.clear()
            self[key] = value
        return value
