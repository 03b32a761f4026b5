"""The experiment with deep stacks: the best loss of its text, its arrangements, and a short piece of the stored runs."""

import math

import pytest
import torch

from labutils.training import deep


def test_the_losses_of_a_chain_are_those_of_its_texts():
    chain = deep.Chain(size=5)
    torch.testing.assert_close(chain.table.sum(-1), torch.ones(5, dtype=torch.float64))
    torch.testing.assert_close(chain.often @ chain.table, chain.often)
    ids = chain.texts(2000, 20, torch.Generator().manual_seed(0))
    before, after = ids[:, :-1].flatten(), ids[:, 1:].flatten()
    assert -chain.table[before, after].log().mean() == pytest.approx(chain.best, abs=0.01)
    assert -chain.often[after].log().mean() == pytest.approx(chain.unigram, abs=0.01)
    assert chain.best < chain.unigram < math.log(5)


@pytest.mark.parametrize("arrangement", deep.ARRANGEMENTS)
def test_no_later_token_is_seen(arrangement):
    torch.manual_seed(0)
    model = deep.Deep(arrangement, 3, d=16, heads=2, vocabulary=9)
    ids = torch.randint(9, (2, 7))
    other = ids.clone()
    other[:, 4] = (ids[:, 4] + 1) % 9
    same = (model(ids) == model(other)).all(-1).all(0)
    assert same.tolist() == [True] * 4 + [False] * 3


def test_a_profile_has_a_number_for_each_block_and_reads_the_seed():
    one = deep.profile("pre-norm", 3)
    assert [len(values) for values in one] == [3, 3, 3] and one == deep.profile("pre-norm", 3)
    assert one != deep.profile("pre-norm", 3, seed=1)


def test_only_a_plain_stack_loses_its_gradient_and_only_sums_keep_words_apart():
    first = {name: deep.profile(name, 8) for name in deep.ARRANGEMENTS}
    others = [first[name].gradients[0] for name in deep.ARRANGEMENTS[:3]]
    assert first["neither"].gradients[0] < 1e-6 * min(others)
    assert min(first[name].alike[-1] for name in ("neither", "no residual")) > 0.99
    assert max(first[name].alike[-1] for name in ("post-norm", "pre-norm", "sum only")) < 0.5


def test_how_large_the_first_numbers_are_decides_whether_a_gradient_fades_but_not_whether_words_stay_apart():
    two, sixteen = (deep.profile("neither", layers, scale=2.0) for layers in (2, 16))
    assert sixteen.gradients[0] > 10 * two.gradients[0] and sixteen.alike[-1] > 0.99
    assert deep.profile("neither", 16).gradients[0] < 1e-6 * deep.profile("neither", 2).gradients[0]


def test_c212_the_gradient_of_the_last_block_falls_with_depth_only_before_the_norm():
    """Xiong et al. 2020, theorem 1, with Xavier's matrices as there: about 1/√L with the norm before, of one size with
    the norm after.
    """

    def last(arrangement, layers):
        torch.manual_seed(0)
        model = deep.Deep(arrangement, layers)
        for module in model.modules():
            if isinstance(module, torch.nn.Linear):
                torch.nn.init.xavier_uniform_(module.weight), torch.nn.init.zeros_(module.bias)
        model.loss(deep.Chain().texts(16, 16, torch.Generator().manual_seed(0))).backward()
        return sum(p.grad.square().sum() for p in model.blocks[-1].parameters()).sqrt()

    before, after = ([float(last(name, L)) for L in (2, 8, 32)] for name in ("pre-norm", "post-norm"))
    assert before[0] > before[1] > before[2] and 1.5 < before[0] / before[2] < 4
    assert after[2] > after[0]


def test_the_stored_runs_are_all_there():
    found = {run[:4]: run for run in deep.stored()}
    plan = {(name, w, seed, deep.LR) for name in deep.TRAINED for w in (0, deep.WARMUP) for seed in deep.SEEDS}
    plan |= {("post-norm", w, seed, deep.SLOWER) for w in (0, deep.WARMUP) for seed in deep.SEEDS}
    assert set(found) == plan == set(deep.planned())
    assert all(len(run.losses) == deep.STEPS and all(map(math.isfinite, run.losses)) for run in found.values())


@pytest.mark.parametrize(
    "arrangement, warmup, lr",
    [
        ("post-norm", deep.WARMUP, deep.LR),
        ("pre-norm", 0, deep.LR),
        ("no residual", 0, deep.LR),
        ("sum only", 0, deep.LR),
        ("post-norm", 0, deep.SLOWER),
    ],
)
def test_a_short_piece_comes_out_again(arrangement, warmup, lr):
    wanted = next(run for run in deep.stored() if run[:4] == (arrangement, warmup, 1, lr))
    again = deep.losses(arrangement, warmup, steps=4, seed=1, lr=lr)
    assert again == pytest.approx(wanted.losses[:4], rel=2e-3)


def test_what_is_stored_is_not_trained_again(tmp_path, monkeypatch, capsys):
    known = deep.stored()
    path = tmp_path / "deep.csv"
    path.write_text("\n".join(deep.CURVES.read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8")
    asked = []
    monkeypatch.setattr(deep, "losses", lambda *plan, **more: asked.append((*plan, more)) or known[-1].losses)
    deep.write(path)
    assert asked == [("post-norm", deep.WARMUP, {"seed": 2, "lr": deep.SLOWER})]
    assert path.read_bytes() == deep.CURVES.read_bytes() and "rate 0.003: " in capsys.readouterr().out


def test_an_arrangement_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="no arrangement 'sandwich'"):
        deep.Deep("sandwich", 2)
