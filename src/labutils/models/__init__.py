"""Layers to a model: BERT and GPT-2, complete, with HuggingFace's weights."""

from .bert import Bert, BertOutput
from .configuration import BertConfig, GPT2Config
from .gpt2 import GPT2, GPT2Output
from .paper import PAPER_VOCABULARY, paper_config, paper_model, paper_state_dict

__all__ = ["Bert", "BertConfig", "BertOutput", "GPT2", "GPT2Config", "GPT2Output", "PAPER_VOCABULARY", "paper_config", "paper_model", "paper_state_dict"]
