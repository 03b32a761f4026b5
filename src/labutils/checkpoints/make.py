"""Make the shipped models again: `python -m labutils.checkpoints.make [little-gpt2|little-bert|paper-gpt2|all]`.

A model needs at most 20 minutes on two cores. It may be interrupted at any time (Ctrl-C): the same command takes the run up
where it was last saved, under `_build/checkpoints`, and comes to the same result.
"""

import argparse
import hashlib
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from labutils.checkpoints import measure
from labutils.checkpoints.fit import fit, fit_tokenizer, hf_config
from labutils.checkpoints.loader import HERE, load
from labutils.checkpoints.paper import make_paper
from labutils.checkpoints.recipes import RECIPES, Recipe
from labutils.checkpoints.write import write_card, write_folder
from labutils.models import GPT2, Bert, BertConfig, GPT2Config
from labutils.training import Progress

THREADS = 2  # sums are split by thread, so another number gives other last bits


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m labutils.checkpoints.make", description="Make the shipped models again.")
    parser.add_argument("name", nargs="?", default="all", choices=[*RECIPES, "paper-gpt2", "all"])
    parser.add_argument("--out", type=Path, default=HERE, help="where the model folders go (default: into the package)")
    parser.add_argument("--measure", action="store_true", help="train nothing: measure the folders' weights again and rewrite the cards")
    chosen = parser.parse_args(arguments)
    names = [*RECIPES, "paper-gpt2"] if chosen.name == "all" else [chosen.name]
    for name in names:
        if name == "paper-gpt2":
            make_paper(chosen.out / name)
        elif chosen.measure:
            measure_again(RECIPES[name], chosen.out / name)
        else:
            make(RECIPES[name], chosen.out / name, state_folder=Path("_build/checkpoints"), say=_say)
        _say(f"{name}: written to {chosen.out / name}\n")


def make(recipe: Recipe, folder: Path, state_folder: Path | None = None, say: Callable[[str], None] = lambda text: None,
         held_out: int = 2000) -> dict[str, Any]:
    """Train by `recipe`, measure with the rounded weights, write `folder`; the content of card.json is returned.

    `held_out` stories are drawn for the measurements. A run that was interrupted is taken up from `state_folder`.
    """
    from labutils.world import World

    world = World()
    tokenizer = fit_tokenizer(world, recipe)
    state = state_folder and state_folder / f"{recipe.name}-{_digest(world, recipe)}.safetensors"
    with repeatable():
        model, progress = fit(world, tokenizer, recipe, state, report=_bar(recipe, say))
    say(f"\n{recipe.name}: measuring\n")
    config = hf_config(recipe, tokenizer)
    ours = as_ours(config, model)
    weights = {name: t.half() for name, t in ours.to_hf_state_dict().items()}
    card = {
        "name": recipe.name,
        "kind": recipe.kind,
        "parameters": sum(t.numel() for t in weights.values()),
        "bytes": sum(t.numel() * t.element_size() for t in weights.values()),
        **measure.about(world, tokenizer, recipe),
        "training": _training(recipe, progress),
        **measure.measured(ours, tokenizer, world, recipe, held_out),
    }
    write_folder(folder, config, weights, tokenizer, card)
    if state:
        state.unlink(missing_ok=True)
    return card


def measure_again(recipe: Recipe, folder: Path, held_out: int = 2000) -> dict[str, Any]:
    """Measure the weights in `folder` and rewrite its card; what training left in it (steps, seconds, machine) stays."""
    from labutils.world import World

    c, world = load(folder), World()
    card = c.card | measure.about(world, c.tokenizer, recipe) | measure.measured(c.model, c.tokenizer, world, recipe, held_out)
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


def as_ours(config: dict[str, Any], theirs: torch.nn.Module) -> torch.nn.Module:
    """HuggingFace's trained model as ours, in eval mode."""
    ours = GPT2(GPT2Config.from_hf(config)) if config["model_type"] == "gpt2" else Bert(BertConfig.from_hf(config))
    ours.load_hf_state_dict({name: t.detach() for name, t in theirs.state_dict().items()})
    return ours.eval()


def _digest(world, recipe: Recipe) -> str:
    return hashlib.sha256(f"{recipe} {measure.fingerprint(world)} {torch.__version__}".encode()).hexdigest()[:12]


def _training(recipe: Recipe, progress: Progress) -> dict[str, Any]:
    import tokenizers
    import transformers

    plan = recipe.plan
    objective = "the next token" if recipe.kind == "gpt2" else (
        f"hidden words (whole words; {recipe.mask_rates[0]:.0%} falling to {recipe.mask_rates[1]:.0%}; 80/10/10)"
        + (f" and the next sentence ({recipe.pairs:.0%} of the stories as pairs)" if recipe.pairs else ""))
    return {
        "seed": recipe.seed, "objective": objective, "steps": progress.step, "tokens": progress.tokens, "seconds": round(progress.seconds),
        "machine": f"{_processor()}, {os.cpu_count()} cores", "threads": THREADS, "max_tokens": recipe.max_tokens,
        "optimiser": f"AdamW, lr {plan.lr:g} (warm-up {plan.warmup:.0%}, cosine to {plan.final:.0%}), betas {plan.betas}, "
                     f"decay {plan.weight_decay} on matrices, clip {plan.clip}",
        "versions": {"Python": platform.python_version(), "torch": torch.__version__, "transformers": transformers.__version__,
                     "tokenizers": tokenizers.__version__},
        "curve": {"every": 50, "loss": [round(loss, 4) for loss in progress.losses]},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _bar(recipe: Recipe, say: Callable[[str], None]) -> Callable[[Progress], None]:
    began = time.monotonic()
    first: list[int] = []  # the step at which this process took the run up

    def report(progress: Progress) -> None:
        first or first.append(progress.step)
        done = progress.step / recipe.plan.steps
        pace = (time.monotonic() - began) / max(1, progress.step - first[0] + 50)
        left = pace * (recipe.plan.steps - progress.step)
        say(f"\r{recipe.name} [{'#' * round(30 * done):30}] {done:4.0%}  loss {progress.losses[-1]:.3f}  {left / 60:4.1f} min left ")

    return report


def _say(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        _say("\nStopped. The same command goes on from the last saved step.\n")
        sys.exit(130)
