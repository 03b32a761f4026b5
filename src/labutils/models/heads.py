"""Output heads: a question put to the last hidden states."""

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from labutils.layers import ACTIVATIONS, LayerNorm, See, unseen

from . import weight_maps

WAYS = ("first", "last", "mean", "max")


class MaskedLanguageHead(nn.Module):
    """Which token stands here? One more layer, then the token table once more, and a
    bias for each token.

    Devlin et al. 2019, section 3.1, task 1; the extra layer is in the published code,
    not in the paper.
    """

    def __init__(self, d_model: int, vocab_size: int, activation: str, eps: float):
        super().__init__()
        self.transform = nn.Linear(d_model, d_model)
        self.activation = activation
        self.norm = LayerNorm(d_model, eps)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(
        self,
        x: Float[Tensor, "B n d"],
        token_table: Float[Tensor, "V d"],
        see: See = unseen,
    ) -> Float[Tensor, "B n V"]:
        x = ACTIVATIONS[self.activation](self.transform(x))
        x = see("mlm_transform", self.norm(x))
        return x @ token_table.T + self.bias  # (B, n, d) -> (B, n, V)


class Pooler(nn.Module):
    """tanh(W h + b) of the first row, [CLS]: one vector for the whole text."""

    def __init__(self, d_model: int):
        super().__init__()
        self.dense = nn.Linear(d_model, d_model)

    def forward(self, x: Float[Tensor, "B n d"]) -> Float[Tensor, "B d"]:
        return torch.tanh(self.dense(x[:, 0]))  # (B, n, d) -> (B, d)


class LoadedHead(weight_maps.Exported, nn.Module):
    """A head on a body's last rows, with the names of HuggingFace's class that has it.

    Its dropout works in training mode alone.
    """

    hf_class: str
    places: dict[str, str]  # ours -> the layer of HuggingFace's model

    def load_hf_state_dict(self, state_dict: dict[str, Tensor]) -> None:
        """Take over the head's weights out of those of HuggingFace's whole model; the
        body's are passed over.

        Raises ValueError that names every tensor that is missing or of another shape.
        """
        own = {pair.theirs for pair in self._map()}
        mine = {name: t for name, t in state_dict.items() if name in own}
        weight_maps.load(self, self._map(), mine, {}, ())

    def _map(self):
        layers = (
            (theirs, ours, getattr(self, ours)) for ours, theirs in self.places.items()
        )
        return [
            pair
            for theirs, ours, layer in layers
            for pair in weight_maps.of_linear(
                theirs,
                ours if isinstance(layer, nn.Linear) else f"{ours}.dense",
                bias=getattr(layer, "bias", True) is not None,
            )
        ]


class SequenceHead(LoadedHead):
    """Which class has the text? The pooler's vector of [CLS], dropout, a matrix.

    Devlin et al. 2019, section 4.1, figure 4a and b; HuggingFace's
    `BertForSequenceClassification`.
    """

    hf_class = "BertForSequenceClassification"
    places = {"pooler": "bert.pooler.dense", "linear": "classifier"}

    def __init__(self, d_model: int, n_classes: int, dropout: float = 0.1):
        super().__init__()
        self.pooler = Pooler(d_model)
        self.dropout = nn.Dropout(dropout)
        self.linear = nn.Linear(d_model, n_classes)

    def forward(self, x: Float[Tensor, "B n d"]) -> Float[Tensor, "B C"]:
        return self.linear(
            self.dropout(self.pooler(x))
        )  # (B, n, d) -> (B, d) -> (B, C)


class TokenHead(LoadedHead):
    """Which class has each token? Dropout and one matrix for every row.

    Devlin et al. 2019, section 4, figure 4d; HuggingFace's
    `BertForTokenClassification`.
    """

    hf_class = "BertForTokenClassification"
    places = {"linear": "classifier"}

    def __init__(self, d_model: int, n_classes: int, dropout: float = 0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.linear = nn.Linear(d_model, n_classes)

    def forward(self, x: Float[Tensor, "B n d"]) -> Float[Tensor, "B n C"]:
        return self.linear(self.dropout(x))


class SpanHead(LoadedHead):
    """Where does the answer begin, and where does it end? Two scores for every row.

    Devlin et al. 2019, section 4.2, figure 4c; HuggingFace's
    `BertForQuestionAnswering`.
    """

    hf_class = "BertForQuestionAnswering"
    places = {"linear": "qa_outputs"}

    def __init__(self, d_model: int):
        super().__init__()
        self.linear = nn.Linear(d_model, 2)

    def forward(
        self, x: Float[Tensor, "B n d"]
    ) -> tuple[Float[Tensor, "B n"], Float[Tensor, "B n"]]:
        start, end = self.linear(x).unbind(-1)  # (B, n, 2) -> twice (B, n)
        return start, end


class LastTokenHead(LoadedHead):
    """Which class has the text, if only its last token has seen all of it? A matrix
    without a bias on the row of the last real token.

    Radford et al. 2018, section 3.2; HuggingFace's `GPT2ForSequenceClassification`.
    """

    hf_class = "GPT2ForSequenceClassification"
    places = {"linear": "score"}

    def __init__(self, d_model: int, n_classes: int):
        super().__init__()
        self.linear = nn.Linear(d_model, n_classes, bias=False)

    def forward(
        self, x: Float[Tensor, "B n d"], ids: Integer[Tensor, "B n"], pad_id: int
    ) -> Float[Tensor, "B C"]:
        rows = torch.arange(len(x), device=x.device)
        return self.linear(x[rows, last_real(ids, pad_id)])  # (B, n, d) -> (B, C)


def last_real(ids: Integer[Tensor, "B n"], pad_id: int) -> Integer[Tensor, " B"]:
    """The place of the last token of each text that is not padding, on whichever side
    the padding stands; 0 for a text of padding alone.
    """
    places = torch.arange(ids.shape[1], device=ids.device)
    return (places * (ids != pad_id)).argmax(-1)  # (B, n) -> (B)


def best_span(
    start: Float[Tensor, " n"],
    end: Float[Tensor, " n"],
    allowed: Bool[Tensor, " n"],
    longest: int,
) -> tuple[int, int]:
    """The first and the last token of the span with the largest start + end.

    All its tokens are allowed, it does not end before it begins, and it has at most
    `longest` tokens. Raises ValueError if no token is allowed.
    """
    if not allowed.any():
        raise ValueError("No token may be part of an answer: allow at least one.")
    n = len(start)
    sums = start[:, None] + end[None, :]  # (n, n): row begins, column ends
    far = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    fits = (far >= 0) & (far < longest) & allowed[:, None] & allowed[None, :]
    holes = (~allowed).cumsum(0)  # equal at both ends where none lies between
    fits &= holes[:, None] == holes[None, :]
    best = int(sums.masked_fill(~fits, -torch.inf).argmax())
    return best // n, best % n


def one_vector(
    x: Float[Tensor, "B n d"], mask: Integer[Tensor, "B n"], way: str
) -> Float[Tensor, "B d"]:
    """One vector for a text: its first real row, its last, the mean or the largest
    value of each column. mask: 1 for a token, 0 for padding.

    Raises ValueError for another way.
    """
    real = mask.bool()[..., None]  # (B, n, 1)
    rows = torch.arange(len(x), device=x.device)
    if way == "first":
        return x[rows, mask.argmax(-1)]
    if way == "last":
        return x[rows, last_real(mask, 0)]
    if way == "mean":
        return x.masked_fill(~real, 0).sum(1) / real.sum(1)
    if way == "max":
        return x.masked_fill(~real, -torch.inf).amax(1)
    raise ValueError(f"way={way!r} is not known: choose one of {', '.join(WAYS)}.")
