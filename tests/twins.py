"""Twins: one of our models and HuggingFace's with the same weights, none of them zero.

HuggingFace draws biases as 0 and LayerNorms as 1, and with those a model that forgets a bias passes every comparison.
Here every number of every parameter is drawn, on a scale on which attention is neither flat nor a single peak.
"""

from functools import cache

import pytest
import torch
import transformers
from threads import threads

from labutils.models import FAMILIES, family_of, paper_config, paper_state_dict
from labutils.parity import ROUNDINGS, agree, compare, compare_gradients
from labutils.trace import trace

TOLERANCE = {torch.float32: 0.0, torch.float64: 1e-10}

_TOKENS = {"bos_token_id": 0, "eos_token_id": 0}
# Odd sizes, all different, so that no two axes can be confused; every activation; one head, one layer, a narrow inner width.
SHAPES = {
    "gpt2 odd": dict(vocab_size=31, n_positions=17, n_embd=15, n_layer=3, n_head=3, n_inner=22, **_TOKENS),
    "gpt2 relu": dict(
        vocab_size=13, n_positions=9, n_embd=10, n_layer=2, n_head=5, n_inner=7, activation_function="relu", **_TOKENS
    ),
    "gpt2 gelu": dict(
        vocab_size=7, n_positions=11, n_embd=9, n_layer=1, n_head=1, n_inner=None, activation_function="gelu", **_TOKENS
    ),
    "gpt2 untied": dict(
        vocab_size=19, n_positions=10, n_embd=8, n_layer=2, n_head=2, n_inner=11, tie_word_embeddings=False, **_TOKENS
    ),
    "bert odd": dict(
        vocab_size=31,
        max_position_embeddings=17,
        hidden_size=15,
        num_hidden_layers=3,
        num_attention_heads=3,
        intermediate_size=22,
        type_vocab_size=2,
    ),
    "bert tanh": dict(
        vocab_size=13,
        max_position_embeddings=9,
        hidden_size=10,
        num_hidden_layers=1,
        num_attention_heads=5,
        intermediate_size=7,
        type_vocab_size=3,
        hidden_act="gelu_new",
    ),
    "bert masked only": dict(
        vocab_size=11,
        max_position_embeddings=13,
        hidden_size=9,
        num_hidden_layers=2,
        num_attention_heads=1,
        intermediate_size=10,
        hidden_act="relu",
        architectures=["BertForMaskedLM"],
    ),
}
BIG = {  # every matrix as wide as the published models have it; the third block is as wide as the second
    "gpt2": dict(vocab_size=50257, n_positions=1024, n_embd=768, n_layer=2, n_head=12),
    "bert-base": dict(
        vocab_size=30522,
        max_position_embeddings=512,
        hidden_size=768,
        num_hidden_layers=2,
        num_attention_heads=12,
        intermediate_size=3072,
    ),
}


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """For files that import it. The models are tiny: a second thread costs more than it brings, and tests run in two
    processes.
    """
    yield from threads(1)


def randomise(model: torch.nn.Module, spread: float, seed: int = 0) -> None:
    """Draw every parameter: matrices on the scale spread / √inputs, tables and biases on the scale 0.3, gains around 1."""
    generator = torch.Generator().manual_seed(seed)
    tables = {id(module.weight) for module in model.modules() if isinstance(module, torch.nn.Embedding)}
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.ndim == 2:
                scale = 0.3 if id(p) in tables else spread * max(p.shape) ** -0.5
            else:
                scale = 0.3
            p.normal_(0.0, scale, generator=generator)
            if p.ndim == 1 and name.endswith("weight"):  # the gain of a LayerNorm
                p.add_(1.0)
            p.masked_fill_(p == 0.0, scale)  # of many millions, one or two are drawn as 0


def theirs_of(name: str, dtype: torch.dtype) -> torch.nn.Module:
    """HuggingFace's model with drawn weights, in eval mode, with eager attention. Its name begins with its family's."""
    family, settings = FAMILIES[name.replace("-", " ").split()[0]], (SHAPES | BIG)[name]
    config = transformers.AutoConfig.for_model(family.name, **settings, attn_implementation="eager")
    model = getattr(transformers, (config.architectures or family.hf_classes)[0])(config)
    randomise(model, spread=0.5 if name in BIG else 1.0)  # hundreds of inputs at 1.0 make rows of a BERT alike
    return model.to(dtype).eval()


def ours_of(theirs: torch.nn.Module) -> torch.nn.Module:
    """Our model with the weights of HuggingFace's."""
    family, weights = family_of(theirs), theirs.state_dict()
    heads, _ = family.heads(weights)
    with torch.device("meta"):  # no need to draw weights that are replaced at once
        model = family.model(family.config.from_hf(theirs.config.to_dict(), **heads))
    model = model.to(next(theirs.parameters()).dtype).to_empty(device="cpu")
    model.load_hf_state_dict(weights)
    return model


def twins(name: str, dtype: torch.dtype = torch.float32):
    """(ours, theirs) by name; "paper" is the paper model with an eps of 1e-12."""
    theirs = paper_of_theirs(dtype) if name == "paper" else theirs_of(name, dtype)
    return ours_of(theirs), theirs


def paper_of_theirs(dtype: torch.dtype = torch.float64):
    """The paper model in HuggingFace's GPT2LMHeadModel."""
    config = transformers.GPT2Config(**paper_config().to_hf(), **_TOKENS, attn_implementation="eager")
    model = transformers.GPT2LMHeadModel(config).to(dtype).eval()
    missing, unexpected = model.load_state_dict(paper_state_dict(dtype), strict=False)
    assert missing in ([], ["lm_head.weight"]) and unexpected == []
    model.tie_weights()
    return model


@cache
def small_twins(name: str, dtype: torch.dtype = torch.float32):
    """`twins`, made once: for tests that do not change them."""
    return twins(name, dtype)


def inputs(model, padding: str = "none", batch: int = 3, length: int | None = None, seed: int = 1):
    """(ids, attention_mask, type_ids) for `model`; padding is "none", "left", "right" or "both" sides of different
    texts.
    """
    generator = torch.Generator().manual_seed(seed)
    n = length or min(model.config.n_positions, 13)
    ids = torch.randint(0, model.config.vocab_size, (batch, n), generator=generator)
    mask = torch.ones_like(ids)
    for row in range(batch if padding != "none" else 0):
        hidden = (row * 2) % n
        if padding == "left" or padding == "both" and row % 2:
            mask[row, :hidden] = 0
        else:
            mask[row, n - hidden :] = 0
    segments = getattr(model.config, "n_segments", 1)
    return ids, mask, torch.randint(0, segments, ids.shape, generator=generator)


def run_ours(ours, ids, mask, types):
    return ours(ids, mask, **({"type_ids": types} if family_of(ours).segments else {}))


def run_theirs(theirs, ids, mask, types):
    types = {"token_type_ids": types} if family_of(theirs).segments else {}
    return theirs(ids, attention_mask=mask, output_hidden_states=True, **types)


def equal(a, b, tol, rows=None) -> bool:
    """Within the tolerance, or the roundings of the largest number; of a batch only the rows that are no padding."""
    a, b = (a, b) if rows is None else (a[rows], b[rows])
    rounding = ROUNDINGS * torch.finfo(b.dtype).eps * float(b.detach().abs().max().clamp(min=1))
    return agree(a, b, tol, rounding)[1]


def check_forward(ours, theirs, ids, mask, types, tol):
    """The outputs of plain forward calls, padding and all."""
    with torch.no_grad():
        a, b = run_ours(ours, ids, mask, types), run_theirs(theirs, ids, mask, types)
    real = mask.bool()
    assert equal(a.logits, b[0], tol, real)
    assert len(a.hidden_states) == len(b.hidden_states) == ours.config.n_layers + 1
    assert all(equal(x, y, tol, real) for x, y in zip(a.hidden_states, b.hidden_states))
    if getattr(a, "nsp_logits", None) is not None:
        assert equal(a.nsp_logits, b.seq_relationship_logits, tol)


def check_gradients(ours, theirs, ids, mask, types, tol):
    """Backward through every logit of the text, each with its own weight, so that no gradient cancels."""
    ours.zero_grad(), theirs.zero_grad()
    a, b = run_ours(ours, ids, mask, types), run_theirs(theirs, ids, mask, types)
    generator = torch.Generator().manual_seed(2)
    draw = lambda like: torch.randn(like.shape, generator=generator).to(like.dtype)
    pick, pick_nsp = (
        draw(a.logits) * mask[..., None] * a.logits.shape[-1] ** -0.5,
        torch.randn(len(ids), 2, generator=generator),
    )
    for logits, nsp in (
        (a.logits, getattr(a, "nsp_logits", None)),
        (b[0], getattr(b, "seq_relationship_logits", None)),
    ):
        loss = (logits * pick).sum() if nsp is None else (logits * pick).sum() + (nsp * pick_nsp).sum()
        loss.backward()
    table = compare_gradients(ours, theirs)
    assert table.equal, table.detail()
    assert {row.stage for row in table.rows} == {name for name, _ in theirs.named_parameters()}


def check_stages(ours, theirs, ids, mask, types, tol):
    """Every stage of the trace of every text of the batch."""
    given = {"attention_mask": mask, "type_ids": types if family_of(ours).segments else None}
    for a, b in zip(trace(ours, ids, **given), trace(theirs, ids, **given), strict=True):
        table = compare(a, b)
        assert table.equal, table.detail()
