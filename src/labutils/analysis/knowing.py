"""What a model knows of the words of a story, layer by layer: questions with a gold answer for each word that is asked
about, and probes that read the answers off its rows.
"""

import torch

from labutils.analysis.probes import fit_probe
from labutils.world import lexicon

TAGS = "ADJ ADP ADV AUX CCONJ DET NOUN NUM PART PRON PROPN PUNCT SCONJ VERB".split()
KINDS = {noun: kind for kind, entry in lexicon.KINDS.items() for noun in entry.nouns.split()}  # cat: pet
SORTED_KINDS = sorted(set(KINDS.values()))
TWO_USES = "play walk dance march cook talk guides".split()  # each a noun, or a verb


def by_layer(states, stories, asked, half: int = 200) -> list[float]:
    """How often a probe is right, per layer: fitted on the words of the first `half`
    stories, scored on those of the others.

    states: (L + 1, words, d) for each story; asked: story -> (word, class) pairs.
    """
    pairs = [asked(story) for story in stories]
    rows, classes = [], []
    for part in (slice(half), slice(half, None)):  # to fit, to score
        read = zip(states[part], pairs[part])
        rows.append(torch.cat([s[:, [w for w, _ in one]] for s, one in read], 1))
        classes.append(torch.tensor([c for one in pairs[part] for _, c in one]))
    size = 1 + max(c.max().item() for c in classes)
    probes = [fit_probe(fit, classes[0], size) for fit in rows[0]]
    return [p.accuracy(score, classes[1]) for p, score in zip(probes, rows[1])]


def tag(story) -> list[tuple[int, int]]:
    """Every word, with its part of speech."""
    return [(i, TAGS.index(word.upos)) for i, word in enumerate(story.words)]


def place(story) -> list[tuple[int, int]]:
    """The first 24 words, with their places."""
    return [(i, i) for i in range(min(24, len(story.words)))]


def use(story) -> list[tuple[int, int]]:
    """The words that can be both, with 1 where they are a verb and 0 where a noun."""
    return [
        (i, int(word.upos == "VERB"))
        for i, word in enumerate(story.words)
        if word.text.lower() in TWO_USES and word.upos in ("NOUN", "VERB")
    ]


def meant(story) -> list[tuple[int, int]]:
    """Its pronouns, with the kind of being that each means, if a noun said so."""
    said, found = {}, []
    for i, word in enumerate(story.words):
        if word.chain >= 0 and word.lemma in KINDS:
            said[word.chain] = KINDS[word.lemma]
        elif word.upos == "PRON" and word.chain in said:
            found.append((i, SORTED_KINDS.index(said[word.chain])))
    return found


def named_last(stories) -> float:
    """How often a pronoun means the kind that was named last before it."""
    right = []
    for story in stories:
        wanted, last = dict(meant(story)), None
        for i, word in enumerate(story.words):
            if i in wanted:
                right.append(wanted[i] == last)
            elif word.chain >= 0 and word.lemma in KINDS:
                last = SORTED_KINDS.index(KINDS[word.lemma])
    return sum(right) / len(right)
