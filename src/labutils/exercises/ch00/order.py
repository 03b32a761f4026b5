"""Exercise 0.4: the eight steps of a BERT of one block, handed out in a wrong order."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, check, expect_list
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show
from labutils.models import Bert, BertConfig
from labutils.parity import StageTable, compare
from labutils.trace import trace


def little(draw: Draw) -> Bert:
    """A BERT of one block with weights that nobody has seen."""
    heads = draw.between(1, 3)
    width = heads * draw.between(2, 4)
    model = Bert(BertConfig(13, 12, 2, width, 1, heads, draw.between(3, 14), hidden_dropout=0.0, attention_dropout=0.0))
    with torch.no_grad():
        for p in model.double().parameters():
            p.copy_(draw.normal(*p.shape, dtype=torch.float64))
    return model


Branches = dict[str, Tensor]  # by what they found: "heard", "thought"


def steps_of(model: Bert, ids: Tensor) -> dict[str, Callable[[Tensor, Branches], tuple[Tensor, Branches]]]:
    """The steps by name. Each takes the rows x and what branches off them, and returns both."""
    e, block = model.embeddings, model.blocks[0]
    zero = torch.zeros_like(ids)
    return {
        "look up": lambda x, side: (e.token(ids) + e.segment(zero) + e.position.table(torch.arange(len(ids))), side),
        "norm the sum": lambda x, side: (e.norm(x), side),
        "attend": lambda x, side: (x, side | {"heard": block.attention(x[None])[0]}),
        "add what was heard": lambda x, side: (x + side["heard"], side),
        "norm after attention": lambda x, side: (block.norm1(x), side),
        "think": lambda x, side: (x, side | {"thought": block.feed_forward(x)}),
        "add what was thought": lambda x, side: (x + side["thought"], side),
        "norm after the network": lambda x, side: (block.norm2(x), side),
    }


PLACES = {  # the step after which x is a stage of the model
    "look up": "embedding_sum",
    "norm the sum": "layer 0 input",
    "norm after attention": "layer 0 attention_stream",
    "norm after the network": "layer 0 output",
}
ADDED = {"add what was heard": "heard", "add what was thought": "thought"}
STEPS = tuple(
    ("look up", "norm the sum", "attend", "add what was heard", "norm after attention", "think")
    + ("add what was thought", "norm after the network")
)
NORMS = ("norm after attention", "norm after the network")


FIRST = "the sum of the tables is normalised at once"
COMPARED = "from labutils.exercises.ch00.order import compared\n\ncompared({})"


def _in_order(*places: int) -> str:
    """The steps at these places, as an answer."""
    return f"order = {[STEPS[i] for i in places]}"


# fmt: off
REFUSED = (
    ("the sum not normalised", FIRST, _in_order(0, 2, 3, 4, 5, 6, 7, 1)),
    ("as in GPT-2", FIRST, _in_order(0, 4, 2, 3, 7, 5, 6, 1)),
    ("norms in front", "That is GPT-2’s layout", _in_order(0, 1, 4, 2, 3, 7, 5, 6)),
    ("norm before adding", "the norm takes in what was heard", _in_order(0, 1, 2, 4, 3, 5, 6, 7)),
    ("norm before adding, second", "the norm takes in what was thought", _in_order(0, 1, 2, 3, 4, 5, 7, 6)),
    ("thinks first", "First the rows listen to each other", _in_order(0, 1, 5, 6, 7, 2, 3, 4)),
    ("norm too late", "reads rows that have been normalised after attention", _in_order(0, 1, 2, 3, 5, 4, 6, 7)),
    ("adds the other branch", "The step 'add what was thought' needs what no step before it has made",
     _in_order(0, 1, 2, 6, 4, 5, 3, 7)),
    ("norms nothing", "The step 'norm the sum' needs what no step", _in_order(1, 0, 2, 3, 4, 5, 6, 7)),
    ("compares seven steps", "The step 'norm after the network' is missing", COMPARED.format(list(STEPS[:7]))),
    ("compares with a name that is none", "There is no step 'norm after network'",
     COMPARED.format([*STEPS[:7], "norm after network"])),
    ("exchanges the two norms of the block",
     "in your order, is 'layer 0 output'. The two norms inside the block are exchanged",
     _in_order(0, 1, 2, 3, 7, 5, 6, 4)),
    ("adds nothing", "needs what no step before it has made", _in_order(0, 3, 1, 2, 4, 5, 6, 7)),
    ("seven steps", "The step 'think' is missing", _in_order(0, 1, 2, 3, 4, 6, 7)),
    ("nine steps", "stands there 2 times", _in_order(0, 1, 2, 3, 4, 5, 6, 7, 2)),
    ("another name", "There is no step 'norm'", f"order = {['norm', *STEPS]}"),
)
# fmt: on


def walk(order: list[str], model: Bert, ids: Tensor) -> dict[str, Tensor]:
    """The stages that come out if the steps are taken in this order."""
    steps, x, side, found = steps_of(model, ids), None, {}, {}
    for name in order:
        if name != "look up" and x is None or name in ADDED and ADDED[name] not in side:
            raise NotYet(f"The step {name!r} needs what no step before it has made.")
        x, side = steps[name](x, side)
        if name in PLACES:
            found[PLACES[name]] = x
    return found


def compared(order: list[str], draw: Draw | None = None) -> StageTable:
    """The stages that come out of the steps in this order beside those of the model, which is drawn.

    Raises NotYet unless each of the eight steps is there once.
    """
    draw = draw or Draw(0)
    names_each_step_once(order, draw)
    model = little(draw)
    ids = torch.tensor([draw.between(1, 12) for _ in range(draw.between(2, 9))])
    with torch.no_grad():
        found, truth = walk(order, model, ids), trace(model, ids.tolist()).stages()
    truth |= {"layer 0 input": truth.get("layer 0 input", truth["embedding_norm"])}
    return compare(found, {name: truth[name] for name in found})


def check_order(order: list[str], seed: int | None = None) -> None:
    """Check `order`: the names of eight steps in the order in which a BERT takes them.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        order,
        names_each_step_once,
        agrees_with_a_fresh_model,
        agrees_with_ten_more,
        repeat="check_order(order, seed={seed})",
        seed=seed,
    )


def names_each_step_once(order, draw: Draw):
    """Each of the eight steps once."""
    given = expect_list(order, "order", "a list of names")
    for name in given:
        if name not in STEPS:
            raise NotYet(f"There is no step {show(name)}. The eight are: {', '.join(sorted(STEPS))}.")
    if missing := [name for name in sorted(STEPS) if name not in given]:
        raise NotYet(f"The step {missing[0]!r} is missing.")
    if twice := [name for name in given if given.count(name) > 1]:
        raise NotYet(f"The step {twice[0]!r} stands there {given.count(twice[0])} times; each is taken once.")


def expect(order: list[str], draw: Draw) -> None:
    table = compared(list(order), draw)
    if not table.equal:
        raise NotYet(f"The first stage that differs, in your order, is {table.first!r}.{_why(list(order))}")


def _why(order: list[str]) -> str:
    """What the order itself says of the mistake."""
    at, swapped = order.index, dict(zip(NORMS, reversed(NORMS)))
    if [swapped.get(name, name) for name in order] == list(STEPS):
        return " The two norms inside the block are exchanged: each stands after its own part."
    if at("norm the sum") > at("attend"):
        return " In BERT the sum of the tables is normalised at once, before the first block."
    if at("think") < at("attend"):
        return " First the rows listen to each other, then each thinks alone."
    if at("norm after attention") < at("attend") or at("norm after the network") < at("think"):
        return " That is GPT-2’s layout: a norm before each part. BERT adds first, then it normalises."
    if at("norm after attention") < at("add what was heard"):
        return " BERT adds first, then it normalises: the norm takes in what was heard."
    if at("norm after attention") > at("think"):
        return " The network reads rows that have been normalised after attention."
    if at("norm after the network") < at("add what was thought"):
        return " BERT adds first, then it normalises: the norm takes in what was thought."
    return ""


def agrees_with_a_fresh_model(order, draw: Draw):
    """In this order a fresh model comes out right at every stage."""
    expect(order, draw)


def agrees_with_ten_more(order, draw: Draw):
    """So do ten more, of other sizes."""
    for _ in range(10):
        expect(order, draw)
