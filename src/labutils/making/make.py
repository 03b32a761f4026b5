"""Make the shipped models again: `python -m labutils.making.make [little-gpt2|little-bert|...|paper-gpt2|all]`.

On one core the GPT-2 takes about 100 minutes and the BERT 270, and `all` runs them side by side; the even ones take
40. A run may be interrupted at any time (Ctrl-C): the same command takes it up where it was last saved, under
`_build/checkpoints`, and comes to the same result. `--preview` writes the weights saved last as a folder that `load`
reads.
"""

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from labutils.checkpoints.folder import WEIGHTS
from labutils.checkpoints.loader import HERE, load
from labutils.making import growth, measure
from labutils.making.fit import as_ours, fit, fit_tokenizer, hf_config, joined, start, states
from labutils.making.paper import make_paper
from labutils.making.recipes import RECIPES, Recipe
from labutils.making.write import write_card, write_folder
from labutils.training import Progress, saved_weights
from labutils.training.loop import EVERY, Plan

THREADS = 1  # sums are split by thread, so another number gives other last bits; two models side by side use two cores
STATES = Path("_build/checkpoints")  # runs that are not finished
TOGETHER = (("little-gpt2", "little-bert"), ("little-gpt2-even", "little-bert-even"), ("paper-gpt2",))  # in this order


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m labutils.making.make", description="Make the shipped models again."
    )
    parser.add_argument("name", nargs="?", default="all", choices=[*RECIPES, "paper-gpt2", "all"])
    parser.add_argument("--out", type=Path, default=HERE, help="where the model folders go (default: into the package)")
    parser.add_argument(
        "--measure", action="store_true", help="train nothing: measure the folders' weights again and rewrite the cards"
    )
    parser.add_argument(
        "--preview", action="store_true", help=f"train nothing: write the weights saved last to {STATES}/preview"
    )
    chosen = parser.parse_args(arguments)
    if chosen.name == "all":
        return make_all(
            [argument for argument in (sys.argv[1:] if arguments is None else arguments) if argument != "all"]
        )
    folder = (STATES / "preview" if chosen.preview else chosen.out) / chosen.name
    if chosen.name == "paper-gpt2":
        make_paper(folder)
    elif chosen.preview:
        preview(RECIPES[chosen.name], folder, STATES, chosen.out, _say)
    elif chosen.measure:
        measure_again(RECIPES[chosen.name], folder)
    else:
        make(RECIPES[chosen.name], folder, state_folder=STATES, say=_say)
    _say(f"{chosen.name}: written to {folder}\n")


def make_all(options: list[str]) -> None:
    """Every model in a process of its own, those of one row of TOGETHER side by side; raises SystemExit where one
    fails.
    """
    for names in TOGETHER:
        running = [subprocess.Popen([sys.executable, "-m", "labutils.making.make", name, *options]) for name in names]
        if any([process.wait() for process in running]):
            sys.exit(1)


def make(
    recipe: Recipe,
    folder: Path,
    state_folder: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
    held_out: int = 2000,
) -> dict[str, Any]:
    """Train by `recipe`, measure with the rounded weights, write `folder`; the content of card.json is returned.

    `held_out` stories are drawn for the measurements. A run that was interrupted is taken up from `state_folder`.
    """
    from labutils.world import World

    world = World(recipe.bias)
    tokenizer, given = _beginning(world, recipe, folder.parent)
    state = state_folder and _state(state_folder, world, recipe, folder.parent)
    grown = folder.with_name(f"{folder.name}-{growth.FILE}") if state is None else state.with_suffix(".csv")
    with repeatable():
        watch = growth.Growth(world, tokenizer, recipe, grown)
        model, progress = fit(world, tokenizer, recipe, state, report=_bar(recipe, say), watch=watch, given=given)
    say(f"\n{recipe.name}: measuring\n")
    config = hf_config(recipe.runs[-1], tokenizer)
    ours = as_ours(config, model)
    weights = {name: t.half() for name, t in ours.to_hf_state_dict().items()}
    card = {
        "name": recipe.name,
        "kind": recipe.kind,
        "parameters": sum(t.numel() for t in weights.values()),
        "bytes": sum(t.numel() * t.element_size() for t in weights.values()),
        **({"made_from": recipe.made_from} if recipe.made_from else {}),
        **measure.about(world, tokenizer, recipe),
        "training": _training(recipe, progress),
        "growth": growth.read(grown)[-1],
        **measure.measured(ours, tokenizer, world, recipe, held_out),
    }
    write_folder(folder, config, weights, tokenizer, card)
    shutil.move(grown, folder / growth.FILE)
    for file in filter(None, states(recipe, state)):
        file.unlink(missing_ok=True)
    return card


def preview(
    recipe: Recipe,
    folder: Path,
    state_folder: Path,
    models: Path = HERE,
    say: Callable[[str], None] = lambda text: None,
) -> None:
    """Write the weights that a run saved last to `folder`, without a card, while the run goes on. Raises
    FileNotFoundError where there is none.
    """
    from labutils.world import World

    world = World(recipe.bias)
    tokenizer, _ = _beginning(world, recipe, models)
    begun = [file for file in states(recipe, _state(state_folder, world, recipe, models)) if file.exists()]
    if not begun:
        raise FileNotFoundError(
            f"No run of {recipe.name} is under way in {state_folder}. Start one, and look in after the first 200 steps."
        )
    progress = Progress()
    for file in begun:
        weights, done = saved_weights(file)
        progress = joined(progress, done)
    run = recipe.runs[len(begun) - 1]
    model = start(run, tokenizer)
    model.load_state_dict(weights, strict=False)  # the tied head is in the file once
    config = hf_config(run, tokenizer)
    halves = {name: t.half() for name, t in as_ours(config, model).to_hf_state_dict().items()}
    write_folder(folder, config, halves, tokenizer, card=None)
    say(f"{recipe.name}: after {progress.step:,} of {recipe.steps:,} steps\n")


def _beginning(world, recipe: Recipe, models: Path) -> tuple[Any, dict[str, torch.Tensor] | None]:
    """The tokenizer, and the weights to go on from, if `recipe` is made from another model, which lies in `models`."""
    if not recipe.made_from:
        return fit_tokenizer(world, recipe), None
    origin = models / recipe.made_from
    return load(origin).tokenizer, load(origin, "transformers").model.state_dict()


def _state(folder: Path, world, recipe: Recipe, models: Path) -> Path:
    """The file of the unfinished run: its name changes with the recipe, the grammar, the library and the weights gone
    on from.
    """
    origin = (models / recipe.made_from / WEIGHTS).read_bytes() if recipe.made_from else b""
    about = f"{recipe} {measure.fingerprint(world)} {torch.__version__}".encode()
    return folder / f"{recipe.name}-{hashlib.sha256(about + origin).hexdigest()[:12]}.safetensors"


def measure_again(recipe: Recipe, folder: Path, held_out: int = 2000) -> dict[str, Any]:
    """Measure the weights in `folder` and rewrite its card; what training left in it (steps, seconds) stays."""
    from labutils.world import World

    c, world = load(folder), World(recipe.bias)
    card = (
        c.card
        | measure.about(world, c.tokenizer, recipe)
        | {"growth": growth.read(folder / growth.FILE)[-1]}
        | measure.measured(c.model, c.tokenizer, world, recipe, held_out)
    )
    write_card(folder, card)
    return card


@contextmanager
def repeatable() -> Iterator[None]:
    """Inside, the same operations give the same bits each time on one machine."""
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(THREADS)
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        torch.use_deterministic_algorithms(before[1])


def _objective(recipe: Recipe) -> str:
    if recipe.family.causal:
        return "the next token" + (
            f"; with the stories come random blocks told again, {recipe.repeats:.0%} of their tokens, and "
            f"what is told again counts with a weight of {recipe.repeat_weight:g}"
            if recipe.repeats
            else ""
        )
    rates = "; then again ".join(_rates(*run.mask_rates) for run in recipe.runs)
    shares = "a story's halves {:.0%}, halves of two stories {:.0%}, swapped halves {:.0%}".format(*recipe.pair_kinds)
    return f"hidden words (whole words; {rates}; 80/10/10)" + (
        f" and the next sentence ({recipe.pairs:.0%} of the stories as pairs: {shares})" if recipe.pairs else ""
    )


def _rates(first: float, last: float) -> str:
    return f"{first:.0%} falling to {last:.0%}" if first != last else f"{first:.0%}"


def _training(recipe: Recipe, progress: Progress) -> dict[str, Any]:
    import tokenizers
    import transformers

    return {
        "seed": recipe.seed,
        "objective": _objective(recipe),
        "steps": progress.step,
        "tokens": progress.tokens,
        "seconds": round(progress.seconds),
        "machine": f"{_processor()}, {os.cpu_count()} cores",
        "threads": THREADS,
        "max_tokens": recipe.max_tokens,
        "optimiser": "; then, with fresh optimisers and stories, ".join(_optimiser(run) for run in recipe.runs),
        "versions": {
            "Python": platform.python_version(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "tokenizers": tokenizers.__version__,
        },
        "curve": {"every": EVERY, "loss": [round(loss, 4) for loss in progress.losses]},
    }


def _optimiser(run: Recipe) -> str:
    plan = run.plan
    deeper = f"{run.n_layers} layers that begin as the layers {run.layers} of the run before, " if run.layers else ""
    begins, later = 2 ** plan.growth.count(0.0), [f"{share:.0%}" for share in plan.growth if share]
    batches = f"; {begins} batches a step" if begins > 1 else ""
    batches += f"; twice as many batches a step after {' and after '.join(later)} of the steps" if later else ""
    return (
        f"{deeper}{'Muon (maps between streams) and AdamW' if plan.muon else 'AdamW'}, {_steps(plan)},"
        f" lr {plan.lr:g} (warm-up {plan.warmup:.0%}, cosine to {plan.final:.0%}), betas {plan.betas}, decay"
        f" {plan.weight_decay} on matrices, clip {plan.clip}{batches}"
    )


def _steps(plan: Plan) -> str:
    return f"{plan.steps:,} steps" if plan.until is None else f"the first {plan.until:,} of {plan.steps:,} steps"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _bar(recipe: Recipe, say: Callable[[str], None]) -> Callable[[Progress], None]:
    """How far the run is, how fast, and how long it takes: a bar on a terminal, elsewhere a line every 500 steps."""
    began, first = time.monotonic(), []  # the batches and tokens that were done when this process took the run up
    taken = [run.plan.batches(step) for run in recipe.runs for step in range(run.plan.taken)]
    batches = lambda step: sum(taken[:step])

    def report(progress: Progress) -> None:
        first or first.append((batches(progress.step - EVERY), progress.tokens * (1 - EVERY / progress.step)))
        spent, done = time.monotonic() - began, progress.step / recipe.steps
        pace = spent / (batches(progress.step) - first[0][0])
        left = pace * (batches(recipe.steps) - batches(progress.step))
        text = (
            f"{recipe.name} [{'#' * round(30 * done):30}] {done:4.0%}  loss {progress.losses[-1]:.3f} "
            f" {(progress.tokens - first[0][1]) / spent:6,.0f} tokens/s  {left / 60:4.1f} of {(left + spent) / 60:.1f}"
            " min left "
        )
        if sys.stderr.isatty():
            say(f"\r{text}")
        elif progress.step % 500 == 0 or len(progress.losses) < 4:
            say(f"{text}\n")

    return report


def _say(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        _say("\nStopped. The same command goes on from the last saved step.\n")
        sys.exit(130)
