"""What each rule leaves, and their order, against HuggingFace's processors."""

import pytest
import torch
from generation.pairs import little_pair, random_pair
from transformers.generation import logits_process as hf

from labutils.generation import (
    Settings,
    frequency_penalty,
    min_p,
    processed,
    repetition_penalty,
    stages,
    temperature,
    top_k,
    top_p,
    typical,
)

NO_IDS = torch.zeros(1, 0, dtype=torch.long)


def rows(V=23, many=200):
    torch.manual_seed(V)
    return torch.randn(many, V, dtype=torch.float64) * torch.linspace(0.1, 6, many, dtype=torch.float64)[:, None]


@pytest.mark.parametrize("V", (2, 5, 23, 400))
@pytest.mark.parametrize(
    "ours, theirs, values",
    [
        (temperature, hf.TemperatureLogitsWarper, (0.3, 1.0, 1.7)),
        (top_k, hf.TopKLogitsWarper, (1, 2, 7)),
        (top_p, hf.TopPLogitsWarper, (0.01, 0.1, 0.5, 0.9, 0.999)),
        (typical, hf.TypicalLogitsWarper, (0.01, 0.2, 0.5, 0.9, 0.999)),
        (min_p, hf.MinPLogitsWarper, (0.0, 0.05, 0.4, 1.0)),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_each_rule_leaves_what_huggingface_leaves(ours, theirs, values, V):
    for value in values:
        if ours is top_k and value > V:
            continue  # refused here, V there
        torch.testing.assert_close(ours(rows(V), value), theirs(value)(NO_IDS, rows(V)))


def test_of_even_odds_all_are_typical_as_in_huggingface():
    even = torch.zeros(1, 4, dtype=torch.float64)
    torch.testing.assert_close(typical(even, 0.3), hf.TypicalLogitsWarper(0.3)(NO_IDS, even))
    assert typical(even, 0.3).isfinite().all()


def test_after_a_cut_typical_looks_at_what_stayed():
    cut = top_k(rows(), 5)
    torch.testing.assert_close(typical(cut, 0.6), hf.TypicalLogitsWarper(0.6)(NO_IDS, cut))


def test_the_nucleus_is_the_smallest_set_that_reaches_p():
    odds = torch.tensor([0.06, 0.5, 0.04, 0.3, 0.1])
    kept = lambda p: top_p(odds.log(), p).isfinite().nonzero().flatten().tolist()
    assert kept(0.4) == [1] and kept(0.9) == [1, 3, 4] and kept(1e-9) == [1] and kept(1) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("penalty", (0.7, 1.0, 1.3))
def test_the_penalty_is_huggingfaces(penalty):
    ids = torch.randint(23, (200, 6), generator=torch.Generator().manual_seed(0))
    theirs = hf.RepetitionPenaltyLogitsProcessor(penalty)(ids, rows())
    torch.testing.assert_close(repetition_penalty(rows(), ids, penalty), theirs)


def test_padding_is_not_penalised():
    logits, ids = torch.ones(1, 3), torch.tensor([[0, 2]])
    assert repetition_penalty(logits, ids, 2, torch.tensor([[False, True]])).tolist() == [[1, 1, 0.5]]


def test_the_frequency_penalty_counts():
    """HuggingFace has none: its definition, token by token."""
    logits, ids = rows(many=3), torch.tensor([[1, 4, 1, 1], [0, 0, 22, 7], [5, 6, 7, 8]])
    mine = frequency_penalty(logits, ids, 0.7, torch.tensor([[True] * 4, [False] + [True] * 3, [True] * 4]))
    for row, text in enumerate(([1, 4, 1, 1], [0, 22, 7], [5, 6, 7, 8])):
        expected = [float(x) - 0.7 * text.count(i) for i, x in enumerate(logits[row])]
        assert mine[row].tolist() == pytest.approx(expected)


def test_forbidden_tokens_are_huggingfaces():
    settings = Settings(forbidden=(3, 0, 22))
    theirs = hf.SuppressTokensLogitsProcessor([3, 0, 22])(NO_IDS, rows())
    torch.testing.assert_close(processed(rows(), settings), theirs)


def test_a_penalty_leaves_a_cut_token_cut():
    logits, ids = torch.tensor([[-torch.inf, 1.0, -1.0]]), torch.tensor([[0, 1, 2]])
    assert repetition_penalty(logits, ids, 2).tolist() == [[-torch.inf, 0.5, -2]]


@pytest.mark.parametrize(
    "settings",
    [
        Settings(temperature=1.2, top_k=9, top_p=0.95, min_p=0.01, typical=0.7, penalty=1.4, forbidden=(2, 5)),
        Settings(temperature=0.7, top_k=9, top_p=0.8, min_p=0.02, penalty=1.4),
        Settings(temperature=2.0, top_p=0.9),
        Settings(temperature=1.5, min_p=0.1),
    ],
)
def test_all_together_in_the_order_of_generate(settings):
    """Each step of `generate` hands out its logits before and after the processors."""
    ours, theirs = random_pair()
    torch.manual_seed(1)
    out = theirs.generate(
        torch.tensor([[1, 2, 3]]),
        attention_mask=torch.ones(1, 3),
        do_sample=True,
        max_new_tokens=8,
        eos_token_id=None,
        output_scores=True,
        output_logits=True,
        return_dict_in_generate=True,
        repetition_penalty=settings.penalty,
        temperature=settings.temperature,
        top_k=settings.top_k,
        top_p=settings.top_p,
        min_p=settings.min_p,
        typical_p=settings.typical,
        suppress_tokens=list(settings.forbidden) or None,
    )
    for i, (before, after) in enumerate(zip(out.logits, out.scores, strict=True)):
        torch.testing.assert_close(processed(before.double(), settings, out.sequences[:, : 3 + i]), after.double())


def test_the_order_makes_a_difference():
    """The nucleus of .7 keeps one word at tau .5, two at 1, three at 2; taken first it would keep two each time."""
    odds = torch.tensor([[2.0, 1, 1, 8, 4]]) / 16
    many = lambda tau: int(processed(odds.log(), Settings(temperature=tau, top_p=0.7)).isfinite().sum())
    assert [many(tau) for tau in (0.5, 1, 2)] == [1, 2, 3]
    names = [name for name, _ in stages(odds, Settings())]
    assert names == ["penalty", "frequency", "forbidden", "temperature", "top_k", "top_p", "min_p", "typical"]


def test_the_little_gpt2_too():
    checkpoint, theirs, _ = little_pair()
    ids = torch.tensor([checkpoint.tokenizer.encode("The cat sat on the mat. It was").ids])
    with torch.no_grad():
        mine, other = checkpoint.model(ids).logits[0], theirs(ids).logits[0]
    for tau, p in ((0.5, 0.8), (1.3, 0.95)):
        want = hf.TopPLogitsWarper(p)(NO_IDS, hf.TemperatureLogitsWarper(tau)(NO_IDS, other))
        got = processed(mine, Settings(temperature=tau, top_p=p))
        torch.testing.assert_close(got, want, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "rule, value, words",
    [
        (temperature, -1, "0 or more"),
        (temperature, float("nan"), "0 or more"),
        (temperature, float("inf"), "0 or more"),
        (top_k, -1, "0 for all"),
        (top_k, 1.5, "0 for all"),
        (top_k, 4, "of the 3 tokens stay"),
        (top_p, 1.2, "above 0 and at most 1"),
        (top_p, 0, "above 0 and at most 1"),
        (top_p, float("nan"), "above 0 and at most 1"),
        (typical, 0, "above 0 and at most 1"),
        (min_p, -0.1, "between 0 and 1"),
    ],
)
def test_what_is_out_of_range_is_refused(rule, value, words):
    with pytest.raises(ValueError, match=words):
        rule(torch.zeros(3), value)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(penalty=0), "above 0"),
        (Settings(penalty=float("inf")), "above 0"),
        (Settings(frequency=float("nan")), "A frequency penalty is a number"),
        (Settings(frequency=float("inf")), "A frequency penalty is a number"),
    ],
)
def test_a_penalty_that_is_no_penalty_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        processed(torch.zeros(1, 3), settings, torch.zeros(1, 1, dtype=torch.long))


@pytest.mark.parametrize(
    ("forbidden", "words"),
    [
        ((0, 1, 2), "All 3 tokens are forbidden"),
        ((3,), "from 0 to 2"),
        ((-1,), "from 0 to 2"),
        (3, "as a tuple"),
        (0, "as a tuple"),
        ((0.5,), "as a tuple"),
    ],
)
def test_what_cannot_be_forbidden_is_refused(forbidden, words):
    with pytest.raises(ValueError, match=words):
        processed(torch.zeros(1, 3), Settings(forbidden=forbidden))


def test_temperature_0_keeps_the_first_of_the_best():
    assert temperature(torch.tensor([[1.0, 3, 3]]), 0).softmax(-1).tolist() == [[0, 1, 0]]
