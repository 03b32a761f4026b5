"""Pictures of every control, so that a person can look at all of them at once: both themes, three widths.

    python -m labutils.controls.shots            # into _build/shots, with all of them on contact.png

It needs a Chromium; where it lies is read from $CHROMIUM or looked up on the path.
"""

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from labutils.controls import (
    Beams,
    Budget,
    Explorer,
    Heads,
    NextWord,
    OwnModel,
    Plane,
    Points,
    Reuse,
    Segments,
    Shuffle,
    Steps,
    Story,
    Stream,
    Sweep,
    Tokenizer,
    Train,
    Transplant,
    Vectors,
    Walk,
    Way,
    predict,
)
from labutils.controls.control import Control
from labutils.controls.reading import loaded
from labutils.controls.standalone import write

THEMES = ("light", "dark")
WIDTHS = (350, 700, 1280)
LONG = (
    "Tom saw a cat near the old bridge. The cat was tired and it slept on a mat. Then Anna gave the cat a fish. It was"
    " happy. " * 2
)


def examples() -> dict[str, Callable[[], Control]]:
    """What is photographed: each control as a chapter shows it, and its special states."""
    choices = (
        ("they grow", "Each power grows by the same factor, and so does their sum."),
        ("they stay", "Right: the factor cancels in the division."),
        ("they become equal", "They would, if the scores were divided by a large number."),
    )
    pieces = len(loaded("little-gpt2").tokenizer.encode("unbelievably").ids)
    return {
        "steps": lambda: Steps(number="4.1", layer=3, head=5, query=8),
        "steps-folded": lambda: Steps(
            "The cat sat on the mat. It was", number="4.5", layer=3, head=5, query=5, step=1, lede="", folded=True
        ),
        "steps-paper": lambda: Steps(model="paper-gpt2", number="4.2", step=4, name="steps-paper"),
        "steps-bert": lambda: Steps(model="little-bert", number="4.3", step=1, query=3, name="steps-bert"),
        "steps-changed": lambda: Steps(
            number="4.4", layer=3, head=5, query=8, temperature=0.4, step=3, name="steps-changed"
        ),
        "explorer": lambda: Explorer(number="4.5", layer=3, head=5, query=8),
        "explorer-contributions": lambda: Explorer(
            number="4.6", layer=3, head=5, measure="contributions", numbers=True, name="explorer-contributions"
        ),
        "explorer-column": lambda: Explorer(model="little-bert", number="4.7", part="column", name="explorer-column"),
        "explorer-long": lambda: Explorer(LONG, number="4.8", name="explorer-long"),
        "predict": lambda: predict(
            "shot-choice", "Every score of a row grows by 3. What happens to its *weights*?", *choices, right=1
        ),
        "predict-number": lambda: predict(
            "shot-number",
            "How many tokens does the little GPT-2 make of “unbelievably”?",
            answer=pieces,
            unit="tokens",
            why="Rare words fall into pieces.",
        ),
        "tokenizer": lambda: Tokenizer(number="2.1"),
        "next_word": lambda: NextWord(number="12.1"),
        "next_word-hole": lambda: NextWord(
            model="little-bert", ends=("tired", "gentle", "timid"), number="7.1", name="next_word-hole"
        ),
        "next_word-holes": lambda: NextWord(
            "The [MASK] sat on the mat. It was [MASK].", "little-bert", number="7.2", name="next_word-holes"
        ),
        "vectors": lambda: Vectors(number="4.2", layer=3, head=5, query=8),
        "vectors-paper": lambda: Vectors(model="paper-gpt2", number="4.3", name="vectors-paper"),
        "way": lambda: Way(number="0.1"),
        "way-long": lambda: Way("The cat sat on the mat. It was tired and it", number="0.2", name="way-long"),
        "own-model": lambda: OwnModel(number="1"),
        "reuse": lambda: Reuse(number="11.1"),
        "reuse-written": lambda: Reuse(number="11.2", share=40, placed=True, step=6, name="reuse-written"),
        "budget": lambda: Budget(number="11.4"),
        "budget-parts": lambda: Budget(number="6.14", tokens=256, parts=True, name="budget-parts"),
        "story": lambda: Story(number="12.2"),
        "transplant": lambda: Transplant(number="8.1"),
        "transplant-found": lambda: Transplant(
            level=6, token=1, carried=True, tried="all", number="8.2", name="transplant-found"
        ),
        "transplant-lens": lambda: Transplant(view="lens", number="8.3", name="transplant-lens"),
        "transplant-hole": lambda: Transplant(
            "The [MASK] sat on the mat. It was tired.",
            "The [MASK] sat on the mat. It was proud.",
            model="little-bert",
            level=10,
            token=10,
            carried=True,
            tried="all",
            number="7.2",
            name="transplant-hole",
        ),
        "train": lambda: Train(number="10.1"),
        "train-guessed": lambda: Train(number="10.1", placed=True, line=3.2, name="train-guessed"),
        "beams": lambda: Beams("mat cat mat", most=2, width=2, number="12.8"),
        "next_word-tuned": lambda: NextWord(tuned=True, top_p=0.8, number="12.6", name="next_word-tuned"),
        "plane": lambda: Plane(number="12.1"),
        "plane-all": lambda: Plane(number="12.1", temperature=1.0, top_p=0.95, tried="all", name="plane-all"),
        "walk": lambda: Walk(number="0.1"),
        "walk-weights": lambda: Walk(
            "The cat sat on the mat. It was", stage="weights", layer=3, number="0.2", name="walk-weights"
        ),
        "walk-bert": lambda: Walk(model="little-bert", stage="ffn_activated", layer=2, number="0.3", name="walk-bert"),
        "walk-paper": lambda: Walk(model="paper-gpt2", stage="q", number="0.4", name="walk-paper"),
        "stream": lambda: Stream(number="6.5", layer=2, part="feed_forward", token=8),
        "stream-bert": lambda: Stream(
            model="little-bert", number="6.6", layer=1, measure="moved", token=3, name="stream-bert"
        ),
        "stream-paper": lambda: Stream(model="paper-gpt2", number="6.7", part="feed_forward", name="stream-paper"),
        "segments": lambda: Segments(number="2.3"),
        "segments-cut": lambda: Segments(
            "Tom saw a cat near the old bridge.",
            "The cat was unbelievably tired.",
            length=12,
            number="2.4",
            name="segments-cut",
        ),
        "shuffle": lambda: Shuffle(number="3.1", order="4 1 2 3 0 5 6 7 8"),
        "shuffle-paper": lambda: Shuffle(
            model="paper-gpt2", order="1 0 2", positions=False, mask=False, number="3.2", name="shuffle-paper"
        ),
        "heads": lambda: Heads(number="9.1", token=6, hide=True),
        "heads-span": lambda: Heads(number="9.2", head="meant", name="heads-span"),
        "heads-tags": lambda: Heads(number="9.3", head="tag", token=6, name="heads-tags"),
        **planes(),
        **sweeps(),
    }


def planes() -> dict[str, Callable[[], Control]]:
    """The tokens of a trained model in three groups, and the same words in two tables."""
    little = loaded("little-gpt2")
    table, tokenizer = little.model.embeddings.token.weight.detach().numpy(), little.tokenizer
    groups = {
        "animals": "cat dog hen duck frog fox pig cow horse mouse bird bear",
        "people": "king child teacher farmer baker cook pilot nurse boy girl man woman",
        "qualities": "small old green little big tall quiet wise pretty young large famous",
    }
    ids = {f"␣{word}": tokenizer.token_to_id(f"Ġ{word}") for line in groups.values() for word in line.split()}
    ids = {word: i for word, i in ids.items() if i is not None}
    kinds = {name: [f"␣{word}" for word in line.split() if f"␣{word}" in ids] for name, line in groups.items()}
    vectors, everything = table[list(ids.values())], [tokenizer.pieces(i) for i in range(len(table))]
    return {
        "points": lambda: Points(
            "Words that are used alike",
            "Choose a word, or find one.",
            everything,
            table,
            kinds,
            word="␣cat",
            number="3.4",
            name="points",
        ),
        "points-line": lambda: Points(
            "A line between two groups",
            "Choose two groups.",
            list(ids),
            {"as learned": vectors, "of length 1": vectors / np.linalg.norm(vectors, axis=1, keepdims=True)},
            kinds,
            k=5,
            probe=("animals", "people"),
            number="3.5",
            name="points-line",
        ),
    }


def sweeps() -> dict[str, Callable[[], Control]]:
    """Bars, curves on a logarithmic axis, and both with a mask and a gap."""
    temperatures, widths, scores = [0.1, 0.25, 0.5, 1, 2, 4], [4, 16, 64, 256, 1024], np.array([0, 1.41, 0.2, -1, 0.5])
    weights = np.exp(scores / np.array(temperatures)[:, None])
    masked = np.ma.masked_array(weights, np.broadcast_to([0, 0, 0, 1, 1], weights.shape))
    shares = lambda x: x / x.sum(-1, keepdims=True)
    words, entropy = ["The", "cat", "sat", "on", "mat"], lambda p: -(p * np.log2(p)).sum(-1)
    pair = np.ma.stack([shares(np.ma.asarray(weights)), shares(masked)], 1)
    return {
        "sweep": lambda: Sweep(
            "Hot or cold, the order stays",
            "Move the temperature and watch the five weights.",
            ("Temperature τ", temperatures),
            bars=(words, shares(weights)),
            unit="probability",
            start=2,
            number="4.4",
            name="sweep-bars",
        ),
        "sweep-curves": lambda: Sweep(
            "Wider heads, larger scores",
            "Move the width of the head.",
            ("Head width d_k", widths),
            log=("x", "y"),
            number="4.5",
            curves={"without √d_k": [d**0.5 for d in widths], "with √d_k": [1, 1, 1, 1, float("nan")]},
            start=2,
            name="sweep-curves",
            said=[
                f"At d_k = {d} a score has a standard deviation of **{d**0.5:.0f}**, and of **1** once it is divided."
                for d in widths
            ],
        ),
        "sweep-both": lambda: Sweep(
            "A mask is not a low score",
            "Two settings, one row of weights.",
            [("Temperature τ", temperatures), ("Mask", ["none", "causal"])],
            start=(3, 1),
            bars=(words, pair),
            curves={"entropy": np.asarray(entropy(pair))},
            unit=("probability", "bits"),
            number="4.6",
            name="sweep-both",
        ),
        **matrices(),
    }


def matrices() -> dict[str, Callable[[], Control]]:
    """Signed numbers in many small cells, and shares in few large ones, with another text at each position."""
    bases, place, pair = [10, 100, 1000, 10_000], np.arange(64)[:, None], np.arange(64) // 2
    angles = np.stack([place / base ** (2 * pair / 64) for base in bases])
    weights = np.random.default_rng(0).dirichlet(np.full(6, 0.3), size=(2, 6))
    later = np.triu(np.ones((6, 6)), 1).astype(bool)
    words = [["le", "chat", "dort", "sur", "un", "tapis"], ["the", "cat", "sleeps", "on", "a", "mat"]]
    return {
        "sweep-matrix": lambda: Sweep(
            "A clock for each pair of columns",
            "Move the base. Point at a cell, or use the arrow keys.",
            ("base", bases),
            matrix=(range(64), range(64), np.where(np.arange(64) % 2, np.cos(angles), np.sin(angles))),
            axes=("position", "dimension"),
            number="3.3",
            name="sweep-matrix",
            cell=(9, 20),
            start=-1,
        ),
        "sweep-words": lambda: Sweep(
            "Where the writer looks",
            "Choose an example.",
            ("example", ["a translation", "the same, masked", "shorter"]),
            matrix=(
                [words[1], words[1], words[1][:3]],
                [words[0], words[1], words[0][:3]],
                [weights[0], np.ma.masked_array(weights[1], later), weights[0, :3, :3]],
            ),
            axes=("output", "input"),
            unit="probability",
            curves={"largest weight": weights[0].max(-1)[:3]},
            number="1.6",
            name="sweep-words",
            start=1,
            cell=(2, 1),
        ),
    }


def take(folder: Path, chromium: str, wanted: list[str] = ()) -> list[Path]:
    """Photograph every example; returns the files."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    taken = []
    with tempfile.TemporaryDirectory() as at, sync_playwright() as playwright:
        made = {name: make() for name, make in examples().items() if not wanted or name in wanted}
        page_file = write(Path(at), list(made.values()))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for theme in THEMES:
            for width in WIDTHS:
                page = browser.new_page(viewport={"width": width, "height": 900})
                page.goto(page_file.as_uri())
                page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
                taken += [
                    _one(page, control, name, folder / f"{name}-{theme}-{width}.png") for name, control in made.items()
                ]
                page.close()
        browser.close()
    return taken


def _one(page, control: Control, name: str, path: Path) -> Path:
    """One control, settled: its weights loaded and its picture drawn. A predict box is answered first."""
    place = page.locator(f'.cell_output[data-name="{control.name}"]')
    place.scroll_into_view_if_needed()
    live = place.locator(".itt-live > .itt")
    live.wait_for()
    page.wait_for_timeout(700)
    if name == "predict":
        live.locator("label").first.click()
    if name == "predict-number":
        live.get_by_role("textbox").fill("3")
    if name.startswith("predict"):
        live.get_by_role("button", name="See the answer").click()
    page.mouse.move(0, 0)
    live.screenshot(path=path)
    return path


def contact_sheet(paths: list[Path], target: Path, height: int = 620) -> None:
    """All pictures on one sheet, a row for each example."""
    from PIL import Image

    rows: dict[str, list[Path]] = {}
    for path in paths:
        rows.setdefault(path.stem.rsplit("-", 2)[0], []).append(path)
    scaled = [[_scaled(Image.open(path).convert("RGB"), height) for path in row] for row in rows.values()]
    gap = 12
    sheet = Image.new(
        "RGB",
        (max(sum(im.width + gap for im in row) for row in scaled) + gap, len(scaled) * (height + gap) + gap),
        "#8a8a8a",
    )
    for r, row in enumerate(scaled):
        x = gap
        for image in row:
            sheet.paste(image, (x, gap + r * (height + gap)))
            x += image.width + gap
    sheet.save(target)


def _scaled(image, height: int):
    return image.resize((round(image.width * height / image.height), height)) if image.height > height else image


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m labutils.controls.shots", description="Photograph every control.")
    parser.add_argument("names", nargs="*", help="examples to photograph (default: all)")
    parser.add_argument("--out", type=Path, default=Path("_build/shots"))
    chosen = parser.parse_args()
    chromium = (
        os.environ.get("CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if not chromium:
        raise SystemExit("There is no Chromium here: install one, or say where it lies with CHROMIUM=/path.")
    taken = take(chosen.out, chromium, chosen.names)
    contact_sheet(taken, chosen.out / "contact.png")
    print(f"{len(taken)} pictures in {chosen.out}; all of them on {chosen.out / 'contact.png'}")


if __name__ == "__main__":
    main()
