"""The part of a model card about its heads: what is there and what is not, decided by thresholds, and the table of
relations.
"""

from typing import Any

from labutils.making.page import head_name, number, percent, table
from labutils.models import FAMILIES

LOOKS = 0.5  # mean weight from which a head is said to look at something
SURE = 2  # standard errors by which a head must be ahead of every rule

# relation -> who asks whom: the dependent, its head (Universal Dependencies, subtypes left out)
ENDS = {
    "det": ("article", "noun"),
    "nsubj": ("subject", "verb"),
    "amod": ("adjective", "noun"),
    "case": ("preposition", "noun"),
    "obj": ("object", "verb"),
    "iobj": ("receiver", "verb"),
    "obl": ("“in the …”", "verb"),
    "nmod": ("“near the …” or owner", "noun"),
    "cop": ("“is”", "adjective or noun"),
    "aux": ("auxiliary", "verb"),
    "conj": ("further member of a list", "first member"),
    "cc": ("“and”", "next member of a list"),
    "advmod": ("adverb", "verb"),
    "mark": ("“because”, “that”, “to”", "its verb"),
    "advcl": ("verb of the clause", "main verb"),
    "acl": ("verb of the clause", "noun"),
    "ccomp": ("verb of what is said", "verb of saying"),
    "xcomp": ("second verb", "first verb"),
    "nummod": ("number", "noun"),
    "appos": ("second name", "noun"),
    "expl": ("“there”", "verb"),
    "compound": ("particle or first part", "head"),
}


def heads_text(card: dict[str, Any]) -> str:
    """What the heads do and do not do, and the table of relations."""
    lines = "\n".join(f"- {line}" for line in findings(card))
    return (
        "A head is named layer.head, counted from 0. Here it “looks at” something if more than half of its attention"
        f" weight is there on average, measured on {card['heads']['stories']} held-out stories (for the first token:"
        f" from places behind the tenth).\n\n{lines}\n\n{_relations(card)}{_meant(card)}"
    )


def findings(card: dict[str, Any]) -> list[str]:
    """One sentence for each kind of head that chapters speak of: it is there, or it is not, by how much."""
    heads, family = card["heads"], FAMILIES[card["kind"]]
    lines = _copying_heads(card["copying"]) if family.causal else []
    lines.append(_rests(heads["first"], family.begins))
    lines.append(
        _rests(heads["bare"], "the first token of a text typed bare")
        if family.causal
        else _rests(heads["last"], "[SEP]")
    )
    lines.append(
        _rests(
            heads["full_stop"],
            "the marks that end the sentences before" if family.causal else "the marks that end sentences",
        )
    )
    there = [
        f"{head_name(h)} ({_distance(h['offset'])}, {number(h['weight'], h['error'])})" for h in heads["positional"]
    ]
    lines.append(
        f"Heads that look at one distance, in tokens: {', '.join(there)}."
        if there
        else "No head looks at one distance throughout."
    )
    return lines


def _copying_heads(copying: dict[str, Any]) -> list[str]:
    induction, back, stories = copying["induction"], copying["previous_in_blocks"], copying["previous_in_stories"]
    found = f"head {head_name(induction)} looks at" if induction["weight"] > LOOKS else "no head looks at"
    lines = [
        f"In random blocks {found} the token that came after the earlier copy of the present one, as an induction head"
        f" does: the largest weight is {_weight(induction)}."
    ]
    places = [place for place, head in (("random blocks", back), ("stories", stories)) if head["weight"] > LOOKS]
    which = f"In {' and '.join(places)} a head looks" if places else "No head looks"
    return lines + [
        f"{which} one token back: the largest weight is {_weight(back)} in random blocks and {_weight(stories)} in"
        " stories."
    ]


def _rests(looked: dict[str, Any], at: str) -> str:
    begins = f"Head {head_name(looked)} looks at {at}" if looked["weight"] > LOOKS else f"No head looks at {at}"
    even = f"; a head that looks everywhere alike has {looked['even']:.2f}" if "even" in looked else ""
    return f"{begins}: the largest weight is {_weight(looked)}, the median of all heads {looked['median']:.2f}{even}."


def _weight(head: dict[str, Any]) -> str:
    return f"{number(head['weight'], head['error'])} ({head_name(head)})"


def _distance(by: int) -> str:
    return "itself" if not by else f"{abs(by)} {'back' if by < 0 else 'on'}"


def asks(row: dict[str, Any]) -> str:
    """Which word looks for which, as the table says it."""
    if row["relation"] == "pronoun":
        return "pronoun → whom it means"
    dependent, head = ENDS.get(row["relation"], (row["relation"], "head"))
    return f"{dependent} → {head}" if row["direction"] == "to its head" else f"{head} → {dependent}"


def _relations(card: dict[str, Any]) -> str:
    rows = card["relations"]["rows"]
    if not rows:
        return "No relation came often enough to be measured."
    lines = [
        (
            asks(row),
            row["relation"] if row["relation"] != "pronoun" else "",
            f"{row['n']:,}",
            (
                f"{head_name(row['head'])}{'*' if row['head']['predicting'] else ''}:"
                f" **{percent(row['head']['right'], row['head']['error'], 0)}**"
            ),
            f"{_distance(row['offset']['by'])}: {percent(row['offset']['right'], row['offset']['error'], 0)}",
            f"{row['rule']['is']}: {percent(row['rule']['right'], row['rule']['error'], 0)}",
        )
        for row in rows
    ]
    ahead = [f"“{asks(row)}”" for row in rows if row["ahead"] > SURE * row["ahead_error"]]
    verdict = (
        (
            f"The head is better than both by more than {SURE} standard errors for {_list(ahead)}."
            if len(ahead) < len(rows)
            else f"The head is better than both by more than {SURE} standard errors for all of them."
        )
        if ahead
        else ("For none of them is a head better than a rule that needs no model.")
    )
    seen = (
        "A word of several pieces asks from its last one, which alone has read it whole; with a star, the head asks"
        " where the word is still to be predicted, from the token before it. Only words to the left are seen, so only"
        " these can be right, and a relation is asked from the end that mostly stands to the right. "
        if FAMILIES[card["kind"]].causal
        else (
            "A word of several pieces asks with the mean of them. Of the two directions the one is shown in which the"
            " best head is right more often. "
        )
    )
    return (
        "Does the head's largest weight, the word itself and special tokens left out, point at the right word?\n\n"
        + table(
            ("who looks for whom", "relation", "cases", "best head", "best fixed distance", "best simple rule"), lines
        )
        + f"\n\n{verdict} {seen}Weights on the pieces of a word are added. Head, distance and rule were chosen on one"
        f" half of {card['relations']['stories']} stories and scored on the other, on the same words. The rules are"
        " told the parts of speech: the nearest, second or third word of a kind to one side, or the first of its"
        " sentence; for pronouns also the latest subjects. Errors count stories, not words. The relations"
        " are those of Universal Dependencies."
    )


def _meant(card: dict[str, Any]) -> str:
    """Whom a pronoun means where two could be meant."""
    meant = card["meant"]
    if not meant["n"]:
        return ""
    head, near, parsed = meant["head"], meant["near"], meant["parsed"]
    star = ", asked from the word before the pronoun," if head["predicting"] else ""
    ahead, far = meant["ahead"], abs(meant["ahead"]) > SURE * meant["ahead_error"]
    beside = f"is {'better' if ahead > 0 else 'worse'}" if far else "is neither better nor worse"
    return (
        f"\n\nWhom does a pronoun mean, where two of those mentioned before could be meant? Of all mentions head"
        f" {head_name(head)}{star} has most of its weight on one of the right being or thing in"
        f" **{percent(head['right'], head['error'])}** of {meant['n']} such pronouns. The best rule that is told who"
        f" could be meant and who was a subject ({near['is']}) is right in {percent(near['right'], near['error'])}. One"
        f" that is also told the sentences and their main clauses ({parsed['is']}) is right in"
        f" {percent(parsed['right'], parsed['error'])}. The head {beside} than the better of the two by more than"
        f" {SURE} standard errors."
    )


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
