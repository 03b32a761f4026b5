"""Exercise 5.4: a head that should hand nothing over still adds the same vector to every row."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
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


def mistakes(layer: MultiHeadAttention, x: Tensor, head: int) -> Iterator[tuple[str, Tensor]]:
    d_k = layer.output.weight.shape[0] // layer.n_heads
    strip = slice(head * d_k, (head + 1) * d_k)

    def zeroed(*cuts: tuple[str, object]) -> Tensor:
        copy = deepcopy(layer)
        with torch.no_grad():
            for name, where in cuts:
                copy.get_parameter(name)[where] = 0
            return copy(x)

    columns = (slice(None), strip)
    yield "Nothing is switched off.", zeroed()
    alive = "The values lost their weights and kept their bias: the head still adds the same vector to every row."
    yield alive, zeroed(("value.weight", strip))
    axis = "The other axis: in nn.Linear's weight, (out, in), these rows make columns of the result."
    yield axis, zeroed(("output.weight", strip))
    yield axis, zeroed(("output.weight", strip), ("output.bias", strip))
    inputs = "These columns are what the head reads of each row, not what it hands over."
    yield inputs, zeroed(("value.weight", columns))
    yield inputs, zeroed(("value.weight", columns), ("value.bias", strip))
    even = "The head has no query now, so it looks at all rows alike, and hands over their mean."
    yield even, zeroed(("query.weight", strip))
    yield even, zeroed(("query.weight", strip), ("query.bias", strip))
    yield even, zeroed(("key.weight", strip), ("key.bias", strip))
    rest = "The head is silent, but the bias of W_O is gone too; that belongs to no head."
    yield rest, zeroed(("output.weight", columns), ("output.bias", slice(None)))
    yield rest, zeroed(("output.weight", columns), ("output.bias", strip))
    all_values = "The values of other heads lost their bias too."
    yield all_values, zeroed(("value.weight", strip), ("value.bias", slice(None)))
    yield all_values, zeroed(("output.weight", columns), ("value.bias", slice(None)))
    wrong_bias = "The bias of W_O belongs to no head; what the head still adds comes from its values."
    yield wrong_bias, zeroed(("value.weight", strip), ("output.bias", slice(None)))
    others = deepcopy(layer)
    with torch.no_grad():
        kept = torch.zeros_like(others.output.weight)
        kept[:, strip] = others.output.weight[:, strip]
        others.output.weight.copy_(kept)
        yield "That head is the only one left: all others are silent.", others(x)


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
