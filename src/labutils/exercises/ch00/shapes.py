"""Exercise 0.1: the shape of every stage, for any batch and any model."""

from collections.abc import Callable, Iterator, Mapping

import torch

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show
from labutils.models import GPT2, GPT2Config

STAGES = {  # the reader's word -> what the model calls it
    "rows": "embedding_sum",
    "query": "layer 0 q",
    "weights": "layer 0 weights",
    "context": "layer 0 context",
    "hidden": "layer 0 ffn_hidden",
    "output": "layer 0 output",
    "logits": "logits",
}
Shapes = dict[str, tuple[int, ...]]


def check_shapes(shapes_of: Callable[..., Mapping], seed: int | None = None) -> None:
    """Check `shapes_of`: B, n, d, H, f, V -> the shape of each of eight stages.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        shapes_of,
        knows_two_texts_of_seven_tokens,
        knows_any_model,
        knows_one_token_and_one_head,
        repeat="check_shapes(shapes_of, seed={seed})",
        seed=seed,
    )


# fmt: off
REFUSED = (
    ("scores without heads", "There is a table like this for each head", '"weights": (B, H, n, n)',
     '"weights": (B, n, n)'),
    ("weights like rows", "A weight stands between two tokens", '"weights": (B, H, n, n)', '"weights": (B, n, d)'),
    ("weights with one axis of tokens", "whom does a row take from", '"weights": (B, H, n, n)', '"weights": (B, H, n)'),
    ("a weight is a vector", "A weight is one number, not a vector", '"weights": (B, H, n, n)',
     '"weights": (B, H, n, d // H)'),
    ("logits of the last row", "Only the last row is read, but", '"logits": (B, n, V)', '"logits": (B, V)'),
    ("logits of the last row, kept", "Only the last row is read", '"logits": (B, n, V)', '"logits": (B, 1, V)'),
    ("logits like rows", "compared with each of the V tokens", '"logits": (B, n, V)', '"logits": (B, n, d)'),
    ("one text", "The axis of the texts is missing", '"ids": (B, n)', '"ids": (n,)'),
    ("a query for all heads", "Each head has its own query", '"query": (B, H, n, d // H)', '"query": (B, n, d)'),
    ("each head has all columns", "none has all of them", '"query": (B, H, n, d // H)', '"query": (B, H, n, d)'),
    ("heads behind the tokens", "here the heads stand before the tokens", '"query": (B, H, n, d // H)',
     '"query": (B, n, H, d // H)'),
    ("a part of a column", "A size is a whole number", '"query": (B, H, n, d // H)', '"query": (B, H, n, d / H)'),
    ("heads not joined", "have been laid side by side", '"context": rows', '"context": (B, H, n, d // H)'),
    ("no wider inside", "a row has f columns", '"hidden": (B, n, f)', '"hidden": (B, n, d)'),
    ("rows with heads", "come whole rows", '"output": rows', '"output": (B, H, n, d // H)'),
    ("an id is a row", "it is not a row yet", '"ids": (B, n)', '"ids": (B, n, d)'),
    ("rows are numbers", "A row has a column for each", '"rows": rows', '"rows": (B, n)'),
    ("a stage left out", "The stage 'hidden' is missing", '"hidden": (B, n, f),', ""),
    ("a stage too many", "nobody asked for", '"hidden"', '"key": (B, H, n, d // H), "hidden"'),
    ("a list", "should return a dict", "return {", "return [*{", "(B, n, V)}", "(B, n, V)}.items()]"),
)
# fmt: on


def true_shapes(B: int, n: int, d: int, H: int, f: int, V: int) -> Shapes:
    """Asked from a model that is run."""
    config = GPT2Config(vocab_size=V, n_positions=n, d_model=d, n_layers=1, n_heads=H, d_ff=f)
    seen = {}

    def see(name, value):
        seen[name] = tuple(value.shape)
        return value

    with torch.no_grad():
        GPT2(config)(torch.zeros(B, n, dtype=torch.long), see=see)
    rows = seen["embedding_sum"]
    return {"ids": (B, n)} | {word: seen[name] for word, name in STAGES.items()} | {"rows": (B, *rows[1:])}


def mistakes(stage: str, B: int, n: int, d: int, H: int, f: int, V: int) -> Iterator[tuple[str, tuple]]:
    """What is said of the usual mistakes, and what each gives."""
    right = true_shapes(B, n, d, H, f, V)[stage]
    yield "The axis of the texts is missing: each of them has its own.", right[1:]
    if stage == "weights":
        yield "There is a table like this for each head.", (B, n, n)
        yield "That is the shape of rows. A weight stands between two tokens.", (B, n, d)
        yield "The second axis of tokens is missing: whom does a row take from?", (B, H, n)
        yield "A weight is one number, not a vector: between a query and a key.", (B, H, n, d // H)
    if stage == "query":
        yield "Each head has its own query, and the heads share the columns.", (B, n, d)
        yield "The heads share the d columns: none has all of them.", (B, H, n, d)
        yield "Right numbers, but here the heads stand before the tokens.", (B, n, H, d // H)
    if stage == "context":
        yield "The heads have been laid side by side already.", (B, H, n, d // H)
    if stage == "hidden":
        yield "Inside the network a row has f columns.", (B, n, d)
    if stage == "logits":
        yield "Only the last row is read, but the model computes all of them.", (B, V)
        yield "Only the last row is read, but the model computes all of them.", (B, 1, V)
        yield "That is a row. It is compared with each of the V tokens.", (B, n, d)
    if stage in ("rows", "output"):
        yield "A row has a column for each of d numbers.", (B, n)
        yield "The heads are inside the block; into it and out of it come whole rows.", (B, H, n, d // H)
    if stage == "ids":
        yield "An id is one number: it is not a row yet.", (B, n, d)


def expect(shapes_of, *sizes: int) -> None:
    B, n, d, H, f, V = sizes
    found, right = call(shapes_of, *sizes), true_shapes(*sizes)
    expect_type(found, Mapping, "shapes_of", "a dict")
    for stage, shape in right.items():
        if stage not in found:
            raise NotYet(f"The stage {stage!r} is missing.")
        given = fair.plain(found[stage])
        if isinstance(given, list) and any(isinstance(size, float) for size in given):
            raise NotYet(f"You say that {stage} has the shape {show(tuple(given))}. A size is a whole number: use //.")
        if given != list(shape):
            given = tuple(given) if isinstance(given, list) else given
            why = next((f" {said}" for said, wrong in mistakes(stage, *sizes) if given == wrong), "")
            where = f"B={B}, n={n}, d={d}, H={H}, f={f}, V={V}"
            raise NotYet(f"With {where} you say that {stage} has the shape {show(given)}, expected {shape}.{why}")
    if more := [stage for stage in found if stage not in right]:
        raise NotYet(f"There is a stage {more[0]!r} that nobody asked for. The eight are: {', '.join(right)}.")


def knows_two_texts_of_seven_tokens(shapes_of, draw: Draw):
    """Two texts of seven tokens."""
    heads = draw.between(3, 5)  # not as many as texts, or a mistake could be either of two
    expect(shapes_of, 2, 7, heads * draw.between(2, 4), heads, draw.between(30, 40), draw.between(50, 60))


def knows_any_model(shapes_of, draw: Draw):
    """Any batch, any length, any model."""
    for _ in range(6):
        heads, each = draw.between(2, 6), draw.between(2, 5)
        expect(
            shapes_of,
            draw.choice([texts for texts in range(2, 6) if texts != heads]),
            draw.between(2, 9),
            heads * each,
            heads,
            draw.between(11, 80),
            draw.between(3, 99),
        )


def knows_one_token_and_one_head(shapes_of, draw: Draw):
    """One text, one token, one head."""
    expect(shapes_of, 1, 1, draw.between(2, 9), 1, draw.between(2, 40), draw.between(2, 50))
