"""One body, several uses: how a head for a text, for each token or for a span is trained, on a body that is kept, on
one that is trained along, and on random weights.

    python -m labutils.making.uses      # writes uses.json, in about an hour on one core

What is measured here are `answers`: where the answer to a question stands, its first and its last token
(`labutils.world.questions`). No rule of `labutils.world.baselines` is right for more than half. The heads of
`labutils.making.shared` are trained with the same functions.

Every body gets the same items in the same order, and all is done three times with other draws: what differs is what a
body brings, and the difference to random weights is what its training has brought. What trains along takes `STEPS`
steps; a head alone takes more steps, on rows that are computed once.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from labutils.checkpoints import load
from labutils.models import Bert, SpanHead, best_span, span_loss
from labutils.training import IGNORE, pad
from labutils.world import World, baselines, questions

RESULTS = Path(__file__).with_name("uses.json")
BODIES = ("kept", "trained along", "random, kept", "random, trained along")
TRAIN, TEST, STEPS, BATCH, LR = 2400, 400, 300, 24, 7e-4
HEAD_STEPS, HEAD_LR, HEAD_BATCH = 400, 5e-3, 128
LONGER = (1000, 2000)  # steps of a random body that is trained along for longer
AGAIN, SEEDS = 2000, (0, 1, 2)  # fresh questions for the comparison of bodies, and the draws of weights and batches
LONGEST = 8  # tokens of an answer at most
TAGS = ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
        "VERB")  # fmt: skip


class Item(NamedTuple):
    """One text as BERT reads it. target: a class, one for each token, or first and last token. asked: the places whose
    tokens count, or where an answer may stand.
    """

    ids: list[int]
    types: list[int]
    target: Any
    asked: list[bool]


@dataclass(frozen=True)
class Task:
    """items(n, seed): texts with their targets, and the things they were made of. head(d). loss(output, items).
    right(output, items): for each thing that is asked whether it is right. rule(train, test): the share that a rule
    without a model has right, and its name.
    """

    items: Callable[[int, int], tuple[list[Item], list]]
    head: Callable[[int], nn.Module]
    loss: Callable[[Any, Sequence[Item]], Tensor]
    right: Callable[[Any, Sequence[Item]], list[bool]]
    rule: Callable[[list, list], dict[str, float]]
    classes: Sequence[str] = field(default=())


# -- part of speech ----------------------------------------------------------------------------------


def tag_items(n: int, seed: int) -> list[Item]:
    """Stories; the tag stands on the first piece of a word, the other pieces and the special tokens are passed over."""
    tokenizer, world, rng = load("little-bert").tokenizer, World(), random.Random(seed)
    items = []
    for story in (world.story(rng) for _ in range(n)):
        e, tag = tokenizer.encode(story.text), {w.start: TAGS.index(w.upos) for w in story.words}
        target = [IGNORE if special else tag.get(start, IGNORE)
                  for (start, _), special in zip(e.offsets, e.special_tokens_mask)]  # fmt: skip
        items.append(Item(list(e.ids), list(e.type_ids), target, [t != IGNORE for t in target]))
    return items


def tag_loss(output: Tensor, items: Sequence[Item]) -> Tensor:
    return cross_entropy(output.flatten(0, 1), pad([i.target for i in items], IGNORE).flatten(), ignore_index=IGNORE)


def tags_right(output: Tensor, items: Sequence[Item]) -> list[bool]:
    found = output.argmax(-1).tolist()
    return [f == t for row, item in zip(found, items) for f, t, ask in zip(row, item.target, item.asked) if ask]


# -- answers -----------------------------------------------------------------------------------------


def answer_items(n: int, seed: int) -> tuple[list[Item], list]:
    """Question and story as a pair; the target is the first and the last token of the answer."""
    tokenizer, things = load("little-bert").tokenizer, questions(World(), n, seed)
    items = []
    for q in things:
        e = tokenizer.encode(q.question, q.context)
        inside = [s == 1 for s in e.sequence_ids]
        first = next(i for i, (a, b) in enumerate(e.offsets) if inside[i] and b > q.start)
        last = max(i for i, (a, b) in enumerate(e.offsets) if inside[i] and a < q.end)
        items.append(Item(list(e.ids), list(e.type_ids), (first, last), inside))
    return items, things


def rules_of_answers(train: list, test: list) -> dict[str, float]:
    return {rule.__name__: baselines.score(rule, test) for rule in baselines.ANSWERING}


def answer_loss(output: tuple[Tensor, Tensor], items: Sequence[Item]) -> Tensor:
    first, last = torch.tensor([i.target for i in items]).T
    return span_loss(*output, first, last, pad([i.asked for i in items], 0).bool())


def answers_right(output: tuple[Tensor, Tensor], items: Sequence[Item]) -> list[bool]:
    spans = [
        best_span(start[: len(i.ids)], end[: len(i.ids)], torch.tensor(i.asked), LONGEST)
        for start, end, i in zip(*output, items)
    ]
    return [span == i.target for span, i in zip(spans, items)]


# -- a text ------------------------------------------------------------------------------------------


def class_loss(output: Tensor, items: Sequence[Item]) -> Tensor:
    return cross_entropy(output, torch.tensor([i.target for i in items]))


def classes_right(output: Tensor, items: Sequence[Item]) -> list[bool]:
    return [f == i.target for f, i in zip(output.argmax(-1).tolist(), items)]


TASKS = {"answers": Task(answer_items, SpanHead, answer_loss, answers_right, rules_of_answers)}


# -- training ----------------------------------------------------------------------------------------


def rows(body: Bert, items: Sequence[Item]) -> Tensor:
    """The last hidden states of some texts, padded to the longest: (B, n, d)."""
    ids, types = pad([i.ids for i in items], 0), pad([i.types for i in items], 0)
    mask = pad([[1] * len(i.ids) for i in items], 0)
    return body(ids, mask, type_ids=types).hidden_states[-1]


def body_of(name: str, seed: int) -> Bert:
    """The little BERT, or one of the same shape with weights as they are drawn before training."""
    trained = load("little-bert").model
    if not name.startswith("random"):
        return trained
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Bert(trained.config)


def head_alone(body: Bert, head: nn.Module, task: Task, items: list[Item], seed: int) -> None:
    """Train a head on the rows of a body that stays as it is."""
    rng = random.Random(seed)
    with torch.no_grad():
        kept = [x[: len(i.ids)] for part in chunks(items) for x, i in zip(rows(body, part), part)]
    adam = torch.optim.AdamW(head.parameters(), lr=HEAD_LR, weight_decay=0.01)
    for step in range(HEAD_STEPS):
        chosen = rng.sample(range(len(items)), min(HEAD_BATCH, len(items)))
        x = nn.utils.rnn.pad_sequence([kept[i] for i in chosen], batch_first=True)
        descend(adam, HEAD_LR * (1 - step / HEAD_STEPS), task.loss(head(x), [items[i] for i in chosen]))


def all_of_it(body: Bert, head: nn.Module, task: Task, items: list[Item], seed: int, steps: int) -> None:
    """Train body and head together."""
    rng = random.Random(seed)
    adam = torch.optim.AdamW([*body.parameters(), *head.parameters()], lr=LR, betas=(0.9, 0.98), weight_decay=0.01)
    for step in range(steps):
        chosen = [items[i] for i in rng.sample(range(len(items)), BATCH)]
        rate = LR * min(1.0, (step + 1) / 30) * (1 - step / steps)
        descend(adam, rate, task.loss(head(rows(body, chosen)), chosen))


def descend(adam: torch.optim.Optimizer, rate: float, loss: Tensor) -> None:
    adam.param_groups[0]["lr"] = rate
    adam.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(adam.param_groups[0]["params"], 1.0)
    adam.step()


def trained(
    name: str, task: Task, items: list[Item], seed: int = 0, steps: int | None = None
) -> tuple[Bert, nn.Module]:
    """A body and a head for a task. The body of "trained along" is its own, and takes `steps`, or else `STEPS`; the
    others are left as they were.
    """
    body = body_of(name, seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = task.head(body.config.d_model)
        if name.endswith("along"):
            all_of_it(body, head.train(), task, items, seed, steps or STEPS)
        else:
            head_alone(body, head.train(), task, items, seed)
    return body, head.eval()


def right(body: Bert, head: nn.Module, task: Task, items: list[Item]) -> list[bool]:
    """For each thing that is asked whether the answer is right."""
    with torch.no_grad():
        return [hit for part in chunks(items) for hit in task.right(head(rows(body, part)), part)]


def chunks(items: list[Item], size: int = 64) -> list[list[Item]]:
    return [items[i : i + size] for i in range(0, len(items), size)]


def measured(name: str) -> Iterator[dict[str, Any]]:
    """One task: the rules and the four bodies, scored on items that training never saw; again after each body."""
    task = TASKS[name]
    (items, train), (fresh, test) = task.items(TRAIN, 1), task.items(TEST, 2)
    scores, rules = {}, task.rule(train, test)
    for body in BODIES:
        hits = right(*trained(body, task, items), task, fresh)
        scores[body] = sum(hits) / len(hits)
        print(f"{name:<8} {body:<22} {scores[body]:.3f} of {len(hits):,}", flush=True)
        yield {"asked": len(hits), "rules": rules, "bodies": scores}


def again(name: str) -> dict[str, Any]:
    """One task on more fresh items: how many the rules have right, and each body for each seed."""
    task = TASKS[name]
    (items, train), (fresh, test) = task.items(TRAIN, 1), task.items(AGAIN, 3)
    bodies: dict[str, list[int]] = {}
    for body in BODIES:
        bodies[body] = [sum(right(*trained(body, task, items, seed), task, fresh)) for seed in SEEDS]
        print(f"{name:<8} {body:<22} {bodies[body]} of {len(fresh):,}", flush=True)
    return {"asked": len(fresh), "rules": task.rule(train, test), "bodies": bodies}


def longer(name: str) -> dict[str, list[int]]:
    """How many of the items of `again` a random body that is trained along for longer has right: steps to seeds."""
    task = TASKS[name]
    (items, _), (fresh, _) = task.items(TRAIN, 1), task.items(AGAIN, 3)
    counted = lambda steps, seed: sum(right(*trained(BODIES[-1], task, items, seed, steps), task, fresh))
    return {str(steps): [counted(steps, seed) for seed in SEEDS] for steps in LONGER}


def results() -> dict[str, Any]:
    """What `write` has stored: for each task the rules and the bodies, as shares of right answers; under "again" the
    same on more items, with the number of right answers for each seed, and under "longer" those of a random body
    that takes more steps (made with CUDA, six runs side by side; the others on a processor).
    """
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def write(path: Path = RESULTS) -> None:
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for name in TASKS:
        if name not in known:
            for found in measured(name):
                known[name] = found
                path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        if "again" not in known[name]:
            known[name]["again"] = again(name)
            path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        if "longer" not in known[name]:
            known[name]["longer"] = longer(name)
            path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    torch.set_num_threads(1)
    write()
