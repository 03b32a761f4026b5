"""The recurrent cells against torch at every step, forward and backward; reader and writer."""

import pytest
import torch
from torch import nn

from labutils.layers import GRUCell, LSTMCell, Recorder, RNNCell, run
from labutils.layers.seq2seq import SCORES, Seq2Seq

PAIRS = [(RNNCell, nn.RNN), (LSTMCell, nn.LSTM), (GRUCell, nn.GRU)]
SIZES = [(1, 1, 1, 1), (3, 7, 5, 9), (2, 13, 4, 3)]  # texts, tokens, width of an input and of a state
CLOSE = {torch.float32: (1e-5, 1e-5), torch.float64: (1e-12, 1e-12)}


def pair(ours, theirs, d_in, d, dtype):
    """Our cell with the weights of torch's network, and that network."""
    library, cell = theirs(d_in, d, batch_first=True).to(dtype), ours(d_in, d).to(dtype)
    for mine, name in ((cell.from_input, "ih_l0"), (cell.from_state, "hh_l0")):
        mine.load_state_dict({part: getattr(library, f"{part}_{name}").detach().clone() for part in ("weight", "bias")})
    return cell, library


def as_torch(state):
    """A state as torch takes and returns it: a layer in front; a pair for the LSTM."""
    return tuple(row[None] for row in state) if len(state) > 1 else state[0][None]


@pytest.mark.parametrize("dtype", CLOSE, ids=str)
@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("ours, theirs", PAIRS, ids=["rnn", "lstm", "gru"])
def test_a_cell_equals_torch_at_every_step_and_in_every_gradient(ours, theirs, sizes, dtype):
    (B, n, d_in, d), (rtol, atol) = sizes, CLOSE[dtype]
    cell, library = pair(ours, theirs, d_in, d, dtype)
    x, y = (torch.randn(B, n, d_in, dtype=dtype, generator=seeded(0)).requires_grad_() for _ in range(2))
    begins = tuple(torch.randn(B, d, dtype=dtype, generator=seeded(i)) for i in range(cell.carries))
    for start in (None, begins):
        found, last = run(cell, x, start)
        right, right_last = library(y, None if start is None else as_torch(start))
        torch.testing.assert_close(found, right, rtol=rtol, atol=atol)
        torch.testing.assert_close(as_torch(last), right_last, rtol=rtol, atol=atol)
        pick = torch.randn(B, n, d, dtype=dtype, generator=seeded(1))
        (found * pick).sum().backward(), (right * pick).sum().backward()
    torch.testing.assert_close(x.grad, y.grad, rtol=10 * rtol, atol=10 * atol)
    for mine, name in ((cell.from_input, "ih_l0"), (cell.from_state, "hh_l0")):
        for part in ("weight", "bias"):
            theirs_grad = getattr(library, f"{part}_{name}").grad
            torch.testing.assert_close(getattr(mine, part).grad, theirs_grad, rtol=10 * rtol, atol=10 * atol)


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def test_a_plain_cell_by_hand():
    """In bits, the = 1, cat = 1/2, sat = 0 and the state times 5/6: 3/5, 3/5, 1/3."""
    cell = RNNCell(1, 1).double()
    bit = torch.log(torch.tensor(2.0, dtype=torch.float64))
    with torch.no_grad():
        cell.from_input.weight.fill_(bit), cell.from_state.weight.fill_(5 / 6 * bit)
        cell.from_input.bias.zero_(), cell.from_state.bias.zero_()
    states, _ = run(cell, torch.tensor([[[1.0], [0.5], [0.0]]], dtype=torch.float64))
    torch.testing.assert_close(states.flatten().tolist(), [3 / 5, 3 / 5, 1 / 3])


def test_gates_that_are_shut_keep_the_cell_to_the_bit():
    cell = LSTMCell(2, 3)
    with torch.no_grad():
        cell.from_input.bias[:3], cell.from_input.bias[3:6] = -200.0, 200.0  # write nothing, keep everything
    kept = torch.randn(2, 3, generator=seeded(0))
    _, (_, c) = run(cell, torch.randn(2, 40, 2, generator=seeded(1)), (torch.zeros(2, 3), kept))
    assert torch.equal(c, kept)


def test_every_value_with_a_name_is_shown_and_may_be_changed():
    x = torch.randn(1, 2, 3, generator=seeded(0))
    names = {
        RNNCell: ["total", "state"],
        LSTMCell: ["input_gate", "forget_gate", "output_gate", "candidate", "cell", "state"],
        GRUCell: ["reset_gate", "update_gate", "candidate", "state"],
    }
    for kind, expected in names.items():
        cell, see = kind(3, 4), Recorder()
        states, _ = run(cell, x, see=see)
        assert list(see.stages) == [f"step {t} {name}" for t in range(2) for name in expected]
        assert torch.equal(see.stages["step 1 state"], states[:, 1])
        wiped, _ = run(cell, x, see=Recorder(change={"step 0 state": torch.zeros_like}))
        assert not wiped[:, 0].any() and not torch.equal(wiped[:, 1], states[:, 1])


def test_a_text_without_a_token_is_refused():
    with pytest.raises(ValueError, match="without a token"):
        run(GRUCell(3, 4), torch.zeros(2, 0, 3))


@pytest.mark.parametrize("score", [None, *SCORES])
def test_the_writer_sees_no_later_symbol_and_writes_as_it_was_trained(score):
    torch.manual_seed(0)
    model = Seq2Seq(7, 5, score).double()
    source = torch.randint(1, 7, (3, 6), generator=seeded(0))
    free = model(source, 4)
    target = free.argmax(-1)
    forced = model(source, 4, target)
    assert free.shape == (3, 4, 7) and torch.equal(free, forced)
    later = target.clone()
    later[:, 2] = (later[:, 2] + 1) % 7
    changed = (model(source, 4, later) != forced).any(-1).any(0)
    assert changed.tolist() == [False, False, False, True]  # a symbol is heard from the next step on


@pytest.mark.parametrize("score", [None, *SCORES])
def test_a_source_of_one_symbol_is_read(score):
    """All weight is on it."""
    model, see = Seq2Seq(7, 5, score), Recorder()
    assert model(torch.tensor([[3], [4]]), 2, see=see).shape == (2, 2, 7)
    assert all((value == 1).all() for name, value in see.stages.items() if name.endswith("weights"))


def test_scores_of_each_pair_by_hand():
    s, h = torch.randn(2, 3, 4, generator=seeded(0)), torch.randn(2, 5, 4, generator=seeded(1))
    dot, additive = (SCORES[name](4) for name in ("dot", "additive"))
    a, b, v = additive.from_writer, additive.from_reader, additive.v
    for i in range(3):
        for j in range(5):
            torch.testing.assert_close(dot(s, h)[:, i, j], (s[:, i] * h[:, j]).sum(-1))
            hidden = torch.tanh(s[:, i] @ a.weight.T + a.bias + h[:, j] @ b.weight.T)
            torch.testing.assert_close(additive(s, h)[:, i, j], (hidden @ v.weight.T)[:, 0])


@pytest.mark.parametrize("score", SCORES)
def test_what_the_writer_takes_is_a_mixture_of_what_was_read(score):
    model, see = Seq2Seq(7, 5, score), Recorder()
    source = torch.randint(1, 7, (3, 6), generator=seeded(0))
    model(source, 4, see=see)
    read, state = run(model.reader, model.symbols(source))
    context, symbol = torch.zeros(3, 5), torch.zeros(3, dtype=torch.long)
    for t in range(4):
        state = model.writer(torch.cat([model.symbols(symbol), context], -1), state)
        weights = model.score(state[0][:, None], read)[:, 0].softmax(-1)
        context = torch.einsum("bm,bmd->bd", weights, read)
        symbol = model.out(torch.cat([state[0], context], -1)).argmax(-1)
        torch.testing.assert_close(see.stages[f"step {t} weights"][:, 0], weights)
        torch.testing.assert_close(see.stages[f"step {t} context"], context)


def test_without_a_score_nothing_but_the_last_state_is_handed_over():
    """Two sources with one last state are told apart with attention, and not without."""
    for score, differs in ((None, False), ("dot", True)):
        model = Seq2Seq(7, 5, score)
        with torch.no_grad():
            strips = model.reader.from_input.bias.view(3, 5), model.reader.from_state.weight.view(3, 5, 5)
            strips[0][1] = -200.0  # z = 0: each state is made of its own symbol alone
            strips[1][:] = 0.0
        one, other = torch.tensor([[1, 2, 3]]), torch.tensor([[4, 5, 3]])
        assert torch.equal(model(one, 3), model(other, 3)) != differs
