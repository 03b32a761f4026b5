"""Models of the hub by name: a pinned revision, safetensors only, and never without being asked.

A branch name can point to other weights tomorrow, so a model is fetched by the full commit hash. The hashes of the
models that readers meet most are here; any other model needs `revision=`.
"""

import re
from pathlib import Path

from labutils.checkpoints.errors import CheckpointError

# name -> (repository, commit); each commit holds model.safetensors, and is the head of `main` at the time of writing
PINNED = {
    "gpt2": ("openai-community/gpt2", "607a30d783dfa663caf39e06633721c8d4cfcd7e"),
    "distilgpt2": ("distilbert/distilgpt2", "2290a62682d06624634c1f46a6ad5be0f47f38aa"),
    "bert-base-uncased": ("google-bert/bert-base-uncased", "86b5e0934494bd15c9632b12f734a8a67f723594"),
    "bert-base-cased": ("google-bert/bert-base-cased", "cd5ef92a9fb2f889e972770a36d4ed042daf221e"),
}
TOKENIZER = (
    "vocab.json",
    "merges.txt",
    "vocab.txt",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
)
MODEL = ("config.json", "model.safetensors", "model.safetensors.index.json", "model-*.safetensors", *TOKENIZER)


def known(name: str) -> bool:
    """True if `name` can only mean a model of the hub: one of PINNED by its short or full name, or "owner/model"."""
    return name in PINNED or re.fullmatch(r"[\w.-]+/[\w.-]+", name) is not None


def fetch(name: str, revision: str | None, allow_download: bool, files: tuple[str, ...] = MODEL) -> Path:
    """The local folder with these files of a hub model. Without `allow_download` only an earlier download is looked up,
    on disk.

    Raises CheckpointError when the model is not here and may not be fetched, when no revision is known, and when the
    network or the hub does not answer.
    """
    repository, revision = _pin(name, revision)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        HFValidationError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    try:
        return Path(
            snapshot_download(
                repository, revision=revision, allow_patterns=list(files), local_files_only=not allow_download
            )
        )
    except (RepositoryNotFoundError, RevisionNotFoundError, HFValidationError):
        raise CheckpointError(f"The hub has no model {repository} at revision {revision}.") from None
    except (LocalEntryNotFoundError, OSError) as error:
        if not allow_download:
            raise CheckpointError(
                f"{name} is not on this machine. Put its folder under $LABUTILS_MODELS, or pass allow_download=True to"
                " fetch it."
            ) from None
        raise CheckpointError(
            f"{name} could not be downloaded ({type(error).__name__}): is there a network? "
            "A folder of the model under $LABUTILS_MODELS works without one."
        ) from None


def _pin(name: str, revision: str | None) -> tuple[str, str]:
    full = dict(PINNED.values())
    repository, pin = PINNED.get(name, (name, full.get(name)))
    revision = revision or pin
    if revision is None:
        raise CheckpointError(
            f"No revision is pinned for {name}. Pass revision= with the 40 characters of a commit of its repository."
        )
    if not re.fullmatch(r"[0-9a-f]{40}", revision):
        raise CheckpointError(
            f"revision={revision!r} is no commit: a branch or a tag can move. Pass its 40 hexadecimal characters."
        )
    return repository, revision
