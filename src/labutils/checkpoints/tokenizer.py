"""The one function that reads the tokenizer of any folder."""

from pathlib import Path
from typing import Any

from labutils import text
from labutils.checkpoints.errors import CheckpointError
from labutils.checkpoints.folder import check_is_there, read_json
from labutils.text.words import WordTokenizer

WHOLE = "tokenizer.json"


def read_tokenizer(folder: Path) -> Any:
    """The tokenizer of a folder, with a model or alone: byte-level BPE, WordPiece, or the paper model's words.

    Raises CheckpointError for a folder that is not there, and for files that are missing, damaged, or ask for something
    that none of these three does.
    """
    check_is_there(folder)
    whole = read_json(folder / WHOLE) if (folder / WHOLE).is_file() else {}
    model = whole.get("model")
    try:
        return (
            _words(whole)
            if isinstance(model, dict) and model.get("type") == "WordLevel"
            else text.load_tokenizer(folder)
        )
    except (OSError, ValueError) as error:
        raise CheckpointError(f"The tokenizer of {folder.name} could not be read: {error}") from None


def _words(whole: dict[str, Any]) -> WordTokenizer:
    """Raises ValueError for a list of words that is used in another way than the paper model's."""
    vocab, cutter = whole["model"].get("vocab"), whole.get("pre_tokenizer") or {}
    if whole.get("normalizer") or whole.get("added_tokens") or cutter != {"type": "WhitespaceSplit"}:
        raise ValueError("it holds whole words, but does more than to split a text at white space.")
    if not isinstance(vocab, dict) or sorted(map(repr, vocab.values())) != sorted(map(repr, range(len(vocab)))):
        raise ValueError("its words must have the ids 0, 1, 2 and so on.")
    return WordTokenizer(sorted(vocab, key=vocab.get))
