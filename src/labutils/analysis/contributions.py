"""What each weight brings: its value as well, and the way out of attention."""

import torch

from labutils.models import family_of


@torch.no_grad()
def contributions(t, model: torch.nn.Module) -> torch.Tensor:
    """(L, H, n, n) for a trace of the model: the norm of weight · value · W_O. Kobayashi et al. 2020, "Attention is Not
    Only a Weight", equation 3.
    """
    found = []
    for i, layer in enumerate(t.layers):
        H = len(layer.weights)
        v = layer.v.repeat_interleave(H // len(layer.v), dim=0)  # (H, n, d_k), where several heads share one
        _, n, d_k = v.shape
        apart = torch.zeros(H, n, H, d_k, dtype=v.dtype)
        for h in range(H):
            apart[h, :, h] = v[h]  # each head's values in its own columns, zeros in the others
        output = _output(model, i)
        device = next(output.parameters()).device
        apart = apart.flatten(2).to(device)  # (H, n, H, d_k) -> (H, n, d)
        # each value, moved to where it is added; the bias is left out
        moved = output(apart) - output(torch.zeros_like(apart))
        found.append(layer.weights * moved.cpu().norm(dim=-1)[:, None, :])  # (H, n, n) · (H, 1, n)
    return torch.stack(found)


def _output(model: torch.nn.Module, layer: int) -> torch.nn.Module:
    """The module of W_O of one layer. In HuggingFace's models it is the one that the context goes into."""
    family = family_of(model)
    if isinstance(model, family.model):
        return model.blocks[layer].attention.output
    return model.get_submodule(family.places["context"].removeprefix(">").format(i=layer))
