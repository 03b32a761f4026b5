"""The words of the little world, and which of them belong together.

A *class* of beings shares lists of what it does, feels, handles and where it is found.
Within a class each noun starts its lists one place further on (see ``tables.zipf``), so that the
cat's most typical place is the mat and the dog's the rug, while both stay in sensible company.
"""

from __future__ import annotations

from typing import NamedTuple


class Being(NamedTuple):
    """A noun for a person or an animal.

    ``lean`` says which pronoun a single one takes: "it"; "he" or "she" where the word itself
    decides (king, queen); "~he", "~she" or "~" where it only leans, by the strength that
    ``World(bias=...)`` sets, or not at all.
    """

    noun: str
    kind: str
    rank: int
    lean: str

    @property
    def person(self) -> bool:
        return self.lean != "it"


class Kind(NamedTuple):
    """What the beings of one class have in common. The first word of a list is the most typical."""

    nouns: str
    does: str  # intransitive verbs
    handles: str  # transitive verbs, all of which fit all things of class `things`
    things: str
    feels: str
    spots: str  # "preposition-noun", where they are found


KINDS = {
    "healer": Kind("nurse doctor dentist vet", "wait listen work", "wash fill", "vessel",
                   "calm careful patient unhurried",
                   "in-hospital at-door beside-bed near-window"),
    "cook": Kind("baker cook waiter grocer", "hum whistle chat", "bake taste", "food",
                 "cheerful hungry generous unselfish",
                 "in-kitchen near-stove at-table beside-oven"),
    "grower": Kind("farmer gardener miller shepherd", "dig toil kneel", "plant water", "plant",
                   "strong muddy thirsty untidy",
                   "in-field in-garden behind-shed near-gate"),
    "thinker": Kind("teacher writer poet judge", "think speak dream", "write copy", "paper",
                    "clever serious thoughtful unsure",
                    "at-desk in-library on-bench near-lamp"),
    "traveller": Kind("pilot captain soldier driver", "march shout yawn", "drive park", "vehicle",
                      "brave loyal daring unafraid",
                      "on-road near-bridge at-harbor beside-tent"),
    "royal": Kind("king queen prince princess", "dance bow feast", "wear polish", "jewel",
                  "proud rich noble unkind",
                  "in-castle in-hall near-throne at-window"),
    "youth": Kind("girl boy child cousin", "play laugh giggle", "throw catch", "toy",
                  "happy noisy silly unhappy",
                  "in-park on-swing near-pond in-school"),
    "bird": Kind("owl crow duck hen", "sing nest chirp", "peck drop", "morsel",
                 "lively watchful graceful unruffled",
                 "in-tree on-roof on-branch near-pond"),
    "pet": Kind("cat dog kitten puppy", "sit sleep nap", "chew scratch", "cloth",
                "tired sleepy lazy cuddly",
                "on-mat on-rug on-sofa under-table"),
    "grazer": Kind("horse cow goat donkey", "graze stand trot", "eat smell", "food",
                   "gentle slow stubborn unbothered",
                   "in-meadow behind-fence near-barn beside-well"),
    "hunter": Kind("fox wolf bear lion", "prowl growl roar", "steal bury", "food",
                   "fierce sly angry untamed",
                   "in-forest on-hill behind-rock in-cave"),
    "scamp": Kind("mouse rabbit squirrel mole", "hide tremble squeak", "nibble carry", "morsel",
                  "timid nervous scared unseen",
                  "under-log in-hole behind-stone in-hedge"),
}

# Which pronoun an occupation leans towards. "~she": World(bias=0.8) says "she" in 8 of 10 stories.
LEANS = {
    "nurse": "~she", "doctor": "~he", "dentist": "~he", "vet": "~she",
    "baker": "~he", "cook": "~she", "waiter": "~he", "grocer": "~he",
    "farmer": "~he", "gardener": "~she", "miller": "~he", "shepherd": "~he",
    "teacher": "~she", "writer": "~she", "poet": "~he", "judge": "~he",
    "pilot": "~he", "captain": "~he", "soldier": "~he", "driver": "~he",
    "king": "he", "queen": "she", "prince": "he", "princess": "she",
    "girl": "she", "boy": "he", "child": "~", "cousin": "~",
}

NAMES = {
    "Anna": "she", "Tom": "he", "Maria": "she", "Ben": "he", "Lucy": "she", "Omar": "he",
    "Nina": "she", "Hugo": "he", "Clara": "she", "Leo": "he", "Zoe": "she", "Max": "he",
    "Rosa": "she", "Ivan": "he", "Mia": "she", "Karl": "he",
}
NAMED = Kind("", "walk talk nod", "buy sell", "toy", "glad sad worried grateful",
             "at-market in-street on-beach beside-lake")

# class of things: nouns, most typical first | what is said of them
THINGS = {
    "cloth": ("mat rug pillow blanket cushion", "soft dusty washable woolly"),
    "furniture": ("table chair bench shelf box", "wooden heavy movable broken"),
    "vessel": ("cup bowl jar pot bottle", "empty full breakable unwashed"),
    "vehicle": ("car truck wagon cart bus", "rusty fast drivable unsafe"),
    "food": ("cake pie apple pear carrot", "sweet fresh eatable uneaten"),
    "plant": ("rose tree bush flower tulip", "green leafy wet unwatered"),
    "paper": ("book letter poem story diary", "long funny readable unread"),
    "toy": ("ball doll drum kite puppet", "new bright lovable unbroken"),
    "jewel": ("crown ring medal necklace belt", "golden shiny valuable unpolished"),
    "morsel": ("nut seed berry crumb acorn", "dry hard crunchy uncracked"),
}

# Classes of things that somebody or something may be "near", "behind" or "beside".
LARGE = "cloth furniture vessel vehicle food plant toy"

# Adjectives that introduce somebody and are recalled with the noun. All equally likely.
LOOKS = tuple("old young small big black white grey brown thin tall quiet pretty poor strange "
              "famous odd".split())

MEETINGS = ("see help follow meet visit thank greet like trust find").split()
GIFTS = "give show bring send lend offer".split()
WISHES = "want try start begin".split()
SAYINGS = "say know believe feel".split()
DWELLINGS = "live stay meet".split()
VILLAGES = "village forest town valley castle garden farm city".split()
BESIDES = "near behind beside".split()
MANNERS = "quietly slowly often happily again loudly".split()
NESSES = "kindness gladness politeness gentleness shyness sadness".split()

BEINGS = {
    noun: Being(noun, kind, rank, LEANS.get(noun, "it"))
    for kind, entry in KINDS.items()
    for rank, noun in enumerate(entry.nouns.split())
}
