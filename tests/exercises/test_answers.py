"""Each exercise: its solution passes its check, and so does what means the same; the untouched start does not, and each
known mistake is named.
"""

import ast
import linecache
import os
import random
import re
import runpy
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, MethodType, ModuleType

import nbformat
import pytest
import torch
from torch.utils._pytree import tree_leaves

import labutils.layers.scaled_dot_product
from labutils.authoring import notebooks
from labutils.authoring.grading import trial
from labutils.authoring.grading.assignment import exercises
from labutils.authoring.grading.looking_in import looks_in
from labutils.authoring.self_study import solutions, student
from labutils.exercises import checking, mistakes
from labutils.exercises.ch04 import fresh_stories, preposition
from labutils.exercises.ch04.seeing import check_who_sees
from labutils.exercises.ch05 import name
from labutils.exercises.ch06 import plural
from labutils.exercises.ch12 import choose
from labutils.exercises.checking import NotYet
from labutils.exercises.forbidden import CHECKERS
from labutils.places import EXERCISES
from labutils.world import Story, World

SOURCES = {path.stem[:2]: notebooks.read(path) for path in sorted(EXERCISES.glob("*.ipynb"))}
ALL = [cell.id for source in SOURCES.values() for cell in solutions(source)]


def run(notebook: nbformat.NotebookNode, exercise: str, answer: str | None = None) -> None:
    """Run what is given, the answer (the notebook's own if there is none) and the check, as a reader does."""
    names = {}
    for cell in notebook.cells:
        if cell.id == "imports" or cell.id.startswith(exercise) and "nbgrader" in cell.metadata:
            code = answer if answer and cell.id == exercise else cell.source
            linecache.cache[cell.id] = len(code), None, code.splitlines(keepends=True), cell.id  # as a notebook does
            exec(compile(code, cell.id, "exec"), names)


@pytest.mark.parametrize("chapter", SOURCES)
def test_each_checker_has_the_name_of_its_exercise_and_stands_in_the_list_of_its_chapter(chapter):
    names = [exercise.removeprefix(f"{chapter}-").replace("-", "_") for exercise in ALL if exercise[:2] == chapter]
    listed = import_module(f"labutils.exercises.ch{chapter}").__doc__
    assert re.findall(r"(\w+) \((\d+\.\d+)\)", listed) == [
        (name, f"{int(chapter)}.{i}") for i, name in enumerate(names, 1)
    ]


@pytest.mark.parametrize("exercise", ALL)
def test_the_solution_passes(exercise, monkeypatch):
    """And it is handed nothing that holds what is asked for."""
    reached = []

    def call(function: Callable, *arguments):
        reached.extend(within_reach(arguments))
        return checking.call(function, *arguments)

    for module in [sys.modules[home] for home in sys.modules if CHECKERS.match(home)]:
        if hasattr(module, "call"):
            monkeypatch.setattr(module, "call", call)
    run(SOURCES[exercise[:2]], exercise)
    assert not reached


def within_reach(arguments: tuple) -> Iterator[object]:
    """What a function or an object that can be called carries in the open, but for names and other functions; of what
    it closes over, an object of a checker's own.
    """
    for one in tree_leaves(arguments):
        if callable(one) and not isinstance(one, type):
            yield from (
                value for value in getattr(one, "__dict__", {}).values() if not isinstance(value, str | FunctionType)
            )
            yield from getattr(one, "__defaults__", None) or ()
            yield from [one.__self__] if isinstance(one, MethodType) else ()
            held = [cell.cell_contents for cell in getattr(one, "__closure__", None) or ()]
            yield from (value for value in held if CHECKERS.match(type(value).__module__))


def test_the_table_of_a_black_box_is_not_within_reach_of_an_answer_that_looks_for_it():
    def who_sees(model, n, d):
        for cell in getattr(model, "__closure__", None) or ():
            if hasattr(cell.cell_contents, "table"):
                return cell.cell_contents.table.clone()
        model(torch.zeros(n, d))
        return torch.zeros(n, n, dtype=torch.bool)

    with pytest.raises(NotYet, match="False, expected True"):
        check_who_sees(who_sees, seed=1)


@pytest.mark.parametrize("exercise", ALL)
def test_the_untouched_start_is_told_that_it_is_not_written_yet(exercise):
    with pytest.raises((NotYet, NotImplementedError), match="is not written yet|Your turn"):
        run(student(SOURCES[exercise[:2]]), exercise)


@pytest.fixture(autouse=True)
def _drawn_again(request, monkeypatch):
    """Checkers draw at random for readers, and here the same in every run, as do answers that draw: a failure by chance
    says nothing. EXERCISES_SEED=7 gives others. All ways to one answer are tried on the same draws: they are one answer,
    and models read and write for it once.
    """
    name = request.node.name
    for way in WAYS:
        name = name.replace(f"[{way}-", "[")
    seed = zlib.crc32(f"{name} {os.environ.get('EXERCISES_SEED', '')}".encode()) % 100_000
    torch.manual_seed(seed)
    random.seed(seed)
    monkeypatch.setattr(checking, "new_seed", lambda: seed)


READERS = ((preposition, "bert_reads"), (fresh_stories, "bert_reads"), (name, "gpt2_reads"), (plural, "gpt2_reads"))


def read_once(read: Callable) -> Callable:
    """The same reader, which knows by heart what it read last: an exercise has at most two sets of stories of its own,
    and each check brings fresh ones.
    """
    read_texts = {}

    @lru_cache(maxsize=3)
    def kept(texts: tuple[str, ...]) -> list:
        return read(read_texts.pop(texts))

    def again(stories: Sequence[Story]) -> list:
        texts = tuple(story.text for story in stories)
        read_texts[texts] = stories
        found = kept(texts)
        read_texts.clear()
        return list(found)

    return again


@pytest.fixture(autouse=True, scope="module")
def _stories_are_drawn_and_read_once():
    """Each answer to an exercise lets the same model read the same stories, or write some, which takes seconds."""
    drawn, stories, accepted, accepts = {}, World.stories, {}, choose.accepts

    def told(world: World, n: int, seed: int) -> list[Story]:
        key = (repr(world.bias), n, seed)
        if key not in drawn:
            drawn[key] = stories(world, n, seed)
        return list(drawn[key])

    def judge(world: World, text: str) -> bool:
        if (key := (repr(world.bias), text)) not in accepted:
            accepted[key] = accepts(world, text)
        return accepted[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(World, "stories", told)
        for module, reader in READERS:
            patch.setattr(module, reader, read_once(getattr(module, reader)))
        patch.setattr(choose, "written", lru_cache(maxsize=8)(choose.written))
        patch.setattr(choose, "accepts", judge)
        yield


@pytest.fixture(autouse=True)
def _the_package_stays_whole(monkeypatch):
    """One mistake replaces the package's attention: it is put back."""
    for module in (labutils.layers, labutils.layers.scaled_dot_product):
        monkeypatch.setattr(module, "attention", module.attention)


FILES = [runpy.run_path(path) for path in sorted(Path(__file__).parent.glob("answers_*.py"))]  # chapters bring theirs


def checker(exercise: str) -> ModuleType:
    chapter, name = exercise.split("-", 1)
    return import_module(f"labutils.exercises.ch{chapter}.{name.replace('-', '_')}")


def wrong_answers(exercise: str) -> Iterator[tuple[str, str, str, str]]:
    """The rows of an exercise's tables: exercise, mistake, the words as a regular expression, the code."""
    module = checker(exercise)
    solution = next(cell.source for cell in SOURCES[exercise[:2]].cells if cell.id == exercise)
    code = mistakes.source(*module.RIGHT) if hasattr(module, "RIGHT") else solution
    for row in getattr(module, "MISTAKES", ()):
        yield exercise, row[0], re.escape(row[1]), mistakes.written(row, code)
    for row in getattr(module, "REFUSED", ()):
        yield exercise, row[0], row[1], mistakes.written(row, code)


WRONG = [one for exercise in ALL for one in wrong_answers(exercise)]
WRONG += [one for file in FILES for one in file.get("WRONG", ())]
MISTAKES = [pytest.param(exercise, words, code, id=f"{exercise}: {name}") for exercise, name, words, code in WRONG]


@pytest.mark.filterwarnings("ignore:The use of .x.T.")  # one of the mistakes
@pytest.mark.parametrize("exercise, words, code", MISTAKES)
def test_the_mistake_is_named(exercise, words, code):
    with pytest.raises(NotYet, match=words):
        run(SOURCES[exercise[:2]], exercise, with_imports(exercise, code))


def with_imports(exercise: str, code: str) -> str:
    """An answer below what its cell imports in the version that students get."""
    start = next(cell.source for cell in student(SOURCES[exercise[:2]]).cells if cell.id == exercise)
    imports = "\n".join(line for line in start.splitlines() if line.startswith(("import ", "from ")))
    return f"{imports}\n{code}"


FAIR = [one for file in FILES for one in file.get("FAIR", [])]
AS_GOOD = [pytest.param(exercise, code, id=f"{exercise}: {name}") for exercise, name, code in FAIR]


def test_no_honest_answer_has_to_be_read_for_its_names():
    book = [cell.source for source in SOURCES.values() for cell in solutions(source)]
    told = [code for *_, code in (*WRONG, *FAIR)]
    assert looks_in([*book, *told]) == "" and min(len(book), len(told)) > 50


@pytest.mark.parametrize("exercise, code", AS_GOOD)
def test_what_means_the_same_passes(exercise, code):
    run(SOURCES[exercise[:2]], exercise, with_imports(exercise, code))


def with_the_checkers_own(exercise: str) -> dict:
    """What a student has who binds the right answers of the checker to the names of the exercise."""
    names = {"__name__": "__main__"}
    for cell in student(SOURCES[exercise[:2]]).cells:
        if cell.id == "imports" or cell.id.startswith(exercise) and cell.id.endswith(("given", "symptom", exercise)):
            with suppress(NotImplementedError):
                exec(cell.source, names)
    for right in filter(callable, checker(exercise).RIGHT):
        names[right.__name__] = right
    return names


WAYS = ("itself", "by another name", "code alone", "in a thread", "within")
BY_CHECKER = [one for one in ALL if any(map(callable, getattr(checker(one), "RIGHT", ())))]


@pytest.mark.parametrize("exercise", BY_CHECKER)
@pytest.mark.parametrize("way", WAYS)
def test_the_right_answer_of_a_checker_earns_nothing(exercise, way):
    [graded] = [one for one in exercises(SOURCES[exercise[:2]]) if one.name == exercise]
    names, tests = with_the_checkers_own(exercise), {"__name__": "tests"}
    for code in (*graded.given, graded.start):
        with suppress(NotImplementedError):
            exec(code, tests)
    for right in filter(callable, checker(exercise).RIGHT):
        names[right.__name__] = borrowed(right, way)
    answers = {one: names[one] for one in graded.names if one in names}
    said = trial.tested(graded, answers, tests)
    assert not said.right
    if answers.keys() >= set(graded.names):
        assert re.search(r"`labutils\.exercises\.ch\d\d\.\w+\.\w+` ran in your function", said.said)


def borrowed(right: Callable, way: str) -> Callable:
    """A right answer of a checker, as a student may call it."""
    names = {"__name__": "__main__", "right": right}
    if way == "code alone":
        return FunctionType(right.__code__, vars(sys.modules[right.__module__]) | names, right.__name__)
    lines = {
        "by another name": "def mine(*given):\n    return right(*given)",
        "in a thread": "from concurrent.futures import ThreadPoolExecutor\n\ndef mine(*given):\n"
        "    with ThreadPoolExecutor() as pool:\n        return pool.submit(right, *given).result()",
        "within": "class Hidden:\n    do = staticmethod(right)\n\nmine = lambda *given: list(map(Hidden().do, *zip(given)))[0]",
    }
    if way not in lines:
        return right
    exec(lines[way], names)
    return names["mine"]


def steady(exercise: str) -> str:
    """A wrong answer that does not draw anything itself."""
    return next(code for name, _, _, code in WRONG if name == exercise and "rand" not in code)


@pytest.mark.parametrize("exercise", ALL)
def test_a_run_can_be_repeated_with_its_seed(exercise):
    """The call below a failure draws the same again."""
    code, source = with_imports(exercise, steady(exercise)), SOURCES[exercise[:2]]
    with pytest.raises(NotYet) as first:
        run(source, exercise, code)
    again = str(first.value).rpartition("\n  The same again: ")[2]
    assert re.fullmatch(r"check_\w+\(.*, seed=\d+\)", again)
    source = deepcopy(source)
    check = next(cell for cell in source.cells if cell.id == f"{exercise}-check")
    check.source = re.sub(r"^check_\w+\(.*\)$", again, check.source, flags=re.M)
    with pytest.raises(NotYet) as repeated:
        run(source, exercise, code)
    assert str(repeated.value) == str(first.value)


def bound(cell: nbformat.NotebookNode) -> set[str]:
    """The names that a cell gives a meaning, at its top level; imports are left out."""
    found = set()
    for statement in ast.parse(cell.source).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found.add(statement.name)
        elif not isinstance(statement, ast.Import | ast.ImportFrom):
            found |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and is_set(node)}
    return found


def is_set(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def test_no_exercise_of_chapter_4_overwrites_a_name_of_another():
    meanings = defaultdict(set)
    for cell in SOURCES["04"].cells:
        exercise = re.sub("-(given|symptom|check|control)$", "", cell.id)
        if cell.cell_type == "code" and exercise in ALL:
            source = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", cell.source, flags=re.S)
            for name in bound(nbformat.v4.new_code_cell(source)):
                meanings[name].add(exercise)
    assert meanings["attend"] == {"04-attention"}
    assert {name: users for name, users in meanings.items() if len(users) > 1} == {}
