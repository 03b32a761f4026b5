"""Exercise 12.5: settings for a story, and settings for a translation."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import seeded
from labutils.exercises.showing import kind, show
from labutils.generation import PLAIN, Settings
from labutils.making.plane import accepts, words, written
from labutils.world import World

STORIES, LAWFUL = 200, 172  # the model's own odds have four in five accepted, so that chance lets few such pass
FEW, RICH = 40, 220  # of so many stories so many different words
NAMES = ("temperature", "top_k", "top_p", "min_p", "penalty")


def check_choose(choose: Callable[[str], Mapping], seed: int | None = None) -> None:
    """Check `choose`: "story" or "translation" -> settings by name, such as {"temperature": 0.7}.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        choose,
        names_settings_that_there_are,
        gives_one_translation_only,
        changes_something_of_a_story,
        tells_lawful_stories,
        tells_rich_stories,
        repeat="check_choose(choose, seed={seed})",
        seed=seed,
    )


def choose(task):
    if task == "translation":
        return {"temperature": 0}
    return {"temperature": 1.0, "min_p": 0.1}


RIGHT = (choose,)
# fmt: off
MISTAKES = ()
REFUSED = (
    ("takes the greedy one for both", "different words", '{"temperature": 1.0, "min_p": 0.1}', '{"temperature": 0}'),
    ("takes a bold one for both", "differ from seed to seed", '{"temperature": 0}', '{"temperature": 1.3}'),
    ("draws a translation", "differ from seed to seed", '{"temperature": 0}', '{"temperature": 1}'),
    ("is too bold with stories", "The grammar accepts", '"temperature": 1.0, "min_p": 0.1', '"temperature": 1.5'),
    ("forbids to repeat", "The grammar accepts", '"min_p": 0.1', '"penalty": 1.5'),
    ("invents a setting", "no such setting", '"min_p": 0.1', '"boldness": 0.1'),
    ("leaves a story as it comes", "change nothing", '{"temperature": 1.0, "min_p": 0.1}', "{}"),
    ("says the defaults", "change nothing", '"min_p": 0.1', '"top_k": 0, "penalty": 1'),
    ("hardly does anything, of which 33 of 40 may be accepted", r"accepts 16\d of 200 stories",
     '"temperature": 1.0, "min_p": 0.1', '"temperature": 0.999', "def choose", seeded(1) + "def choose"),
    ("gives a list", "temperature is .*expected a number", '"temperature": 1.0', '"temperature": [1.0, 0.5]'),
    ("copies the plane", "without top_p", '"min_p": 0.1', '"top_p": 0.95'),
)
# fmt: on


def chosen(answer, task: str) -> Settings:
    value = call(answer, task)
    if not isinstance(value, Mapping):
        raise NotYet(f'choose("{task}") returned {kind(value)}, expected a dict such as {{"temperature": 0.7}}.')
    for name in value:
        if name not in NAMES:
            raise NotYet(f"{show(name)}: there is no such setting. There are {', '.join(NAMES)}.")
        if fair.number(value[name]) is None:
            raise NotYet(f"{name} is {show(value[name])}: expected a number.")
    if task == "story" and value.get("top_p", 1) != 1:
        raise NotYet("The plane has tried top-p: find settings for the story without top_p.")
    return Settings(
        **{name: fair.number(one) if fair.whole(one) is None else fair.whole(one) for name, one in value.items()}
    )


@lru_cache(maxsize=1)
def told(settings: Settings, seed: int, many: int) -> list[str]:
    try:
        return written(settings, many, seed)[0]
    except (ValueError, TypeError, RuntimeError) as error:
        raise NotYet(f"With these settings nothing can be written. {error}") from error


def names_settings_that_there_are(answer, draw: Draw):
    """Both answers name settings that there are."""
    for task in ("story", "translation"):
        chosen(answer, task)


def gives_one_translation_only(answer, draw: Draw):
    """A translation is the same for every seed."""
    settings = chosen(answer, "translation")
    texts = {text for seed in draw.sample(range(1000), 3) for text in told(settings, seed, 3)}
    if len(texts) > 1:
        raise NotYet(
            f"The translations differ from seed to seed: {len(texts)} texts in nine. Who wants the most"
            " probable answer must not draw."
        )


def changes_something_of_a_story(answer, draw: Draw):
    """The settings of a story change something."""
    settings = chosen(answer, "story")
    if settings == PLAIN:
        raise NotYet(
            "The settings of a story change nothing: it is drawn from the model’s own odds, and of such stories the"
            " grammar refuses about one in five."
        )


def tells_lawful_stories(answer, draw: Draw):
    """Of 200 stories the grammar accepts 172 or more."""
    world, texts = World(), told(chosen(answer, "story"), draw.run, STORIES)
    accepted = sum(accepts(world, text) for text in texts)
    if accepted < LAWFUL:
        raise NotYet(f"The grammar accepts {accepted} of {len(texts)} stories: be less bold, or cut more of the tail.")


def tells_rich_stories(answer, draw: Draw):
    """Forty of them use at least 220 different words."""
    texts = told(chosen(answer, "story"), draw.run, STORIES)[:FEW]
    many = len({word for text in texts for word in words(text)})
    if many < RICH:
        raise NotYet(f"Forty stories use {many} different words: be bolder, or cut less of the tail.")
