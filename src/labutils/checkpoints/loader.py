"""Any model by name, as ours or as HuggingFace's, and any tokenizer."""

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from labutils.checkpoints import hub
from labutils.checkpoints.build import build_ours, build_theirs
from labutils.checkpoints.errors import CheckpointError
from labutils.checkpoints.folder import CONFIG, read_folder
from labutils.checkpoints.tokenizer import read_tokenizer

HERE = Path(__file__).parent
VOCABULARIES = HERE / "vocabularies"  # of published models, without their weights
WITHOUT_WEIGHTS = ("gpt2", "bert-base-uncased")
LIBRARIES = ("labutils", "transformers")


@dataclass(frozen=True)
class Checkpoint:
    """A loaded model: `model` in eval mode, its `tokenizer` (ours), the `name` it was asked for by, the `folder` it
    came from, its `kind` ("gpt2" or "bert"), and the numbers of its model `card` (empty for a folder without
    card.json).
    """

    model: torch.nn.Module
    tokenizer: Any
    name: str
    folder: Path
    kind: str
    card: dict[str, Any]


def load(
    name: str | Path,
    library: str = "labutils",
    dtype: torch.dtype = torch.float32,
    allow_download: bool = False,
    revision: str | None = None,
) -> Checkpoint:
    """Load a model and its tokenizer.

    `name` is looked up in this order: a shipped model ("little-gpt2", "little-bert", "paper-gpt2"); a folder, if it is
    a Path or has a separator in it ("./mine"); a folder of that name under $LABUTILS_MODELS; a model of the hub that
    was downloaded before; and, only with `allow_download=True`, the hub itself at a pinned commit (`revision` for a
    model that has none pinned here). `library` chooses our implementation or HuggingFace's (with eager attention, so
    that it hands out its weights).

    Only safetensors are read and no code of a model is run. Raises CheckpointError, one sentence, for an unknown name,
    a missing, damaged or unsafe file, an entry or a tensor of which no model can be made, and a network that does not
    answer.

    >>> c = load("paper-gpt2", dtype=torch.float64)
    >>> out = c.model(torch.tensor([c.tokenizer.encode("the cat sat").ids]))
    >>> [round(p, 6) for p in out.logits[0, -1].softmax(-1).tolist()]
    [0.125, 0.0625, 0.0625, 0.5, 0.25]
    """
    if library not in LIBRARIES:
        raise CheckpointError(f"library={library!r} is unknown. Choose one of {' and '.join(map(repr, LIBRARIES))}.")
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point or dtype.itemsize < 2:
        raise CheckpointError(
            f"dtype={dtype!r} is no floating dtype of torch. Choose torch.float32 or torch.float64, say."
        )
    folder = read_folder(_find(name, allow_download, revision, hub.MODEL))
    tokenizer = read_tokenizer(folder.path)
    model = (build_ours if library == "labutils" else build_theirs)(folder, dtype)
    rows, highest = model.config.vocab_size, max(tokenizer.vocab.values(), default=0)
    if highest >= rows:
        raise CheckpointError(
            f"{folder.path.name} does not fit together: its tokenizer has the id {highest}, its model rows for 0 to "
            f"{rows - 1}. Copy all files of the folder again."
        )
    tokenizer.rows = rows  # vocabularies are filled up to a multiple of 64, say: rows without a token
    return Checkpoint(model.eval(), tokenizer, str(name), folder.path, folder.family.name, folder.card)


def load_tokenizer(name: str | Path, allow_download: bool = False, revision: str | None = None) -> Any:
    """Load a tokenizer alone. The names are those of `load`; the folder need not hold a model, and no weights are
    fetched. The tokenizers of "gpt2" and "bert-base-uncased" come with the package.

    Raises CheckpointError, one sentence, for an unknown name, and for files that are missing or damaged or of a
    tokenizer that is neither byte-level BPE nor WordPiece nor the paper model's words.

    >>> load_tokenizer("paper-gpt2").encode("the cat sat").ids
    [0, 1, 2]
    >>> load_tokenizer("gpt2").encode("The cat sat on").ids
    [464, 3797, 3332, 319]
    """
    if isinstance(name, str) and name in WITHOUT_WEIGHTS and not _own(name):
        return read_tokenizer(VOCABULARIES / name)
    return read_tokenizer(_find(name, allow_download, revision, hub.TOKENIZER))


def available() -> list[str]:
    """Names that `load` finds without a network: the shipped models, then the folders under $LABUTILS_MODELS.

    >>> {"little-bert", "little-gpt2", "paper-gpt2"} <= set(available())
    True
    """
    return [*_names(HERE), *(n for n in _names(_own_models()) if n not in _names(HERE))]


def _find(name: str | Path, allow_download: bool, revision: str | None, files: tuple[str, ...]) -> Path:
    """The folder that a name means; `files` are those fetched of a model of the hub."""
    text = str(name)
    if not text.strip():
        raise CheckpointError(f"The name of the model is empty. Known names: {', '.join(available())}.")
    if isinstance(name, str) and text in _names(HERE):
        return HERE / text
    path = Path(text).expanduser()
    if (
        isinstance(name, Path)
        or path.is_absolute()
        or text.startswith((".", "~"))
        or (len(path.parts) > 1 and path.is_dir())
    ):
        return path
    if own := _own(text):
        return own
    if hub.known(text):
        return hub.fetch(text, revision, allow_download, files)
    raise CheckpointError(_unknown(text))


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, [*available(), *hub.PINNED], n=2, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"Known names: {', '.join([*available(), *hub.PINNED])}."
    return f"There is no model named {name!r}. {hint} A folder is given as a path: './{name}'."


def _own(name: str) -> Path | None:
    """The reader's own folder of that name, if there is one."""
    own = _own_models()
    return own / name if own and (own / name).is_dir() else None


def _own_models() -> Path | None:
    value = os.environ.get("LABUTILS_MODELS", "")
    return Path(value).expanduser() if value else None


def _names(folder: Path | None) -> list[str]:
    if folder is None or not folder.is_dir():
        return []
    return sorted(p.name for p in folder.iterdir() if (p / CONFIG).is_file())
