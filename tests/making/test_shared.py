"""The heads that share one pass: what is stored fits the weights, and the targets stand where they should."""

import torch

from labutils.checkpoints import load
from labutils.making import shared, uses
from labutils.training import IGNORE


def test_the_stored_heads_are_about_as_often_right_as_is_said():
    drawn = shared.pairs(60, seed=5)
    body = load("little-bert").model
    for name, head in shared.heads().items():
        hits = uses.right(body, head, shared.HEADS[name], shared.items(drawn, name))
        assert abs(sum(hits) / len(hits) - shared.worth()[name]["kept"]) < 0.15, name


def test_the_targets_of_a_pair_are_its_words():
    tokenizer, drawn = load("little-bert").tokenizer, shared.pairs(20, seed=6)
    for pair, item in zip(drawn, shared.items(drawn, "meant")):
        first, last = item.target
        e = tokenizer.encode(pair.first, pair.second)
        assert (e.offsets[first][0], e.offsets[last][1]) == pair.meant
    for item in shared.items(drawn, "tag"):
        later = [tokenizer.id_to_token(i).startswith("##") for i in item.ids]
        assert all(t == IGNORE for t, inside in zip(item.target, later) if inside)


def test_training_of_a_head_lowers_its_loss_and_leaves_the_body_alone(monkeypatch):
    monkeypatch.setattr(uses, "HEAD_STEPS", 30)
    drawn = shared.pairs(40, seed=7)
    task, items = shared.HEADS["being"], shared.items(drawn, "being")
    before = load("little-bert").model.to_hf_state_dict()
    body, head = uses.trained("kept", task, items)
    with torch.no_grad():
        loss = task.loss(head(uses.rows(body, items)), items)
    assert loss < 0.6 and all(torch.equal(t, before[name]) for name, t in body.to_hf_state_dict().items())


def test_a_text_that_was_cut_off_goes_on_with_its_target():
    tokenizer, drawn = load("little-bert").tokenizer, shared.pairs(20, seed=6)
    whole = [tuple(tokenizer.encode(pair.first, pair.second).ids) for pair in drawn]
    items = shared.cut_off(drawn, 0)
    assert len(items) >= 3 * len(drawn) and len({i.target for i in items}) > 5
    for item in items:
        begun = tuple(item.ids[:-1])
        assert any(one[: len(begun) + 1] == (*begun, item.target) for one in whole)
        assert len(item.types) == len(item.ids) and item.types[-2:] == [1, 1]


def test_the_heads_that_the_body_brought_are_about_as_often_right_as_is_said():
    found = shared.brought(shared.pairs(60, seed=5))
    for name in ("word", "follows"):
        assert abs(found[name]["kept"] - shared.worth()[name]["kept"]) < 0.15, name
        assert found[name]["rule"][1] < found[name]["kept"]


def test_the_rule_for_beings_is_a_list_of_those_that_stood_first_with_their_kinds():
    train, test = shared.pairs(60, seed=8), shared.pairs(30, seed=9)
    name, share = shared.rules(train, test)["being"]
    assert name == shared.worth()["being"]["rule"][0] == "a list of the beings"
    often = max(sum(p.being == k for p in test) for k in (0, 1)) / len(test)
    assert often < share <= shared.worth()["being"]["rule"][1]


def test_the_little_gpt2_is_about_as_often_right_at_the_same_cuts_as_is_said():
    drawn = shared.pairs(60, seed=5)
    hits = shared.gpt2_next_right(drawn, 0)
    assert 0.8 * len(shared.cut_off(drawn, 0)) < len(hits) <= len(shared.cut_off(drawn, 0))
    assert abs(sum(hits) / len(hits) - shared.worth()["next"]["little GPT-2"]) < 0.1
