"""Layers to a model: BERT and GPT-2, complete, with HuggingFace's weights."""

from .bert import Bert, BertOutput
from .configuration import BertConfig, GPT2Config
from .family import FAMILIES, family_of
from .gpt2 import GPT2, GPT2Output
from .paper import PAPER_VOCABULARY, paper_config, paper_model, paper_state_dict
from .records import Family

__all__ = [
    "FAMILIES",
    "Bert",
    "BertConfig",
    "BertOutput",
    "Family",
    "GPT2",
    "GPT2Config",
    "GPT2Output",
    "PAPER_VOCABULARY",
    "family_of",
    "paper_config",
    "paper_model",
    "paper_state_dict",
]
