"""Statements about what a dashboard shows: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import torch

from labutils.layers import FeedForward


@torch.no_grad()
def test_c381_shuffled_neurons_do_the_same_and_begin_with_others():
    torch.manual_seed(0)
    network, x = FeedForward(24, 3072, "gelu").double(), torch.randn(5, 24, dtype=torch.float64)
    hidden, y, order = x @ network.expand.weight.T + network.expand.bias, network(x), torch.randperm(3072)
    network.expand.weight.copy_(network.expand.weight[order])
    network.expand.bias.copy_(network.expand.bias[order])
    network.contract.weight.copy_(network.contract.weight[:, order])
    torch.testing.assert_close(network(x), y)
    assert len(set(order[:96].tolist()) & set(range(96))) < 20 and f"{96 / 3072:.1%}" == "3.1%"
    assert not torch.allclose((x @ network.expand.weight.T + network.expand.bias)[:, :96], hidden[:, :96])
