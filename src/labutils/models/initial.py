"""The weights before training."""

import math

from torch import nn

from labutils.layers import PreNormBlock


def initialise(model: nn.Module, std: float) -> None:
    """Draw every table and matrix from a normal distribution around 0, set every bias
    to 0; LayerNorms start as they are.

    In pre-norm blocks the two matrices that write into the stream get std / √(2L), so
    that 2L additions leave its variance independent of the depth: Radford et al. 2019,
    section 2.3. BERT has no such rule: Devlin et al. 2019, published code.
    """
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
        if isinstance(module, nn.Embedding) and module.padding_idx is not None:
            nn.init.zeros_(module.weight[module.padding_idx])
    blocks = [module for module in model.modules() if isinstance(module, PreNormBlock)]
    for block in blocks:
        for writer in (block.attention.output, block.feed_forward.contract):
            nn.init.normal_(writer.weight, std=std / math.sqrt(2 * len(blocks)))
