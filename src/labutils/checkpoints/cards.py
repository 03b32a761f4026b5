"""A model card as a page: every number comes from card.json, which the measuring code wrote.

`python -m labutils.checkpoints.cards` prints the cards of the shipped models as one page.
"""

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SHIPPED = ("little-gpt2", "little-bert", "paper-gpt2")


def card_markdown(card: dict[str, Any], level: int = 1) -> str:
    """The card of one model as Markdown, from the content of its card.json; its title is a heading of `level`."""
    text = (_paper(card) if "training" not in card else _trained(card)).strip() + "\n"
    return re.sub(r"^#", "#" * level, text, flags=re.MULTILINE)


def shipped_cards(level: int = 1) -> str:
    """All shipped cards as one Markdown text, each with a title of `level`."""
    cards = [json.loads((HERE / name / "card.json").read_text(encoding="utf-8")) for name in SHIPPED]
    return "\n".join(card_markdown(card, level) for card in cards)


def _trained(card: dict[str, Any]) -> str:
    parts = [f"# {card['name']}", _opening(card), "## Data", _data(card), "## Training", _training(card), "## Loss", _loss(card),
             "## Skills", _skills(card), "## The running text", _running_text(card), "## Limits", _limits(card),
             "## Make it again", f"```\npython -m labutils.checkpoints.make {card['name']}\n```",
             "On one machine the same bytes come out. On another the numbers above may differ by about one percent."]
    return "\n\n".join(parts)


def _opening(card: dict[str, Any]) -> str:
    s = card["shape"]
    model = "GPT-2 (pre-norm, causal, tied head)" if card["kind"] == "gpt2" else "BERT (post-norm, both directions, tied head)"
    return (f"A {model} with {s['layers']} layers, width {s['width']}, {s['heads']} heads of {s['head_width']}, "
            f"{s['positions']} positions and a vocabulary of {s['vocabulary']}: {card['parameters']:,} parameters, "
            f"{card['bytes'] / 1e6:.2f} MB. Every weight is exactly a float16 number, so Python and a browser compute with the same ones. "
            f"All numbers below were measured with these weights.")


def _data(card: dict[str, Any]) -> str:
    d, t = card["data"], card["tokenizer"]
    kind = "byte-level BPE" if card["kind"] == "gpt2" else "WordPiece"
    bare = f"A share of {_percent(d['bare'], 0)} begins without an end sign, the way a reader types a text. " if "bare" in d else ""
    return (f"Stories of the little world ({d['grammar']}), drawn from its grammar as training goes: no story is kept and none comes "
            f"twice but by chance. {bare}Seed {card['training']['seed']}; fingerprint of the grammar `{d['fingerprint'][:16]}`. "
            f"No text of any person is in it.\n\n"
            f"The tokenizer is a {kind} of {t['entries']} entries, learned from {t['stories']:,} other stories and "
            f"{t['running_texts']} copies of the running text. Of {t['forms']} word forms "
            f"{t['whole']} stay whole and {t['forms'] - t['whole']} ({_percent(1 - t['whole'] / t['forms'])}) are in pieces; "
            f"in running text {_percent(t['whole_in_text'])} of the words are whole.")


def _training(card: dict[str, Any]) -> str:
    t = card["training"]
    versions = ", ".join(f"{name} {version}" for name, version in t["versions"].items())
    rows = [("objective", t["objective"]), ("steps", f"{t['steps']:,}"), ("tokens", f"{t['tokens'] / 1e6:.1f} million"),
            ("time", f"{t['seconds'] / 60:.1f} minutes"), ("machine", f"{t['machine']}, {t['threads']} threads"),
            ("optimiser", t["optimiser"]), ("batch", f"at most {t['max_tokens']:,} tokens with padding"), ("versions", versions)]
    return _table(("", ""), rows)


def _loss(card: dict[str, Any]) -> str:
    loss = card["loss"]
    if card["kind"] == "gpt2":
        return (f"On {loss['stories']:,} held-out stories ({loss['tokens']:,} tokens): **{loss['model']:.4f} nats a token**. The grammar itself "
                f"gives the same stories {loss['same_stories']:.4f}. The exact entropy is {loss['entropy_per_story']:.3f} nats a story, which is "
                f"{loss['floor']:.4f} a token of this tokenizer: no model can be below it on average. This one is "
                f"**{_percent(loss['gap'], 2)} above** (standard error {_percent(loss['gap_error'], 2)}, story by story).\n\n"
                f"These stories stand after an end sign. Typed bare, without it, the tokens after the first cost "
                f"{loss['after_first']['bare']:.4f} nats instead of {loss['after_first']['marked']:.4f}.")
    text = (f"With {_percent(loss['rate'], 0)} of the words chosen as in training, on {loss['stories']:,} held-out stories: "
            f"**{loss['model']:.4f} nats a chosen token**.\n\n"
            f"With one word of each story hidden ({loss['words']:,} words): the model's first choice is the word in **{_percent(loss['accuracy'])}** "
            f"of the cases; the best guess that the grammar allows is right in {_percent(loss['best_possible'])}. The two are the same word in "
            f"{_percent(loss['agrees_with_best'])}. The word costs the model {loss['word_loss']:.4f} nats, {loss['word_floor']:.4f} at best. "
            f"The model is told by the number of hidden places how many pieces the word has, the grammar is not.")
    if "next_sentence" in loss:
        following = loss["next_sentence"]
        text += (f"\n\nDoes the second half belong to the first? Right in {_percent(following['accuracy'])} of {following['pairs']:,} pairs, half of "
                 f"which do.")
    return text


def _skills(card: dict[str, Any]) -> str:
    rows = []
    for skill in card["skills"]:
        head = skill["best_head"]
        where = f"{head['layer']}.{head['head']}: {head['weight']:.2f}" if head else ""
        rows.append((skill["name"], skill["asked"], f"**{_percent(skill['accuracy'])}**", f"{skill['n']:,}", _percent(skill["best_possible"]), where))
    text = "after the words before it" if card["kind"] == "gpt2" else (
        "with all other words in sight, and as many places hidden as the offered word has pieces")
    return _table(("skill", "what is asked", "right", "cases", "at best", "best head: weight"), rows) + (
        f"\n\nEach word is asked for {text}. Agreement and pronoun are choices between the words that could stand there; recall, refrain and echo "
        f"are open: the word must win against the whole vocabulary. “At best” is what a reader reaches who knows the grammar. The best head, as "
        f"layer.head counted from 0, has the largest mean attention weight from the place of the prediction to the words that decide it. "
        f"A large weight says where a head looks, not yet that the model uses it.")


def _running_text(card: dict[str, Any]) -> str:
    rows = [(row["word"], f"{row['model']:.3f}", f"{row['grammar']:.3f}", ", ".join(f"{word} {p:.3f}" for word, p in row["top"]))
            for row in card["running_text"]["words"]]
    note = "" if card["kind"] == "gpt2" else "Each word is hidden alone; the choices are words of as many pieces.\n\n"
    return f"“{card['running_text']['text']}”\n\n{note}" + _table(("word", "model", "grammar", "the model's first choices among the grammar's words"), rows)


def _limits(card: dict[str, Any]) -> str:
    return "\n".join(f"- {line}" for line in card["limits"])


def _paper(card: dict[str, Any]) -> str:
    s = card["shape"]
    row = _table(tuple(card["next_word"]), [tuple(f"{p:g}" for p in card["next_word"].values())])
    return (f"# {card['name']}\n\nA complete GPT-2 small enough for paper: {s['layers']} layer, width {s['width']}, {s['heads']} heads of "
            f"{s['head_width']}, feed-forward {s['feed_forward']}, {s['vocabulary']} words, {s['positions']} positions, **{card['parameters']} "
            f"parameters**, stored as float64. Its weights were chosen by hand, nothing was trained; the activation is ReLU.\n\n"
            f"After “{card['text']}” it says:\n\n{row}\n\n## Limits\n\n- It knows {s['vocabulary']} words and has memorised one sentence. "
            f"A word outside them is refused.\n\n## Make it again\n\n```\npython -m labutils.checkpoints.make {card['name']}\n```")


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"


if __name__ == "__main__":
    print(f"# Model cards\n\n{shipped_cards(level=2)}", end="")
