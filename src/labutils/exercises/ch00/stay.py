"""Exercise 0.3: which rows of a stage stay as they are, to the last bit, when another token takes the place of one."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, call, check, expect_list
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.showing import show
from labutils.models import GPT2, Bert, BertConfig, GPT2Config
from labutils.trace import trace

STAGES = ("token", "position", "q", "scores", "attention_stream", "ffn_output", "logits")


def check_rows_that_stay(rows_that_stay: Callable[..., list[int]], seed: int | None = None) -> None:
    """Check `rows_that_stay`: stage, n, j, causal -> the rows that stay when another token takes place j of n.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        rows_that_stay,
        knows_what_stands_before_attention,
        knows_who_is_heard_in_gpt2,
        knows_who_is_heard_in_bert,
        knows_the_edges,
        thinks_and_does_not_try,
        repeat="check_rows_that_stay(rows_that_stay, seed={seed})",
        seed=seed,
    )


HEARD = "list(range(j)) if causal else []"
# fmt: off
REFUSED = (
    ("only the last row of the logits", "Only the last row of the logits is read", HEARD,
     f"list(range(n - 1)) if stage == 'logits' else {HEARD}"),
    ("all change", "The rows before j may not look ahead", HEARD, "[]"),
    ("only one changes", "The rows after it have compared themselves with it", HEARD,
     "[i for i in range(n) if i != j]"),
    ("row j reads itself", "Row j reads itself", "range(j)", "range(j + 1)"),
    ("the other way round", "the other way round", "range(j)", "range(j + 1, n)"),
    ("BERT like GPT-2", "In BERT the rows before j see it as well", HEARD, "list(range(j))"),
    ("BERT: only its own row", "In BERT every row listens to every other", HEARD,
     "list(range(j)) if causal else [i for i in range(n) if i != j]"),
    ("met too early", "So far no row has met another", 'in ("token", "q")', '== "token"'),
    ("a new place", "A place is a place", "list(range(n))", "[i for i in range(n) if i != j]"),
    ("the row that changes", "That is the row that changes; the others stay", "i != j", "i == j"),
    ("a number", "a list of rows", HEARD, "j"),
    ("scores not yet", "The rows after it have compared themselves with it", '"q")', '"q", "scores")'),
)
# fmt: on


def found_out(draw: Draw, stage: str, n: int, j: int, causal: bool) -> list[int]:
    """By experiment: a model with random weights reads both texts, and the rows are compared bit by bit."""
    sizes = dict(vocab_size=11, n_positions=16, d_model=8, n_layers=2, n_heads=2, d_ff=12)
    model = GPT2(GPT2Config(**sizes)) if causal else Bert(BertConfig(**sizes))
    with torch.no_grad():
        for p in model.double().parameters():
            p.copy_(0.3 * draw.normal(*p.shape, dtype=torch.float64))  # no row gives anyone all its weight
    ids = [draw.between(1, 10) for _ in range(n)]
    other = [*ids[:j], ids[j] % 10 + 1, *ids[j + 1 :]]
    one, two = (_stage(trace(model, row), stage) for row in (ids, other))
    return [i for i in range(n) if torch.equal(one[i], two[i])]


def _stage(traced, stage: str) -> Tensor:
    """The stage, of the first block where each block has one, with its rows in front."""
    value = getattr(traced.layers[0] if stage in traced.layers[0] else traced, stage)
    return value.transpose(0, 1) if value.ndim == 3 else value  # (H, n, ...) -> (n, H, ...)


def mistakes(stage: str, n: int, j: int, causal: bool) -> Iterator[tuple[str, list[int]]]:
    """What is said of the usual mistakes, and what each gives."""
    others, before = [i for i in range(n) if i != j], list(range(j))
    meets = stage not in ("token", "position", "q")
    if stage == "position":
        yield "A place is a place, whatever stands there.", others
        yield "A place is a place, whatever stands there.", before
        yield "A place is a place, whatever stands there.", []
    if stage in ("token", "q"):
        yield "That is the row that changes; the others stay.", [j]
        yield "So far no row has met another.", before
        yield "So far no row has met another.", []
    if stage == "scores":
        listened = "Only row j itself? The rows after it have compared themselves with it."
    else:
        listened = "Only row j itself? The rows after it have listened to it."
    if stage == "logits":
        last = "Only the last row of the logits is read, but there is a row for each token."
        yield last, list(range(n - 1))
    if meets and causal:
        yield listened, others
        yield "All of them? The rows before j may not look ahead.", []
        yield "Row j reads itself.", list(range(j + 1))
        yield "That is the other way round: the rows after j have heard of it.", list(range(j + 1, n))
        yield "That is the other way round: the rows after j have heard of it.", list(range(j, n))
    if meets and not causal:
        yield "In BERT the rows before j see it as well.", before
        yield "Only row j itself? In BERT every row listens to every other.", others
    if meets:
        yield "These rows have come through attention, so they have met.", list(range(n))


def expect(rows_that_stay, draw: Draw, stage: str, n: int, j: int, causal: bool) -> None:
    given = call(rows_that_stay, stage, n, j, causal)
    given = list(given) if isinstance(given, range) else given
    found = sorted(expect_list(given, "rows_that_stay", "a list of rows"))
    right = found_out(draw, stage, n, j, causal)
    if found != right:
        kind = "GPT-2" if causal else "BERT"
        why = next((f" {said}" for said, wrong in mistakes(stage, n, j, causal) if found == wrong != right), "")
        raise NotYet(
            f"Token {j} of {n} is replaced in a {kind}. You say that of {stage!r} the rows {show(found)} stay,"
            f" the model says {show(right)}.{why}"
        )


def some(draw: Draw, least: int = 4) -> tuple[int, int]:
    n = draw.between(least, 9)
    return n, draw.between(1, n - 2)


def knows_what_stands_before_attention(rows_that_stay, draw: Draw):
    """Before attention every row is alone."""
    for causal in (True, False):
        for stage in ("token", "position", "q"):
            expect(rows_that_stay, draw, stage, *some(draw), causal)


def knows_who_is_heard_in_gpt2(rows_that_stay, draw: Draw):
    """From attention on, in GPT-2."""
    for stage in ("scores", "attention_stream", "ffn_output", "logits"):
        expect(rows_that_stay, draw, stage, *some(draw), True)


def knows_who_is_heard_in_bert(rows_that_stay, draw: Draw):
    """From attention on, in BERT."""
    for stage in ("scores", "attention_stream", "ffn_output", "logits"):
        expect(rows_that_stay, draw, stage, *some(draw), False)


def knows_the_edges(rows_that_stay, draw: Draw):
    """The first token, the last one, and a text of two."""
    n, _ = some(draw)
    for causal in (True, False):
        for stage in STAGES:
            expect(rows_that_stay, draw, stage, n, 0, causal)
            expect(rows_that_stay, draw, stage, n, n - 1, causal)
            expect(rows_that_stay, draw, stage, 2, draw.between(0, 1), causal)


def thinks_and_does_not_try(rows_that_stay, draw: Draw):
    """No model is run"""
    refuse(ran(rows_that_stay, "logits", 5, 2, True), "say it without one", functions=["torch.nn"])
