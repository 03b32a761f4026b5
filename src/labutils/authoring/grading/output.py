"""What an answer prints: nobody reads it, and who prints without end is stopped long before the time is up."""

import io
import os

MOST = 100  # millions of characters that an answer may print


class TooMuch(Exception):
    """An answer has printed more than MOST."""

    def __init__(self):
        super().__init__(f"It had printed more than {MOST} million characters and was stopped.")


class Counter:
    """Counts what is printed and raises TooMuch, then counts anew: the error itself is printed, too."""

    def __init__(self):
        self.printed = 0

    def add(self, text: str) -> None:
        self.printed += len(text)
        if self.printed > MOST * 10**6:
            self.printed = 0
            raise TooMuch


class Nowhere(io.TextIOWrapper):
    """What stands for the screen."""

    def __init__(self):
        super().__init__(open(os.devnull, "wb"), encoding="utf-8")
        self.counter = Counter()

    def write(self, text: str) -> int:
        self.counter.add(text)
        return super().write(text)
