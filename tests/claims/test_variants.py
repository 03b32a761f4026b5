"""Statements about what was changed in the Transformer since: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import torch
import transformers
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from labutils.layers import rotation, softmax, turned


def counted(**sizes):
    """The parameters of a Mixtral; a layer is counted once and taken as often as there are layers."""
    found = []
    for layers in (1, 2):
        config = transformers.MixtralConfig(**sizes, num_hidden_layers=layers)
        with torch.device("meta"):
            found.append(sum(p.numel() for p in transformers.MixtralForCausalLM(config).parameters()))
    return found[0] + 31 * (found[1] - found[0])


def test_c404_a_token_meets_a_quarter_of_mixtral():
    config = transformers.MixtralConfig()
    assert (config.num_hidden_layers, config.num_local_experts, config.num_experts_per_tok) == (32, 8, 2)
    expert = 3 * config.hidden_size * config.intermediate_size
    assert counted() == 46_702_792_704
    assert counted() - 32 * (8 - 2) * expert == 12_879_925_248


def test_c405_a_score_of_turned_rows_knows_the_distance_alone():
    q, k = torch.randn(2, 1, 1, 1, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    at = lambda x, place: turned(x, torch.tensor([[place]]))
    met = lambda i, j: (at(q, i) * at(k, j)).sum()
    torch.testing.assert_close(met(9, 2), met(29, 22))
    assert (met(9, 2) - met(9, 3)).abs() > 0.01
    torch.testing.assert_close(at(q, 9).norm(), q.norm())
    order = torch.arange(8).view(4, 2).T.flatten()  # columns 0 2 4 6 | 1 3 5 7: neighbours, as in the paper
    paper = q[0, 0].new_empty(1, 8)
    paper[:, order] = q[0, 0]
    torch.testing.assert_close((paper @ rotation(9, 8).T)[:, order], at(q, 9)[0, 0])
    angles = 9 * 10_000 ** (-torch.arange(0, 8, 2, dtype=torch.float64) / 8).repeat(2)[None, None]
    theirs, _ = apply_rotary_pos_emb(q, q, angles.cos(), angles.sin())
    torch.testing.assert_close(theirs, at(q, 9))


def test_c406_the_slopes_halve_and_a_row_does_not_notice_where_the_line_begins():
    theirs = build_alibi_tensor(torch.ones(1, 5), 8, torch.float64)[:, 0]  # (heads, places)
    slopes = 0.5 ** torch.arange(1, 9, dtype=torch.float64)
    torch.testing.assert_close(theirs, slopes[:, None] * torch.arange(5))
    assert slopes[-1] == 1 / 256
    scores = torch.randn(8, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    paper = -slopes[:, None] * (4 - torch.arange(5))  # the row of place 4
    torch.testing.assert_close(softmax(scores + theirs), softmax(scores + paper))
