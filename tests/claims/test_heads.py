"""Statements about what heads specialise in: each is computed here, on weights that are made by hand or drawn.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

from itertools import pairwise

import pytest
import torch

from labutils.checkpoints import load_tokenizer
from labutils.layers import attention, causal_mask, softmax


def drawn(*shape, sharp=1.0, seed=0):
    """Weights of random heads: the softmax of normal scores with the deviation `sharp`."""
    g = torch.Generator().manual_seed(seed)
    return softmax(sharp * torch.randn(*shape, generator=g, dtype=torch.float64))


def blind(n, causal=False):
    """A head that looks everywhere alike."""
    scores = torch.zeros(n, n, dtype=torch.float64)
    return softmax(scores.masked_fill(~causal_mask(n), -torch.inf) if causal else scores)


def share(weights, tokens):
    """Of all weight, what falls on these tokens."""
    return weights[..., tokens].sum((-2, -1)) / weights.shape[-1]


def looks(*at):
    """A head whose row i gives all to the token at[i]."""
    return torch.nn.functional.one_hot(torch.tensor(at), len(at)).double()


def silhouette(points, groups):
    """The mean over points on a line; one that is alone in its group has 0."""
    found = []
    for i, (x, group) in enumerate(zip(points, groups, strict=True)):
        apart = {
            name: [abs(x - y) for j, y in enumerate(points) if groups[j] == name and j != i] for name in set(groups)
        }
        own = apart.pop(group)
        near, other = sum(own) / max(len(own), 1), min(sum(each) / len(each) for each in apart.values())
        found.append((other - near) / max(other, near) if own else 0.0)
    return sum(found) / len(found)


def grouped(points, k):
    """k-means on a line: the centres, and the group of each point."""
    centres = [points[i * (len(points) - 1) // (k - 1)] for i in range(k)]
    for _ in range(20):
        groups = [min(range(k), key=lambda c: abs(x - centres[c])) for x in points]
        inside = [[x for x, group in zip(points, groups, strict=True) if group == c] for c in range(k)]
        centres = [sum(own) / len(own) if own else centre for own, centre in zip(inside, centres, strict=True)]
    return centres, groups


def test_c347_blindness_looks_at_function_words_too():
    words = "the cat sat on the".split()
    function = [i for i, word in enumerate(words) if word in ("the", "on")]
    assert share(blind(5), function).item() == pytest.approx(3 / 5)
    assert share(blind(5, causal=True), function).item() == pytest.approx(44 / 75)


def test_c349_a_head_that_follows_both_edges_looks_at_no_function_word():
    """The cat sat: the → cat and cat → sat are the edges; sat, the root, looks at itself."""
    edges = [(0, 1), (1, 2)]
    follows = lambda weights: sum(weights[word].argmax() == head for word, head in edges) / len(edges)
    one, other = looks(1, 2, 2), looks(0, 0, 0)
    assert (follows(one), share(one, [0])) == (1, 0) and (follows(other), share(other, [0])) == (0, 1)


def test_c350_the_share_on_content_words_is_one_where_there_are_no_others():
    like = torch.randn(6, 6, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    for seed in (2, 3, 4):
        weights = drawn(6, 6, seed=seed)
        assert share(weights, list(range(6))).item() == pytest.approx(1)
        assert torch.corrcoef(torch.stack([weights.flatten(), like.flatten()]))[0, 1].abs() < 0.5
    assert torch.corrcoef(torch.stack([softmax(like).flatten(), like.flatten()]))[0, 1] > 0.7


def test_c351_two_shares_of_one_whole_fall_when_the_other_rises():
    """Ten function words, ten content words and four others, under weights that break each row at random."""
    pieces = torch.empty(4000, 24, 24).exponential_(generator=torch.Generator().manual_seed(0))
    weights = pieces / pieces.sum(-1, keepdim=True)
    shares = torch.stack([share(weights, list(range(10))), share(weights, list(range(10, 20)))])
    assert torch.corrcoef(shares)[0, 1].item() == pytest.approx(-5 / 7, abs=0.02)


def test_c352_the_column_of_cls_does_not_reach_its_row():
    q, k, v = torch.randn(3, 5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    column, row = torch.zeros(2, 5, 5, dtype=torch.float64)
    column[1:, 0], row[0, 1:] = -9, -9
    plain, _ = attention(q, k, v)
    without_column, without_row = (attention(q, k, v, bias=bias)[0] for bias in (column, row))
    torch.testing.assert_close(without_column[0], plain[0])
    assert (without_column[1:] - plain[1:]).abs().amax(-1).min() > 0.01
    assert (without_row[0] - plain[0]).abs().max() > 0.1


def test_c354_gpt2_puts_nothing_in_front():
    first = {name: load_tokenizer(name).encode("The cat sat.").tokens[0] for name in ("bert-base-uncased", "gpt2")}
    assert first == {"bert-base-uncased": "[CLS]", "gpt2": "The"}


def test_c356_a_name_of_three_pieces_gets_three_times_as_much():
    text = "Paris and Szczecin"
    encoded = load_tokenizer("bert-base-uncased").encode(text)
    pieces = {}
    for name in ("Paris", "Szczecin"):
        begin, end = text.index(name), text.index(name) + len(name)
        pieces[name] = [i for i, (a, b) in enumerate(encoded.offsets) if begin <= a < b <= end]
    assert [encoded.tokens[i] for i in pieces["Szczecin"]] == ["s", "##zcz", "##ecin"]
    one, three = (share(blind(len(encoded.tokens)), each) for each in pieces.values())
    assert (three / one).item() == pytest.approx(3)


def test_c358_all_weight_is_far_and_its_mean_is_small():
    means = []
    for n in (10, 40):
        weights = looks(*((i + n // 2) % n for i in range(n)))
        far = (torch.arange(n) - torch.arange(n)[:, None]).abs() >= 5
        assert (weights * far).sum() == n
        means.append(weights[far].mean().item())
    assert [f"{mean:.2f}" for mean in means] == ["0.33", "0.03"]


def test_c359_a_mask_alone_makes_a_blind_head_look_at_itself():
    found = [f"{torch.diagonal(blind(5, causal)).mean():.2f}" for causal in (False, True)]
    assert found == ["0.20", "0.46"]


def test_c360_the_ends_are_taken_the_rest_is_pressed_and_equals_have_no_place():
    scaled = lambda x: (x - x.min()) / (x.max() - x.min())
    alike, apart = torch.tensor([[0.500, 0.501, 0.502], [0.1, 0.5, 0.9]], dtype=torch.float64)
    torch.testing.assert_close(scaled(alike), scaled(apart))
    assert scaled(torch.tensor([0.1, 0.2, 0.3, 9.0]))[:3].max() < 0.03
    assert scaled(torch.full((3,), 0.5)).isnan().all()


def test_c362_no_row_has_more_neighbours_than_there_are():
    for others in (11, 15):
        weights = drawn(500, others, sharp=0.5)
        assert (torch.special.entr(weights).sum(-1).exp() < others).all()
        assert torch.special.entr(torch.full((others,), 1 / others)).sum().exp().item() == pytest.approx(others)
        assert others < 30


def test_c364_four_heads_in_two_pairs():
    assert silhouette([0, 1, 4, 5], [0, 0, 1, 1]) == pytest.approx(47 / 63) and f"{47 / 63:.2f}" == "0.75"
    for k in range(2, 5):
        assert -1 <= silhouette([0, 1, 4, 5], grouped([0, 1, 4, 5], k)[1]) <= 1
    assert -1 <= silhouette([0, 5, 0.1, 5.1], [0, 0, 1, 1]) < 0


def test_c365_the_name_that_the_loop_leaves_behind_is_that_of_its_last_turn():
    heads, scores = [0, 0.1, 0.3, 0.4, 5, 5.1, 5.3, 5.4, 9, 9.1, 9.3, 9.4], []
    for k in range(2, 9):
        centres, groups = grouped(heads, k)
        scores.append(silhouette(heads, groups))
    assert scores.index(max(scores)) + 2 == 3 and len(centres) == 8
    assert len(grouped(heads, 3)[0]) == 3 and all(a < b for a, b in pairwise(grouped(heads, 3)[0]))


def test_c383_blindness_has_a_profile_over_the_distances():
    weights = drawn(6, 6)
    by_loop = sum(weights[i, i - 2] for i in range(2, 6)) / 4
    torch.testing.assert_close(weights.diagonal(-2).mean(), by_loop)
    assert [f"{blind(n, causal=True).diagonal(-1).mean():.2f}" for n in (5, 24)] == ["0.32", "0.12"]
