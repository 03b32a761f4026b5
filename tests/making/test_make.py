"""The command that makes the models, on a shortened recipe: it learns, and an interruption leaves no trace."""

import random
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from labutils.checkpoints import load
from labutils.making import growth, make
from labutils.making.fit import deepened, fit, fit_tokenizer, gpt2_loss, hf_config, round_to_float16, sinusoids, start
from labutils.making.measure import gpt2_story_losses
from labutils.making.recipes import LITTLE_BERT, LITTLE_GPT2, Again
from labutils.making.rows import (
    FOLLOWS,
    NO_PAIR,
    RANDOM,
    Batch,
    Repeat,
    bert_chunk,
    deal,
    gpt2_chunk,
    halves,
    pair,
    random_repeat,
    random_repeats,
    stories,
)
from labutils.training import Progress
from labutils.training.loop import Plan
from labutils.world import World

SMALL = dict(
    n_layers=2, d_model=64, n_heads=4, tokenizer_stories=300, running_texts=20, chunk_stories=150, max_tokens=512
)
GPT2 = replace(LITTLE_GPT2, name="small-gpt2", plan=Plan(steps=160, lr=6e-3), **SMALL)
BERT = replace(LITTLE_BERT, name="small-bert", plan=Plan(steps=40, lr=4e-3), then=(), **SMALL)


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def tokenizers(world):
    return {recipe.kind: fit_tokenizer(world, recipe) for recipe in (GPT2, BERT)}


@pytest.fixture
def few(monkeypatch):
    """A model that grows is asked as many things as it takes to see whether two answers are the same."""
    for name, n in (("STORIES", 4), ("CASES", 4), ("WORDS", 40), ("BLOCKS", 4), ("PAIRS", 4)):
        monkeypatch.setattr(growth, name, n)


def loss_of(model, tokenizer, world):
    """Nats a token on 60 stories."""

    class Ours(torch.nn.Module):
        forward = staticmethod(model)

    losses, tokens = gpt2_story_losses(Ours(), tokenizer, [s.text for s in world.stories(60, seed=5)])
    return sum(losses) / sum(tokens)


def test_a_short_run_learns_what_an_untrained_and_a_shuffled_one_do_not(world, tokenizers):
    """160 steps. The bar is below what a model knows that only counts tokens, which is what a broken causal loop ends
    at.
    """
    tokenizer = tokenizers["gpt2"]
    assert loss_of(start(GPT2, tokenizer).eval(), tokenizer, world) > 6
    model, progress = fit(world, tokenizer, GPT2)
    assert progress.step == 160 and progress.losses[0] > progress.losses[-1]
    assert loss_of(model, tokenizer, world) < unigram_loss(world, tokenizer) - 0.5


def unigram_loss(world, tokenizer):
    """Nats a token of the best guess that looks at nothing."""
    ids = torch.cat(
        [
            torch.tensor([*tokenizer.encode_ids(s.text), tokenizer.token_to_id("<|endoftext|>")])
            for s in world.stories(400, seed=6)
        ]
    )
    p = torch.bincount(ids).double() / len(ids)
    return float(-(p[p > 0] * p[p > 0].log()).sum())


@pytest.mark.parametrize("recipe", [GPT2, BERT], ids=["gpt2", "bert"])
def test_interrupted_and_resumed_equals_uninterrupted(recipe, world, tokenizers, tmp_path):
    recipe, tokenizer = replace(recipe, plan=Plan(steps=14, lr=3e-3, growth=(0.5,))), tokenizers[recipe.kind]
    whole, _ = fit(world, tokenizer, recipe)
    state = tmp_path / "state.safetensors"
    _, progress = fit(world, tokenizer, recipe, state, stop_at=9)
    assert progress.step == 9
    resumed, progress = fit(world, tokenizer, recipe, state)
    assert progress.step == 14
    for (name, a), (_, b) in zip(whole.named_parameters(), resumed.named_parameters(), strict=True):
        assert a.detach().numpy().tobytes() == b.detach().numpy().tobytes(), name


@pytest.mark.parametrize("stop", [4, 6, 8], ids=["in the first run", "between the runs", "in the second run"])
def test_a_second_run_goes_on_from_the_rounded_weights(stop, world, tokenizers, tmp_path):
    """As if the first had been a model of its own; on other stories, with fresh optimisers, and counted on."""
    recipe = replace(
        BERT, plan=Plan(steps=6, lr=3e-3), then=(Again(Plan(steps=4, lr=1e-3, growth=(0.0,)), (0.2, 0.15)),)
    )
    tokenizer, (first, second) = tokenizers["bert"], recipe.runs
    alone, before = fit(world, tokenizer, first)
    apart, after = fit(world, tokenizer, second, given=alone.state_dict())
    state, seen = tmp_path / "state.safetensors", []
    _, stopped = fit(
        world, tokenizer, recipe, state, stop_at=stop, watch=lambda model, progress: seen.append(progress.step)
    )
    assert stopped.step == stop
    both, progress = fit(world, tokenizer, recipe, state, watch=lambda model, progress: seen.append(progress.step))
    assert sorted(set(seen)) == list(range(11)) and recipe.steps == progress.step == 10
    assert progress.tokens == before.tokens + after.tokens and progress.losses == before.losses + after.losses
    for (name, a), (_, b) in zip(apart.named_parameters(), both.named_parameters(), strict=True):
        assert torch.equal(a, b), name


def test_a_deeper_model_begins_as_the_layers_that_its_recipe_names(world, tokenizers):
    """And it is what a run that deepens starts from: after 0 steps at rate 0 nothing else has happened to it."""
    tokenizer = tokenizers["bert"]
    recipe = replace(
        BERT, plan=Plan(steps=2, lr=3e-3), then=(Again(Plan(steps=1, lr=0.0), (0.2, 0.15), layers=(0, 1, 1)),)
    )
    shallow, _ = fit(world, tokenizer, recipe.runs[0])
    deep, progress = fit(world, tokenizer, recipe)
    assert progress.step == recipe.steps == 3 and [run.n_layers for run in recipe.runs] == [2, 3]
    assert [recipe.run_of(step).n_layers for step in range(4)] == [2, 2, 2, 3]
    with pytest.raises(ValueError, match="3 steps"):
        recipe.run_of(4)
    given, same = shallow.state_dict(), deepened(shallow, recipe.runs[1], tokenizer).state_dict()
    for name, weight in deep.state_dict().items():
        before = name.replace("encoder.layer.2.", "encoder.layer.1.")
        assert torch.equal(weight, given[before]) and torch.equal(same[name], weight), name


def test_bert_learns_and_every_parameter_moves(world, tokenizers):
    tokenizer = tokenizers["bert"]
    before = start(BERT, tokenizer)
    model, progress = fit(world, tokenizer, replace(BERT, plan=Plan(steps=100, lr=4e-3)))
    assert progress.losses[0] > progress.losses[-1]
    still = [n for (n, a), b in zip(before.named_parameters(), model.parameters()) if torch.equal(a.half().float(), b)]
    assert still == []  # pooler and next-sentence head included


def test_make_writes_a_folder_that_both_libraries_read(tmp_path, few):
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
        assert [row["step"] for row in growth.read(a / "growth.csv")] == [0, 6]
        assert {t.dtype for t in load_file(a / "model.safetensors").values()} == {torch.float16}


def test_a_model_goes_on_from_another(tmp_path, world, few):
    """The tokenizer is the first one's; with no step to speak of so are the weights; another first model is another
    run.
    """
    first = replace(BERT, plan=Plan(steps=2, lr=3e-3))
    second = replace(
        first, name="small-bert-even", plan=Plan(steps=1, lr=1e-9), bias=0.5, made_from=first.name, tokenizer_stories=10
    )
    make.make(first, tmp_path / first.name, held_out=20)
    card = make.make(second, tmp_path / second.name, held_out=20)
    assert card["made_from"] == first.name and "0.5" in card["data"]["grammar"]
    one, two = tmp_path / first.name, tmp_path / second.name
    assert (one / "tokenizer.json").read_bytes() == (two / "tokenizer.json").read_bytes()
    torch.testing.assert_close(
        load_file(one / "model.safetensors"), load_file(two / "model.safetensors"), rtol=0, atol=1e-7
    )
    before, weights = make._state(tmp_path, world, second, tmp_path), tmp_path / first.name / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    assert make._state(tmp_path, world, second, tmp_path) != before


def test_the_weights_of_a_run_that_goes_on_are_loadable(tmp_path, world):
    recipe = replace(BERT, plan=Plan(steps=8, lr=3e-3))
    tokenizer = fit_tokenizer(world, recipe)
    model, _ = fit(world, tokenizer, recipe, make._state(tmp_path, world, recipe, tmp_path), stop_at=3)
    make.preview(recipe, tmp_path / "half", tmp_path)
    loaded, ids = load(tmp_path / "half"), torch.tensor([[2, 9, 10, 3]])
    torch.testing.assert_close(loaded.model(ids).logits, model(ids).prediction_logits, rtol=0, atol=1e-4)
    assert loaded.card == {} and len(loaded.tokenizer) == len(tokenizer)


def test_all_are_made_side_by_side_and_in_order(monkeypatch):
    """The even pair is begun only when the pair that it is made from is there, and a failure ends it all."""
    log, fails = [], []

    class Process:
        def __init__(self, command):
            self.name = command[3]
            log.append(("begins", self.name))
            assert command[4:] == ["--out", "x"]

        def wait(self):
            log.append(("ends", self.name))
            return self.name in fails

    monkeypatch.setattr(make.subprocess, "Popen", Process)
    make.main(["all", "--out", "x"])
    names = [name for names in make.TOGETHER for name in names]
    assert (
        sorted(names) == sorted([*make.RECIPES, "paper-gpt2"]) and [n for what, n in log if what == "begins"] == names
    )
    assert log[:4] == [
        ("begins", "little-gpt2"),
        ("begins", "little-bert"),
        ("ends", "little-gpt2"),
        ("ends", "little-bert"),
    ]
    fails.append("little-gpt2")
    log.clear()
    with pytest.raises(SystemExit):
        make.main(["all", "--out", "x"])
    assert len(log) == 4


class TestGrowth:
    @pytest.mark.parametrize("recipe", [GPT2, BERT], ids=["gpt2", "bert"])
    def test_an_interruption_leaves_no_trace(self, recipe, world, tokenizers, tmp_path, monkeypatch, few):
        """Rows after every second step; the run is cut after step 7 and was last saved at step 4."""
        monkeypatch.setattr(growth, "due", lambda step: step % 2 == 0)
        recipe, tokenizer = replace(recipe, plan=Plan(steps=10, lr=3e-3)), tokenizers[recipe.kind]
        grow = lambda name: growth.Growth(world, tokenizer, recipe, tmp_path / name)
        fit(world, tokenizer, recipe, watch=grow("whole.csv"))
        state, cut = tmp_path / "state.safetensors", grow("cut.csv")
        fit(world, tokenizer, recipe, state, watch=cut, stop_at=4)
        saved = state.read_bytes()
        fit(world, tokenizer, recipe, state, watch=cut, stop_at=7)
        state.write_bytes(saved)
        assert [row["step"] for row in growth.read(tmp_path / "cut.csv")] == [0, 2, 4, 6]
        fit(world, tokenizer, recipe, state, watch=grow("cut.csv"))
        assert (tmp_path / "cut.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
        assert [row["step"] for row in growth.read(tmp_path / "whole.csv")] == [0, 2, 4, 6, 8, 10]

    def test_a_new_run_does_not_keep_the_rows_of_an_old_one(self, world, tokenizers, tmp_path, monkeypatch):
        grown = growth.Growth(world, tokenizers["gpt2"], GPT2, tmp_path / "growth.csv")
        monkeypatch.setattr(grown, "row", lambda model: {})
        monkeypatch.setattr(growth, "as_ours", lambda config, model: model)
        for step in (0, 50, 100, 0):
            grown(None, Progress(step=step))
        assert [row["step"] for row in growth.read(tmp_path / "growth.csv")] == [0]

    def test_what_an_untrained_model_shows(self, world, tokenizers):
        """It knows nothing: the loss is that of an even guess or worse, and nothing is copied."""
        for recipe in (GPT2, BERT):
            tokenizer = tokenizers[recipe.kind]
            grown = growth.Growth(world, tokenizer, recipe, None)
            row = grown.row(make.as_ours(hf_config(recipe, tokenizer), start(recipe, tokenizer).eval()))
            assert (
                len(row) >= 11
                and row["loss"] > 5
                and row["above"] > 2
                and row["recall"] < 0.2
                and 0 < row["previous"] < 0.5
            )
            assert row["copying"] < 0.05 if recipe is GPT2 else {"following", "other", "swapped"} <= row.keys()


def test_what_is_told_again_counts_and_nothing_else(world, tokenizers):
    """Against a loss worked out token by token; the first telling has no part in it, whatever it says."""
    tokenizer = tokenizers["gpt2"]
    model, rng = start(GPT2, tokenizer).eval(), random.Random(0)
    rows, repeats = [[0, 5, 6, 7, 0], [0, 9, 0]], [random_repeat(tokenizer, rng, block=6) for _ in range(2)]
    recipe = replace(GPT2, repeat_weight=0.5)

    def cost(ids, i):  # nats of ids[i] after ids[:i]
        return -model(torch.tensor([ids[:i]])).logits[0, -1].log_softmax(-1)[ids[i]]

    told = [cost(row, i) for row in rows for i in range(1, len(row))]
    again = [cost(r.ids, i) for r in repeats for i in range(r.again, len(r.ids))]
    with torch.no_grad():
        wanted = sum(told) / len(told) + 0.5 * sum(again) / len(again)
        torch.testing.assert_close(gpt2_loss(recipe)(model, Batch("", rows, repeats), 0.0), wanted)
        torch.testing.assert_close(gpt2_loss(recipe)(model, Batch("", rows), 0.0), sum(told) / len(told))


def test_rounding():
    model = torch.nn.Linear(3, 3)
    round_to_float16(model)
    assert all(torch.equal(p.half().float(), p) for p in model.parameters())


def test_sinusoids_are_those_of_the_paper():
    table = sinusoids(50, 8)
    assert table[0].tolist() == [0, 1] * 4
    torch.testing.assert_close(
        table[7, 2:4],
        torch.tensor([7 / 10000 ** (2 / 8)]).expand(2).clone().sin_() * torch.tensor([1.0, 0])
        + torch.cos(torch.tensor(7 / 10000 ** (2 / 8))) * torch.tensor([0, 1.0]),
    )


class TestRows:
    def test_the_stream_is_seeded_and_its_parts_differ(self, world, tokenizers):
        texts = lambda part, n: [story.text for story in stories(world, GPT2, part, n)]
        assert texts("chunk 3", 5) == texts("chunk 3", 5)
        assert len({text for part in ("chunk 0", "chunk 1", "tokenizer", "held out") for text in texts(part, 20)}) > 60
        for chunk in (gpt2_chunk(world, tokenizers["gpt2"], GPT2), bert_chunk(world, tokenizers["bert"], BERT)):
            assert chunk(1) == chunk(1) != chunk(2)

    def test_gpt2_rows_are_whole_stories(self, world, tokenizers):
        tokenizer = tokenizers["gpt2"]
        end = tokenizer.token_to_id("<|endoftext|>")
        rows = [row for batch in gpt2_chunk(world, tokenizer, GPT2)(0) for row in batch.rows]
        bare = [row for row in rows if row[0] != end]
        assert 0.3 < len(bare) / len(rows) < 0.7  # begun as a reader types them
        texts = [row if row[0] != end else row[1:] for row in rows]
        assert all(row[-1] == end and end not in row[:-1] for row in texts)
        assert sorted(tokenizer.decode(row[:-1]) for row in texts) == sorted(
            s.text for s in stories(world, GPT2, "chunk 0", 150)
        )

    def test_random_repeats(self, tokenizers):
        """Each row is what it says: told again means the same tokens as before, and every length and number of tellings
        occurs.
        """
        tokenizer = tokenizers["gpt2"]
        end, rows = tokenizer.token_to_id("<|endoftext|>"), random_repeats(tokenizer, 60_000, random.Random(0))
        assert 60_000 <= sum(len(r.ids) for r in rows) < 60_100
        shapes = set()
        for r in rows:
            rest = len(r.ids) - r.again  # one or two blocks
            blocks = [
                n
                for n in range(6, 41)
                if rest in (n, 2 * n)
                and n <= r.again <= n + 11
                and r.ids[r.again :] == r.ids[r.again - n : r.again] * (rest // n)
            ]
            assert blocks
            shapes.add((blocks[0], rest // blocks[0]))
        assert shapes == {(n, 1) for n in range(6, 41)} | {(n, 2) for n in range(6, 21)}
        marked = sum(r.ids[0] == end for r in rows) / len(rows)
        assert 0.45 < marked < 0.55 and len({i for r in rows for i in r.ids}) == len(tokenizer)

    def test_each_batch_has_its_share_of_repeats(self, world, tokenizers):
        batches = gpt2_chunk(world, tokenizers["gpt2"], replace(GPT2, max_tokens=1024))(0)
        size = {batch.place: sum(map(len, batch.rows)) for batch in batches}
        again = {batch.place: sum(len(r.ids) for r in batch.repeats) for batch in batches}
        assert sum(again.values()) == pytest.approx(0.25 * sum(size.values()), abs=100)
        assert all(0.1 < again[place] / size[place] < 0.45 for place in size if size[place] > 800)
        assert all(not batch.repeats for batch in gpt2_chunk(world, tokenizers["gpt2"], replace(GPT2, repeats=0.0))(0))

    def test_rows_are_dealt_evenly_and_with_their_like(self):
        rng = random.Random(0)
        rows = [Repeat([0] * rng.randint(12, 90), 6) for _ in range(300)]
        hands = deal(rows, 60, rng)
        sums = [sum(len(r.ids) for r in hand) for hand in hands]
        assert sorted(map(id, rows)) == sorted(id(r) for hand in hands for r in hand)
        assert min(sums) > 150 and max(sums) < 350
        assert sum(max(len(r.ids) for r in hand) * len(hand) for hand in hands) < 1.05 * sum(sums)

    def test_bert_rows(self, world, tokenizers):
        rows = [row for batch in bert_chunk(world, tokenizers["bert"], BERT)(0) for row in batch.rows]
        kinds = {kind: [r for r in rows if r.follows == kind] for kind in (NO_PAIR, FOLLOWS, RANDOM)}
        assert len(kinds[NO_PAIR]) > len(kinds[RANDOM]) > len(kinds[FOLLOWS]) > 5
        texts = {
            kind: {tokenizers["bert"].decode(r.ids, skip_special_tokens=True) for r in mine}
            for kind, mine in kinds.items()
        }
        told = {
            " ".join(tokenizers["bert"].decode(tokenizers["bert"].encode(s.text).ids, skip_special_tokens=True).split())
            for s in stories(world, BERT, "chunk 0", 150)
        }
        assert (
            texts[FOLLOWS] <= told and texts[NO_PAIR] <= told and len(texts[RANDOM] & told) <= 1
        )  # 1: swapped and still a story
        for row in rows:
            specials = 2 if row.follows == NO_PAIR else 3
            assert row.words.count(None) == specials and max(row.types) == specials - 2
            first = [i for i, w in enumerate(row.words) if w and w[0] == 0]
            second = [i for i, w in enumerate(row.words) if w and w[0] == 1]
            assert {row.types[i] for i in first} == {0} and {row.types[i] for i in second} <= {1}

    def test_halves_are_the_story_cut_between_sentences(self, world):
        """Every cut between two sentences occurs, and none inside one."""
        for story in stories(world, BERT, "held out", 40):
            ends = {story.text[: story.words[s.stop - 1].end] for s in story.sentences[:-1]}
            found = {halves(story, random.Random(seed)) for seed in range(60)}
            assert {first for first, _ in found} == ends
            assert {f"{first} {second}" for first, second in found} == {story.text}

    def test_the_three_kinds_of_pairs(self, world):
        one, two = stories(world, BERT, "held out", 2)
        (first, second), other = (halves(story, random.Random(3)) for story in (one, two))
        drawn = lambda kind: pair((first, second), kind, other)
        assert drawn("follows") == (first, second, FOLLOWS) and f"{first} {second}" == one.text
        assert drawn("swapped") == (second, first, RANDOM)
        assert drawn("other") == (first, other[1], RANDOM) and two.text.endswith(other[1])
