"""The little world: short English stories from a hand-written probabilistic grammar.

>>> world = World()
>>> print(world.stories(1, seed=96)[0].text)
Maria lives with some thin bears in the small green valley. After the long work, Maria has a puppet. \
There is a drum under the table. In the end, Maria still has the puppet and is pleased.

Everything about a story is known: the part of speech and the head of each word, who is who, and
how probable each word was. So is the mean of all stories: ``World.entropy`` is the floor under
the loss of any model that is trained on them.

>>> story = world.parse("The cat sat on the mat. It was tired.")
>>> [(word.text, word.upos, word.deprel) for word in story.words[7:10]]
[('It', 'PRON', 'nsubj'), ('was', 'AUX', 'cop'), ('tired', 'ADJ', 'root')]
>>> {word: round(p, 3) for word, p in world.next_word("The cat sat on the mat. It was so").items()}
{'tired': 0.48, 'sleepy': 0.24, 'lazy': 0.16, 'cuddly': 0.12}
>>> round(world.entropy(), 2), round(world.entropy_per_word(), 3)
(55.58, 1.254)

What a model has to learn from it:

* words: 12 classes of beings and 11 of things, each with its own verbs, feelings and places
  (``lexicon.py``; inflected in ``morphology.py``), most typical first;
* structure: clauses in clauses, questions, quoted speech, passives, what stands in front. One form in six is
  now one part of speech, now another ("guards", "walk", "that"), and heads are about as far away as in English;
* who is meant: pronouns; an occupation leans towards one of them, as strongly as ``bias`` says;
* agreement: "The young owl from the hills has ...";
* recall: after "the young" the noun of the introduction, at the end the thing that somebody had or has lost,
  after "Again," a whole sentence, and lists of names and words that are told twice;
* what goes together: why somebody does what, with what tool, and that nobody is in two places.

How it is made: ``grammar.py`` tells stories out of ``openings.py``, ``sentences.py`` and ``phrases.py``, by choices
between phrases (``tables.py``) that ``vocabulary.py`` fills from the lexicon. Three tellers run it:
the Sampler draws (``tellers.py``), the Reader follows a given text (``reading.py``) and keeps the
gold annotation (``annotation.py``), the Reckoner adds up all stories (``exact.py``).
Tasks are drawn from stories by ``asking.py``, ``judging.py`` and ``tasks.py`` so that the rules of ``baselines.py`` do
not solve them. ``python -m labutils.world`` prints stories with their gold annotation.
"""

from labutils.world.asking import questions, questions_of
from labutils.world.items import Ending, Halves, Question
from labutils.world.judging import endings, halves
from labutils.world.story import OutsideTheWorld, Probe, Word
from labutils.world.swaps import Swap
from labutils.world.tasks import Resolved, Voices, resolve, resolved, voices, voices_of
from labutils.world.world import RUNNING_TEXT, Story, World

__all__ = [
    "RUNNING_TEXT",
    "Ending",
    "Halves",
    "OutsideTheWorld",
    "Probe",
    "Question",
    "Resolved",
    "Story",
    "Swap",
    "Voices",
    "Word",
    "World",
    "endings",
    "halves",
    "questions",
    "questions_of",
    "resolve",
    "resolved",
    "voices",
    "voices_of",
]
