"""The loop: the loss falls, and an interruption leaves no trace in the result."""

import random
from dataclasses import replace

import pytest
import torch

from labutils.training.loop import Plan, Progress, saved_weights, train

PLAN = Plan(steps=60, lr=0.05)


def model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Embedding(8, 6), torch.nn.LayerNorm(6), torch.nn.Linear(6, 8))


def chunk(i):
    """Seven batches a chunk: after x comes 3x + 1 modulo 8."""
    rng = random.Random(i)
    return [torch.tensor([rng.randrange(8) for _ in range(16)]) for _ in range(7)]


def loss(net, x, done):
    return torch.nn.functional.cross_entropy(net(x), (3 * x + 1) % 8)


def bytes_of(net):
    return [p.detach().numpy().tobytes() for p in net.parameters()]


def test_the_loss_falls():
    net = model()
    before = loss(net, torch.arange(8), 0).item()
    progress = train(net, loss, chunk, PLAN, tokens=len)
    assert before > 1.5 and loss(net, torch.arange(8), 0).item() < 0.5
    assert progress.step == 60 and progress.tokens == 60 * 16 and len(progress.losses) == 1 and not net.training


@pytest.mark.parametrize("stop", [1, 7, 23, 59])
def test_interrupted_and_resumed_equals_uninterrupted(tmp_path, stop):
    whole = model()
    train(whole, loss, chunk, PLAN)
    state = tmp_path / "deep" / "state.safetensors"
    first = model()
    train(first, loss, chunk, PLAN, state=state, stop_at=stop)
    assert bytes_of(first) != bytes_of(whole)
    second = model()
    progress = train(second, loss, chunk, PLAN, state=state)
    assert bytes_of(second) == bytes_of(whole) and progress.step == 60


def with_dropout():
    net = model()
    return torch.nn.Sequential(net[0], torch.nn.Dropout(0.5), net[1], net[2])


def test_dropout_throws_the_same_dice_after_an_interruption(tmp_path):
    whole, first, second = with_dropout(), with_dropout(), with_dropout()
    state = tmp_path / "state.safetensors"
    for net, how in ((whole, {}), (first, {"state": state, "stop_at": 23})):
        torch.manual_seed(5)
        train(net, loss, chunk, PLAN, **how)
    torch.manual_seed(9)  # what was drawn meanwhile makes no difference
    train(second, loss, chunk, PLAN, state=state)
    assert bytes_of(second) == bytes_of(whole)


def test_a_state_that_was_made_of_other_things_is_refused(tmp_path):
    state = tmp_path / "state.safetensors"
    train(model(), loss, chunk, PLAN, state=state, stop_at=3, made_of={"seed": 0, "told": "stories"})
    with pytest.raises(ValueError, match="made otherwise: seed was 0 and is 1. Delete it to start again"):
        train(model(), loss, chunk, PLAN, state=state, made_of={"seed": 1, "told": "stories"})
    train(model(), loss, chunk, PLAN, state=state, made_of={"seed": 0, "told": "stories"})


def test_a_gradient_that_is_no_number_stops_before_the_step(tmp_path):
    """The loss is a number, and its slope is none: the root of 0 times a weight."""
    state, net = tmp_path / "state.safetensors", model()

    def breaks(net, x, done):
        return loss(net, x, done) + (torch.sqrt(0 * net[2].bias.sum()) if done > 0.5 else 0)

    with pytest.raises(FloatingPointError, match=r"The gradient of step 31 is not finite, though its loss is \d"):
        train(net, breaks, chunk, PLAN, state=state, save_every=1)
    assert all(torch.isfinite(p).all() for p in net.parameters())
    weights, progress = saved_weights(state)
    assert progress.step == 31 and all(torch.isfinite(w).all() for w in weights.values())


def test_a_run_may_end_before_its_schedule_does():
    """As one that is stopped there; the rate is the schedule's, not that of a shorter one."""
    stopped, ended, short = model(), model(), model()
    train(stopped, loss, chunk, PLAN, stop_at=40)
    progress = train(ended, loss, chunk, replace(PLAN, until=40))
    train(short, loss, chunk, replace(PLAN, steps=40))
    assert progress.step == replace(PLAN, until=40).taken == 40 and PLAN.taken == 60
    assert bytes_of(ended) == bytes_of(stopped) != bytes_of(short)


@pytest.mark.parametrize("stop", [3, 50, 51, 77, 120])
def test_the_reported_losses_survive_an_interruption(tmp_path, stop):
    """Also where a mean is cut in two."""
    plan, state = Plan(steps=150, lr=0.01), tmp_path / "state.safetensors"
    whole = train(model(), loss, chunk, plan)
    train(model(), loss, chunk, plan, state=state, stop_at=stop)
    resumed = train(model(), loss, chunk, plan, state=state)
    assert resumed.losses == whole.losses and len(whole.losses) == 3


def wide_model():
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Embedding(8, 16),
        torch.nn.Linear(16, 32),
        torch.nn.ReLU(),
        torch.nn.Linear(32, 16),
        torch.nn.LayerNorm(16),
        torch.nn.Linear(16, 8),
    )


@pytest.mark.parametrize("stop", [1, 7, 30, 59])
def test_muon_interrupted_and_resumed_equals_uninterrupted(tmp_path, stop):
    plan, state, whole, cut, again = (
        Plan(steps=60, lr=0.02, muon=True),
        tmp_path / "state.safetensors",
        wide_model(),
        wide_model(),
        wide_model(),
    )
    train(whole, loss, chunk, plan)
    train(cut, loss, chunk, plan, state=state, stop_at=stop)
    train(again, loss, chunk, plan, state=state)
    assert bytes_of(again) == bytes_of(whole) != bytes_of(cut)
    alone = wide_model()
    train(alone, loss, chunk, Plan(steps=60, lr=0.02))
    assert bytes_of(alone) != bytes_of(whole)


def test_a_parameter_that_is_not_trained_stays_and_is_taken_up(tmp_path):
    state, nets = tmp_path / "state.safetensors", [wide_model() for _ in range(2)]
    for net in nets:
        net[1].weight.requires_grad_(False)
    train(nets[0], loss, chunk, PLAN, state=state, stop_at=9)
    train(nets[1], loss, chunk, PLAN, state=state)
    assert torch.equal(nets[1][1].weight, wide_model()[1].weight) and not torch.equal(
        nets[1][3].weight, wide_model()[3].weight
    )


def test_ctrl_c_loses_only_the_steps_since_the_last_save(tmp_path):
    whole, cut, state = model(), model(), tmp_path / "state.safetensors"
    train(whole, loss, chunk, PLAN)
    calls = []

    def interrupted(net, x, done):
        calls.append(1)
        if len(calls) == 38:
            raise KeyboardInterrupt
        return loss(net, x, done)

    with pytest.raises(KeyboardInterrupt):
        train(cut, interrupted, chunk, PLAN, state=state, save_every=10)
    seen = []
    again = model()
    train(again, lambda n, x, done: seen.append(1) or loss(n, x, done), chunk, PLAN, state=state)
    assert len(seen) == 30 and bytes_of(again) == bytes_of(whole)


def test_a_state_of_another_plan_or_a_damaged_one_is_refused(tmp_path):
    state = tmp_path / "state.safetensors"
    train(model(), loss, chunk, PLAN, state=state, stop_at=5)
    with pytest.raises(ValueError, match="another plan: steps was 60 and is 61, lr was 0.05 and is 0.06. Delete"):
        train(model(), loss, chunk, Plan(steps=61, lr=0.06), state=state)
    with pytest.raises(ValueError, match=r"another model: 0.weight .*\(8, 6\) in the file .*\(8, 16\) here"):
        train(wide_model(), loss, chunk, PLAN, state=state)
    state.write_bytes(state.read_bytes()[:-3])
    with pytest.raises(ValueError, match="damaged"):
        train(model(), loss, chunk, PLAN, state=state)


def test_a_grown_step_is_one_step_down_the_mean_of_its_batches():
    whole, parts = model(), model()
    train(parts, loss, chunk, Plan(steps=2, lr=0.05, growth=(0.0,)))
    pairs = [[torch.cat(chunk(0)[:2]), torch.cat(chunk(0)[2:4])]]
    train(whole, loss, lambda i: pairs[i], Plan(steps=2, lr=0.05))
    for a, b in zip(parts.parameters(), whole.parameters()):
        torch.testing.assert_close(a, b)


@pytest.mark.parametrize("stop", [29, 30, 31, 50])
def test_growing_batches_survive_an_interruption(tmp_path, stop):
    plan, state, whole, cut = (
        Plan(steps=60, lr=0.05, growth=(0.5, 0.8)),
        tmp_path / "state.safetensors",
        model(),
        model(),
    )
    progress = train(whole, loss, chunk, plan, tokens=len)
    assert progress.tokens == (30 + 2 * 18 + 4 * 12) * 16  # 1, then 2, then 4 batches of 16
    train(cut, loss, chunk, plan, state=state, stop_at=stop)
    again = model()
    train(again, loss, chunk, plan, state=state)
    assert bytes_of(again) == bytes_of(whole)


def test_the_watcher_sees_every_step_and_a_model_that_does_not_learn_from_being_seen(tmp_path):
    state, seen, watched, alone = tmp_path / "state.safetensors", [], model(), model()

    def watch(net, progress):
        assert not net.training
        seen.append(progress.step)

    train(watched, loss, chunk, PLAN, state=state, watch=watch, stop_at=20)
    train(watched, loss, chunk, PLAN, state=state, watch=watch)
    train(alone, loss, chunk, PLAN)
    assert seen == list(range(61)) and bytes_of(watched) == bytes_of(alone)


def test_the_weights_of_a_run_that_goes_on_can_be_looked_at(tmp_path):
    state, net = tmp_path / "state.safetensors", model()
    train(net, loss, chunk, PLAN, state=state, stop_at=20)
    weights, progress = saved_weights(state)
    assert progress.step == 20 and weights.keys() == dict(net.named_parameters()).keys()
    assert all(torch.equal(weights[name], p) for name, p in net.named_parameters())


def test_progress_can_be_stored():
    assert Progress().losses is not Progress().losses


def test_a_loss_that_is_no_number_stops_the_run_and_leaves_the_last_state(tmp_path):
    state, net = tmp_path / "state.safetensors", model()

    def poisoned(net, x, done):
        if done >= 0.5:
            net[2].weight.data[0, 0] = torch.nan
        return loss(net, x, done)

    said = r"step 30 is nan.*2\.weight is the first parameter.*, 2 the first layer.*holds the last state"
    with pytest.raises(FloatingPointError, match=said):
        train(net, poisoned, chunk, PLAN, state=state, save_every=10)
    weights, progress = saved_weights(state)
    assert progress.step == 30 and all(torch.isfinite(w).all() for w in weights.values())
    with pytest.raises(
        FloatingPointError, match="step 0 is inf.*all parameters are still finite, and nothing was saved"
    ):
        train(model(), lambda net, x, done: loss(net, x, done) / 0, chunk, PLAN)


def test_an_interrupted_save_leaves_the_old_state(tmp_path, monkeypatch):
    from labutils.training import loop

    state, whole = tmp_path / "state.safetensors", model()
    train(whole, loss, chunk, PLAN)
    train(model(), loss, chunk, PLAN, state=state, stop_at=20)
    before, save = state.read_bytes(), loop.save_file

    def half(tensors, path, metadata):
        save(tensors, path, metadata)
        path.write_bytes(path.read_bytes()[:100])
        raise KeyboardInterrupt

    monkeypatch.setattr(loop, "save_file", half)
    with pytest.raises(KeyboardInterrupt):
        train(model(), loss, chunk, PLAN, state=state)
    assert state.read_bytes() == before
    monkeypatch.undo()
    again = model()
    train(again, loss, chunk, PLAN, state=state)
    assert bytes_of(again) == bytes_of(whole)


def test_the_layer_in_which_a_loss_stopped_being_a_number_is_named():
    """All parameters are finite: what two layers make of each other is not. Nothing is left hooked to the model."""
    net = wide_model()
    with torch.no_grad():
        for layer in (net[1], net[3]):
            layer.weight.abs_().mul_(1e25)
    with pytest.raises(FloatingPointError, match="all parameters are still finite, 3 the first layer from which"):
        train(net, loss, chunk, PLAN)
    assert not any(layer._forward_hooks for layer in net.modules())
