"""The shipped models and the one loader of all models: `load("little-gpt2")`, `load_tokenizer("gpt2")`, `available`."""

from labutils.checkpoints.errors import CheckpointError
from labutils.checkpoints.loader import Checkpoint, available, load, load_tokenizer

__all__ = ["Checkpoint", "CheckpointError", "available", "load", "load_tokenizer"]
