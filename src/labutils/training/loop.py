"""The training loop: a fixed number of steps, the same result whether or not it was interrupted.

The loop owns what has to survive an interruption: the parameters, the optimisers' running means, the number of steps
done, the place in the stream of batches, and the state of PyTorch's dice, which dropout throws.
"""

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from labutils.training.optimisation import adamw, muon_and_adamw, warmup_cosine
from labutils.training.together import add_up, is_first


@dataclass(frozen=True)
class Plan:
    """How to optimise: `steps` in all, peak `lr`, AdamW's `betas` and `weight_decay`, gradient norm clipped at `clip`,
    warm-up share `warmup`, last rate as a share of the peak `final`. A step takes one batch of the stream; at each
    share of the steps in `growth` that number doubles, which makes the late gradients less noisy (Smith et al. 2018).
    With `muon` the matrices between two streams are stepped by Muon, all else by AdamW as ever. With `until` the run
    ends after so many steps, before its schedule does.
    """

    steps: int
    lr: float
    betas: tuple[float, float] = (0.9, 0.98)
    weight_decay: float = 0.05
    clip: float = 1.0
    warmup: float = 0.05
    final: float = 0.02
    growth: tuple[float, ...] = ()
    muon: bool = False
    until: int | None = None

    @property
    def taken(self) -> int:
        """The steps that the run takes."""
        return self.until or self.steps

    def batches(self, step: int) -> int:
        """How many batches of the stream the 0-based `step` takes.

        >>> [Plan(steps=100, lr=1e-3, growth=(0.5, 0.9)).batches(step) for step in (0, 49, 50, 89, 90)]
        [1, 1, 2, 2, 4]
        """
        return 2 ** sum(step >= share * self.steps for share in self.growth)


@dataclass
class Progress:
    """What a run has done so far: steps, tokens seen, seconds of training, place in the stream, mean loss every 50
    steps, and the loss of each step since the last of these means.
    """

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    chunk: int = 0
    batch: int = 0
    losses: list[float] = field(default_factory=list)
    recent: list[float] = field(default_factory=list)


Chunk = list[Any]  # the batches of one chunk of the stream, in order
DICE = "dice"  # the state of PyTorch's generator in a state file
RUNNING = ("step", "exp_avg", "exp_avg_sq", "momentum_buffer")  # what AdamW and Muon keep of each parameter
EVERY = 50  # steps that one entry of Progress.losses averages


def train(
    model: torch.nn.Module,
    loss: Callable[[torch.nn.Module, Any, float], torch.Tensor],
    chunk: Callable[[int], Chunk],
    plan: Plan,
    *,
    tokens: Callable[[Any], int] = lambda batch: 0,
    state: Path | None = None,
    save_every: int = 200,
    report: Callable[[Progress], None] = lambda progress: None,
    stop_at: int | None = None,
    watch: Callable[[torch.nn.Module, Progress], None] = lambda model, progress: None,
    made_of: Mapping[str, Any] | None = None,
) -> Progress:
    """Train `model` in place for `plan.taken` steps and return the Progress.

    `chunk(i)` gives the batches of chunk i of an endless stream, the same ones each time; `loss(model, batch, done)`
    gives a scalar, `done` being the share of the steps already taken. With `state` the run is written there every
    `save_every` steps and taken up from there when the file exists; it is the caller's to delete. An interruption loses
    the steps since the last save, never the file. `stop_at` ends early, after saving. `watch` sees the model, in eval
    mode, before the first step and after every step; it is called before that step is saved, so an interruption may
    show it a step twice, never leave one out. Where several processes train together (`labutils.training.together`)
    each gives its part of the loss, and they step by the sum; the first of them writes the state. `made_of` is what
    else a run is made of and no shape shows, such as its seed: a state that was made of other things is refused too.

    Raises ValueError when the state file is damaged or belongs to another run, with what differs, and
    FloatingPointError when the loss or the gradient is no number, with the step and the layer in which it began: then
    no step is taken, and the last state is kept.
    """
    how = model, plan.lr, plan.betas, plan.weight_decay
    optimisers = muon_and_adamw(*how) if plan.muon else (adamw(*how),)
    known = {"plan": asdict(plan), "made of": dict(made_of or {})}
    progress = _restore(state, model, optimisers, known) if state and state.exists() else Progress()
    stream, began, before = _from(chunk, progress), time.perf_counter(), progress.seconds
    last = plan.taken if stop_at is None else min(stop_at, plan.taken)
    if progress.step == 0:
        watch(model.eval(), progress)
    while progress.step < last:
        model.train()
        done, batches = progress.step / plan.steps, []
        for _ in range(plan.batches(progress.step)):
            (progress.chunk, progress.batch), batch = next(stream)
            batches.append(batch)
        rate = warmup_cosine(progress.step, plan.steps, plan.lr, plan.warmup, plan.final)
        losses = [lambda b=b: loss(model, b, done) for b in batches]
        mean = _backward(model, optimisers, losses)
        length = float(torch.nn.utils.clip_grad_norm_(model.parameters(), plan.clip))
        if not math.isfinite(mean) or not math.isfinite(length):
            _stop(model, mean, progress.step, state, losses)
        _step(optimisers, rate)
        progress.recent.append(mean)
        progress.step, progress.tokens = progress.step + 1, progress.tokens + sum(map(tokens, batches))
        watch(model.eval(), progress)
        progress.seconds = before + time.perf_counter() - began
        if progress.step % EVERY == 0:
            progress.losses.append(sum(progress.recent) / len(progress.recent))
            progress.recent.clear()
            report(progress)
        if state and (progress.step % save_every == 0 or progress.step == last):
            _save(state, model, optimisers, known, progress)
    model.eval()
    return progress


def _backward(model, optimisers, losses: list[Callable[[], torch.Tensor]]) -> float:
    """The gradient of the mean of `losses`, each worked out only when it is its turn, so that one graph is held at a
    time; and that mean. Every batch counts the same, however many tokens it has: those of a stream are of one size.
    """
    for optimiser in optimisers:
        optimiser.zero_grad()
    mean = 0.0
    for loss in losses:
        value = loss() / len(losses)
        value.backward()
        mean += value.item()
    return add_up(model, mean)


def _step(optimisers, rate: float) -> None:
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["lr"] = rate
        optimiser.step()


def _stop(model, mean: float, step: int, state: Path | None, losses: list[Callable[[], torch.Tensor]]) -> None:
    broken = next((name for name, p in model.named_parameters() if not torch.isfinite(p).all()), None)
    where = f"{broken} is the first parameter that is not finite" if broken else "all parameters are still finite"
    if layer := _first_broken(model, losses):
        where += f", {layer} the first layer from which a number came out that is not"
    what = f"loss of step {step} is {mean}"
    if math.isfinite(mean):
        what = f"gradient of step {step} is not finite, though its loss is {mean:.4g}"
    kept = f"{state} holds the last state that was saved" if state and state.exists() else "nothing was saved"
    raise FloatingPointError(
        f"The {what}, counted from 0: {where}, and {kept}. Training has stopped before this step"
        " was taken. Try a smaller rate, or a longer warm-up."
    )


@torch.no_grad()
def _first_broken(model, losses: list[Callable[[], torch.Tensor]]) -> str:
    """The first layer, on the way forward, that gives a number that is not finite; "" if the loss alone does."""
    found: list[str] = []

    def looking(name: str):
        def look(layer, given, out):
            if isinstance(out, torch.Tensor) and out.is_floating_point() and not torch.isfinite(out).all():
                found.append(name)

        return look

    hooks = [layer.register_forward_hook(looking(name)) for name, layer in model.named_modules() if name]
    try:
        for loss in losses:
            loss()
    finally:
        for hook in hooks:
            hook.remove()
    return found[0] if found else ""


def _from(chunk: Callable[[int], Chunk], progress: Progress) -> Iterator[tuple[tuple[int, int], Any]]:
    """Batches from the place in `progress` on, each with the place that follows it."""
    index, start = progress.chunk, progress.batch
    while True:
        batches = chunk(index)
        for j in range(start, len(batches)):
            yield (index, j + 1), batches[j]
        index, start = index + 1, 0


def _save(path: Path, model, optimisers, known: dict[str, dict], progress: Progress) -> None:
    """Write everything to a new file, then put it in place of the old one, so that a cut never leaves half a file."""
    if not is_first():
        return
    tensors = {}
    for name, parameter in model.named_parameters():
        tensors[f"model.{name}"] = parameter.detach()
        for optimiser in optimisers:
            for key, value in optimiser.state.get(parameter, {}).items():
                tensors[f"{key}.{name}"] = value
    tensors[DICE] = torch.get_rng_state()
    about = {name: json.dumps(values) for name, values in (known | {"progress": asdict(progress)}).items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    save_file(tensors, fresh, metadata=about)
    os.replace(fresh, path)


def saved_weights(path: Path) -> tuple[dict[str, torch.Tensor], Progress]:
    """The parameters in a state file, by name, and how far the run had come: a look at a run that still goes on."""
    with safe_open(path, "pt") as file:
        weights = {
            name.removeprefix("model."): file.get_tensor(name) for name in file.keys() if name.startswith("model.")
        }
        return weights, Progress(**json.loads(file.metadata()["progress"]))


def _restore(path: Path, model, optimisers, known: dict[str, dict]) -> Progress:
    try:
        with safe_open(path, "pt") as file:
            about = file.metadata()
            names = set(file.keys())
            for name, new in known.items():
                _refuse_apart(path, name, json.loads(about.get(name, "{}")), json.loads(json.dumps(new)))
            _refuse_another(path, file, names, model)
            for name, parameter in model.named_parameters():
                parameter.data.copy_(file.get_tensor(f"model.{name}"))
                for optimiser in optimisers:  # at most one has it
                    if any(p is parameter for group in optimiser.param_groups for p in group["params"]):
                        optimiser.state[parameter] = {
                            k: file.get_tensor(f"{k}.{name}") for k in RUNNING if f"{k}.{name}" in names
                        }
            if DICE in names:
                torch.set_rng_state(file.get_tensor(DICE))
            return Progress(**json.loads(about["progress"]))
    except SafetensorError as error:
        raise ValueError(f"{path} is damaged ({error}). Delete it to start again.") from None


def _refuse_apart(path: Path, name: str, old: dict, new: dict) -> None:
    """Raise ValueError that names what differs if the state was made by another plan, or of other things."""
    apart = [f"{key} was {old.get(key)!r} and is {value!r}" for key, value in new.items() if old.get(key) != value]
    if apart:
        another = "with another plan" if name == "plan" else "that was made otherwise"
        raise ValueError(f"{path} belongs to a run {another}: {', '.join(apart)}. Delete it to start again.")


def _refuse_another(path: Path, file, names: set[str], model) -> None:
    """Raise ValueError that names what differs if the state is not one of this model."""
    here = {f"model.{name}": tuple(p.shape) for name, p in model.named_parameters()}
    there = {name: tuple(file.get_slice(name).get_shape()) for name in names if name.startswith("model.")}
    for name in sorted(here.keys() | there.keys()):
        if here.get(name) != there.get(name):
            was, now = (f"of the shape {one[name]}" if name in one else "missing" for one in (there, here))
            raise ValueError(
                f"{path} belongs to another model: {name.removeprefix('model.')} is {was} in the file and {now} here."
                " Delete it to start again."
            )
