"""Write what a page of the site needs to run the shipped models: `python -m labutils.controls.engine.export FOLDER`.

For each model two scripts, NAME.tokenizer.js (small: the playground loads it alone) and NAME.js (configuration and
weights), and once the table of Unicode classes, unicode.js, and the stories that a page trains on, stories.js.
Each script calls `ittModel(key, content)`, which
`page_source.js` defines, so the files work from https:, from a local server and from a folder opened with file://.
"""

import argparse
from pathlib import Path

import torch

from labutils.checkpoints import load, load_tokenizer
from labutils.checkpoints.facts import SHIPPED, describe
from labutils.controls.engine.model_file import model_file, script
from labutils.controls.engine.stories import stored
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.whole_words import known_words
from labutils.text.unicode import table

ALONE = ("gpt2", "bert-base-uncased")  # tokenizers of published models, fetched when a reader chooses them


def export(folder: Path, names: tuple[str, ...] = (*SHIPPED, *ALONE)) -> dict[str, int]:
    """Write the scripts of the models called `names`, of those in `ALONE` the tokenizer. Returns the size of each file
    in bytes, by its name.

    A file is left alone when nothing in it changes, so that a build does not copy it again.
    Raises CheckpointError for a model that cannot be loaded, ValueError for weights that are not exactly float16.
    """
    folder.mkdir(parents=True, exist_ok=True)
    once = {"unicode": table(), "stories": stored()}
    sizes = {f"{key}.js": _write(folder / f"{key}.js", script(key, content)) for key, content in once.items()}
    for name in names:
        if name in ALONE:
            key = f"{name}.tokenizer"
            sizes[f"{key}.js"] = _write(folder / f"{key}.js", script(key, tokenizer_file(load_tokenizer(name))))
            continue
        checkpoint = load(name, dtype=torch.float64 if name == "paper-gpt2" else torch.float32)
        known = known_words(checkpoint)
        tokenizer, model = (
            tokenizer_file(checkpoint.tokenizer) | ({"known": " ".join(sorted(known))} if known else {}),
            model_file(name, checkpoint.model, describe(checkpoint)["label"]),
        )
        for key, content in ((f"{name}.tokenizer", tokenizer), (name, model)):
            sizes[f"{key}.js"] = _write(folder / f"{key}.js", script(key, content))
    return sizes


def _write(path: Path, text: str) -> int:
    data = text.encode("ascii")
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)
    return len(data)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the model files of the site.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    for name, size in export(folder).items():
        print(f"{size / 1000:9.1f} kB  {folder / name}")


if __name__ == "__main__":
    main()
