"""Losses of output heads, as HuggingFace's classes take them; in that of a span padding
does not count.

What cannot be a label is refused in one sentence.
"""

from jaxtyping import Bool, Float, Integer
from torch import Tensor
from torch.nn.functional import cross_entropy

SKIPPED = -100  # the label of a token that does not count


def text_loss(logits: Float[Tensor, "B C"], labels: Integer[Tensor, " B"]) -> Tensor:
    """The mean cross-entropy of one class for each text.

    Raises ValueError for labels of another shape, or that are no class.
    """
    _fit(logits, labels, skipped=False)
    return cross_entropy(logits, labels)


def token_loss(
    logits: Float[Tensor, "B n C"], labels: Integer[Tensor, "B n"]
) -> Tensor:
    """The mean cross-entropy over the tokens whose label is not −100.

    Raises ValueError for labels of another shape, that are neither a class nor −100, or
    of which none counts.
    """
    _fit(logits, labels, skipped=True)
    if not (labels != SKIPPED).any():
        raise ValueError("All labels are −100, so nothing is left to learn from.")
    return cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=SKIPPED)


def span_loss(
    start: Float[Tensor, "B n"],
    end: Float[Tensor, "B n"],
    first: Integer[Tensor, " B"],
    last: Integer[Tensor, " B"],
    allowed: Bool[Tensor, "B n"],
) -> Tensor:
    """The mean of two cross-entropies: where the answer begins, and where it ends. Only
    tokens that are allowed compete, so a text has the same loss in any batch.

    Where all are allowed this is the loss of HuggingFace's `BertForQuestionAnswering`,
    in which padding competes too.

    Raises ValueError for places of another shape, for a span that ends before it
    begins, or one that does not lie on the tokens that are allowed.
    """
    B, n = start.shape
    for name, place in (("first", first), ("last", last)):
        if tuple(place.shape) != (B,):
            raise ValueError(
                f"{name} has the shape {tuple(place.shape)}: it needs one place for"
                f" each of {B} texts."
            )
    for b, (a, z) in enumerate(zip(first.tolist(), last.tolist())):
        if not 0 <= a <= z < n:
            raise ValueError(
                f"The answer of text {b} goes from {a} to {z}: it has to lie, in"
                f" order, in 0 to {n - 1}."
            )
        if not allowed[b, a : z + 1].all():
            raise ValueError(
                f"The answer of text {b}, from {a} to {z}, does not lie in the context."
            )
    begins, ends = (x.masked_fill(~allowed, float("-inf")) for x in (start, end))
    return (cross_entropy(begins, first) + cross_entropy(ends, last)) / 2


def _fit(logits: Tensor, labels: Tensor, skipped: bool) -> None:
    wanted, classes = tuple(logits.shape[:-1]), logits.shape[-1]
    if tuple(labels.shape) != wanted:
        raise ValueError(
            f"The labels have the shape {tuple(labels.shape)}, and {wanted} is needed:"
            " one for each row."
        )
    if labels.is_floating_point():
        raise ValueError("The labels are fractions: a class is a whole number.")
    fine = (labels >= 0) & (labels < classes)
    if skipped:
        fine |= labels == SKIPPED
    if not fine.all():
        more = ", or −100 for a token that does not count" if skipped else ""
        raise ValueError(
            f"There is no class {int(labels[~fine][0])}: with {classes} classes a"
            f" label is 0 to {classes - 1}{more}."
        )
