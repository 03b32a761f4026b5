"""How many threads torch computes on while tests run. The models are tiny: a second thread costs more than it brings."""

from collections.abc import Iterator

import torch


def threads(n: int) -> Iterator[None]:
    """The body of a fixture: n threads, and afterwards as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    yield
    torch.set_num_threads(before)
