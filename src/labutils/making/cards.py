"""A model card as a page: every number comes from card.json, which the measuring code wrote.

`python -m labutils.making.cards` prints the cards of the shipped models as one page.
"""

import json
import re
from typing import Any

from labutils.checkpoints.loader import HERE
from labutils.making.cards_heads import heads_text
from labutils.making.cards_measured import measured_parts
from labutils.making.page import percent, table
from labutils.making.recipes import RECIPES
from labutils.models import FAMILIES

SHIPPED = (*RECIPES, "paper-gpt2")


def card_markdown(card: dict[str, Any], level: int = 1) -> str:
    """The card of one model as Markdown, from the content of its card.json; its title is a heading of `level`."""
    written = _paper if "training" not in card else _gone_on if "made_from" in card else _trained
    text = written(card).strip() + "\n"
    return re.sub(r"^#", "#" * level, text, flags=re.MULTILINE)


def shipped_cards(level: int = 1) -> str:
    """All shipped cards as one Markdown text, each with a title of `level`."""
    cards = [json.loads((HERE / name / "card.json").read_text(encoding="utf-8")) for name in SHIPPED]
    return "\n".join(card_markdown(card, level) for card in cards)


def _trained(card: dict[str, Any]) -> str:
    parts = [
        f"# {card['name']}",
        _opening(card),
        "## Data",
        _data(card),
        "## Training",
        _training(card),
        *measured_parts(card),
        "## Heads",
        heads_text(card),
        "## The running text",
        _running_text(card),
        "## Limits",
        _limits(card),
        "## Make it again",
        f"```\npython -m labutils.making.make {card['name']}\n```",
        "On one machine the same bytes come out. On another the numbers above may differ by about 1%.",
    ]
    return "\n\n".join(parts)


def _gone_on(card: dict[str, Any]) -> str:
    """A model that went on from another one: what changed, and what it still can."""
    what = (
        f"Everything is as in {card['made_from']} but for the stories it went on with: in them no occupation leans to"
        " “she” or “he”. What is not named here is measured as well and stands in its card.json."
    )
    parts = [
        f"# {card['name']}",
        _opening(card),
        what,
        "## Training",
        _training(card),
        *measured_parts(card, ("leaning", "skills")),
        "## Limits",
        _limits(card),
        "## Make it again",
        f"```\npython -m labutils.making.make {card['name']}\n```",
    ]
    return "\n\n".join(parts)


def _opening(card: dict[str, Any]) -> str:
    s = card["shape"]
    family = FAMILIES[card["kind"]]
    made = f" It goes on from the finished weights of {card['made_from']}." if "made_from" in card else ""
    return (
        f"A {family.title} ({family.layout}) with {s['layers']} layers, width {s['width']}, {s['heads']} heads of"
        f" {s['head_width']}, {s['positions']} positions and a vocabulary of {s['vocabulary']}: {card['parameters']:,}"
        f" parameters, {card['bytes'] / 1e6:.2f} MB. Every weight is exactly a float16 number, so Python and a browser"
        " compute with the same ones. All numbers below were measured with these weights, on stories that training"
        f" never saw; ± is one standard error.{made}"
    )


def _data(card: dict[str, Any]) -> str:
    d, t = card["data"], card["tokenizer"]
    bare = (
        f"A share of {percent(d['bare'], digits=0)} begins without an end sign, the way a reader types a text. "
        if "bare" in d
        else ""
    )
    return (
        f"Stories of the little world ({d['grammar']}), drawn from its grammar as training goes: no story is kept and"
        f" none comes twice but by chance. {bare}Seed {card['training']['seed']}; fingerprint of the grammar"
        f" `{d['fingerprint'][:16]}`. No text of any person is in it.\n\nThe tokenizer is a"
        f" {FAMILIES[card['kind']].tokenizer} of {t['entries']} entries, learned from {t['stories']:,} other stories"
        f" and {t['running_texts']} copies of the running text. Of {t['forms']} word forms {t['whole']} stay whole and"
        f" {t['forms'] - t['whole']} ({percent(1 - t['whole'] / t['forms'])}) are in pieces; in running text"
        f" {percent(t['whole_in_text'])} of the words are whole."
    )


def _training(card: dict[str, Any]) -> str:
    t = card["training"]
    versions = ", ".join(f"{name} {version}" for name, version in t["versions"].items())
    rows = [
        ("objective", t["objective"]),
        ("steps", f"{t['steps']:,}"),
        ("tokens", f"{t['tokens'] / 1e6:.1f} million"),
        ("time", f"{t['seconds'] / 60:.1f} minutes"),
        ("machine", f"{t['machine']}, {t['threads']} threads"),
        ("optimiser", t["optimiser"]),
        ("batch", f"at most {t['max_tokens']:,} tokens with padding"),
        ("versions", versions),
    ]
    return table(("", ""), rows) + _course(card)


def _course(card: dict[str, Any]) -> str:
    """Why the last row of growth.csv is not what this card says."""
    if "growth" not in card:
        return ""
    last, sets = card["growth"], "60 stories" if FAMILIES[card["kind"]].causal else "60 stories and 120 hidden words"
    return (
        f"\n\ngrowth.csv follows the training on {sets}, the same at every step. Compare its rows with each other: on"
        f" so few the finished model’s loss is {last['loss']:.3f} nats a token and {percent(last['above'], digits=0)}"
        f" above the best{'' if FAMILIES[card['kind']].causal else ' that is told the number of pieces'}; what stands"
        " below was measured on far more."
    )


def _running_text(card: dict[str, Any]) -> str:
    rows = [
        (
            row["word"],
            f"{row['model']:.3f}",
            f"{row['grammar']:.3f}",
            ", ".join(f"{word} {p:.3f}" for word, p in row["top"]),
        )
        for row in card["running_text"]["words"]
    ]
    note = (
        ""
        if FAMILIES[card["kind"]].causal
        else "Each word is hidden alone; the choices are words of as many pieces.\n\n"
    )
    return f"“{card['running_text']['text']}”\n\n{note}" + table(
        ("word", "model", "grammar", "the model's first choices among the grammar's words"), rows
    )


def _limits(card: dict[str, Any]) -> str:
    return "\n".join(f"- {line}" for line in card["limits"])


def _paper(card: dict[str, Any]) -> str:
    s = card["shape"]
    row = table(tuple(card["next_word"]), [tuple(f"{p:g}" for p in card["next_word"].values())])
    return (
        f"# {card['name']}\n\nA complete GPT-2 small enough for paper: {s['layers']} layer, width {s['width']},"
        f" {s['heads']} heads of {s['head_width']}, feed-forward {s['feed_forward']}, {s['vocabulary']} words,"
        f" {s['positions']} positions, **{card['parameters']} parameters**, stored as float64. Its weights were chosen"
        f" by hand, nothing was trained; the activation is ReLU.\n\nAfter “{card['text']}” it says:\n\n{row}\n\n##"
        f" Limits\n\n- It knows {s['vocabulary']} words and has memorised one sentence. A word outside them is"
        f" refused.\n\n## Make it again\n\n```\npython -m labutils.making.make {card['name']}\n```"
    )


if __name__ == "__main__":
    print(f"# Model cards\n\n{shipped_cards(level=2)}", end="")
