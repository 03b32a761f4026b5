"""Weights in and out: every tensor accounted for, every misfit named, the model untouched when loading fails."""

import pytest
import torch
import transformers
from twins import SHAPES, small_twins, twins

from labutils.models import GPT2, Bert, BertConfig, GPT2Config

EVERY = pytest.mark.parametrize("name", SHAPES)
TIED = {"lm_head.weight", "cls.predictions.decoder.weight", "cls.predictions.decoder.bias"}


@EVERY
def test_there_and_back(name):
    """Out again come the same tensors; only the second names of tied ones are gone."""
    ours, theirs = small_twins(name)
    given, back = theirs.state_dict(), ours.to_hf_state_dict()
    assert given.keys() - back.keys() <= TIED and back.keys() <= given.keys()
    assert all(torch.equal(back[key], given[key]) and back[key].is_contiguous() for key in back)
    assert not {t.data_ptr() for t in back.values()} & {p.data_ptr() for p in ours.parameters()}


@EVERY
def test_huggingface_reads_what_we_write(name, tmp_path):
    import json

    from safetensors.torch import save_file

    ours, theirs = small_twins(name)
    special = {"bos_token_id": 0, "eos_token_id": 0} if name.startswith("gpt2") else {}
    (tmp_path / "config.json").write_text(json.dumps(ours.config.to_hf() | special))
    save_file(ours.to_hf_state_dict(), tmp_path / "model.safetensors", metadata={"format": "pt"})
    read = type(theirs).from_pretrained(tmp_path)
    assert all(torch.equal(a, b) for a, b in zip(read.state_dict().values(), theirs.state_dict().values(), strict=True))
    assert (
        type(ours.config).from_hf(read.config.to_dict(), **({} if special else {"nsp": ours.config.nsp})) == ours.config
    )


@EVERY
def test_each_missing_tensor_is_named_and_nothing_is_changed(name):
    ours, theirs = twins(name)
    before = {key: tensor.clone() for key, tensor in ours.state_dict().items()}
    other = {key: tensor + 1 for key, tensor in theirs.state_dict().items()}
    for key in ours.to_hf_state_dict():
        broken = {k: t for k, t in other.items() if k != key and (k not in TIED or name == "gpt2 untied")}
        with pytest.raises(ValueError, match=f"missing: {key}"):
            ours.load_hf_state_dict(broken)
    assert all(torch.equal(before[key], tensor) for key, tensor in ours.state_dict().items())


@EVERY
def test_of_two_tied_names_either_serves(name):
    ours, theirs = twins(name)
    given = {key: tensor + 1 for key, tensor in theirs.state_dict().items()}
    for second in TIED & given.keys() if name != "gpt2 untied" else ():
        first = next(key for key in given if key not in TIED and torch.equal(given[key], given[second]))
        ours.load_hf_state_dict({key: tensor for key, tensor in given.items() if key != first})
        assert torch.equal(ours.to_hf_state_dict()[first], given[first])
        ours.load_hf_state_dict(theirs.state_dict())


@EVERY
def test_each_tensor_matters(name):
    """Change one number of any tensor, and the loaded model holds it."""
    ours, theirs = twins(name)
    for key in ours.to_hf_state_dict():
        changed = {k: t.clone() for k, t in theirs.state_dict().items() if k in ours.to_hf_state_dict()}
        changed[key].view(-1)[-1] += 1
        ours.load_hf_state_dict(changed)
        assert torch.equal(ours.to_hf_state_dict()[key], changed[key])


@EVERY
def test_unexpected_shape_and_untied(name):
    ours, theirs = twins(name)
    state = theirs.state_dict()
    table = "transformer.wte.weight" if name.startswith("gpt2") else "bert.embeddings.word_embeddings.weight"
    head = "lm_head.weight" if name.startswith("gpt2") else "cls.predictions.decoder.weight"
    with pytest.raises(ValueError, match="unexpected: transformer.h.0.adapter"):
        ours.load_hf_state_dict(state | {"transformer.h.0.adapter": torch.zeros(1)})
    with pytest.raises(ValueError, match=r"of another shape: \S+ \(3, 2\) instead of \("):
        ours.load_hf_state_dict({k: t for k, t in state.items() if k != head} | {table: torch.zeros(3, 2)})
    if name == "gpt2 untied":
        return ours.load_hf_state_dict(state | {head: state[head] + 1})
    with pytest.raises(ValueError, match=f"not tied: {head} differs from {table}"):
        ours.load_hf_state_dict(state | {head: state[head] + 1})


def test_a_long_list_of_misfits_stays_one_sentence():
    with pytest.raises(ValueError, match="and 35 more") as found:
        small_twins("gpt2 odd")[0].load_hf_state_dict({})
    assert len(str(found.value)) < 500


def test_files_of_old_versions():
    """Masks and positions that were stored as constants, no prefix, gamma and beta: the first published files."""
    ours, theirs = twins("gpt2 odd")
    old = {name.removeprefix("transformer."): t for name, t in theirs.state_dict().items() if name != "lm_head.weight"}
    old |= {f"h.{i}.attn.{name}": torch.zeros(1) for i in range(3) for name in ("bias", "masked_bias")}
    ours.load_hf_state_dict({k: t + 1 if t.is_floating_point() else t for k, t in old.items()})
    assert torch.equal(ours.embeddings.token.weight, old["wte.weight"] + 1)
    unread = torch.full((1,), -torch.inf)  # of a fourth layer too, which there is not: no model reads it
    ours.load_hf_state_dict(old | {"h.3.attn.bias": unread, "h.0.attn.masked_bias": unread})

    ours, theirs = twins("bert odd")
    rename = lambda name: name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
        "LayerNorm.bias", "LayerNorm.beta"
    )
    old = {rename(name): t for name, t in theirs.state_dict().items()} | {
        "bert.embeddings.position_ids": torch.arange(17)[None]
    }
    ours.load_hf_state_dict(old)


def test_a_bert_without_the_second_head_says_so():
    state = small_twins("bert masked only")[1].state_dict()
    config = small_twins("bert masked only")[1].config.to_dict()
    with pytest.raises(ValueError, match="missing: bert.pooler.dense.bias"):
        Bert(BertConfig.from_hf(config)).load_hf_state_dict(state)


def test_published_parameter_counts():
    """To the digit, without a byte of weights."""
    with torch.device("meta"):
        family = {
            name: sum(p.numel() for p in GPT2(GPT2Config(d_model=d, n_layers=layers, n_heads=heads)).parameters())
            for name, d, layers, heads in [
                ("small", 768, 12, 12),
                ("medium", 1024, 24, 16),
                ("large", 1280, 36, 20),
                ("xl", 1600, 48, 25),
            ]
        }
        ours = sum(p.numel() for p in Bert(BertConfig()).parameters())
        theirs = transformers.BertForPreTraining(transformers.BertConfig())
        theirs.tie_weights()
    assert family == {"small": 124_439_808, "medium": 354_823_168, "large": 774_030_080, "xl": 1_557_611_200}
    assert ours == sum(p.numel() for p in theirs.parameters()) == 110_106_428
