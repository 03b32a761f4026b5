"""Training in the page is PyTorch's: gradients of every parameter, AdamW, clipping, the schedule, a hundred steps."""

import random

import numpy as np
import pytest
import torch

from labutils.controls.script import call
from labutils.models import GPT2, GPT2Config
from labutils.training import adamw, next_token_loss, pad, warmup_cosine

OUTSIDE = "engine/backward/outside.js"
VOCABULARY, PLACES, END = 52, 24, 51
ARENA = "arena"  # float32 in the memory of the compiled loops, as a page trains


def small(layers=2, width=16, heads=4, seed=0):
    torch.manual_seed(seed)
    config = GPT2Config(VOCABULARY, PLACES, width, layers, heads, initializer_range=0.2)
    model = GPT2(config)
    for name, p in model.named_parameters():  # gains and biases that are not all alike
        if p.dim() < 2:
            torch.nn.init.normal_(p, mean=float(name.endswith("gain")), std=0.3)
    sizes = {"vocab": VOCABULARY, "places": PLACES, "width": width, "layers": layers, "heads": heads, "eps": 1e-5}
    return model, sizes


def stories(n, seed):
    """n texts of unequal length in which a token says something about the next one."""
    rng = random.Random(seed)
    told = []
    for _ in range(n):
        ids = [END]
        for _ in range(rng.randint(2, PLACES - 2)):
            ids.append((7 * ids[-1] + rng.choice((1, 1, 1, 5))) % (VOCABULARY - 1))
        told.append([*ids, END])
    return told


def packed(texts):
    """The same one after the other, as the page trains on them."""
    starts = np.cumsum([0, *map(len, texts)]).tolist()
    return {"ids": [i for ids in texts for i in ids], "starts": starts}


def weights(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()]).numpy().tobytes()


def loss_of(model, texts, by=1):
    ids, mask = pad(texts, 0), pad([[1] * len(t) for t in texts], 0)
    logits = model(ids, mask).logits
    if by:
        return next_token_loss(logits, ids, mask)
    labels = ids.masked_fill(mask == 0, -100)
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())


@pytest.mark.parametrize("kind, near", [("float64", 1e-12), ("float32", 1e-5), (ARENA, 1e-5)])
@pytest.mark.parametrize("by, layers, width", [(1, 2, 16), (0, 1, 16), (1, 2, 48)])
def test_loss_and_every_gradient_are_pytorchs(kind, near, by, layers, width):
    model, sizes = small(layers, width)
    model, texts = model.to(torch.float64 if kind == "float64" else torch.float32), stories(5, 3)
    loss = loss_of(model, texts, by)
    loss.backward()
    found = call(OUTSIDE, "gradients", sizes, kind, weights(model), packed(texts), by)
    assert found["loss"] == pytest.approx(loss.item(), rel=near)
    assert found["inside"] == (kind == ARENA)
    assert list(found["gradients"]) == [name for name, _ in model.named_parameters()]
    for name, p in model.named_parameters():
        if "key.bias" in name:  # it shifts all scores of a row alike: its gradient is 0 but for rounding
            assert np.abs(found["gradients"][name]).max() < near
            continue
        ours, theirs = np.array(found["gradients"][name]), p.grad.flatten().numpy()
        assert np.abs(ours - theirs).max() < near * np.abs(theirs).max(), name


@pytest.mark.parametrize("kind, near", [("float64", 1e-9), ("float32", 2e-4), (ARENA, 2e-4)])
def test_a_hundred_steps_are_pytorchs(kind, near):
    model, sizes = small(1)
    model = model.to(torch.float64 if kind == "float64" else torch.float32)
    how = {"rate": 0.01, "rise": 20, "most": 1.0, "by": 1, "steps": 120}
    batches = [stories(4, seed) for seed in range(100)]
    found = call(OUTSIDE, "losses", sizes, kind, weights(model), [packed(texts) for texts in batches], how)
    optimiser, theirs, lengths = adamw(model, how["rate"], (0.9, 0.98), 0.05), [], []
    for step, texts in enumerate(batches):
        for group in optimiser.param_groups:
            group["lr"] = warmup_cosine(step, how["steps"], how["rate"], how["rise"] / how["steps"])
        optimiser.zero_grad()
        loss = loss_of(model, texts)
        loss.backward()
        lengths.append(float(torch.nn.utils.clip_grad_norm_(model.parameters(), how["most"])))
        optimiser.step()
        theirs.append(loss.item())
    assert np.abs(np.array(found) - theirs).max() < near
    assert theirs[-1] < theirs[0] / 2 and max(lengths) > how["most"] > min(lengths)  # it learns; some steps are clipped


@pytest.mark.parametrize("rise, steps", [(0, 50), (1, 50), (20, 100), (100, 100)])
def test_the_schedule_is_the_packages(rise, steps):
    found = [call("engine/backward/schedule.js", "warmupCosine", i, steps, 0.01, rise) for i in range(steps)]
    share = rise / steps
    if rise:
        assert found == pytest.approx([warmup_cosine(i, steps, 0.01, share) for i in range(steps)], rel=1e-12)
    else:  # Python's rises over one step at least, whose rate is the peak: the same first step
        assert found[0] == pytest.approx(warmup_cosine(0, steps, 0.01, 0.0))
        assert found[-1] == pytest.approx(0.01 * 0.02)


@pytest.mark.parametrize("long", [(2, 2), (3, 5, 8, 13, 21), (24,), tuple(range(2, 25))])
def test_the_arena_has_room_for_texts_of_every_length(long):
    """Lengths that end no tile and no vector; every gradient is that of JavaScript's float64, and no number is lost."""
    model, sizes = small(2)
    texts = packed([[(7 * i + n) % VOCABULARY for i in range(n)] for n in long])
    exact = call(OUTSIDE, "gradients", sizes, "float64", weights(model.double()), texts, 1)["gradients"]
    found = call(OUTSIDE, "gradients", sizes, ARENA, weights(model.float()), texts, 1)
    assert found["inside"]
    for name, values in exact.items():
        assert np.abs(np.array(found["gradients"][name]) - values).max() < 1e-5, name


def test_an_arena_that_is_too_small_goes_on_in_javascript():
    """Nothing is lost when a batch is larger than was foreseen."""
    model, sizes = small(2)
    few, many = packed(stories(1, 3)), packed(stories(12, 4))
    found = call(OUTSIDE, "gradients", sizes, ARENA, weights(model), many, 1, few)
    exact = call(OUTSIDE, "gradients", sizes, "float64", weights(model.double()), many, 1)["gradients"]
    assert not found["inside"]
    for name, values in exact.items():
        assert np.abs(np.array(found["gradients"][name]) - values).max() < 1e-5, name


def run(**more):
    """A run of a tiny model through 40 short stories; what it told."""
    told = stories(40, 1)
    order = list(range(VOCABULARY))
    as_bytes = lambda texts: bytes(i for ids in texts for i in ids[:-1])  # 50 tokens: one byte each
    sizes = {"vocab": VOCABULARY, "places": PLACES, "width": 16, "layers": 1, "heads": 2, "eps": 1e-5}
    plan = {"rate": 0.02, "rise": 2, "batch": 3, "most": 1.0, "by": 1} | more.pop("plan", {})
    task = {"config": sizes, "seed": 0, "spread": 0.1, "order": order, "end": END, "plan": plan}
    call(OUTSIDE, "begin", task | {"told": as_bytes(told), "fresh": as_bytes(stories(5, 2))} | more)
    messages, goes = [], True
    while goes:
        answer = call(OUTSIDE, "more", 50)
        goes, messages = answer["goes"], messages + answer["messages"]
    return told, messages


def test_a_run_reads_every_story_once_and_its_curve_falls():
    told, messages = run()
    points = [m for m in messages if m["kind"] == "point"]
    assert messages[-1]["kind"] == "end" or messages[-2]["kind"] == "end"
    assert points[0]["tokens"] == 0 and points[0]["loss"] == pytest.approx(np.log(VOCABULARY), abs=0.2)
    assert points[-1]["tokens"] == sum(len(ids) - 1 for ids in told) and points[-1]["step"] == 14  # 40 stories by 3
    assert points[-1]["loss"] < points[0]["loss"] - 0.1
    assert all(0 <= m["followed"] <= len(m["ids"]) for m in points)


def test_a_run_that_loses_its_numbers_stops_and_names_the_first_layer_that_did():
    _, messages = run(spread=3e18)  # a score is more than float32 holds, and the size of a row is not
    fault = messages[-1]
    assert fault["kind"] == "fault" and fault["where"] == "the attention weights of block 0"


@pytest.mark.parametrize(
    "name, value", [("rate", -1), ("rate", "fast"), ("batch", 0), ("batch", 2.5), ("rise", -3), ("by", 2)]
)
def test_a_plan_that_cannot_be_is_refused_in_a_sentence(name, value):
    plan = {"rate": 0.02, "rise": 2, "batch": 3, "most": 1.0, "by": 1}
    assert call("engine/backward/plan.js", "wrong", plan) == ""
    why = call("engine/backward/plan.js", "wrong", plan | {name: value})
    assert f" is {value}, and must be " in why and why.endswith(": the run goes on as it was.")
