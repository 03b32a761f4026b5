"""The little world: short English stories from a hand-written probabilistic grammar.

>>> world = World()
>>> print(world.stories(1, seed=45)[0].text)
A brown baker and a young owl lived in the village. The young owl near the jar had a berry. \
It was graceful. In the end, the young owl still had the berry. The brown baker who met the \
young owl whistled near the stove because he was not cheerful.

Everything about a story is known: the part of speech and the head of each word, who is who, and
how probable each word was. So is the mean of all stories: ``World.entropy`` is the floor under
the loss of any model that is trained on them.

>>> story = world.parse("The cat sat on the mat. It was tired.")
>>> [(word.text, word.upos, word.deprel) for word in story.words[7:10]]
[('It', 'PRON', 'nsubj'), ('was', 'AUX', 'cop'), ('tired', 'ADJ', 'root')]
>>> {word: round(p, 3) for word, p in world.next_word("The cat sat on the mat. It was").items()}
{'not': 0.12, 'tired': 0.422, 'sleepy': 0.211, 'lazy': 0.141, 'cuddly': 0.106}
>>> round(world.entropy(), 2), round(world.entropy_per_word(), 3)
(44.67, 1.223)

What a model has to learn from it:

* words: 12 classes of beings and 10 of things, each with its own verbs, feelings and places
  (``lexicon.py``; inflected in ``morphology.py``), most typical first;
* who is meant: pronouns; an occupation leans towards one of them, as strongly as ``bias`` says;
* agreement: "The young owl near the jars has ...";
* recall: after "the young" the noun of the introduction, at the end the thing that somebody had,
  after "Again," a whole sentence.

How it is made: ``grammar.py`` tells stories out of ``sentences.py`` and ``phrases.py``, by choices
between phrases (``tables.py``) that ``vocabulary.py`` fills from the lexicon. Three tellers run it:
the Sampler draws (``tellers.py``), the Reader follows a given text (``reading.py``) and keeps the
gold annotation (``annotation.py``), the Reckoner adds up all stories (``exact.py``).
``python -m labutils.world`` prints stories with their gold annotation.
"""

from labutils.world.story import OutsideTheWorld, Probe, Word
from labutils.world.world import RUNNING_TEXT, Story, World

__all__ = ["RUNNING_TEXT", "OutsideTheWorld", "Probe", "Story", "Word", "World"]
