"""Budget: what a model of a published shape takes: parameters, bytes and operations, with a text that is kept."""

import traitlets as t

from labutils.controls.control import Control, fixed, setting
from labutils.controls.script import call

# From the papers: Radford et al. 2019, table 2; Touvron et al. 2023, "Llama 2", appendix A; Grattafiori et al. 2024,
# "The Llama 3 Herd of Models", table 3. gated: three matrices in the feed-forward network, no biases, no table of
# positions, and an output head of its own.
GPT2 = {"vocab": 50257, "positions": 1024, "gated": False}
LLAMA2 = {"vocab": 32000, "positions": 4096, "gated": True}
SHAPES = {
    "GPT-2 small": {"layers": 12, "width": 768, "heads": 12, "keyHeads": 12, "ffn": 3072, **GPT2},
    "GPT-2 medium": {"layers": 24, "width": 1024, "heads": 16, "keyHeads": 16, "ffn": 4096, **GPT2},
    "GPT-2 large": {"layers": 36, "width": 1280, "heads": 20, "keyHeads": 20, "ffn": 5120, **GPT2},
    "GPT-2 XL": {"layers": 48, "width": 1600, "heads": 25, "keyHeads": 25, "ffn": 6400, **GPT2},
    "Llama 2 7B": {"layers": 32, "width": 4096, "heads": 32, "keyHeads": 32, "ffn": 11008, **LLAMA2},
    "Llama 2 70B": {"layers": 80, "width": 8192, "heads": 64, "keyHeads": 8, "ffn": 28672, **LLAMA2},
    "Llama 3 8B": {
        "layers": 32,
        "width": 4096,
        "heads": 32,
        "keyHeads": 8,
        "ffn": 14336,
        "vocab": 128256,
        "positions": 8192,
        "gated": True,
    },
}
BITS = (32, 16, 8, 4)


class Budget(Control):
    """Parameters, bytes and operations of a model, for texts whose keys and values are kept.

    Args:
        model: the name of a published shape, such as "GPT-2 small".
        weight_bits, kept_bits: of a weight and of a kept number: 32, 16, 8 or 4, scales left out.
        tokens: of each text, at most as many as the model can read.
        texts: how many are written at once, 1 to 64.
        key_heads: how many heads have keys of their own, a divisor of the heads; 0 is as the model was built.
        parts: whether it shows parameters and operations by what they are for, and nothing that is kept.
        number: the number before the title, such as "11.3".

    Raises:
        ValueError: a model or a number of bits that is not among the choices, a number out of its range, or key heads
            that do not divide the heads.

    What the reader changes is in the traits of the same names.
    """

    TITLE = "What a model takes"
    LEDE = "Choose a model. Then make the text longer, let more readers wait, or keep smaller numbers."

    model: str = setting(default="GPT-2 small", choices=tuple(SHAPES))
    weight_bits: int = setting(default=32, choices=BITS)
    kept_bits: int = setting(default=32, choices=BITS)
    tokens: int = setting(default=1024, least=1, most=8192)
    texts: int = setting(default=1, least=1, most=64)
    key_heads: int = setting(default=0, least=0, most=64)
    parts: bool = fixed(default=False, kw_only=True)

    finished = t.Dict(help="the published shapes by name").tag(sync=True)

    def made(self, said):
        heads = SHAPES[said.model]["heads"]
        if said.key_heads and heads % said.key_heads:
            raise ValueError(f"{said.key_heads} key heads cannot serve {heads} heads equally.")
        return {"finished": SHAPES}

    def numbers(self) -> dict[str, float]:
        """What is shown, as numbers: parameters, weights and kept in bytes, operations and brought bytes of a step."""
        names = ("model", "weight_bits", "kept_bits", "tokens", "texts", "key_heads")
        found = call("budget/numbers.js", "view", SHAPES, {name: getattr(self, name) for name in names})
        return {name: found[name] for name in ("parameters", "weights", "kept", "operations", "brought")}

    def by_part(self) -> dict[str, dict[str, int]]:
        """Parameters, and operations of the blocks on a text of so many tokens, by what they are for."""
        shape = SHAPES[self.model]
        of = {
            "parameters": call("budget/numbers.js", "parametersOf", shape),
            "operations": call("budget/numbers.js", "operationsOf", shape, self.tokens),
        }
        return {what: {name: round(n) for name, n in rows} for what, rows in of.items()}

    def __repr__(self) -> str:
        return f"Budget({self.model!r}, tokens={self.tokens}, texts={self.texts})"
