"""Four small heads on the little BERT as it is, for the control of chapter 9: they share one pass of the body.

    python -m labutils.making.shared      # ten minutes: shared.safetensors, and what they are worth in shared.json

All of them read a story in two parts, as the body read pairs in its training; the second part begins with a pronoun.

* `tag`: the part of speech of each token (`TokenHead`).
* `meant`: whom or what the first word of the second part means, as the first and the last token of a mention in the
  first part (`SpanHead`). The right answer is the latest mention that is no pronoun.
* `being`: whom does the story name first, a person or an animal (`SequenceHead`)?
* `next`: which token comes after a second part that was cut off (`NextHead`)? A text that ends is followed by [SEP].

Each is scored on fresh stories, beside the same head on random weights and a rule without a model; `next` also beside
a head of full width and the little GPT-2. The two heads that
the body was trained with are scored on the same stories: `word` on one hidden token of each, `follows` on each pair
and on one whose second part is another story's.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn.functional import cross_entropy

from labutils.checkpoints import load
from labutils.making import uses
from labutils.making.uses import TAGS, Item, Task
from labutils.models import SequenceHead, SpanHead, TokenHead
from labutils.training import IGNORE
from labutils.world import World

WEIGHTS, WORTH = (Path(__file__).with_name(f"shared.{kind}") for kind in ("safetensors", "json"))
TRAIN, TEST = 2400, 600
TASTES = {"again": 5.0, "chant": 0.0, "quote": 0.1, "asked": 0.0}  # stories that go on with pronouns
PRONOUNS = ("He", "She", "It", "They")
BEINGS = ("PERSON", "ANIMAL")
CUTS, RANK = 4, 16  # how often a second part is cut off; numbers between the two matrices of `NextHead`


class Pair(NamedTuple):
    """A story in two parts. words: (start, end, tag) in the part that is given by the first number. meant: start and
    end of the mention in `first`; nouns: of all mentions there. being: 0 for a person, 1 for an animal.
    """

    first: str
    second: str
    words: list[tuple[int, int, int]]
    meant: tuple[int, int]
    nouns: list[tuple[int, int]]
    being: int


def pairs(n: int, seed: int) -> list[Pair]:
    """n stories that are cut before a sentence that begins with a pronoun."""
    world, rng, drawn = World(), random.Random(seed), []
    while len(drawn) < n:
        if pair := _pair(world.story(rng, TASTES), rng):
            drawn.append(pair)
    return drawn


def _pair(story, rng: random.Random) -> Pair | None:
    told = story.sentence_texts
    cuts = [k for k in range(1, len(told)) if told[k].split()[0] in PRONOUNS]
    if not cuts:
        return None
    cut = rng.choice(cuts)
    first, second = " ".join(told[:cut]), " ".join(told[cut:])
    after = len(first) + 1
    who = next(w for w in story.words if w.start == after)
    named = [(i, w) for i, w in enumerate(story.words) if w.start < after and w.upos in ("NOUN", "PROPN") and w.entity]
    mine = [i for i, w in named if w.chain == who.chain >= 0]
    beings = [w.entity for _, w in named if w.entity in BEINGS]
    if not mine or not beings:
        return None
    words = [(int(w.start >= after), w.start - after * (w.start >= after), TAGS.index(w.upos)) for w in story.words]
    nouns = [_phrase(story.words, i) for i, w in named if w.entity in BEINGS]
    return Pair(first, second, words, _phrase(story.words, mine[-1]), nouns, BEINGS.index(beings[0]))


def _phrase(words, noun: int) -> tuple[int, int]:
    """Where the noun with its article, number and adjectives begins and ends."""
    first = noun
    while first and words[first - 1].upos in ("DET", "ADJ", "NUM"):
        first -= 1
    return words[first].start, words[noun].end


class NextHead(nn.Module):
    """Which token comes next? Two narrow matrices for one wide one, so that a page can carry them."""

    def __init__(self, d_model: int, vocab_size: int):
        super().__init__()
        self.down = nn.Linear(d_model, RANK, bias=False)
        self.linear = nn.Linear(RANK, vocab_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(self.down(x))  # (B, n, d) -> (B, n, V)


def cut_off(drawn: list[Pair], seed: int) -> list[Item]:
    """Each pair a few times, its second part cut off after a token; the target is the token that came next."""
    tokenizer, rng, out = load("little-bert").tokenizer, random.Random(seed), []
    for pair in drawn:
        e = tokenizer.encode(pair.first, pair.second)
        ids, split = list(e.ids), e.type_ids.index(1)
        for at in sorted(rng.sample(range(split + 1, len(ids)), min(CUTS, len(ids) - split - 1))):
            out.append(Item([*ids[:at], ids[-1]], e.type_ids[: at + 1], ids[at], []))
    return out


def _asked_last(output: torch.Tensor, items: Sequence[Item]) -> torch.Tensor:
    """The answers at the last token before the last [SEP]."""
    return output[torch.arange(len(items)), [len(i.ids) - 2 for i in items]]


def next_loss(output: torch.Tensor, items: Sequence[Item]) -> torch.Tensor:
    return cross_entropy(_asked_last(output, items), torch.tensor([i.target for i in items]))


def next_right(output: torch.Tensor, items: Sequence[Item]) -> list[bool]:
    return [f == i.target for f, i in zip(_asked_last(output, items).argmax(-1).tolist(), items)]


def items(drawn: list[Pair], name: str) -> list[Item]:
    """The pairs as BERT reads them, with the targets of one of the heads."""
    if name == "next":
        return cut_off(drawn, 0)
    tokenizer, out = load("little-bert").tokenizer, []
    for pair in drawn:
        e = tokenizer.encode(pair.first, pair.second)
        part = [s if not special else None for s, special in zip(e.sequence_ids, e.special_tokens_mask)]
        target: Any = pair.being
        asked = [p is not None for p in part]
        if name == "tag":
            tag = {(a, b): t for a, b, t in pair.words}
            target = [tag.get((p, a), IGNORE) for p, (a, _) in zip(part, e.offsets)]
            asked = [t != IGNORE for t in target]
        if name == "meant":
            asked = [p == 0 for p in part]
            first = next(i for i, (_, b) in enumerate(e.offsets) if asked[i] and b > pair.meant[0])
            target = (first, max(i for i, (a, _) in enumerate(e.offsets) if asked[i] and a < pair.meant[1]))
        out.append(Item(list(e.ids), list(e.type_ids), target, asked))
    return out


HEADS = {
    "tag": Task(None, lambda d: TokenHead(d, len(TAGS)), uses.tag_loss, uses.tags_right, None, TAGS),
    "meant": Task(None, SpanHead, uses.answer_loss, uses.answers_right, None),
    "being": Task(None, lambda d: SequenceHead(d, 2), uses.class_loss, uses.classes_right, None, ("person", "animal")),
    "next": Task(None, lambda d: NextHead(d, load("little-bert").model.config.vocab_size), next_loss, next_right, None),
}


def rules(train: list[Pair], test: list[Pair]) -> dict[str, tuple[str, float]]:
    """For each head what a rule has right: the most frequent tag of the very word, the last being that the pronoun was
    seen to mean, a list of the beings that stood first, with their kinds, and what followed the last token most often.
    """
    text = lambda pair, part, start: (pair.second if part else pair.first)[start:].split()[0].strip('.,?!"').lower()
    seen: dict[str, Counter] = {}
    for pair in train:
        for part, start, tag in pair.words:
            seen.setdefault(text(pair, part, start), Counter())[tag] += 1
    tags = [seen[w].most_common(1)[0][0] == tag if (w := text(p, part, start)) in seen else False
            for p in test for part, start, tag in p.words]  # fmt: skip
    meant = {(p.second.split()[0], _noun(p, p.meant)) for p in train}
    kinds = {_noun(p, p.nouns[0]): p.being for p in train}
    words = lambda p: (w.strip('.,?!"').lower() for w in p.first.split())
    listed = lambda p: next((kinds[w] for w in words(p) if w in kinds), 0)
    share = lambda right: sum(right) / len(right)
    after: dict[int, Counter] = {}
    for i in cut_off(train, 0):
        after.setdefault(i.ids[-2], Counter())[i.target] += 1
    follows = lambda i: after[i.ids[-2]].most_common(1)[0][0] if i.ids[-2] in after else None
    return {
        "tag": ("the word’s most frequent tag", share(tags)),
        "meant": ("the last being that the pronoun can mean", share([_last(p, meant) == p.meant for p in test])),
        "being": ("a list of the beings", share([listed(p) == p.being for p in test])),
        "next": ("what followed this token most often", share([follows(i) == i.target for i in cut_off(test, 0)])),
    }


def brought(test: list[Pair]) -> dict[str, dict[str, Any]]:
    """What the two heads are worth that the body was trained with, on the same stories."""
    bert, rng = load("little-bert"), random.Random(0)
    mask = bert.tokenizer.token_to_id("[MASK]")
    true, found, pairs_right, seen = [], [], [], Counter()
    for pair, other in zip(test, [*test[1:], test[0]]):
        e = bert.tokenizer.encode(pair.first, pair.second)
        place = rng.choice([i for i, special in enumerate(e.special_tokens_mask) if not special])
        hidden = [mask if i == place else one for i, one in enumerate(e.ids)]
        with torch.no_grad():
            word = bert.model(torch.tensor([hidden]), type_ids=torch.tensor([e.type_ids])).logits[0, place]
        true.append(e.ids[place])
        found.append(int(word.argmax()))
        seen.update(one for one, special in zip(e.ids, e.special_tokens_mask) if not special)
        for second, wanted in ((pair.second, 0), (other.second, 1)):
            e = bert.tokenizer.encode(pair.first, second)
            with torch.no_grad():
                said = bert.model(torch.tensor([e.ids]), type_ids=torch.tensor([e.type_ids])).nsp_logits[0]
            pairs_right.append(int(said.argmax()) == wanted)
    often = seen.most_common(1)[0][0]
    share = lambda right: sum(right) / len(right)
    return {
        "word": {"rule": (f"always “{bert.tokenizer.id_to_token(often)}”", share([t == often for t in true])),
                 "kept": share([f == t for f, t in zip(found, true)]), "asked": len(true)},
        "follows": {"rule": ("a coin", 0.5), "kept": share(pairs_right), "asked": len(pairs_right)},
    }  # fmt: skip


def next_beside(train: list[Pair], test: list[Pair]) -> dict[str, float]:
    """What comes next, on the same cuts: a head of full width on the little BERT, and the little GPT-2, which was
    trained for nothing else.
    """
    wide = Task(None, lambda d: nn.Linear(d, load("little-bert").model.config.vocab_size), next_loss, next_right, None)
    hits = uses.right(*uses.trained("kept", wide, cut_off(train, 0)), wide, cut_off(test, 0))
    own = gpt2_next_right(test, 0)
    return {"full width": sum(hits) / len(hits), "little GPT-2": sum(own) / len(own)}


def gpt2_next_right(drawn: list[Pair], seed: int) -> list[bool]:
    """Whether the little GPT-2 names its next token, at the cuts of `cut_off` that lie between two of its tokens."""
    gpt2, tokenizer, rng, out = load("little-gpt2"), load("little-bert").tokenizer, random.Random(seed), []
    end = gpt2.tokenizer.token_to_id("<|endoftext|>")
    for pair in drawn:
        e, read = tokenizer.encode(pair.first, pair.second), gpt2.tokenizer.encode(f"{pair.first} {pair.second}")
        with torch.no_grad():
            found = gpt2.model(torch.tensor([[end, *read.ids]])).logits[0].argmax(-1).tolist()
        true, ends, split = [*read.ids, end], [b for _, b in read.offsets], e.type_ids.index(1)
        for at in sorted(rng.sample(range(split + 1, len(e.ids)), min(CUTS, len(e.ids) - split - 1))):
            if (stop := len(pair.first) + 1 + e.offsets[at - 1][1]) in ends:
                k = ends.index(stop) + 1
                out.append(found[k] == true[k])
    return out


def _noun(pair: Pair, at: tuple[int, int]) -> str:
    return pair.first[slice(*at)].split()[-1].lower()


def _last(pair: Pair, meant: set[tuple[str, str]]) -> tuple[int, int]:
    """The last mention whose noun was seen with the pronoun; if none was, the last."""
    pronoun = pair.second.split()[0]
    return next((at for at in reversed(pair.nouns) if (pronoun, _noun(pair, at)) in meant), pair.nouns[-1])


def write() -> None:
    """Train the four heads on both bodies, and store those on the little BERT with what all are worth."""
    train, test = pairs(TRAIN, 1), pairs(TEST, 2)
    worth, kept = brought(test), {}
    simple = rules(train, test)
    for name, task in HEADS.items():
        worth[name] = {"rule": simple[name]}
        for body in ("kept", "random, kept"):
            model, head = uses.trained(body, task, items(train, name))
            hits = uses.right(model, head, task, items(test, name))
            worth[name] |= {body: sum(hits) / len(hits), "asked": len(hits)}
            if body == "kept" and name == "meant":
                seen = {(p.second.split()[0], _noun(p, p.meant)) for p in train}
                left = [hit for hit, p in zip(hits, test) if _last(p, seen) != p.meant]
                worth[name]["where the rule fails"] = [sum(left), len(left)]
            if body == "kept":
                kept |= {f"{name}.{key}": value.contiguous() for key, value in head.state_dict().items()}
        print(name, worth[name], flush=True)
    worth["next"] |= next_beside(train, test)
    save_file(kept, WEIGHTS)
    WORTH.write_text(json.dumps(worth, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@cache
def worth() -> dict[str, Any]:
    """How often each head is right, with the rule and with random weights beside it."""
    return json.loads(WORTH.read_text(encoding="utf-8"))


def heads() -> dict[str, nn.Module]:
    """The four heads with their trained weights, by name."""
    tensors, made = load_file(WEIGHTS), {}
    for name, task in HEADS.items():
        head = task.head(load("little-bert").model.config.d_model)
        head.load_state_dict({k.removeprefix(f"{name}."): v for k, v in tensors.items() if k.startswith(f"{name}.")})
        made[name] = head.eval()
    return made


if __name__ == "__main__":
    torch.set_num_threads(1)
    write()
