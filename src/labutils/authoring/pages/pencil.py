"""The paper model on one page: every number from “the cat sat” to *on*, computed from the model, as fractions."""

import math
from fractions import Fraction

import torch

from labutils.models import PAPER_VOCABULARY, paper_model
from labutils.trace import trace

TEXT = [0, 1, 2]  # the cat sat
LAST = 2  # the row that answers
BIT = math.log(2)
QUERY = math.sqrt(2) * BIT / 4  # the factor of the query weights


def page() -> str:
    """Markdown: the three rows up to their keys and values, the row of *sat* to the end, and all weights."""
    model = paper_model()
    seen = trace(model, TEXT)
    block = seen.layers[0]
    each = lambda stage: [vector(row) for row in stage]
    heads = lambda stage: [" &nbsp; ".join(vector(head[i]) for head in stage) for i in range(len(TEXT))]
    into = [
        ("token", each(seen.token)),
        ("plus place", each(seen.position)),
        ("is the row", each(seen.embedding_sum)),
        ("mean; deviation", [moments(row) for row in seen.embedding_sum]),
        ("normed", each(block.attention_input)),
        ("keys of head 0 and 1", heads(block.k)),
        ("values of head 0 and 1", heads(block.v)),
    ]
    words = [f"*{PAPER_VOCABULARY[i]}*" for i in TEXT]
    return (
        f"{_table(['the three rows', *words], into)}\n{_table(['the row of *sat*', '', 'how'], _last(model, seen))}\n"
        + (_table(["parameters", "", ""], _weights(model)))
    )


def _last(model, seen) -> list[tuple[str, list[str]]]:
    block = seen.layers[0]
    both = lambda stage, by=1.0: " &nbsp; ".join(vector(head[LAST] / by) for head in stage)
    gain, row = model.final_norm.gain[0].item(), seen.final[LAST]
    return [
        ("queries of head 0 and 1", [both(block.q, QUERY) + " · *c*", "normed row times $W_Q$, plus $b_Q$"]),
        ("fits, in bits", [both(block.scores, BIT), "query times each key; *c* over √2 is a quarter of a bit"]),
        ("weights", [both(block.weights), "2 to the power of each, over their sum"]),
        (
            "what the heads found",
            [both([block.context.unflatten(-1, (2, 2))[:, h] for h in (0, 1)]), "the mixture of the values"],
        ),
        ("the stream", [vector(block.attention_stream[LAST]), "what was found times $W_O$, plus the row"]),
        ("mean; deviation", [moments(block.attention_stream[LAST]), ""]),
        ("normed", [vector(block.ffn_input[LAST]), ""]),
        (
            "hidden, then ReLU",
            [f"{vector(block.ffn_hidden[LAST])} → {vector(block.ffn_activated[LAST])}", "normed row times $W_1$"],
        ),
        ("the stream", [vector(block.output[LAST]), "that times $W_2$, plus the stream"]),
        ("mean; deviation", [moments(block.output[LAST]), ""]),
        ("normed", [vector(row / gain), "the last norm; its gain is 3/2, in bits"]),
        ("fits, in bits", [vector(seen.logits[LAST] / BIT), "that times 3/2, times the row of each word"]),
        (
            "**chances**",
            [vector(seen.logits[LAST].softmax(-1)), f"of {', '.join(f'*{word}*' for word in PAPER_VOCABULARY)}"],
        ),
    ]


def _weights(model) -> list[tuple[str, list[str]]]:
    attention, network = model.blocks[0].attention, model.blocks[0].feed_forward
    rows = lambda linear, by=1.0: " ".join(vector(row / by) for row in linear.weight.detach().T)
    tables = model.embeddings.token.weight.detach(), model.embeddings.position.table.weight.detach()
    named = lambda table, names: " ".join(f"{name} {vector(row)}" for name, row in zip(names, table, strict=True))
    return [
        ("tokens; places", [named(tables[0], [f"*{word}*" for word in PAPER_VOCABULARY]), named(tables[1], range(6))]),
        ("$W_Q$; $W_K$", [f"{rows(attention.query, QUERY)}, times *c*", rows(attention.key)]),
        ("$W_V$; $W_O$", [rows(attention.value), rows(attention.output)]),
        ("$W_1$; $W_2$", [rows(network.expand), rows(network.contract)]),
        ("$b_Q$; *c*", [f"{vector(attention.query.bias.detach() / QUERY)}, times *c*; no other bias", "√2 ln 2 / 4"]),
    ]


def _table(head: list[str], rows: list[tuple[str, list[str]]]) -> str:
    lines = [head, ["---"] * len(head), *([name, *cells] for name, cells in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def number(value: float) -> str:
    """A number of the paper model as it is written by hand.

    >>> number(-2.0), number(0.25), number(-5 / 3)
    ('−2', '1/4', '−5/3')
    """
    exact = Fraction(value).limit_denominator(64)
    if abs(exact - value) > 1e-9:
        raise ValueError(f"{value} is no simple fraction.")
    return str(exact).replace("-", "−")


def vector(row: torch.Tensor) -> str:
    """A row, with what all its numbers are divided by behind it.

    >>> vector(torch.tensor([-5 / 3, 1.0, 1 / 3, 1 / 3], dtype=torch.float64))
    '(−5, 3, 1, 1)/3'
    """
    values = [Fraction(x).limit_denominator(64) for x in row.tolist()]
    under = math.lcm(*(x.denominator for x in values))
    text = ", ".join(number(x * under) for x in row.tolist())
    return f"({text})" + (f"/{under}" if under > 1 else "")


def moments(row: torch.Tensor) -> str:
    return f"{number(row.mean().item())}; {number(row.std(correction=0).item())}"
