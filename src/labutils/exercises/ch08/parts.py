"""Exercise 8.3: the parameters of a GPT-2, part by part, from the shapes in its file."""

from collections.abc import Callable, Mapping
from math import prod

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

PARTS = ("tokens", "places", "attention", "network", "norms")


def check_parts(parts: Callable[[Mapping[str, tuple]], dict], seed: int | None = None) -> None:
    """Check `parts`: name -> shape, as a file of weights has them -> part -> number of parameters.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        parts,
        weighs_a_small_model,
        weighs_names_without_a_prefix,
        leaves_out_what_is_not_learned,
        weighs_gpt2,
        repeat="check_parts(parts, seed={seed})",
        seed=seed,
    )


def parts(shapes):
    sums = dict.fromkeys(("tokens", "places", "attention", "network", "norms"), 0)
    for name, shape in shapes.items():
        *above, last, kind = name.split(".")
        if "ln_" in last:
            part = "norms"
        elif last == "wte":
            part = "tokens"
        elif last == "wpe":
            part = "places"
        elif "attn" in above:
            part = "attention"
        elif "mlp" in above:
            part = "network"
        else:
            continue
        sums[part] += prod(shape)
    return sums


RIGHT = (parts,)
# fmt: off
MISTAKES = (
    ("counts the tied head", "lm_head.weight is the table of tokens a second time: a tied head is counted once.",
     'last == "wte"', 'last in ("wte", "lm_head")'),
    ("counts the masks", "attn.bias is the causal mask that old files bring along: nothing of it is learned.",
     'elif "attn" in above', 'elif "attn" in [*above, last]'),
    ("leaves out the last norm", "ln_f, the norm after the last block, is missing.", 'if "ln_" in last:',
     'if last in ("ln_1", "ln_2"):'),
    ("leaves out the biases", "The biases are missing: they are learned too.", "sums[part] += prod(shape)",
     'sums[part] += prod(shape) if kind == "weight" else 0'),
    ("counts the norms with their halves", "The norms of a block were counted with attention and network.",
     'part = "norms"', 'part = {"ln_1": "attention", "ln_2": "network"}.get(last, "norms")'),
    ("counts tensors", "That is the number of tensors: of each shape the product counts.", "prod(shape)", "1"),
    ("adds the sides", "The sides of a shape are multiplied, not added.", "prod(shape)", "sum(shape)"),
    ("puts places and tokens together", "The places were counted with the tokens.", 'last == "wte"',
     'last in ("wte", "wpe")'),
)
REFUSED = (
    ("knows one prefix", "without a prefix", "        if ",
     '        if not name.startswith("transformer."):\n            continue\n        if '),
    ("returns the sum", "a dict with the five parts", "return sums", "return sum(sums.values())"),
    ("leaves a part out", "expected the parts", "return sums", 'sums.pop("norms")\n    return sums'),
)
# fmt: on


def a_file(vocab: int, places: int, d: int, inner: int, layers: int, prefix: str = "transformer.") -> dict:
    """The names and shapes of a GPT-2 as HuggingFace writes them."""
    found = {"wte.weight": (vocab, d), "wpe.weight": (places, d)}
    for i in range(layers):
        for norm in ("ln_1", "ln_2"):
            found |= {f"h.{i}.{norm}.weight": (d,), f"h.{i}.{norm}.bias": (d,)}
        sides = {"attn.c_attn": (d, 3 * d), "attn.c_proj": (d, d), "mlp.c_fc": (d, inner), "mlp.c_proj": (inner, d)}
        for name, shape in sides.items():
            found |= {f"h.{i}.{name}.weight": shape, f"h.{i}.{name}.bias": shape[1:]}
    found |= {"ln_f.weight": (d,), "ln_f.bias": (d,)}
    return {prefix + name: shape for name, shape in found.items()}


def drawn(draw: Draw, **more) -> dict:
    d = draw.between(5, 9)
    return a_file(draw.between(20, 60), draw.between(10, 19), d, 3 * d + 1, draw.between(1, 3), **more)


def expect(answer, shapes: dict) -> None:
    found, right = call(answer, shapes), parts(shapes)
    expect_type(found, dict, "parts", "a dict with the five parts")
    found = {name: fair.whole(value) for name, value in found.items()}
    if set(found) != set(right):
        raise NotYet(f"parts gave {', '.join(map(str, found))}; expected the parts {', '.join(right)}.")
    for name in right:
        if found[name] != right[name]:
            cause = likely(found, outcomes(MISTAKES, parts, shapes))
            raise NotYet(f"{name} has {right[name]:,} parameters, and parts gave {found[name]}.{cause}")


def weighs_a_small_model(answer, draw: Draw):
    """Each tensor counts for its part."""
    expect(answer, drawn(draw))


def weighs_names_without_a_prefix(answer, draw: Draw):
    """Files of the model without its head have names without a prefix."""
    shapes = drawn(draw, prefix="")
    if isinstance(found := call(answer, shapes), dict) and not any(found.values()):
        raise NotYet("parts found nothing in a file whose names are without a prefix, such as wte.weight.")
    expect(answer, shapes)


def leaves_out_what_is_not_learned(answer, draw: Draw):
    """A tied head and the masks of old files are no parameters."""
    shapes = drawn(draw)
    vocab, d = shapes["transformer.wte.weight"]
    n = shapes["transformer.wpe.weight"][0]
    shapes |= {"lm_head.weight": (vocab, d), "transformer.h.0.attn.bias": (1, 1, n, n)}
    expect(answer, shapes | {"transformer.h.0.attn.masked_bias": ()})


def weighs_gpt2(answer, draw: Draw):
    """GPT-2 small has 124,439,808 in all."""
    expect(answer, a_file(50257, 1024, 768, 3072, 12))
