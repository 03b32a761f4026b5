"""The shipped folders: what their files are, and that their cards tell the truth about them."""

import importlib
import json
import math
import random
import re
import statistics

import pytest
import torch
from safetensors.torch import load_file

from labutils.checkpoints import load
from labutils.checkpoints.loader import HERE
from labutils.making import cards, cards_heads, measure
from labutils.making.losses import bert_loss_card
from labutils.making.next_sentence import next_sentence_card
from labutils.making.recipes import RECIPES
from labutils.making.skills import MASS, best_head, cases_of, scores
from labutils.world import World

LITTLE = ["little-gpt2", "little-bert"]
SAMPLE = 120  # stories measured again: other ones than the card's


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def models():
    return {name: load(name) for name in LITTLE}


@pytest.fixture(scope="module")
def fresh(world):
    return world.stories(SAMPLE, seed=20260101)


@pytest.mark.parametrize("name", LITTLE)
def test_every_weight_is_a_float16_number(name):
    tensors = load_file(HERE / name / "model.safetensors")
    assert {t.dtype for t in tensors.values()} == {torch.float16}
    assert all(t.isfinite().all() for t in tensors.values())
    for library in ("labutils", "transformers"):
        for parameter in load(name, library, torch.float64).model.parameters():
            assert torch.equal(parameter.half().double(), parameter)


@pytest.mark.parametrize("name", [*LITTLE, "paper-gpt2"])
def test_small_enough(name):
    assert sum(p.stat().st_size for p in (HERE / name).iterdir()) <= 3_000_000


@pytest.mark.parametrize("name", [*LITTLE, "paper-gpt2"])
def test_huggingface_finds_every_key_and_no_other(name, capfd):
    import transformers

    card = load(name).card
    cls = transformers.GPT2LMHeadModel if card["kind"] == "gpt2" else transformers.BertForPreTraining
    model, info = cls.from_pretrained(HERE / name, output_loading_info=True)
    assert not info["missing_keys"] and not info["unexpected_keys"] and not info["mismatched_keys"]
    assert model.dtype == (torch.float64 if name == "paper-gpt2" else torch.float32)
    assert sum(p.numel() for p in model.parameters()) == card["parameters"]


@pytest.mark.parametrize("name", LITTLE)
def test_ours_and_huggingfaces_say_the_same(name, models):
    ours = models[name]
    ids = torch.tensor([ours.tokenizer.encode("The old fox saw Anna. She was not happy.").ids])
    difference = ours.model(ids).logits - load(name, "transformers").model(ids)[0]
    assert difference.abs().max() < 1e-4


@pytest.mark.parametrize("name", LITTLE)
def test_huggingfaces_tokenizer_reads_the_folder(name, models, fresh):
    from transformers import AutoTokenizer

    theirs, ours = AutoTokenizer.from_pretrained(HERE / name), models[name].tokenizer
    for story in fresh[:30]:
        assert theirs(story.text).input_ids == ours.encode(story.text).ids


@pytest.mark.parametrize("name", LITTLE)
def test_tokenizer_keeps_frequent_words_whole_and_cuts_a_third(name, models):
    stated = models[name].card["tokenizer"]
    assert 500 <= stated["entries"] == len(models[name].tokenizer) <= RECIPES[name].vocab_size
    assert stated["forms"] - stated["whole"] >= stated["forms"] / 3 and stated["whole_in_text"] > 0.8
    tokens = models[name].tokenizer.encode("The cat sat on the mat. It was tired.", add_special_tokens=False).tokens
    assert [t.strip("Ġ").lower() for t in tokens] == "the cat sat on the mat . it was tired .".split()


@pytest.mark.parametrize("name", LITTLE)
def test_the_card_belongs_to_this_grammar_and_this_recipe(name, world, models):
    card, recipe = models[name].card, RECIPES[name]
    assert card["data"]["fingerprint"] == measure.fingerprint(world), "the grammar has changed since: make checkpoints"
    assert (card["training"]["steps"], card["training"]["seed"]) == (recipe.steps, recipe.seed)
    assert card["shape"]["positions"] == models[name].model.config.n_positions >= 128
    assert card["shape"]["head_width"] == 16 == models[name].model.config.head_dim


def test_gpt2_loss_as_the_card_says(world, models, fresh):
    c, stated = models["little-gpt2"], models["little-gpt2"].card["loss"]
    losses, _ = measure.gpt2_story_losses(c.model, c.tokenizer, [s.text for s in fresh])
    above = [loss + s.log_prob for loss, s in zip(losses, fresh)]
    error = statistics.stdev(above) / SAMPLE**0.5 / stated["entropy_per_story"]
    assert statistics.fmean(above) / stated["entropy_per_story"] == pytest.approx(
        stated["gap"], abs=4 * error + 4 * stated["gap_error"]
    )
    assert stated["gap"] < 0.012  # above the floor
    assert world.entropy() == pytest.approx(stated["entropy_per_story"])


def test_bert_loss_as_the_card_says(world, models, fresh):
    c, stated = models["little-bert"], models["little-bert"].card["loss"]
    now = bert_loss_card(c.model, c.tokenizer, world, RECIPES["little-bert"], fresh)
    assert now["model"] == pytest.approx(stated["model"], abs=4 * math.hypot(now["error"], stated["error"]))
    for name in (
        "accuracy",
        "best_possible",
        "best_possible_told",
        "agrees_with_best",
        "word_loss",
        "word_floor",
        "word_floor_told",
        "above",
        "above_told",
    ):
        assert now[name] == pytest.approx(
            stated[name], abs=4 * math.hypot(now[f"{name}_error"], stated[f"{name}_error"])
        ), name
    assert now["word_floor_told"] <= now["word_floor"]  # to know more costs nothing


def test_next_sentence_as_the_card_says(world, models):
    c, stated = models["little-bert"], models["little-bert"].card["next_sentence"]["kinds"]
    now = next_sentence_card(c.model, c.tokenizer, world.stories(200, seed=7), random.Random(0))["kinds"]
    for kind, row in stated.items():
        assert now[kind]["accuracy"] == pytest.approx(
            row["accuracy"], abs=4 * math.hypot(row["error"], now[kind]["error"])
        ), kind
    for kind, least in {"following": 0.98, "swapped": 0.99, "other": 0.9}.items():
        assert stated[kind]["accuracy"] > least, kind


@pytest.mark.parametrize("name", LITTLE)
def test_skills_as_the_card_says(name, models, fresh):
    c = models[name]
    cases = [case for story in fresh for case in cases_of(story)]
    for skill in c.card["skills"]:
        mine = [case for case in cases if case.skill == skill["name"]][:60]
        if len(mine) >= 5:
            now = scores(c.model, c.tokenizer, mine)
            here = (
                statistics.stdev(now) / math.sqrt(len(now))
                if skill["name"] in MASS
                else error(skill["accuracy"], len(now))
            )
            assert statistics.fmean(now) == pytest.approx(
                skill["accuracy"], abs=4 * math.hypot(here, skill["error"])
            ), skill["name"]
        assert 0 <= skill["accuracy"] <= 1 and 0 <= skill["best_possible"] <= 1 + 1e-9


LEAST = {
    "little-gpt2": {"agreement": 0.99, "pronoun": 0.98, "recall": 0.99, "refrain": 0.96, "copy": 0.99, "echo": 0.98},
    "little-bert": {"agreement": 0.97, "pronoun": 0.95, "recall": 0.99, "refrain": 0.8, "copy": 0.8, "echo": 0.9},
}


@pytest.mark.parametrize("name", LEAST)
def test_the_models_are_good_enough_for_the_chapters_that_lean_on_them(name, models):
    card = models[name].card
    reached = {skill["name"]: skill["accuracy"] for skill in card["skills"]}
    assert {skill: reached[skill] for skill, least in LEAST[name].items() if reached[skill] < least} == {}
    if name == "little-bert":
        assert card["loss"]["above"] < 0.15 and card["loss"]["above_told"] < 0.24 and card["loss"]["accuracy"] > 0.78


@pytest.mark.parametrize("name", LITTLE)
def test_the_best_heads_look_where_the_card_says(name, models, fresh):
    c = models[name]
    cases = [case for story in fresh for case in cases_of(story)]
    for skill in c.card["skills"]:
        if skill["name"] in ("recall", "pronoun"):
            head = best_head(c.model, c.tokenizer, [case for case in cases if case.skill == skill["name"]][:60])
            assert head["weight"] == pytest.approx(skill["best_head"]["weight"], abs=0.1)


@pytest.mark.parametrize("name", LITTLE)
def test_every_number_has_its_error(name, models):
    """Whatever the card gives as a share or a mean stands beside its standard error, and the page shows it."""
    card = models[name].card
    rows = card["relations"]["rows"]
    assert len(rows) >= 8 and {"nsubj", "obj", "det", "pronoun"} <= {row["relation"] for row in rows}
    for part in (
        card["heads"]["first"],
        card["heads"]["full_stop"],
        *card["heads"]["positional"],
        *card["leaning"]["templates"],
        *card["leaning"]["occupations"],
        *(row[kind] for row in rows for kind in ("head", "offset", "rule")),
    ):
        assert part["error"] >= 0
    assert len(card["leaning"]["templates"]) >= 3 and len(card["leaning"]["occupations"]) >= 10
    page = cards.card_markdown(card)
    assert page.count(" ± ") > 60 and all(line in page for line in cards_heads.findings(card))


@pytest.mark.parametrize("name", LITTLE)
def test_the_running_text_as_the_card_says(name, world, models):
    c = models[name]
    now = measure.running_text_card(c.model, c.tokenizer, world)
    for row, stated in zip(now["words"], c.card["running_text"]["words"], strict=True):
        assert row["word"] == stated["word"] and row["grammar"] == stated["grammar"]
        assert row["model"] == pytest.approx(stated["model"], abs=2e-4)


def error(p: float, n: int) -> float:
    """Standard error of a share p among n, never quite 0: a share of 1 may be one case short."""
    return max(math.sqrt(p * (1 - p) / n), 0.6 / n)


@pytest.mark.parametrize("name", [*LITTLE, "paper-gpt2"])
def test_the_page_is_rendered_from_the_numbers(name):
    card = json.loads((HERE / name / "card.json").read_text())
    assert (HERE / name / "README.md").read_text() == cards.card_markdown(card)
    changed = card | {"parameters": 123_456_789}
    assert re.search(r"123,?456,?789", cards.card_markdown(changed))
    assert cards.card_markdown(card, level=2) in cards.shipped_cards(level=2) and card["name"] in cards.shipped_cards()


def test_importing_the_loader_imports_no_transformers():
    import subprocess
    import sys

    code = "import labutils.checkpoints as c, sys; c.load('paper-gpt2'); assert 'transformers' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert importlib.import_module("labutils.checkpoints").__all__ == [
        "Checkpoint",
        "CheckpointError",
        "available",
        "load",
        "load_tokenizer",
    ]
