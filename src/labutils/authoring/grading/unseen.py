"""What a student is told has no text of a test that the notebook does not show, even where an answer has read it.

What everybody knows is no such text: the names that the exercise asks for, numbers alone, and what was borrowed.
"""

import ast
import re
from collections.abc import Iterable

from labutils.authoring.grading.assignment import Exercise
from labutils.authoring.grading.messages import Verdict

PIECE = 14  # characters in a row, without spaces, that are no accident
HELD_BACK = "What your code says is held back: it repeats text of a test that the notebook does not show."
BORROWED = re.compile(r"`[\w.]+` ran in (your function|a cell of yours)")
NAME = "·"  # stands for any name that an exercise asks for


def hold_back(exercises: list[Exercise], code: dict[str, list[str]], found: dict[str, Verdict]) -> None:
    """Take out of verdicts what has pieces of hidden tests. What these say by themselves where they fail is meant to be
    told, and what the student has been given or has written is no secret.
    """
    open_ = [text for one in exercises for text in (one.check, one.start, *one.given, *messages(one.hidden))]
    written = [cell for cells in code.values() for cell in cells]
    asked = re.compile("|".join(rf"\b{re.escape(name)}\b" for one in exercises for name in one.names) or r"\b\B")
    secret = _pieces((one.hidden for one in exercises), asked) - _pieces([*open_, *written], asked)
    for verdict in found.values():
        verdict.held = [line for line in verdict.held if not secret & _pieces([line], asked)]
        if secret & _pieces(_without_last_call(BORROWED.sub("", verdict.said), open_), asked):
            verdict.said = HELD_BACK


def messages(code: str) -> list[str]:
    """What a test says where it fails, piece by piece, as it is written there and as it is said."""
    try:
        found = [node.msg for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Assert) and node.msg]
    except SyntaxError:
        return []
    inside = [part for message in found for part in ast.walk(message) if isinstance(part, ast.Constant)]
    return [*(ast.get_source_segment(code, one) or "" for one in found), *(str(one.value) for one in inside)]


def _without_last_call(said: str, known: list[str]) -> list[str]:
    """The lines of a verdict, but for a checker's last one, which calls it again as the notebook does."""
    lines = said.splitlines()
    return [line for line in lines if not _calls_again(line, known)]


def _calls_again(line: str, known: list[str]) -> bool:
    call, again, seed = line.removeprefix("  The same again: ").rpartition("seed=")
    begins = call.strip().rstrip(", ")
    return bool(again) and seed.rstrip(")").isdigit() and any(begins in text for text in known)


def _pieces(texts: Iterable[str], asked: re.Pattern) -> set[str]:
    """All pieces of PIECE characters that texts have, spaces left out, with a letter in them."""
    found = set()
    for text in texts:
        text = "".join(asked.sub(NAME, text).split())
        found.update(text[i : i + PIECE] for i in range(len(text) - PIECE + 1))
    return {piece for piece in found if any(map(str.isalpha, piece))}
