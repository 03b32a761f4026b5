"""What a card forbids is found under any name, and what a card hands out is not held against an answer."""

import inspect
import subprocess
import sys

import pytest
import tokenizers
import torch

from labutils.exercises.ch02.pairs import check_pairs
from labutils.exercises.ch04.merge import merge, two_parts
from labutils.exercises.checking import NotYet
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import AUTOGRAD, SOFTMAX, ran, refuse, watched
from labutils.layers import attention, softmax
from labutils.text.bytes import to_symbols

GIVEN = """
import sys
import torch
from functools import partial
from labutils.layers import MultiHeadAttention, attention, softmax
from labutils.text.bytes import to_symbols

kept = {"tool": attention}
title = "labutils.layers"
layer = MultiHeadAttention(4, 2)
"""
X = torch.randn(1, 3, 4)
ATTENTION = "labutils.layers.scaled_dot_product.attention"


def answer(code):
    names = {}
    exec(GIVEN + code, names)
    return names["answer"]


@pytest.mark.parametrize(
    "code, named",
    [
        ("def answer(x): return attention(x, x, x)", ATTENTION),
        ("answer = lambda x, a=attention: a(x, x, x)", ATTENTION),
        ("def helper(x): return attention(x, x, x)\ndef answer(x): return helper(x)", ATTENTION),
        ("def answer(x): return kept['tool'](x, x, x)", ATTENTION),
        ("def answer(x): return getattr(sys.modules[title], 'att' + 'ention')(x, x, x)", ATTENTION),
        ("def answer(x):\n    from labutils.layers import attention as a\n    return a(x, x, x)", ATTENTION),
        ("def outer():\n    a = attention\n    return lambda x: a(x, x, x)\nanswer = outer()", ATTENTION),
        ("answer = partial(attention, X, X)", ATTENTION),
        ("answer = softmax", "labutils.layers.scaled_dot_product.softmax"),
        ("answer = layer", "labutils.layers.multi_head.MultiHeadAttention"),
        ("def answer(x): return layer(x)", "labutils.layers.multi_head.MultiHeadAttention"),
        (
            "class answer(MultiHeadAttention):\n    def __init__(self, x): super().__init__(4, 2)",
            "multi_head.MultiHead",
        ),
        (
            "import labutils.text as ours\ndef answer(x): return ours.bytes.from_symbols('a')",
            "labutils.text.bytes.from_symbols",
        ),
    ],
)
def test_what_was_not_handed_out_is_found(code, named):
    with pytest.raises(NotYet, match=f"^`.*{named}.*` ran in your function, and the card does without it.$"):
        refuse(ran(answer(f"X = torch.randn(1, 3, 4)\n{code}"), X), handed_out=[to_symbols])


COPY = """import types
copied = types.FunctionType(attention.__code__.replace({}), {}, "copied", attention.__defaults__)
copied.__kwdefaults__ = attention.__kwdefaults__
"""


@pytest.mark.parametrize("name", ["copy", "labutils.layers", "labutils.exercises.checking", "tests", "torch"])
def test_it_makes_no_difference_what_a_cell_says_to_be(name):
    code = f"__name__ = {name!r}\ndef answer(x): return attention(x, x, x)"
    with pytest.raises(NotYet, match="^`labutils.layers.(scaled_dot_product.attention|answer)` ran in your function"):
        refuse(ran(answer(code), X))


@pytest.mark.parametrize(
    "other, names",
    [
        ("co_filename='x'", "dict(vars(sys.modules[attention.__module__]))"),
        ("co_filename='x', co_qualname='check_it'", "dict(vars(sys.modules[attention.__module__]))"),
        ("", "vars(sys.modules[attention.__module__]) | {'__name__': 'labutils.exercises.checking'}"),
        ("co_filename=sys.modules['copy'].__file__", "vars(sys.modules[attention.__module__]) | {'__name__': 'copy'}"),
    ],
)
def test_a_copy_of_the_packages_code_is_the_packages(other, names):
    seen = ran(answer(f"{COPY.format(other, names)}def answer(x): return copied(x, x, x)"), X)
    assert ATTENTION in seen.borrowed


def test_code_that_runs_among_the_names_of_another_module_is_the_readers():
    code = """
import copy
source = "def borrows(x):\\n    from labutils.layers import attention\\n    return attention(x, x, x)"
exec(compile(source, copy.__file__, "exec"), vars(copy))
answer = vars(copy).pop("borrows")"""
    with pytest.raises(NotYet, match=f"^`{ATTENTION}` ran in your function"):
        refuse(ran(answer(code), X))


def test_an_answer_that_is_written_like_the_packages_is_the_readers_own():
    """A published solution that was typed again is a copy of a text, and not borrowed."""
    source = inspect.getsource(merge)
    refuse(ran(answer(f"import math\n{source}answer = merge"), *two_parts(Draw(0))[:2]))
    copied = "copied = types.FunctionType(merge.__code__.replace(co_filename='x'), globals())\nanswer = copied"
    given = "import math, types\nfrom labutils.exercises.ch04.merge import merge\n"
    with pytest.raises(NotYet, match="^`labutils.exercises.ch04.merge.merge` ran in your function"):
        refuse(ran(answer(given + copied), *two_parts(Draw(0))[:2]))


def test_a_library_that_is_not_written_in_python_is_found_as_well():
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    with pytest.raises(NotYet, match="`tokenizers.Tokenizer` ran in your function"):
        refuse(ran(lambda text: tokenizer.encode(text), "the cat"))


@pytest.mark.parametrize(
    "code",
    [
        "def answer(x): return to_symbols('a')",
        "def answer(x):\n    from labutils.text.bytes import to_symbols as other\n    return other('a')",
        "def answer(x): return softmax(x)",
        "def answer(x): return x.exp() / len(title)",
        "def answer(x): return attention",
        "def labutils(x): return x\ndef answer(x): return labutils(x)",
        "class answer:\n    def __init__(self, x): self.attention = x",
    ],
)
def test_what_is_handed_out_or_only_sounds_alike_is_let_through(code):
    refuse(ran(answer(code), X), handed_out=[to_symbols, softmax])


def test_what_is_handed_out_may_use_the_package_itself():
    refuse(ran(answer("def answer(x): return attention(x, x, x)"), X), handed_out=[attention])
    refuse(ran(answer("def answer(x): return layer(x)"), X), handed_out=[answer("answer = layer")])


def test_what_a_checker_does_beside_is_not_held_against_the_answer():
    update_pairs = answer("def answer(pairs, words, pair): return pairs")
    with watched() as seen, pytest.raises(NotYet, match="Nothing has changed"):
        check_pairs(update_pairs)
    assert "labutils.text.bpe_train.count_pairs" in seen.functions and not seen.borrowed


@pytest.mark.parametrize(
    "hidden_softmax",
    [
        lambda x: x.softmax(0),
        torch.nn.LogSoftmax(0),
        lambda x: torch.nn.functional.cross_entropy(x, torch.tensor(0)),
        lambda x: x - x.logsumexp(0),
        lambda x: torch.inference_mode()(torch.softmax)(x, 0),
    ],
)
def test_a_softmax_is_seen_whatever_it_is_called(hidden_softmax):
    with pytest.raises(NotYet, match="softmax|logsumexp"):
        refuse(ran(hidden_softmax, torch.randn(5)), operations=SOFTMAX)


@pytest.mark.parametrize(
    "derivative",
    [
        lambda x: torch.autograd.grad((x * x).sum(), x),
        lambda x: torch.func.grad(lambda y: (y * y).sum())(x),
        lambda x: torch.autograd.functional.jacobian(torch.exp, x),
        lambda x: (x * x).sum().backward(),
    ],
)
def test_a_derivative_is_seen_whatever_takes_it(derivative):
    with pytest.raises(NotYet, match=r"`torch\.(autograd|func)[.`]"), torch.enable_grad():
        refuse(ran(lambda x: derivative(x.clone().requires_grad_()), torch.randn(5)), functions=AUTOGRAD)


def test_what_is_allowed_is_not_refused():
    def allowed(x):
        with torch.no_grad():
            return torch.exp(x @ torch.randn(5, 7)).sum()

    seen = ran(allowed, torch.randn(5))
    refuse(seen, operations=SOFTMAX, functions=AUTOGRAD)
    assert seen.largest == 35


def test_what_pytorch_imports_the_first_time_is_not_the_readers():
    code = """
import torch
from labutils.exercises.forbidden import ran, refuse
refuse(ran(lambda x: 2 * x, torch.ones(2)), functions=["torch.nn", "statistics"])
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_card_may_rule_out_tensors_of_one_number_too():
    with pytest.raises(NotYet, match="^A tensor of one number was made in your function"):
        refuse(ran(lambda: int(torch.tensor(3) + 2)), largest=0)
    refuse(ran(lambda: 3 + 2), largest=0)


@pytest.mark.parametrize("numbers, refused", [(1, False), (2, True)])
def test_a_tensor_may_be_too_large(numbers, refused):
    seen = ran(lambda: torch.empty(numbers, device="meta").numel())
    if not refused:
        return refuse(seen, largest=1)
    with pytest.raises(NotYet, match="^A tensor of 2 numbers was made in your function, and the card does without it"):
        refuse(seen, largest=1)
