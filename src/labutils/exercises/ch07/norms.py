"""Exercise 7.1: where the LayerNorms of BERT and of GPT-2 stand: on the line or in a branch."""

from collections.abc import Callable

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import show


def check_norms(norms: Callable[[str, int], list], seed: int | None = None) -> None:
    """Check `norms`: "bert" or "gpt2", and the number of blocks -> what stands on the
    line, in order, with a tuple for each branch.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        norms,
        places_gpt2,
        places_bert,
        places_no_blocks,
        places_any_depth,
        repeat="check_norms(norms, seed={seed})",
        seed=seed,
    )


def norms(kind, blocks):
    if kind == "bert":
        return ["embeddings", "norm"] + blocks * [("attention",), "norm", ("network",), "norm"]
    return ["embeddings"] + blocks * [("norm", "attention"), ("norm", "network")] + ["norm"]


RIGHT = (norms,)
BERT, GPT2 = '[("attention",), "norm", ("network",), "norm"]', '[("norm", "attention"), ("norm", "network")]'
# fmt: off
MISTAKES = (
    ("forgets the last norm of GPT-2", "Nothing in GPT-2’s stream was normed yet: one more norm stands after the last"
     " block.", ' + ["norm"]\n', "\n"),
    ("forgets the norm of the embeddings", "BERT norms its embeddings before the first block.",
     '["embeddings", "norm"]', '["embeddings"]'),
    ("gives BERT a norm at the end", "BERT’s last block ends with a norm already: nothing stands after it.",
     f"blocks * {BERT}", f'blocks * {BERT} + ["norm"]'),
    ("norms GPT-2's embeddings", "GPT-2 does not norm its embeddings: its first norm stands in the first block.",
     '["embeddings"] + blocks', '["embeddings", "norm"] + blocks'),
    ("turns the two round", "In GPT-2 a norm stands in each branch, in BERT on the line after each sum.",
     'kind == "bert"', 'kind == "gpt2"'),
    ("norms in BERT's branches", "BERT adds first: the norm stands after the sum, on the line.", BERT,
     '[("attention", "norm"), ("network", "norm")]'),
    ("norms after the half", "In a branch of GPT-2 the norm comes first: it norms what the half reads.", GPT2,
     '[("attention", "norm"), ("network", "norm")]'),
    ("forgets the branches", "Attention and network stand in branches, in tuples: on the line nothing would be added.",
     '("attention",), "norm", ("network",)', '"attention", "norm", "network"',
     '("norm", "attention"), ("norm", "network")', '"norm", "attention", "norm", "network"'),
    ("one block for all", "That is one block, however many there are.", "+ blocks *", "+"),
)
REFUSED = (
    ("gives one text", "a list of", "def norms", "def norms(kind, blocks):\n    return 'norm'\n\n\ndef other"),
)
# fmt: on


def expect(answer, kind: str, blocks: int) -> None:
    found = expect_list(call(answer, kind, blocks), "norms", "a list of parts")
    wanted = fair.plain(norms(kind, blocks))
    if found != wanted:
        at = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
        here, there = (show(one[at]) if at < len(one) else "nothing" for one in (found, wanted))
        raise NotYet(
            f"norms({kind!r}, {blocks}) has {here} at place {at}, expected {there}."
            f"{likely(found, outcomes(MISTAKES, norms, kind, blocks))}"
        )


def places_gpt2(answer, draw: Draw):
    """GPT-2: a norm in each branch, and one at the end."""
    expect(answer, "gpt2", draw.between(2, 4))


def places_bert(answer, draw: Draw):
    """BERT: a norm on the line after each sum, and one before the first block."""
    expect(answer, "bert", draw.between(2, 4))


def places_no_blocks(answer, draw: Draw):
    """Without a block each has one norm left."""
    expect(answer, "gpt2", 0)
    expect(answer, "bert", 0)


def places_any_depth(answer, draw: Draw):
    """Twelve blocks, and one."""
    for kind in ("bert", "gpt2"):
        expect(answer, kind, 12)
        expect(answer, kind, 1)
