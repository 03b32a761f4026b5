"""Layers to a model: BERT and GPT-2, complete, with HuggingFace's weights."""

from .bert import Bert, BertConfig, BertOutput
from .family import FAMILIES, family_of
from .gpt2 import GPT2, GPT2Config, GPT2Output
from .head_losses import SKIPPED, span_loss, text_loss, token_loss
from .heads import (
    WAYS,
    LastTokenHead,
    MaskedLanguageHead,
    Pooler,
    SequenceHead,
    SpanHead,
    TokenHead,
    best_span,
    last_real,
    one_vector,
)
from .paper import PAPER_VOCABULARY, paper_config, paper_model, paper_state_dict
from .quick import for_writing
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
    "LastTokenHead",
    "MaskedLanguageHead",
    "PAPER_VOCABULARY",
    "Pooler",
    "SKIPPED",
    "SequenceHead",
    "SpanHead",
    "TokenHead",
    "WAYS",
    "best_span",
    "family_of",
    "for_writing",
    "last_real",
    "one_vector",
    "paper_config",
    "paper_model",
    "paper_state_dict",
    "span_loss",
    "text_loss",
    "token_loss",
]
