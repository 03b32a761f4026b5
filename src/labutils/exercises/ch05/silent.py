"""Exercise 5.4: a head that should hand nothing over still adds the same vector to every row."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import show
from labutils.layers import MultiHeadAttention, Recorder

Without = Callable[[MultiHeadAttention, int], MultiHeadAttention]
AXES = ("rows", "columns")


@dataclass(frozen=True)
class Answer:
    """The reader's function, and where a head's numbers stand in the weight of W_O of each library."""

    without: Without
    in_linear: object
    in_conv1d: object


def check_without(without: Without, in_linear: str, in_conv1d: str, seed: int | None = None) -> None:
    """Check `without`: a layer and a head -> a copy in which the head hands nothing over, and both axes.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        Answer(without, in_linear, in_conv1d),
        silences_a_head_without_biases,
        silences_a_head_with_biases,
        leaves_the_layer_alone,
        could_be_left_out_of_the_file,
        silences_one_after_the_other,
        takes_odd_sizes,
        knows_where_a_head_stands,
        repeat="check_without(without, in_linear, in_conv1d, seed={seed})",
        seed=seed,
    )


def a_layer(draw: Draw, n_heads: int, d_k: int, biased: bool = True) -> MultiHeadAttention:
    """A layer with drawn weights; without `biased` its biases are 0."""
    layer = MultiHeadAttention(n_heads * d_k, n_heads)
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            parameter.copy_(draw.normal(*parameter.shape) * (biased or name.endswith("weight")))
    return layer


def silent(layer: MultiHeadAttention, x: Tensor, *heads: int) -> Tensor:
    """What is right: the layer with these strips of the context at 0."""
    d_k = layer.output.weight.shape[0] // layer.n_heads

    def cut(context: Tensor) -> Tensor:
        context = context.clone()
        for head in heads:
            context[..., head * d_k : (head + 1) * d_k] = 0
        return context

    with torch.no_grad():
        return layer(x, see=Recorder(lambda name: False, {"context": cut}))


def made(answer: Answer, layer: MultiHeadAttention, head: int) -> MultiHeadAttention:
    """The reader's copy. Raises NotYet where it is no layer, or where the layer that was given has changed."""
    before = deepcopy(layer.state_dict())

    def without():
        return answer.without(layer, head)

    without.__name__ = getattr(answer.without, "__name__", "without")
    found = call(without) if callable(answer.without) else call(answer.without)
    expect_type(found, MultiHeadAttention, "without", "a MultiHeadAttention")
    if any(not torch.equal(before[name], value) for name, value in layer.state_dict().items()):
        raise NotYet("without changed the layer that it was given. Work on a copy.")
    return found


def strip_of(head, d_k):
    return slice(head * d_k, (head + 1) * d_k)


def without(layer, head):
    layer = deepcopy(layer)
    d_k = layer.output.weight.shape[0] // layer.n_heads
    with torch.no_grad():
        layer.output.weight[:, strip_of(head, d_k)] = 0
    return layer


STATED = 'in_linear, in_conv1d = "columns", "rows"'
RIGHT = (without, STATED)
CUT = "layer.output.weight[:, strip_of(head, d_k)] = 0"
VALUE, OF_HEAD = "layer.value.weight[strip_of(head, d_k)] = 0", "[strip_of(head, d_k)] = 0"
AXIS = "The other axis: in nn.Linear's weight, (out, in), these rows make columns of the result."
READS = "These columns are what the head reads of each row, not what it hands over."
EVEN = "The head has no query now, so it looks at all rows alike, and hands over their mean."
REST = "The head is silent, but the bias of W_O is gone too; that belongs to no head."
VALUES = "The values of other heads lost their bias too."
ONLY = "That head is the only one left: all others are silent."
# fmt: off
MISTAKES = (
    ("switches nothing off", "Nothing is switched off.", CUT, "pass"),
    ("only the bias", "Nothing is switched off.", CUT, f"layer.value.bias{OF_HEAD}"),
    ("only the weights of the values",
     "The values lost their weights and kept their bias: the head still adds the same vector to every row.", CUT,
     VALUE),
    ("the other axis of W_O", AXIS, CUT, f"layer.output.weight{OF_HEAD}"),
    ("the other axis of W_O, with its bias", AXIS, CUT, f"layer.output.weight{OF_HEAD}; layer.output.bias{OF_HEAD}"),
    ("the columns that the head reads", READS, CUT, "layer.value.weight[:, strip_of(head, d_k)] = 0"),
    ("what the head reads", READS, CUT, f"layer.value.weight[:, strip_of(head, d_k)] = 0; layer.value.bias{OF_HEAD}"),
    ("no query but for its bias", EVEN, CUT, f"layer.query.weight{OF_HEAD}"),
    ("no query", EVEN, CUT, f"layer.query.weight{OF_HEAD}; layer.query.bias{OF_HEAD}"),
    ("no key", EVEN, CUT, f"layer.key.weight{OF_HEAD}; layer.key.bias{OF_HEAD}"),
    ("the bias of W_O goes too", REST, CUT, f"{CUT}; layer.output.bias[:] = 0"),
    ("a strip of the bias of W_O goes too", REST, CUT, f"{CUT}; layer.output.bias{OF_HEAD}"),
    ("zeros the biases of all values", VALUES, CUT, f"{VALUE}; layer.value.bias[:] = 0"),
    ("zeros the biases of all values, and cuts W_O", VALUES, CUT, f"{CUT}; layer.value.bias[:] = 0"),
    ("zeros the bias of W_O instead",
     "The bias of W_O belongs to no head; what the head still adds comes from its values.", CUT,
     f"{VALUE}; layer.output.bias[:] = 0"),
    ("all other heads are silent", ONLY, CUT,
     f"kept = deepcopy(layer); {CUT}; layer.output.weight[:] = kept.output.weight - layer.output.weight"),
)
REFUSED = (
    ("does not change the function", "The values lost their weights and kept their bias", STATED),
    ("a hook, and no number is changed",
     "The head could be left out of the file\n.*a hook or another forward is not in the file", CUT, """
        def zero(module, given):
            context = given[0].clone()
            context[..., strip_of(head, d_k)] = 0
            return (context,)
        layer.output.register_forward_pre_hook(zero)"""),
    ("another forward", "a hook or another forward is not in the file", CUT, """
        plain, kept = layer.forward, torch.ones(d_k * layer.n_heads)
        kept[strip_of(head, d_k)] = 0
        layer.forward = lambda x, **given: plain(x, see=lambda name, x: x * kept if name == "context" else x)"""),
    ("takes what the head adds away from the bias of W_O", "left out of the file, the head is missed", CUT,
     f"{VALUE}; s = strip_of(head, d_k); layer.output.bias -= layer.output.weight[:, s] @ layer.value.bias[s]"),
    ("changes the layer that it was given", "without changed the layer that it was given. Work on a copy",
     "layer = deepcopy(layer)", "pass"),
    ("the axes swapped", 'in_linear is "rows". W_O takes the heads in', '"columns", "rows"', '"rows", "columns"'),
    ("no axis", 'in_conv1d is 0: "rows" or "columns" was expected', '"columns", "rows"', '"columns", 0'),
)
# fmt: on


def mistakes(layer: MultiHeadAttention, x: Tensor, head: int) -> Iterator[tuple[str, Tensor]]:
    """The words of each mistake, and what the layer gives with it."""
    for said, wrong in outcomes(MISTAKES, without, layer, head):
        with torch.no_grad():
            yield said, wrong(x)


def expect(answer: Answer, layer: MultiHeadAttention, x: Tensor, head: int) -> None:
    with torch.no_grad():
        found = made(answer, layer, head)(x)
    right = silent(layer, x, head)
    if fair.alike(found, right):
        return
    gap = float((found - right).abs().max())
    sizes = f"n = {x.shape[1]}, H = {layer.n_heads}, d_k = {layer.output.weight.shape[0] // layer.n_heads}"
    raise NotYet(
        f"{sizes}: without head {head} the result is off by {gap:.2f}, expected 0.00."
        f"{likely(found, mistakes(layer, x, head))}"
    )


def drawn(draw: Draw, biased: bool) -> tuple[MultiHeadAttention, Tensor, int]:
    H, d_k = draw.between(2, 4), draw.between(2, 4)
    return a_layer(draw, H, d_k, biased), draw.normal(2, draw.between(3, 6), H * d_k), draw.between(0, H - 1)


def silences_a_head_without_biases(answer: Answer, draw: Draw):
    """In a layer without biases the other heads are left."""
    expect(answer, *drawn(draw, biased=False))


def silences_a_head_with_biases(answer: Answer, draw: Draw):
    """In a layer with biases too."""
    layer, x, _ = drawn(draw, biased=True)
    for head in range(layer.n_heads):
        expect(answer, layer, x, head)


def leaves_the_layer_alone(answer: Answer, draw: Draw):
    """The layer that was given is as it was."""
    layer, _, head = drawn(draw, biased=True)
    if made(answer, layer, head) is layer:
        raise NotYet("without returned the layer that it was given. Work on a copy.")


def could_be_left_out_of_the_file(answer: Answer, draw: Draw):
    """The head could be left out of the file."""
    layer, x, _ = drawn(draw, biased=True)
    d_k = layer.output.weight.shape[0] // layer.n_heads
    for head in range(layer.n_heads):
        read, right = MultiHeadAttention(layer.n_heads * d_k, layer.n_heads), silent(layer, x, head)
        try:
            read.load_state_dict(made(answer, layer, head).state_dict())
        except RuntimeError as error:
            raise NotYet("A new MultiHeadAttention of this size does not load the numbers of the copy.") from error
        strip = slice(head * d_k, (head + 1) * d_k)
        with torch.no_grad():
            if gap := off(read(x), right):
                raise NotYet(
                    f"Saved and loaded, the copy without head {head} is off by {gap:.2f}, expected 0.00. Its numbers"
                    " still hold the head: a hook or another forward is not in the file."
                )
            for part, where in ((read.value.weight, strip), (read.value.bias, strip)):
                part[where] = 0
            read.output.weight[:, strip] = 0
            if gap := off(read(x), right):
                raise NotYet(
                    f"Without the numbers of head {head} the copy is off by {gap:.2f}, expected 0.00: left out of the"
                    " file, the head is missed. What it adds was taken away somewhere else."
                )


def off(found: Tensor, right: Tensor) -> float:
    """How far the numbers are apart; 0 where it is no more than rounding."""
    return 0.0 if fair.alike(found, right) else float((found - right).abs().max())


def silences_one_after_the_other(answer: Answer, draw: Draw):
    """Two heads, one after the other, are both silent."""
    layer, x, _ = drawn(draw, biased=True)
    with torch.no_grad():
        found = made(answer, made(answer, layer, 0), layer.n_heads - 1)(x)
    right = silent(layer, x, 0, layer.n_heads - 1)
    if not fair.alike(found, right):
        raise NotYet(f"Without both the result is off by {float((found - right).abs().max()):.2f}, expected 0.00.")


def takes_odd_sizes(answer: Answer, draw: Draw):
    """One token, one number a head, and a layer of one head, of which only the bias of W_O is left."""
    expect(answer, a_layer(draw, 3, 1), draw.normal(1, 1, 3), 1)
    expect(answer, a_layer(draw, 1, 3), draw.normal(1, 2, 3), 0)


def knows_where_a_head_stands(answer: Answer, draw: Draw):
    """The axis of a head in the weight of W_O, in nn.Linear and in Conv1D."""
    for name, stated, right in (("in_linear", answer.in_linear, "columns"), ("in_conv1d", answer.in_conv1d, "rows")):
        if stated not in AXES:
            raise NotYet(f'{name} is {show(stated)}: "rows" or "columns" was expected.')
        if stated != right:
            raise NotYet(
                f'{name} is "{stated}". W_O takes the heads in, so look which axis of the weight is the input: Conv1D '
                "computes x @ weight, nn.Linear x @ weight.T."
            )
