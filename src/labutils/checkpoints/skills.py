"""What a model can do, measured on gold: one question a case, right or wrong, and the head that looks at the deciding words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch

from labutils.checkpoints.rows import END
from labutils.trace import trace

# skill -> what is asked; the kinds of labutils.world.Probe
SKILLS = {
    "agreement": "is the verb in its subject's number, with a noun of the other number nearer?",
    "pronoun": "which of he, she, it, they means the one spoken of?",
    "recall": "which noun belongs to “the old”, when another being is in the story too?",
    "refrain": "which word comes next when a sentence is told again?",
    "echo": "which thing does somebody still have at the end?",
    "bond": "how much probability goes to words that fit the being (what it does or feels)?",
}
CHOICE = ("agreement", "pronoun")  # asked as a choice between the right word and the wrong ones; the others are open
MASS = ("bond",)  # several words are right: the share is the probability of them all


@dataclass(frozen=True)
class Case:
    """One question about one word of one story.

    `text[start:end]` is the word asked for and `place` its index among the story's words. `answers` are all right words, the
    exact one first, `wrong` the alternatives; `sources` are the character spans of the words that decide.
    """

    skill: str
    text: str
    start: int
    end: int
    place: int
    answers: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    sources: tuple[tuple[int, int], ...] = ()


def cases_of(story) -> list[Case]:
    """The questions that the gold annotation of a story of the world offers."""
    span = lambda i: (story.words[i].start, story.words[i].end)
    return [Case(p.kind, story.text, *span(p.target), p.target, p.answers, p.wrong, tuple(span(i) for i in p.sources))
            for p in story.probes if p.kind in SKILLS]


def score(model, tokenizer, case: Case) -> float:
    """1 if the model is right about `case`, else 0; for a skill in MASS, the probability that it gives the right words.

    GPT-2 has read the text before the word; BERT reads the whole text with the word hidden, piece by piece. A choice is right if
    the right word gets the most probability of all that are offered, an open question if each of its pieces is the most probable.
    """
    if case.skill in MASS:
        return float(sum(word_log_prob(model, tokenizer, case, word).exp() for word in case.answers))
    if case.skill in CHOICE:
        offered = [case.answers[0], *case.wrong]
        return float(max(offered, key=lambda word: word_log_prob(model, tokenizer, case, word)) == case.answers[0])
    pieces, rows, ending = ask(model, tokenizer, case, case.answers[0])
    return float(rows.argmax(-1).tolist() == pieces and ending.exp() > 0.5)


def best_score(distribution: dict[str, float], case: Case) -> float:
    """The same for a reader who knows the grammar, from its exact distribution over the word."""
    if case.skill in MASS:
        return sum(distribution.get(word, 0.0) for word in case.answers)
    offered = [case.answers[0], *case.wrong] if case.skill in CHOICE else list(distribution)
    return float(max(offered, key=lambda word: distribution.get(word, 0.0)) == case.answers[0])


def word_log_prob(model, tokenizer, case: Case, word: str) -> torch.Tensor:
    """log p in nats that the model gives `word` in the place that `case` asks about: the sum over its pieces, and that it ends there."""
    pieces, rows, ending = ask(model, tokenizer, case, word)
    return rows[range(len(pieces)), pieces].sum() + ending


def ask(model, tokenizer, case: Case, word: str) -> tuple[list[int], torch.Tensor, torch.Tensor]:
    """The ids of `word` in that place, a row of log-probabilities for each (pieces, V), and log p that no further piece follows.

    Without the last "dig" could never lose against "digs", which is "dig" and one piece more. BERT is shown how many pieces the
    word has, so there it is 0.
    """
    if END not in tokenizer.vocab:
        ids, places, pieces = hide(tokenizer, case, word)
        with torch.no_grad():
            return pieces, model(torch.tensor([ids])).logits[0, places].log_softmax(-1), torch.tensor(0.0)
    before = [tokenizer.token_to_id(END), *tokenizer.encode_ids(case.text[: case.start].rstrip(" "))]
    pieces = tokenizer.encode_ids((" " if case.text[case.start - 1 : case.start] == " " else "") + word)
    with torch.no_grad():
        rows = model(torch.tensor([before + pieces])).logits[0, len(before) - 1 :].log_softmax(-1)
    more = [i for token, i in tokenizer.vocab.items() if token.isascii() and token.isalpha()]  # no space before it: goes on
    ending = (1 - rows[-1, more].exp().sum()).clamp(min=1e-12).log() if word.isalpha() else torch.tensor(0.0)
    return pieces, rows[:-1], ending


def hide(tokenizer, case: Case, word: str) -> tuple[list[int], list[int], list[int]]:
    """The text with `word` in the asked place, hidden: its ids, the places of the mask, the ids that were hidden."""
    e = tokenizer.encode(case.text[: case.start] + word + case.text[case.end :])
    places = _covering(e.offsets, [(case.start, case.start + len(word))])
    hidden = set(places)
    ids = [tokenizer.token_to_id("[MASK]") if i in hidden else token for i, token in enumerate(e.ids)]
    return ids, places, [e.ids[i] for i in places]


def best_head(model, tokenizer, cases: Iterable[Case]) -> dict[str, float] | None:
    """The head with the largest mean attention weight from the place of the prediction to the deciding words.

    {"layer", "head", "weight", "cases"}, counted from 0. GPT-2 predicts from the token before the word, BERT from the first piece
    of the hidden word itself. The weights of all pieces of all deciding words are added. None if no case has a deciding word.
    """
    per_case = [_weights(model, tokenizer, case) for case in cases if case.sources]
    if not per_case:
        return None
    mean = torch.stack(per_case).mean(0)  # (L, H)
    best = int(mean.argmax())
    return {"layer": best // mean.shape[1], "head": best % mean.shape[1], "weight": round(float(mean.max()), 4), "cases": len(per_case)}


def _weights(model, tokenizer, case: Case) -> torch.Tensor:
    """Attention weight of every head on the deciding words, from the place that predicts (L, H)."""
    if END in tokenizer.vocab:
        e = tokenizer.encode(case.text)
        ids, offsets = [tokenizer.token_to_id(END), *e.ids], [(0, 0), *e.offsets]
        query = _covering(offsets, [(case.start, case.end)])[0] - 1
    else:
        ids, places, _ = hide(tokenizer, case, case.answers[0])
        offsets, query = tokenizer.encode(case.text).offsets, places[0]
    keys = _covering(offsets, case.sources)
    return torch.stack([layer.weights[:, query, keys].sum(-1) for layer in trace(model, ids).layers])


def _covering(offsets: Sequence[tuple[int, int]], spans: Iterable[tuple[int, int]]) -> list[int]:
    """The tokens that share a character with one of the spans."""
    spans = list(spans)
    return [i for i, (a, b) in enumerate(offsets) if any(a < end and b > start for start, end in spans)]
