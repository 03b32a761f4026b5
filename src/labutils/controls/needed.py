"""What a model says without each of its heads: whether an answer needs one is not seen in its weights."""

import torch


def without_each_head(model: torch.nn.Module, ids: list[int], row: int = -1) -> tuple[torch.Tensor, torch.Tensor]:
    """Of a text of n tokens: the weights of all heads (L, H, n, n), and the logits of one row where a head
    hands nothing on, for each of them (L, H, V).
    """
    from labutils.trace import trace  # here, because the models take seconds to import

    weights = torch.stack([layer.weights for layer in trace(model, ids).layers])
    layers, heads = weights.shape[:2]

    def without(layer: int, head: int) -> torch.Tensor:
        def off(weights: torch.Tensor) -> torch.Tensor:  # (1, H, n, n)
            kept = torch.ones(heads).index_fill(0, torch.tensor([head]), 0.0)
            return weights * kept.to(weights)[:, None, None]

        return trace(model, ids, change={f"layer {layer} weights": off}).logits[row]

    off = torch.stack([torch.stack([without(layer, head) for head in range(heads)]) for layer in range(layers)])
    return weights, off


def doubles(values: torch.Tensor) -> bytes:
    """As `script.call` hands numbers to a page's module."""
    return values.double().numpy().astype("<f8").tobytes()
