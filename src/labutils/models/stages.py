"""The one table of stages: every value of a forward pass that has a name, in the order
in which it is computed.

What records, compares, draws or explains a stage reads it here. An architecture names
those that it has (`family.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Stage:
    """A value of a forward pass: the `name` that a layer shows it by, its `axes`, its
    `title` in tables and its `meaning` in a few words.

    Axes, without the batch: n tokens, d model width, H heads, G key heads, d_k = d / H,
    f feed-forward width, V vocabulary. `in_block`: there is one in each block, shown by
    "layer i name". `of`: the stages that it is computed of; of one that a model lacks,
    the ones which that is computed of.
    """

    name: str
    axes: tuple[str, ...]
    title: str
    in_block: bool = False
    meaning: str = ""
    of: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """How many of its axes are tokens: 2 for scores and weights, 0 for what is said
        of the whole text.
        """
        return self.axes.count("n")


_MEANING = """
token: the row of each token, from the table of tokens
segment: the row of its text, the first or the second
position: the row of its place, from the table of positions
embedding_sum: which token it is and where it stands, added
embedding_norm: the same at a fixed mean and size
input: the rows as they enter the block
attention_input: the rows that attention reads
q: what each row seeks
k: what each row can be found by
v: what each row hands over
scores: how well each key fits each query
weights: the share that each row takes of every row
context: the values mixed by these shares, head beside head
attention_output: the mixtures, mapped back to rows
attention_stream: the rows with what they have heard
ffn_input: the rows that the network reads
ffn_gate: each row alone, how far each column is to be let through
ffn_hidden: each row alone, in more columns
ffn_activated: the same after the bend, GELU or ReLU
ffn_output: mapped back to rows
output: the rows as they leave the block
final: the rows after the last block, in GPT-2 normalised
mlm_transform: the rows made ready to be compared
logits: how well each row fits each token of the vocabulary
pooled: one row for the whole text
nsp_logits: whether the second text follows the first
"""


def _stages(table: str, in_block: bool) -> tuple[Stage, ...]:
    meaning = dict(line.split(": ") for line in _MEANING.strip().splitlines())
    rows = (map(str.strip, line.split("|")) for line in table.strip().splitlines())
    return tuple(
        Stage(
            name, tuple(axes.split()), title, in_block, meaning[name], tuple(of.split())
        )
        for name, axes, title, of in rows
    )


BEFORE = _stages(
    """
    token            | n d | token embedding    |
    segment          | n d | segment embedding  |
    position         | n d | position embedding |
    embedding_sum    | n d | embedding sum      | token segment position
    embedding_norm   | n d | embedding norm     | embedding_sum
""",
    False,
)
IN_BLOCK = _stages(
    """
    input            | n d     | input                  |
    attention_input  | n d     | attention input        | input
    q                | H n d_k | q                      | attention_input
    k                | G n d_k | k                      | attention_input
    v                | G n d_k | v                      | attention_input
    scores           | H n n   | scores                 | q k
    weights          | H n n   | weights                | scores
    context          | n d     | context                | weights v
    attention_output | n d     | attention output       | context
    attention_stream | n d     | attention stream       | input attention_output
    ffn_input        | n d     | feed-forward input     | attention_stream
    ffn_gate         | n f     | feed-forward gate      | ffn_input
    ffn_hidden       | n f     | feed-forward hidden    | ffn_input
    ffn_activated    | n f     | feed-forward activated | ffn_gate ffn_hidden
    ffn_output       | n d     | feed-forward output    | ffn_activated
    output           | n d     | output                 | attention_stream ffn_output
""",
    True,
)
AFTER = _stages(
    """
    final            | n d | final         | output
    mlm_transform    | n d | MLM transform | final
    logits           | n V | logits        | mlm_transform
    pooled           | d   | pooled        | final
    nsp_logits       | 2   | NSP logits    | pooled
""",
    False,
)
STAGES = {stage.name: stage for stage in (*BEFORE, *IN_BLOCK, *AFTER)}
ATTENTION = ("attention_input", "attention_stream")  # the first and last of a sub-layer
EMBEDDINGS = ("token", "segment", "position")  # the parts that are added up


class Place(NamedTuple):
    """Where a value of a forward pass stands: in which stack of blocks ("" in a model
    with one), in which layer (None outside the layers), in which of several attentions
    of a block ("" for the first), and which stage it is.

    >>> Place.of("decoder layer 0 cross q")
    Place(stack='decoder', layer=0, part='cross', stage='q')
    >>> Place.of("logits")
    Place(stack='', layer=None, part='', stage='logits')
    """

    stack: str
    layer: int | None
    part: str
    stage: str

    @classmethod
    def of(cls, full: str) -> "Place":
        """From the full name of a value. Raises ValueError for one that is none."""
        *before, stage = full.split(" ")
        if stage not in STAGES:
            raise ValueError(f"{full!r} names no stage.")
        if "layer" not in before:
            return cls(" ".join(before), None, "", stage)
        at = before.index("layer")
        part = " ".join(before[at + 2 :])
        return cls(" ".join(before[:at]), int(before[at + 1]), part, stage)

    def __str__(self) -> str:
        layer = "" if self.layer is None else f"layer {self.layer}"
        return " ".join(filter(None, (self.stack, layer, self.part, self.stage)))


def in_order(names: Iterable[str], stacks: tuple[str, ...] = ("",)) -> list[str]:
    """Full names of stages in the order in which they are computed.

    >>> in_order(["logits", "layer 1 q", "token", "layer 0 output"])
    ['token', 'layer 0 output', 'layer 1 q', 'logits']
    """
    number = {name: i for i, name in enumerate(STAGES)}
    begin, end = (number[name] for name in ATTENTION)

    def when(full: str) -> tuple[int, ...]:
        place = Place.of(full)
        at = number[place.stage]
        stack = stacks.index(place.stack) if place.stack in stacks else len(stacks)
        if place.layer is None:  # before the blocks, or after them
            return stack, 2 * (at > end), 0, 0, at
        sub_layer = 2 * (at > end) or bool(begin <= at and place.part)
        return stack, 1, place.layer, sub_layer, at

    return sorted(names, key=when)


def titled(place: str) -> str:
    """The name of a stage as tables write it.

    >>> titled("layer 3 ffn_input"), titled("token")
    ('layer 3 feed-forward input', 'token embedding')
    """
    *before, name = place.split(" ")
    return " ".join([*before, STAGES[name].title])


def wanted(names) -> frozenset[str]:
    """`names` of stages, checked. Raises ValueError for one that is no stage."""
    for name in names:
        if name not in STAGES:
            raise ValueError(
                f"There is no stage {name!r}. The stages are: {', '.join(STAGES)}."
            )
    return frozenset(names)
