"""Exercise 7.4: one matrix of a loaded BERT is transposed. Which?"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.models import Bert, BertConfig
from labutils.trace import trace

SQUARE = {  # the stage that shows it first -> the module in a block
    "q": "attention.query",
    "k": "attention.key",
    "v": "attention.value",
    "attention_output": "attention.output",
}


def check_turned(turned: Callable[[Mapping, Mapping], str], seed: int | None = None) -> None:
    """Check `turned`: the stages of a model and those of HuggingFace's, by name and in order -> the name of a module.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        turned,
        finds_it_in_the_first_block,
        finds_it_anywhere,
        finds_it_in_a_deep_model,
        finds_the_head,
        finds_nothing,
        repeat="check_turned(turned, seed={seed})",
        seed=seed,
    )


def turned(found, right):
    modules = {"q": "query", "k": "key", "v": "value", "attention_output": "output"}
    for name, value in found.items():
        if not torch.allclose(value, right[name], atol=1e-9):
            if name == "mlm_transform":
                return "mlm.transform"
            _, layer, stage = name.split()
            return f"blocks.{layer}.attention.{modules[stage]}"
    return None


RIGHT = (turned,)
LOOP, RETURN = "for name, value in found.items():", '            return f"blocks'
# fmt: off
MISTAKES = (
    ("takes the last", "That is far behind the fault: everything after it differs too. The first stage counts.", LOOP,
     "for name, value in [(n, v) for n, v in reversed(found.items()) if n.split()[-1] in (*modules,"
     " 'mlm_transform')]:"),
    ("counts the layers from 1", "The layers are counted from 0.", "blocks.{layer}", "blocks.{int(layer) + 1}"),
    ("takes keys for queries", "The names of the parts are mixed up.", '"q": "query", "k": "key"',
     '"q": "key", "k": "query"'),
    ("takes values for the output", "The names of the parts are mixed up.",
     '"v": "value", "attention_output": "output"',
     '"v": "output", "attention_output": "value"'),
    ("looks in the first block alone", "Other blocks have matrices too.", "blocks.{layer}", "blocks.0"),
    ("forgets the head", "The head has a square matrix too.", 'return "mlm.transform"', "return None"),
)
REFUSED = (
    ("names one though all is right", "nothing is turned", "return None", 'return "blocks.0.attention.query"'),
    ("knows layers of one digit", "blocks.10.* and turned gave blocks.1.", "_, layer, stage = name.split()",
     "layer, stage = name[6], name.split()[2]"),
    ("is content with half", "In a deep model", "atol=1e-9", "atol=0.5", "modules[stage]",
     "modules.get(stage, 'output')"),
    ("returns a pair", "a name", 'return f"blocks.{layer}.attention.{modules[stage]}"', "return layer, stage"),
)
# fmt: on


def stages(
    draw: Draw, name: str | None, n_layers: int = 3, size: float = 0.3
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """All stages of a small BERT with weights of about this size, the matrix of `name` transposed, and without."""
    torch_state = torch.random.get_rng_state()
    torch.manual_seed(draw.between(0, 10**6))
    sizes = {"d_model": 12, "n_layers": n_layers, "n_heads": 3, "d_ff": 20}
    model = Bert(BertConfig(vocab_size=20, n_positions=12, nsp=False, **sizes))
    with torch.no_grad():
        for p in model.parameters():
            p += size * torch.randn_like(p)
    torch.random.set_rng_state(torch_state)
    model.double()
    ids = [draw.between(1, 19) for _ in range(draw.between(4, 8))]
    right = dict(trace(model, ids).stages())
    if name:
        weight = model.get_submodule(name).weight
        weight.data = weight.data.T.contiguous()
    return dict(trace(model, ids).stages()), right


def expect(answer, draw: Draw, name: str, **sizes) -> None:
    found, right = stages(draw, name, **sizes)
    given = call(answer, found, right)
    expect_type(given, str | None, "turned", "a name, such as 'blocks.0.attention.query'")
    if given != name:
        raise NotYet(
            f"The transposed matrix was that of {name}, and turned gave {given}."
            f"{likely(given, outcomes(MISTAKES, turned, found, right))}"
        )


def finds_it_in_the_first_block(answer, draw: Draw):
    """In the first block each of the four is found."""
    for part in SQUARE.values():
        expect(answer, draw, f"blocks.0.{part}")


def finds_it_anywhere(answer, draw: Draw):
    """In any block."""
    for block in (1, 2):
        expect(answer, draw, f"blocks.{block}.{draw.choice(list(SQUARE.values()))}")


def finds_it_in_a_deep_model(answer, draw: Draw):
    """In a deep model with small weights, where a fault moves little and layers have two digits."""
    for part in draw.sample(list(SQUARE.values()), 2):
        expect(answer, draw, f"blocks.10.{part}", n_layers=11, size=0.005)


def finds_the_head(answer, draw: Draw):
    """In the head."""
    expect(answer, draw, "mlm.transform")


def finds_nothing(answer, draw: Draw):
    """Where nothing is turned it says None."""
    found, right = stages(draw, None)
    if (given := call(answer, found, right)) is not None:
        raise NotYet(f"Here nothing is turned, and turned gave {given!r}, expected None.")
