"""Which parameter is stepped by which optimiser: each by exactly one."""

import pytest
import torch

from labutils.models import GPT2, Bert, BertConfig, GPT2Config
from labutils.training import adamw
from labutils.training.optimisation import NARROW, muon_and_adamw

HOW = 1e-3, (0.9, 0.98), 0.05


class Tied(torch.nn.Module):
    """An embedding whose table is the head's too, maps, a head of few answers, a bare tensor and one that is not
    trained.
    """

    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(40, 20)
        self.inner = torch.nn.Linear(20, 24)
        self.norm = torch.nn.LayerNorm(24)
        self.back = torch.nn.Linear(24, 20)
        self.head = torch.nn.Linear(20, 40, bias=False)
        self.head.weight = self.table.weight
        self.yes_or_no = torch.nn.Linear(20, 2)
        self.cube = torch.nn.Parameter(torch.ones(20, 20, 20))
        self.frozen = torch.nn.Linear(20, 20)
        self.frozen.requires_grad_(False)


def names(model, optimiser):
    """The names of an optimiser's parameters, one entry for each time that it has one."""
    name_of = {id(p): name for name, p in model.named_parameters()}
    return sorted(name_of[id(p)] for group in optimiser.param_groups for p in group["params"])


def test_each_parameter_has_its_optimiser():
    model = Tied()
    muon, others = muon_and_adamw(model, *HOW)
    assert isinstance(muon, torch.optim.Muon) and isinstance(others, torch.optim.AdamW)
    assert names(model, muon) == ["back.weight", "inner.weight"]
    assert names(model, others) == [
        "back.bias",
        "cube",
        "inner.bias",
        "norm.bias",
        "norm.weight",
        "table.weight",
        "yes_or_no.bias",
        "yes_or_no.weight",
    ]


@pytest.mark.parametrize(
    "model",
    [
        GPT2(GPT2Config(vocab_size=31, n_positions=9, d_model=NARROW, n_layers=2, n_heads=2)),
        Bert(BertConfig(vocab_size=31, n_positions=9, d_model=NARROW, n_layers=2, n_heads=2)),
    ],
    ids=["GPT2", "Bert"],
)
def test_the_models_of_the_book(model):
    """Muon has the matrices of the blocks, of BERT also the layers before its heads; all tables are AdamW's."""
    muon, others = (names(model, optimiser) for optimiser in muon_and_adamw(model, *HOW))
    assert sorted(muon + others) == sorted(name for name, _ in model.named_parameters())
    outside = [] if isinstance(model, GPT2) else ["mlm.transform.weight", "pooler.dense.weight"]
    assert muon == sorted(
        [name for name, p in model.named_parameters() if name.startswith("blocks") and p.dim() == 2] + outside
    )


def test_only_matrices_decay():
    model = Tied()
    for optimiser in (adamw(model, *HOW), muon_and_adamw(model, *HOW)[1]):
        for group in optimiser.param_groups:
            assert group["weight_decay"] == (0.05 if group["params"][0].dim() >= 2 else 0.0)
            assert len({p.dim() >= 2 for p in group["params"]}) == 1


def test_a_step_of_muon_is_as_large_as_one_of_adamw():
    """Both share one rate: the root mean square of a step is about 0.2 rates with Muon, and a rate at most with AdamW."""
    model = Tied()
    before = model.inner.weight.detach().clone()
    muon, _ = muon_and_adamw(model, 1e-3, (0.9, 0.98), 0.0)
    model.inner.weight.grad = torch.randn(24, 20, generator=torch.Generator().manual_seed(0))
    muon.step()
    moved = (model.inner.weight - before).square().mean().sqrt().item()
    assert 0.1e-3 < moved < 0.4e-3
