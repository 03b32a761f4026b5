"""The command that makes the models, on a shortened recipe: it learns, and an interruption leaves no trace."""

from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from labutils.checkpoints import load, make
from labutils.checkpoints.fit import fit, fit_tokenizer, round_to_float16, sinusoids, start
from labutils.checkpoints.measure import gpt2_story_losses
from labutils.checkpoints.recipes import LITTLE_BERT, LITTLE_GPT2
from labutils.checkpoints.rows import FOLLOWS, NO_PAIR, RANDOM, bert_chunk, gpt2_chunk, halves, stories
from labutils.training.loop import Plan
from labutils.world import World

SMALL = dict(n_layers=2, d_model=64, n_heads=4, tokenizer_stories=300, running_texts=20, chunk_stories=150, max_tokens=512)
GPT2 = replace(LITTLE_GPT2, name="small-gpt2", plan=Plan(steps=120, lr=6e-3), **SMALL)
BERT = replace(LITTLE_BERT, name="small-bert", plan=Plan(steps=40, lr=4e-3), **SMALL)


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def tokenizers(world):
    return {recipe.kind: fit_tokenizer(world, recipe) for recipe in (GPT2, BERT)}


def loss_of(model, tokenizer, world):
    """Nats a token on 60 stories."""
    class Ours(torch.nn.Module):
        forward = staticmethod(model)

    losses, tokens = gpt2_story_losses(Ours(), tokenizer, [s.text for s in world.stories(60, seed=5)])
    return sum(losses) / sum(tokens)


def test_a_short_run_learns_what_an_untrained_and_a_shuffled_one_do_not(world, tokenizers):
    """120 steps. The bar is below what a model knows that only counts tokens, which is what a broken causal loop ends at."""
    tokenizer = tokenizers["gpt2"]
    assert loss_of(start(GPT2, tokenizer).eval(), tokenizer, world) > 6
    model, progress = fit(world, tokenizer, GPT2)
    assert progress.step == 120 and progress.losses[0] > progress.losses[-1]
    assert loss_of(model, tokenizer, world) < 3.2 < unigram_loss(world, tokenizer) - 0.5


def unigram_loss(world, tokenizer):
    """Nats a token of the best guess that looks at nothing."""
    ids = torch.cat([torch.tensor([*tokenizer.encode_ids(s.text), tokenizer.token_to_id("<|endoftext|>")]) for s in world.stories(400, seed=6)])
    p = torch.bincount(ids).double() / len(ids)
    return float(-(p[p > 0] * p[p > 0].log()).sum())


@pytest.mark.parametrize("recipe", [GPT2, BERT], ids=["gpt2", "bert"])
def test_interrupted_and_resumed_equals_uninterrupted(recipe, world, tokenizers, tmp_path):
    recipe, tokenizer = replace(recipe, plan=Plan(steps=14, lr=3e-3)), tokenizers[recipe.kind]
    whole, _ = fit(world, tokenizer, recipe)
    state = tmp_path / "state.safetensors"
    _, progress = fit(world, tokenizer, recipe, state, stop_at=9)
    assert progress.step == 9
    resumed, progress = fit(world, tokenizer, recipe, state)
    assert progress.step == 14
    for (name, a), (_, b) in zip(whole.named_parameters(), resumed.named_parameters(), strict=True):
        assert a.detach().numpy().tobytes() == b.detach().numpy().tobytes(), name


def test_bert_learns_and_every_parameter_moves(world, tokenizers):
    tokenizer = tokenizers["bert"]
    before = start(BERT, tokenizer)
    model, progress = fit(world, tokenizer, replace(BERT, plan=Plan(steps=100, lr=4e-3)))
    assert progress.losses[0] > progress.losses[-1]
    still = [n for (n, a), b in zip(before.named_parameters(), model.parameters()) if torch.equal(a.half().float(), b)]
    assert still == []  # pooler and next-sentence head included


def test_make_writes_a_folder_that_both_libraries_read(tmp_path, monkeypatch):
    """Twice the same bytes, the card with all its parts, and no state left behind."""
    for recipe in (replace(GPT2, plan=Plan(steps=6, lr=3e-3)), replace(BERT, plan=Plan(steps=6, lr=2e-3))):
        said, states = [], tmp_path / "states"
        for place in ("a", "b"):
            make.make(recipe, tmp_path / place / recipe.name, states, said.append, held_out=12)
        a, b = tmp_path / "a" / recipe.name, tmp_path / "b" / recipe.name
        for path in a.iterdir():
            if path.name not in ("card.json", "README.md"):  # these two state the seconds
                assert path.read_bytes() == (b / path.name).read_bytes(), path.name
        ours, theirs = load(a), load(a, "transformers")
        ids = torch.tensor([ours.tokenizer.encode("The cat sat on the mat.").ids])
        torch.testing.assert_close(ours.model(ids).logits, theirs.model(ids)[0], rtol=0, atol=1e-4)
        assert {"loss", "skills", "running_text", "limits", "training", "tokenizer"} <= ours.card.keys()
        assert list(states.iterdir()) == [] and any("measuring" in text for text in said)
        assert {t.dtype for t in load_file(a / "model.safetensors").values()} == {torch.float16}


def test_rounding():
    model = torch.nn.Linear(3, 3)
    round_to_float16(model)
    assert all(torch.equal(p.half().float(), p) for p in model.parameters())


def test_sinusoids_are_those_of_the_paper():
    table = sinusoids(50, 8)
    assert table[0].tolist() == [0, 1] * 4
    torch.testing.assert_close(table[7, 2:4], torch.tensor([7 / 10000 ** (2 / 8)]).expand(2).clone().sin_() * torch.tensor([1.0, 0])
                               + torch.cos(torch.tensor(7 / 10000 ** (2 / 8))) * torch.tensor([0, 1.0]))


class TestRows:
    def test_the_stream_is_seeded_and_its_parts_differ(self, world):
        assert stories(world, GPT2, "chunk 3", 5) == stories(world, GPT2, "chunk 3", 5)
        parts = ["chunk 0", "chunk 1", "tokenizer", "held out"]
        assert len({text for part in parts for text in stories(world, GPT2, part, 20)}) > 60

    def test_gpt2_rows_are_whole_stories(self, world, tokenizers):
        tokenizer = tokenizers["gpt2"]
        end = tokenizer.token_to_id("<|endoftext|>")
        rows = [row for batch in gpt2_chunk(world, tokenizer, GPT2)(0) for row in batch.rows]
        bare = [row for row in rows if row[0] != end]
        assert 0.3 < len(bare) / len(rows) < 0.7  # begun as a reader types them
        texts = [row if row[0] != end else row[1:] for row in rows]
        assert all(row[-1] == end and end not in row[:-1] for row in texts)
        assert sorted(tokenizer.decode(row[:-1]) for row in texts) == sorted(stories(world, GPT2, "chunk 0", 150))

    def test_bert_rows(self, world, tokenizers):
        rows = [row for batch in bert_chunk(world, tokenizers["bert"], BERT)(0) for row in batch.rows]
        kinds = {kind: [r for r in rows if r.follows == kind] for kind in (NO_PAIR, FOLLOWS, RANDOM)}
        assert len(kinds[NO_PAIR]) > len(kinds[FOLLOWS]) > 5 < len(kinds[RANDOM])
        for row in rows:
            specials = 2 if row.follows == NO_PAIR else 3
            assert row.words.count(None) == specials and max(row.types) == specials - 2
            first = [i for i, w in enumerate(row.words) if w and w[0] == 0]
            second = [i for i, w in enumerate(row.words) if w and w[0] == 1]
            assert {row.types[i] for i in first} == {0} and {row.types[i] for i in second} <= {1}

    def test_halves_are_the_story(self, world):
        import random

        for text in stories(world, BERT, "held out", 50):
            first, second = halves(text, random.Random(0))
            assert f"{first} {second}" == text and first.endswith(".") and second.endswith(".")
