"""The words of the little world, and which of them belong together.

A *class* of beings shares lists of what it does, feels, handles and where it is found; ``COMMON`` is what anybody does.
Many forms stand in several lists, as different parts of speech ("guard", "walk", "plant", "light", "empty").
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


# fmt: off
KINDS = {
    "healer": Kind("nurse doctor dentist vet", "wait listen work", "clean empty", "vessel",
                   "calm careful patient unhurried",
                   "in-hospital at-door beside-bed near-window"),
    "cook": Kind("baker cook waiter grocer", "hum whistle cook", "bake warm", "food",
                 "cheerful hungry generous unselfish",
                 "in-kitchen near-stove at-table beside-oven"),
    "grower": Kind("farmer gardener miller shepherd", "dig toil climb", "plant water", "plant",
                   "strong muddy thirsty untidy",
                   "in-field in-garden behind-shed near-gate"),
    "thinker": Kind("teacher writer poet judge", "study talk dream", "write copy", "paper",
                    "clever serious thoughtful unsure",
                    "at-desk in-study on-bench near-lamp"),
    "traveller": Kind("pilot guide guard driver", "march shout yawn", "drive park", "vehicle",
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
    "pilot": "~he", "guide": "~she", "guard": "~he", "driver": "~he",
    "king": "he", "queen": "she", "prince": "he", "princess": "she",
    "girl": "she", "boy": "he", "child": "~", "cousin": "~",
}

NAMES = {
    "Anna": "she", "Tom": "he", "Maria": "she", "Ben": "he", "Lucy": "she", "Omar": "he",
    "Nina": "she", "Hugo": "he", "Clara": "she", "Leo": "he", "Zoe": "she", "Max": "he",
    "Rosa": "she", "Ivan": "he", "Mia": "she", "Karl": "he",
}
NAMED = Kind("", "walk chat nod", "buy lose", "toy", "glad sad worried grateful",
             "at-market in-street on-beach beside-lake")
# People who pass by, three or four at a time; they never have a part of their own.
CROWD = "Emma Noah Ada Jack Ruby Sam Iris Paul Lena Otto Ella Finn".split()

# class of things: nouns, most typical first | what is said of them
THINGS = {
    "cloth": ("mat rug pillow blanket cushion", "soft dusty warm woolly"),
    "furniture": ("table chair bench shelf box", "wooden heavy empty broken"),
    "vessel": ("cup bowl jar pot bottle", "clean full breakable unwashed"),
    "vehicle": ("car truck wagon cart bus", "rusty fast drivable unsafe"),
    "food": ("cake pie apple pear orange", "sweet fresh eatable uneaten"),
    "plant": ("rose tree bush plant tulip", "dry leafy wet unwatered"),
    "paper": ("book letter poem story play", "long funny readable unread"),
    "toy": ("ball doll drum kite puppet", "light bright lovable unbroken"),
    "jewel": ("crown ring watch necklace belt", "golden shiny valuable unpolished"),
    "morsel": ("nut seed berry crumb acorn", "cold hard crunchy uncracked"),
    "event": ("dance walk march feast talk", "long loud slow merry"),
}

# Why somebody does what. After ">" it is the other one, or the thing, that is so.
REASONS = {
    "wait": "patient calm", "listen": "careful patient", "work": "careful unhurried",
    "hum": "cheerful unselfish", "whistle": "cheerful generous", "cook": "hungry generous",
    "dig": "strong untidy", "toil": "strong thirsty", "climb": "strong muddy",
    "study": "serious unsure", "talk": "clever serious", "dream": "thoughtful clever",
    "march": "loyal brave", "shout": "daring unafraid", "yawn": "unafraid loyal",
    "dance": "proud rich", "bow": "noble proud", "feast": "rich unkind",
    "play": "happy noisy", "laugh": "happy silly", "giggle": "silly noisy",
    "sing": "lively graceful", "nest": "watchful unruffled", "chirp": "lively watchful",
    "sit": "tired lazy", "sleep": "tired sleepy", "nap": "sleepy lazy",
    "graze": "gentle slow", "stand": "stubborn slow", "trot": "unbothered gentle",
    "prowl": "sly untamed", "growl": "angry fierce", "roar": "fierce untamed",
    "hide": "scared timid", "tremble": "nervous scared", "squeak": "nervous timid",
    "walk": "worried glad", "chat": "glad grateful", "nod": "grateful sad",
    "clean": ">unwashed", "empty": ">full", "bake": ">fresh sweet", "warm": ">fresh uneaten",
    "plant": ">leafy dry", "water": ">dry unwatered", "write": ">long funny",
    "copy": ">readable funny", "drive": ">fast drivable", "park": ">rusty unsafe",
    "wear": ">shiny golden", "polish": ">unpolished valuable", "throw": ">light unbroken",
    "catch": ">bright lovable", "peck": ">crunchy hard", "drop": ">hard cold",
    "chew": ">soft woolly", "scratch": ">dusty warm", "eat": ">sweet fresh", "smell": ">fresh sweet",
    "steal": ">uneaten eatable", "bury": ">uneaten fresh", "nibble": ">crunchy uncracked",
    "carry": ">uncracked cold", "buy": ">bright lovable", "lose": ">light bright",
    "help": ">helpless lost", "visit": "lonely bored", "thank": ">kind helpful",
    "follow": "curious bored", "hug": ">kind lost", "watch": "curious jealous",
    "guide": ">lost helpless", "guard": ">helpless shaky", "judge": "jealous curious",
    "nurse": ">ill shaky", "like": ">kind funny", "trust": ">honest helpful",
}
# What somebody may do it with, where that makes sense.
TOOLS = {
    "clean": "brush towel", "bake": "spoon", "warm": "match lamp", "plant": "spade", "water": "can hose",
    "write": "pen pencil", "copy": "pencil pen", "polish": "cloth brush", "catch": "net",
}
# A verb's noun, and the verb that it goes with: "had a nap", "gave a growl", "went for a walk".
LIGHT = {
    "have": "nap sleep dream talk chat dance feast".split(),
    "give": "growl roar squeak chirp laugh giggle shout whistle hum yawn bow nod".split(),
    "go": "walk march trot climb prowl".split(),
}

# What those of a class do to others.
TENDS = {
    "healer": "doctor bandage", "cook": "feed treat", "grower": "hire lead", "thinker": "coach doubt",
    "traveller": "pilot escort", "royal": "honor rule", "youth": "tease race", "bird": "fear wake",
    "pet": "chase love", "grazer": "kick nudge", "hunter": "hunt scare", "scamp": "dodge dread", "name": "phone invite",
}
# What happens among them all, and what can be heard.
EVENTS = "dance walk feast march play talk climb work ride swim".split()
SOUNDS = "laugh shout growl whistle roar hum giggle squeak chirp cry".split()
TRICKS = "dance trick march".split()

# Adjectives that introduce somebody and are recalled with the noun. All equally likely.
LOOKS = tuple("old young small big thin tall quiet pretty strange famous odd tame shy wise "
              "neat ugly".split())
FONDNESS = tuple("dear good poor little".split())  # may stand before a look: "the poor old fox"

MEETINGS = "guide nurse guard see judge like help watch thank visit hug follow trust".split()
COMMON = "dance walk cook play work march talk ride feast climb swim".split()  # what anybody may do
PASSIVES = "see nurse help guide follow watch guard visit".split()
GIFTS = "give show bring send lend offer".split()
DWELLINGS = "live work".split()
VILLAGES = "in-village in-forest in-town in-valley in-castle in-garden on-farm in-city".split()
GOALS = "green park market fair lake beach mill church".split()
ORIGINS = "village hills valley woods farm mountains town islands".split()
PARTS = {True: "boots gloves glasses keys".split(), False: "spots stripes curls whiskers".split()}
SIZES = "large tiny".split()
COLOURS = "red blue green white black".split()
NICE = "large nice lovely".split()
MANNERS = "long quietly well slowly hard fast happily often loudly".split()
PARTICLES = "there in on behind".split()
LIKENESS = "king bird bear cook baby".split()
MISTAKEN = "bear cake pillow spoon castle".split()  # "I am not a cake," said somebody.
CONDITIONS = "quiet cold dark light rain snow".split()
NESSES = "kindness gladness politeness gentleness shyness sadness".split()
DEGREES = "very so too quite".split()
GOOD = "happy glad pleased thankful".split()
BAD = "sad lonely cross unhappy".split()
FRIENDS = "friends cousins neighbours".split()
# What children say in a ring, and say again.
CHANT = ("one two three four five six red blue green white sun rain rose tree fox owl cat mouse ring ball "
         "drum bell king queen nut pear").split()

BEINGS = {
    noun: Being(noun, kind, rank, LEANS.get(noun, "it"))
    for kind, entry in KINDS.items()
    for rank, noun in enumerate(entry.nouns.split())
}
