"""Recording: what a forward pass computed on the way, by name.

Every layer takes `record`, which is None (nothing is kept, nothing is called) or something that can be called
with named tensors. For one layer the `update` of a dictionary will do:

>>> import torch
>>> from labutils.layers.attention import attention
>>> seen = {}
>>> _ = attention(*torch.ones(3, 2, 4), record=seen.update)
>>> seen["weights"]
tensor([[0.5000, 0.5000],
        [0.5000, 0.5000]])

For a whole model there is the `Recorder`, which keeps the blocks apart.
"""


class Recorder:
    """The stages of a model in `stages`, those of block i in `layers[i].stages`: from name to tensor."""

    def __init__(self):
        self.stages = {}
        self.layers = []

    def __call__(self, **stages):
        self.stages.update(stages)

    def layer(self) -> "Recorder":
        """A recorder for the next block."""
        self.layers.append(Recorder())
        return self.layers[-1]
