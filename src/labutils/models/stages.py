"""The one table of stages: every value of a forward pass that has a name, in the order
in which it is computed.

What records, compares, draws or explains a stage reads it here. An architecture names
those that it has (`family.py`).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A value of a forward pass: the `name` that a layer shows it by, its `axes`, its
    `title` in tables and its `meaning` in a few words.

    Axes, without the batch: n tokens, d model width, H heads, G key heads, d_k = d / H,
    f feed-forward width, V vocabulary. `in_block`: there is one in each block, shown by
    "layer i name".
    """

    name: str
    axes: tuple[str, ...]
    title: str
    in_block: bool = False
    meaning: str = ""

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
        Stage(name, tuple(axes.split()), title, in_block, meaning[name])
        for name, axes, title in rows
    )


BEFORE = _stages(
    """
    token            | n d | token embedding
    segment          | n d | segment embedding
    position         | n d | position embedding
    embedding_sum    | n d | embedding sum
    embedding_norm   | n d | embedding norm
""",
    False,
)
IN_BLOCK = _stages(
    """
    input            | n d     | input
    attention_input  | n d     | attention input
    q                | H n d_k | q
    k                | G n d_k | k
    v                | G n d_k | v
    scores           | H n n   | scores
    weights          | H n n   | weights
    context          | n d     | context
    attention_output | n d     | attention output
    attention_stream | n d     | attention stream
    ffn_input        | n d     | feed-forward input
    ffn_hidden       | n f     | feed-forward hidden
    ffn_activated    | n f     | feed-forward activated
    ffn_output       | n d     | feed-forward output
    output           | n d     | output
""",
    True,
)
AFTER = _stages(
    """
    final            | n d | final
    mlm_transform    | n d | MLM transform
    logits           | n V | logits
    pooled           | d   | pooled
    nsp_logits       | 2   | NSP logits
""",
    False,
)
STAGES = {stage.name: stage for stage in (*BEFORE, *IN_BLOCK, *AFTER)}
EMBEDDINGS = ("token", "segment", "position")  # the parts that are added up


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
