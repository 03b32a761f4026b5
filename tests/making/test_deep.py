"""The experiment with deep stacks: the best loss of its text, its arrangements, and a short piece of the stored runs."""

import math

import pytest
import torch

from labutils.making import deep


def test_the_losses_of_a_chain_are_those_of_its_texts():
    chain = deep.Chain(size=5)
    torch.testing.assert_close(chain.table.sum(-1), torch.ones(5, dtype=torch.float64))
    torch.testing.assert_close(chain.often @ chain.table, chain.often)
    ids = chain.texts(2000, 20, torch.Generator().manual_seed(0))
    before, after = ids[:, : -deep.BACK].flatten(), ids[:, deep.BACK :].flatten()
    assert -chain.table[before, after].log().mean() == pytest.approx(chain.best, abs=0.01)
    assert -chain.often[after].log().mean() == pytest.approx(chain.unigram, abs=0.01)
    assert chain.best < chain.unigram < math.log(5)


def test_the_last_token_says_nothing_of_the_next_and_the_one_before_it_does():
    """So a model without blocks, which reads the last token alone, can learn no more than frequencies."""
    ids = deep.Chain(size=5).texts(4000, 20, torch.Generator().manual_seed(0))

    def tells(back):  # mutual information of two tokens, in nats
        pairs = torch.zeros(5, 5)
        for i in range(deep.BACK, 20):
            pairs.index_put_((ids[:, i - back], ids[:, i]), torch.ones(4000), accumulate=True)
        p = pairs / pairs.sum()
        return float((p * (p / (p.sum(1, keepdim=True) * p.sum(0))).log()).nansum())

    assert tells(1) < 0.002 and tells(2) > 0.3


def test_twelve_plain_blocks_learn_frequencies_and_no_more():
    ends = [run.end for run in deep.stored() if run.arrangement == "plain"]
    assert len(ends) == 2 * len(deep.SEEDS) and all(abs(end - deep.Chain().unigram) < 0.02 for end in ends)


def test_without_blocks_a_stack_learns_frequencies_and_no_more():
    ends = [run.end for run in deep.stored() if run.arrangement == "no blocks"]
    assert len(ends) == 2 * len(deep.SEEDS) and all(abs(end - deep.Chain().unigram) < 0.02 for end in ends)
    assert not list(deep.Deep("no blocks", 12).blocks)


@pytest.mark.parametrize("arrangement", [name for name in deep.ARRANGEMENTS if name != "no blocks"])
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
    assert first["plain"].gradients[0] < 1e-6 * min(others)
    assert min(first[name].alike[-1] for name in ("plain", "norms only")) > 0.99
    assert max(first[name].alike[-1] for name in ("post-norm", "pre-norm", "sum only")) < 0.5


def test_how_large_the_first_numbers_are_decides_whether_a_gradient_fades_but_not_whether_words_stay_apart():
    two, sixteen = (deep.profile("plain", layers, scale=2.0) for layers in (2, 16))
    assert sixteen.gradients[0] > 10 * two.gradients[0] and sixteen.alike[-1] > 0.99
    assert deep.profile("plain", 16).gradients[0] < 1e-6 * deep.profile("plain", 2).gradients[0]


@pytest.mark.parametrize("seed", deep.SEEDS[1:])  # the chapter draws the first
def test_of_64_blocks_only_pre_norm_has_both_a_gradient_of_ordinary_size_and_rows_apart(seed):
    at = {name: deep.profile(name, 64, seed=seed) for name in deep.ARRANGEMENTS if name != "no blocks"}
    first = {name: one.gradients[0] for name, one in at.items()}
    assert first["plain"] == 0 and first["norms only"] < 0.01 and first["sum only"] > 1e6
    assert all(0.05 < first[name] < 1 for name in ("post-norm", "pre-norm"))
    assert {name for name, one in at.items() if one.alike[-1] < 0.9} == {"pre-norm"}


def test_the_stored_runs_are_all_there():
    found = {run[:5]: run for run in deep.stored()}
    blocks = {name: 0 if name == "no blocks" else deep.LAYERS for name in deep.TRAINED}
    plan = {(name, w, s, deep.LR, blocks[name]) for name in deep.TRAINED for w in (0, deep.WARMUP) for s in deep.SEEDS}
    plan |= {(name, 0, s, deep.LR, layers) for name in deep.BY_DEPTH for layers in deep.DEPTHS for s in deep.SEEDS}
    plan |= {("post-norm", 0, s, deep.SLOWER, deep.LAYERS) for s in deep.SEEDS}
    assert set(found) == plan == set(deep.planned())
    assert all(len(run.losses) * deep.EVERY == deep.STEPS for run in found.values())
    assert all(math.isfinite(loss) for run in found.values() for loss in run.losses)


@pytest.mark.parametrize(
    "arrangement, warmup, lr, layers",
    [
        ("post-norm", deep.WARMUP, deep.LR, 12),
        ("pre-norm", 0, deep.LR, 12),
        ("norms only", 0, deep.LR, 12),
        ("norms only", 0, deep.LR, 1),
        ("pre-norm", 0, deep.LR, 4),
        ("sum only", 0, deep.LR, 12),
        ("plain", 0, deep.LR, 12),
        ("no blocks", 0, deep.LR, 0),
        ("post-norm", 0, deep.SLOWER, 12),
    ],
)
def test_a_short_piece_comes_out_again(arrangement, warmup, lr, layers):
    wanted = next(run for run in deep.stored() if run[:5] == (arrangement, warmup, 1, lr, layers))
    _, again = deep.train(arrangement, warmup, steps=deep.EVERY, seed=1, lr=lr, layers=layers)
    assert again == pytest.approx(wanted.losses[:1], rel=2e-3)


@pytest.mark.parametrize("arrangement, layers", [("norms only", 1), ("pre-norm", 4), ("norms only", 4)])
def test_training_leaves_the_rows_of_four_blocks_without_sums_alike_and_no_others(arrangement, layers):
    """And where all rows of a text are one row, every place makes the same guess."""
    model, losses = deep.train(arrangement, 0, layers=layers)
    wanted = next(run for run in deep.stored() if run[:5] == (arrangement, 0, 0, deep.LR, layers))
    assert losses == pytest.approx(wanted.losses, rel=0.05)
    failed = (arrangement, layers) == ("norms only", 4)
    assert (deep.alike(model)[-1] > 0.999) == failed == (losses[-1] > 4) and (failed or deep.alike(model)[-1] < 0.2)


def test_what_is_stored_is_not_trained_again(tmp_path, monkeypatch, capsys):
    known = deep.stored()
    path = tmp_path / "deep.csv"
    path.write_text("\n".join(deep.CURVES.read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8")
    asked = []
    monkeypatch.setattr(deep, "train", lambda *plan, **more: (None, asked.append((*plan, more)) or known[-1].losses))
    deep.write(path)
    assert asked == [("post-norm", 0, {"seed": 2, "lr": deep.SLOWER, "layers": 12})]
    assert path.read_bytes() == deep.CURVES.read_bytes() and "rate 0.001: " in capsys.readouterr().out


def test_an_arrangement_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="no arrangement 'sandwich'"):
        deep.Deep("sandwich", 2)
