"""The page of stories: fifty drawn from the little world, three of them with all that is known of their words."""

import math

from labutils.making.page import table
from labutils.world import Story, World

SEED, STORIES, WITH_GOLD = 50, 50, 3
COLUMNS = ("#", "word", "part of speech", "stands under", "as its", "means", "bits")


def page() -> str:
    """Markdown: the exact numbers, some stories with their gold annotation, then all of them as text."""
    world = World()
    stories = world.stories(STORIES, SEED)
    some = [annotated(n, stories[n - 1]) for n in chosen(stories)]
    parts = [_numbers(world), "## Three of them, word by word", _LEGEND, *some, "## All fifty", listed(stories)]
    return "\n\n".join(parts) + "\n"


def listed(stories: list[Story]) -> str:
    """The stories as a numbered list."""
    return "\n".join(f"{n}. {story.text}" for n, story in enumerate(stories, 1))


def chosen(stories: list[Story]) -> list[int]:
    """The numbers, from 1, of the first stories in which a pronoun means somebody."""
    found = [n for n, story in enumerate(stories, 1) if any(w.upos == "PRON" and w.chain >= 0 for w in story.words)]
    return found[:WITH_GOLD]


def annotated(n: int, story: Story) -> str:
    """Story n with a table of its words."""
    end = f"That the story ends here costs {_bits(story.end_log_prob)}\N{NO-BREAK SPACE}bits more."
    return f"### Story {n}\n\n{story.text}\n\n{table(COLUMNS, gold(story))}\n\n{end}"


def gold(story: Story) -> list[tuple[str, ...]]:
    """One row for each word, as in `COLUMNS`; words are counted from 1."""
    return [
        (str(i + 1), _shown(w.text), w.upos, _above(story, w.head), w.deprel, _meant(story, i), _bits(w.log_prob))
        for i, w in enumerate(story.words)
    ]


def _shown(word: str) -> str:
    return f"*{word}*" if word.isalpha() else f"`{word}`"


def _above(story: Story, head: int) -> str:
    return "" if head < 0 else f"{head + 1}\N{NO-BREAK SPACE}*{story.words[head].text}*"


def _meant(story: Story, i: int) -> str:
    """Whether a word means a being, a place or a thing, with the letter of its chain."""
    word = story.words[i]
    letter = f"\N{NO-BREAK SPACE}{chr(ord('A') + word.chain)}" if word.chain >= 0 else ""
    return word.entity.lower() + letter


def _bits(log_prob: float) -> str:
    return f"{abs(log_prob) / math.log(2):.2f}"


def _numbers(world: World) -> str:
    bits = world.entropy() / math.log(2)
    return _NUMBERS.format(words=world.mean_words(), bits=bits, each=bits / world.mean_words(), seed=SEED, n=STORIES)


_NUMBERS = """\
On average a story has {words:.2f} words, punctuation included, and its exact entropy is {bits:.2f} bits, which is \
{each:.3f} bits a word. No model can do better than that on average. The numbers are the means of all stories there \
are, reckoned without drawing a single one.

The fifty below are drawn, and none was left out:

```python
from labutils.world import World

stories = World().stories({n}, seed={seed})
```"""
_LEGEND = """\
These are the first three with a pronoun. *Stands under* gives the word that a word depends on, by its number, and \
*as its* gives the relation; both follow [Universal Dependencies](https://universaldependencies.org). Words that \
mean a person, an animal, a place or a thing say so, and all that have the same letter mean the same one. The *bits* \
are what a word costs after all the words before it: 0.00 where nothing else can stand there."""
