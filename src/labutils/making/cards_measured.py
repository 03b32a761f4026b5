"""The part of a card about what the model says: loss, next sentence, copying, names, own stories, skills, leaning."""

from typing import Any

from labutils.making.next_sentence import KINDS
from labutils.making.page import head_name, number, percent, table
from labutils.models import FAMILIES

SHOWN = 3  # rejected stories on the page


def measured_parts(card: dict[str, Any], only: tuple[str, ...] = ()) -> list[str]:
    """Titles and texts in their order: the loss, then whatever the card has, or `only` these parts of it."""
    causal = FAMILIES[card["kind"]].causal
    parts = ["## Loss", _next_token_loss(card) if causal else _hidden_word_loss(card)]
    for key, title, text in (
        ("next_sentence", "Next sentence", _next_sentence),
        ("copying", "Copying", _copying),
        ("names", "Names", _names),
        ("drawn", "Stories of its own", _drawn),
        ("skills", "Skills", _skills),
        ("leaning", "Leaning", _leaning),
    ):
        if card.get(key) and key in (only or card):
            parts += [f"## {title}", text(card)]
    return parts


def _next_token_loss(card: dict[str, Any]) -> str:
    loss = card["loss"]
    return (
        f"On {loss['stories']:,} held-out stories ({loss['tokens']:,} tokens):"
        f" **{number(loss['model'], loss['error'], 3)} nats a token**. The grammar itself gives the same stories"
        f" {loss['same_stories']:.4f}. The exact entropy is {loss['entropy_per_story']:.3f} nats a story, which is"
        f" {loss['floor']:.4f} a token of this tokenizer: no model can be below it on average. This one is"
        f" **{percent(loss['gap'], loss['gap_error'], 2)} above**, taken story by story, so that it does not matter"
        " which were drawn.\n\nThese stories stand after an end sign. Typed bare, without it, the tokens after the"
        f" first cost {loss['after_first']['bare']:.4f} nats instead of {loss['after_first']['marked']:.4f}."
    )


def _hidden_word_loss(card: dict[str, Any]) -> str:
    loss = card["loss"]
    right = lambda name: percent(loss[name], loss[f"{name}_error"])
    nats = lambda name: number(loss[name], loss[f"{name}_error"], 3)
    rows = [
        ("the model", f"**{right('accuracy')}**", nats("word_loss")),
        ("the grammar", right("best_possible"), nats("word_floor")),
        ("the grammar, told the number of pieces", right("best_possible_told"), nats("word_floor_told")),
    ]
    return (
        f"With {percent(loss['rate'], digits=0)} of the words chosen as in training, on {loss['stories']:,} held-out"
        f" stories: **{number(loss['model'], loss['error'], 3)} nats a chosen token**.\n\nWith one word of each story"
        f" hidden ({loss['words']:,} words):\n\n"
        + table(("", "first choice is the word", "nats a word"), rows)
        + f"\n\nThe word costs the model **{right('above')} more than the best possible** ({right('above_told')} more"
        " than the grammar that is told, as the model is by the number of hidden places, how many pieces the word"
        f" has). Model and grammar choose the same word in {right('agrees_with_best')}."
    )


def _next_sentence(card: dict[str, Any]) -> str:
    following = card["next_sentence"]
    rows = [
        (KINDS[kind], "yes" if kind == "following" else "no", percent(row["accuracy"], row["error"]))
        for kind, row in following["kinds"].items()
    ]
    return (
        "Does the second segment follow the first?\n\n"
        + table(("pair", "true answer", "right"), rows)
        + f"\n\n{following['pairs']:,} pairs of each kind, cut between two sentences;"
        f" **{percent(following['accuracy'], following['error'])}** over all."
    )


def _copying(card: dict[str, Any]) -> str:
    c = card["copying"]
    return (
        f"A block of {c['length']} different tokens, drawn from the whole vocabulary, is told twice. In the second"
        f" telling the model's first choice is the next token in **{percent(c['accuracy'], c['error'])}** of the places"
        f" ({c['blocks']} blocks; the first token is left out, which nothing announces). Blocks of"
        f" {c['long']['length']} tokens, longer than any of training, are copied in"
        f" **{percent(c['long']['accuracy'], c['long']['error'])}**."
    )


def _names(card: dict[str, Any]) -> str:
    names = card["names"]
    right = lambda kind: (
        f"**{percent(kind['accuracy'], kind['error'])}** of {kind['n']:,} stories (the grammar's in"
        f" {percent(kind['best_possible'])})"
    )
    said = []
    if one := names.get("one"):
        told = f"It is the model's first choice in {right(one)}."
        said.append(f"A name that stands in the story before is hidden. {told}")
    if pairs := names.get("pairs"):
        said.append(
            "Where two names stand together again, as in “Ada and Emma came in. Then Ada and Emma went home.”, one of"
            f" the later two is its first choice in {right(pairs)}; in"
            f" {percent(pairs['absent'], pairs['absent_error'])} it is a name that the story lacks."
        )
    said.append(
        f"Names are {percent(names['words'], names['words_error'])} of the words and"
        f" {percent(names['gap'], names['gap_error'])} of the distance between the model's loss and the best possible."
    )
    return " ".join(said)


def _drawn(card: dict[str, Any]) -> str:
    d = card["drawn"]
    rejected = "".join(f"\n\n> {row['text']}\n\n{row['why']}" for row in d["rejected"][:SHOWN])
    others = f" Not so, for example, and each time with the first word that cannot be:{rejected}" if rejected else ""
    return (
        f"{d['stories']:,} stories were drawn from the model itself, from end sign to end sign, each token with the"
        " probability that the model gives it (temperature 1). The grammar could have told"
        f" **{percent(d['accepted'], d['error'])}** of them word by word.{others}"
    )


def _skills(card: dict[str, Any]) -> str:
    rows = []
    for skill in card["skills"]:
        head = skill["best_head"]
        where = f"{head_name(head)}: {number(head['weight'], head['error'])}" if head else ""
        rows.append(
            (
                skill["name"],
                skill["asked"],
                f"**{percent(skill['accuracy'], skill['error'])}**",
                f"{skill['n']:,}",
                percent(skill["best_possible"]),
                where,
            )
        )
    causal = FAMILIES[card["kind"]].causal
    text = (
        "after the words before it"
        if causal
        else ("with all other words in sight, and as many places hidden as the offered word has pieces")
    )
    bond = (
        ""
        if causal
        else (
            " Bond counts only fitting words of as many pieces as the true one, so that all its probabilities belong to"
            " one number of hidden places and cannot add up to more than 1; the grammar is told that number too."
        )
    )
    return (
        table(("skill", "what is asked", "right", "cases", "at best", "best head: weight"), rows)
        + f"\n\nEach word is asked for {text}. Agreement and pronoun are choices between the words that could stand"
        " there; bond adds up probabilities; the others are open: the word must win against the whole"
        f" vocabulary.{bond} “At best” is what a reader reaches who knows the grammar. The best head, as layer.head"
        " counted from 0, has the largest mean attention weight from the place of the prediction to the words that"
        " decide it. A large weight says where a head looks, not yet that the model uses it."
    )


def _leaning(card: dict[str, Any]) -> str:
    lean = card["leaning"]
    if not lean["cases"]:
        return "No story left the pronoun of an occupation open."
    row = lambda r: (
        r["name"],
        r["cases"],
        f"{r['grammar']:.2f}",
        f"{r['model']:.2f}",
        number(r["difference"], r["error"]),
    )
    head = ("cases", "grammar", "model", "difference")
    names = sorted(lean["occupations"], key=lambda r: (-round(r["grammar"], 3), r["name"]))
    middle = (len(names) + 1) // 2
    beside = [
        row(a) + (row(names[i + middle]) if i + middle < len(names) else ("",) * 5)
        for i, a in enumerate(names[:middle])
    ]
    asked = "after the words before it" if FAMILIES[card["kind"]].causal else "hidden, with all other words in sight"
    return (
        f"How probable is “she” for an occupation, when “he” is the only other choice? Asked {asked}, in"
        f" {lean['cases']:,} places of {lean['stories']:,} stories where the grammar leaves both open. Model minus"
        f" grammar: **{number(lean['difference'], lean['error'], 3)}** on average; {lean['mean_absolute']:.2f} without"
        f" the sign, {lean['largest_absolute']:.2f} in the worst place.\n\n"
        + table(("where", *head), [row(r) for r in lean["templates"]])
        + "\n\n"
        + _beside(lean, head, row)
        + "\n\n"
        + table(("occupation", *head, "occupation", *head), beside)
        + "\n\nThe places are named by “she” and “her”; “he”, “him” or “his” could stand there as well."
    )


WHO = {
    "nobody": "nobody whose pronoun is certain",
    "she": "a “she”, such as Anna or a queen",
    "he": "a “he”, such as Tom or a king",
    "both": "one of each",
}


def _beside(lean: dict[str, Any], head: tuple[str, ...], row) -> str:
    """The same places by who else is there, and what that one pulls at."""
    text = table(
        ("who else is there", *head), [(WHO[r["name"]], *row(r)[1:]) for r in lean["beside"] if r["cases"] > 1]
    )
    if "pull" in lean:
        text += (
            "\n\nWho else is there says nothing about the occupation. The model is pulled towards that one by"
            f" **{number(lean['pull'], lean['pull_error'])}**: so much larger is the difference beside a “she” than"
            " beside a “he”."
        )
    return text
