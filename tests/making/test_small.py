"""Small models trained in a chapter: alone, by two processes, and what is stored of them."""

import json
import math
import re
import subprocess
import sys

import pytest
import torch

from labutils.making import small, small_runs, small_together
from labutils.places import MORE
from labutils.training import IGNORE, Plan, saved_weights, train
from labutils.training.together import Place


def test_a_short_run_learns_and_says_how_far_it_is(capsys):
    made = small.train_small("gpt2", 50, 16)
    said = capsys.readouterr().err
    assert made.progress.step == len(made.curve) == 50 and said.count("█") == 30 and said.endswith("nats\n")
    assert made.curve[0] == pytest.approx(6.91, abs=0.1) and sum(made.curve[-5:]) / 5 < 5.6


def test_a_bert_is_asked_for_hidden_words_alone():
    chunk = small.stream("bert", small.fresh("bert", 16)[1])
    batch = chunk(0)[0]
    assert torch.equal(chunk(0)[0].ids, batch.ids) and not torch.equal(chunk(1)[0].ids[0, :9], batch.ids[0, :9])
    asked = batch.labels != IGNORE
    assert 0.05 < asked.sum() / batch.mask.sum() < 0.3 and not asked[batch.mask == 0].any() and not asked[:, 0].any()
    with pytest.raises(ValueError, match="not 't5'"):
        small.fresh("t5")


TWO = {
    "torchrun": [
        *["torch.distributed.run", "--nproc_per_node", "2", "--master_addr", "127.0.0.1", "--master_port", "0"],
        *["--rdzv_backend", "c10d", "--rdzv_endpoint", "127.0.0.1:0"],
    ],
    "accelerate": ["accelerate.commands.launch", "--multi_gpu", "--num_processes", "2", "--main_process_port", "0"],
}


@pytest.mark.parametrize("launcher", TWO)
def test_two_processes_give_what_one_gives(launcher, tmp_path):
    """Over gloo, started by torchrun, and by accelerate where it is installed; the book itself does not need it."""
    pytest.importorskip(TWO[launcher][0].split(".")[0])
    how = ["--steps", "6", "--width", "16"]
    alone, both = tmp_path / "alone.safetensors", tmp_path / "both.safetensors"
    done = subprocess.run(
        [sys.executable, "-m", *TWO[launcher], "-m", "labutils.making.small_together", str(both), *how],
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("processes: 2") == 1  # both in one run, not two runs side by side
    small_together.main([str(alone), *how])
    (one, first), (two, second) = saved_weights(alone), saved_weights(both)
    assert first.step == second.step == 6 and first.recent == pytest.approx(second.recent, abs=1e-5)
    for name in one:
        torch.testing.assert_close(one[name], two[name], atol=1e-4, rtol=0)


def test_each_line_that_is_shown_starts_no_more_processes_than_a_batch_has_rows():
    """And a line that goes on ends with one backslash, as a shell wants it."""
    cells = json.loads((MORE / "10_training.ipynb").read_text(encoding="utf-8"))["cells"]
    shown = re.findall(r"```sh\n(.*?)```", "".join("".join(cell["source"]) for cell in cells), re.DOTALL)
    assert len(shown) >= 2 and not any(r"\\" in lines for lines in shown)
    for lines in shown:
        counts = re.findall(r"--(?:nnodes|nproc_per_node|num_processes) (\d+)", lines)
        assert counts and math.prod(map(int, counts)) <= small.STORIES["gpt2"], lines


def test_parts_are_weighted_by_their_tokens():
    """The mean of the parts' means is another number: the parts have different lengths."""
    model, tokenizer = small.fresh("gpt2", 16)
    model.requires_grad_(False).embeddings.token.weight.mul_(20)  # so that rows differ in what they cost
    batch = small.stream("gpt2", tokenizer)(0)[0]
    batch.mask[5:, 6:] = 0  # the last part has short texts
    whole = float(small.loss_of(model, batch))
    parts = [small_together.share_of(batch, Place(rank, 3)) for rank in range(3)]
    assert sum(float(small_together.loss_on(Place(rank, 3))(model, batch, 0)) for rank in range(3)) == pytest.approx(
        whole
    )
    assert sum(len(part.ids) for part, _ in parts) == len(batch.ids)
    assert abs(sum(float(small.loss_of(model, part)) for part, _ in parts) / 3 - whole) > 1e-2
    with pytest.raises(ValueError, match="2 rows cannot be shared by 3 processes"):
        Place(0, 3).part(2)


def test_a_run_of_another_width_is_refused(tmp_path):
    state = tmp_path / "run.safetensors"
    small.train_small("gpt2", 4, 16, show=False, state=state)
    with pytest.raises(ValueError, match="another model: .* is of the shape"):
        small.train_small("gpt2", 4, 24, show=False, state=state)


def test_the_stored_runs_are_the_recipes():
    """All are there, and the first steps of one, done again, give the stored numbers."""
    runs = small_runs.stored()
    assert list(runs) == list(small_runs.RUNS)
    floor, chance = runs["lines"]["floor"], runs["lines"]["ln V"]
    assert floor < runs["gpt2"]["held_out"] < runs["lines"]["triples"] < runs["lines"]["pairs"] < chance
    assert runs["bert"]["held_out"] < 4
    swept = dict(zip(runs["rates"]["rates"], runs["rates"]["held_out"], strict=True))
    assert list(swept) == list(small_runs.RATES) and min(swept, key=swept.get) == small.RATE["gpt2"]
    assert swept[small.RATE["gpt2"]] == pytest.approx(runs["healthy"]["held_out"], abs=0.02)
    model, tokenizer = small.fresh("gpt2")
    curve = []
    plan = Plan(small_runs.SICK_STEPS, small.RATE["gpt2"], warmup=small.WARMUP["gpt2"] / small_runs.SICK_STEPS)

    def loss(net, batch, done):
        value = small.loss_of(net, batch)
        curve.append(value.item())
        return value

    train(model, loss, small.stream("gpt2", tokenizer), plan, stop_at=20)
    assert small_runs.kept(curve) == pytest.approx(runs["healthy"]["curve"][:2], abs=0.02)
