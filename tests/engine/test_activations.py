"""The activations of the engine in the page are those of the package, number by number."""

import pytest
import torch

from labutils.controls.script import call
from labutils.layers import ACTIVATIONS


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_an_activation_gives_what_the_package_gives(name):
    x = torch.linspace(-30, 30, 241, dtype=torch.float64)
    found = call("engine/feed_forward.js", "activate", name, x.tolist())  # a typed array arrives with its places
    here = torch.tensor([found[str(i)] for i in range(len(x))], dtype=torch.float64)
    torch.testing.assert_close(here, ACTIVATIONS[name](x), rtol=1e-12, atol=1e-14)
