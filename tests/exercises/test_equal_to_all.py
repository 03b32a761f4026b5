"""Answers that are equal to whatever is asked for, or that look up what is asked for, get nothing for it."""

import pytest
from exercises.classroom import RIGHT
from exercises.test_beside import graded

from labutils.exercises.checking import PACKAGE
from labutils.exercises.returned import Decides, plainly

EQUAL = "class Equal:\n    def __eq__(self, other): return True\n    __hash__ = None\n"
CALLED = {
    "object": "class D:\n    def __call__(self, x): return Equal()\ndouble = D()",
    "part": "import functools\ndouble = functools.partial(lambda x: Equal())",
    "method": "class D:\n    def m(self, x): return Equal()\ndouble = D().m",
    "class": "class double:\n    def __new__(cls, x): return Equal()",
    "equal": "class double:\n    def __init__(self, x): pass\n    def __eq__(self, other): return True",
    "kept": "import functools\n@functools.cache\ndef double(x): return Equal()",
    "call": "def f(x): return Equal()\ndouble = f.__call__",
    "network": "import torch\nclass N(torch.nn.Module):\n    def forward(self, x): return Equal()\ndouble = N()",
    "any": "from unittest.mock import ANY\ndef double(x): return ANY",
    "proxy": "import weakref\none = Equal()\ndef double(x): return weakref.proxy(one)",
    "queue": "from collections import deque\ndef double(x): return deque([Equal()])",
    "array": "import numpy\ndef double(x):\n    found = numpy.empty((), object)\n    found[()] = Equal()\n    return found",
}


@pytest.mark.parametrize("how", CALLED)
def test_what_is_equal_to_all_is_refused_whatever_it_is_called_by(tmp_path, how):
    found = graded(tmp_path, double=EQUAL + CALLED[how])["09-double"]
    assert (
        not found.right and "which would say itself what it is equal to" in found.said and "Decides" not in found.said
    )


@pytest.mark.parametrize(
    "code",
    [
        "import functools, operator\ndouble = functools.partial(operator.mul, 2)",
        "class D:\n    def __call__(self, x): return x + x\ndouble = D()",
        "class double(int):\n    def __new__(cls, x): return x + x",
    ],
)
def test_what_can_be_called_is_as_good_as_a_function(tmp_path, code):
    assert graded(tmp_path, double=code)["09-double"].right


def test_what_holds_values_is_taken_apart():
    class Equal:
        def __eq__(self, other):
            return True

    for value in (iter([]).__class__, {1: 2}.keys(), {1: 2}.values(), map(str, [1]), (x for x in [1])):
        plainly(value)
    assert list(plainly(map(str, [1, 2]))) == ["1", "2"] and list(plainly({1: 2}.values())) == [2]
    for value in ((Equal() for _ in [0]), filter(None, [Equal()]), zip([Equal()])):
        with pytest.raises(Decides):
            list(plainly(value))
    with pytest.raises(Decides):
        plainly({1: Equal()}.values())


SHOWS = {
    "sys._getframe": "import sys\n    sys._getframe(1).f_locals",
    "sys._getframe by inspect": "import inspect\n    inspect.currentframe().f_back",
    "sys._getframe by a walk": "import traceback\n    next(traceback.walk_stack(None))",
    "tb_frame": "try: 1 / 0\n    except ZeroDivisionError as e: e.__traceback__.tb_frame.f_back",
    "gi_frame": "f = (h.gi_frame.f_back for _ in [0])\n    h = f\n    next(f)",
    "gc.get_objects": "import gc\n    gc.get_objects()",
    "sys.settrace": "import sys\n    sys.settrace(None)",
}


@pytest.mark.parametrize("how", SHOWS)
def test_who_looks_at_what_calls_it_waits_until_the_answer_was_read(tmp_path, how):
    found = graded(tmp_path, double=f"def double(x):\n    {SHOWS[how]}\n    return x + x")["09-double"]
    assert found.waits and found.starts == f"{how.split()[0]}, which shows what tests it"


LOOKS_IN = {
    "__closure__": "x.__closure__",
    "__closure__ by its name": "getattr(x, '__closure__', None)",
    "__closure__ by operator": "import operator\n    operator.attrgetter('__closure__')",
    "__closure__ with a line for IPython": "f = x.__closure__\n%time 1",
    "__code__": "x.__code__.co_consts",
    "__globals__": "x.__globals__",
    "__self__": "x.__self__",
    "inspect": "import inspect as i\n    i.getclosurevars(x)",
    "py_object": "import ctypes\n    ctypes.py_object",
    "cell_contents": "import utils",
}


@pytest.mark.parametrize("how", LOOKS_IN)
def test_who_names_a_part_of_what_is_handed_over_is_listed_and_keeps_the_points(tmp_path, how):
    (tmp_path / "utils.py").write_text("def table_of(cell):\n    return cell.cell_contents\n")
    (tmp_path / "others.py").write_text("import inspect\n")
    code = f"def other(x):\n    {LOOKS_IN[how]}\n{RIGHT['09-double']}"
    found = graded(tmp_path, double=code)["09-double"]
    assert found.right and not found.waits and found.starts == f"{how.split()[0]}, which shows what tests it"


LEFT = {
    "warnings.warn": "import warnings\n    warnings.warn('slow', stacklevel=2)",
    "traceback.print_stack": "import traceback\n    traceback.print_stack()",
    "inspect.stack": "import inspect\n    print(inspect.stack()[0].function)",
    "logging": "import logging\n    logging.warning('x', stack_info=True)",
}


def attending(tmp_path, line: str):
    """The verdict on a right answer with one line more, where checkers are closed as in a course."""
    code = RIGHT["09-attend"].replace("    return", f"    {line}\n    return")
    return graded(tmp_path, closed=(str(PACKAGE / "exercises"),), attend=code)["09-attend"]


@pytest.mark.parametrize("how", LEFT)
def test_a_line_left_in_a_right_answer_that_shows_who_calls_it_waits(tmp_path, how):
    found = attending(tmp_path, LEFT[how])
    assert found.right and found.waits and found.starts.endswith(", which shows what tests it")


@pytest.mark.parametrize("ask", ["inspect.getsource(checking)", "linecache.getlines(checking.__file__)"])
def test_to_ask_for_the_code_of_a_checker_has_no_points(tmp_path, ask):
    found = attending(tmp_path, f"import inspect, linecache; from labutils.exercises import checking; {ask}")
    assert not found.right and found.look


HONEST = """def double(x):
    import collections, contextlib, gc, logging, traceback, typing, warnings
    import torch
    logging.warning('a')
    warnings.warn('b')
    collections.namedtuple('Pair', 'a b')
    typing.TypeVar('T')
    gc.collect()
    try:
        1 / 0
    except ZeroDivisionError:
        traceback.print_exc()
    torch.vmap(lambda a: a)(torch.ones(2))
    return x + x
"""


def test_what_libraries_look_at_by_themselves_costs_nothing(tmp_path):
    found = graded(tmp_path, double=HONEST)["09-double"]
    assert found.right and not found.starts


@pytest.mark.parametrize(
    "code",
    [
        "import torch.testing._comparison as c\nc.not_close_error_metas = lambda *a, **k: []",
        "import numpy.testing._private.utils as c\nc.assert_array_compare = lambda *a, **k: None",
    ],
)
def test_who_changes_what_lies_beneath_an_assertion_is_told_of(tmp_path, code):
    found = graded(tmp_path, double=f"{code}\ndef double(x):\n    return 7")["09-double"]
    assert (found.right, found.look) == (False, True) and "how tests compare" in found.said
