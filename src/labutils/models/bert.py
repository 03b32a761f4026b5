"""BERT: embeddings with segments, L blocks that see both sides, and two heads: the hidden word and the next sentence.

Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers"; the forward pass is HuggingFace's
`BertForPreTraining`, stage by stage.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from labutils.layers import BertEmbeddings, PostNormBlock, Recorder, count_positions, padding_mask

from . import weight_maps
from .configuration import BertConfig
from .heads import MaskedLanguageHead, Pooler
from .initial import initialise
from .inputs import check_attention_mask, check_ids, check_rows


@dataclass(frozen=True)
class BertOutput:
    """logits (B, n, V): which token stands here. nsp_logits (B, 2): index 0 means "B follows A". pooled (B, d).

    hidden_states: L + 1 times (B, n, d), the embeddings first. Without the next-sentence head, nsp_logits and pooled are None.
    """

    logits: Float[Tensor, "B n V"]
    nsp_logits: Float[Tensor, "B 2"] | None
    pooled: Float[Tensor, "B d"] | None
    hidden_states: tuple[Float[Tensor, "B n d"], ...]


class Bert(nn.Module):
    """A complete BERT with both heads of its pre-training. Fresh weights are random; it starts in eval mode, without dropout."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.config = c = config
        self.embeddings = BertEmbeddings(
            c.vocab_size, c.n_positions, c.n_segments, c.d_model, c.layer_norm_eps, c.pad_id, c.hidden_dropout
        )
        self.blocks = nn.ModuleList(
            PostNormBlock(c.d_model, c.n_heads, c.d_ff, c.activation, c.layer_norm_eps, c.hidden_dropout, c.attention_dropout)
            for _ in range(c.n_layers)
        )
        self.mlm = MaskedLanguageHead(c.d_model, c.vocab_size, c.activation, c.layer_norm_eps)
        self.pooler = Pooler(c.d_model) if c.nsp else None
        self.nsp = nn.Linear(c.d_model, 2) if c.nsp else None
        initialise(self, c.initializer_range)
        self.eval()

    def forward(
        self,
        ids: Integer[Tensor, "B n"],
        attention_mask: Integer[Tensor, "B n"] | None = None,
        type_ids: Integer[Tensor, "B n"] | None = None,
        record: Recorder | None = None,
        position_ids: Integer[Tensor, "B n"] | None = None,
    ) -> BertOutput:
        """attention_mask: 1 for a token, 0 for padding. type_ids: the segment of each token, 0 if not given.

        Raises ValueError for ids, masks, segments or positions that the model cannot read. Rows of padding hold finite
        numbers without a meaning.
        """
        check_ids(ids, self.config.vocab_size, self.config.n_positions)
        check_attention_mask(attention_mask, ids)
        check_rows(type_ids, ids, self.config.n_segments, "type_ids", "the table of segments")
        check_rows(position_ids, ids, self.config.n_positions, "position_ids", "the table of positions")
        positions = count_positions(ids) if position_ids is None else position_ids
        segments = torch.zeros_like(ids) if type_ids is None else type_ids
        mask = None if attention_mask is None else padding_mask(attention_mask)     # (B, 1, 1, n); None: everyone sees everyone

        x = self.embeddings(ids, positions, segments, record)   # (B, n) -> (B, n, d)
        hidden_states = [x]
        for block in self.blocks:
            x = block(x, mask, record and record.layer())
            hidden_states.append(x)
        logits = self.mlm(x, self.embeddings.token.weight, record)                  # (B, n, d) -> (B, n, V)
        pooled = self.pooler(x) if self.pooler else None        # (B, n, d) -> (B, d)
        nsp_logits = self.nsp(pooled) if self.nsp else None     # (B, d) -> (B, 2)
        if record:
            record(final=x, pooled=pooled, nsp_logits=nsp_logits)
        return BertOutput(logits, nsp_logits, pooled, tuple(hidden_states))

    def load_hf_state_dict(self, state_dict: dict[str, Tensor]) -> None:
        """Take over the weights of HuggingFace's BertForPreTraining, or of BertForMaskedLM if the config says nsp=False.

        LayerNorms that call their parameters gamma and beta, as the first published files do, are read as well.
        Raises ValueError that names every tensor that is missing, unexpected, of the wrong shape, or not tied.
        """
        modern = lambda name: name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        state_dict = {modern(name): tensor for name, tensor in state_dict.items()}
        tied = {"cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
                "cls.predictions.decoder.bias": "cls.predictions.bias"}
        unused = ["bert.embeddings.position_ids", "bert.embeddings.token_type_ids"]
        weight_maps.load(self, self._map(), state_dict, tied, unused)

    def to_hf_state_dict(self) -> dict[str, Tensor]:
        """The weights under HuggingFace's names, detached copies; the tied decoder is not written twice."""
        tensors = {name: p.detach() for name, p in self.named_parameters()}
        return weight_maps.export(self._map(), tensors)

    def to_hf_gradients(self) -> dict[str, Tensor]:
        """The gradients of the last backward pass under HuggingFace's names; zeros where a parameter got none."""
        tensors = {name: p.new_zeros(p.shape) if p.grad is None else p.grad for name, p in self.named_parameters()}
        return weight_maps.export(self._map(), tensors)

    def _map(self):
        return weight_maps.bert_map(self.config.n_layers, self.config.nsp)
