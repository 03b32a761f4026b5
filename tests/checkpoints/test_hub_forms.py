"""Forms in which models lie on the hub: what loads says the same as HuggingFace's, what cannot load says why."""

import json
import shutil

import pytest
import torch
import transformers
from checkpoints.asking import refused
from checkpoints.small import IDS, edit_config, edit_weights, logits, make
from safetensors.torch import load_file, save_file

from labutils.checkpoints import CheckpointError, load, load_tokenizer

pytestmark = pytest.mark.usefixtures("one_thread")
LIBRARIES = ("labutils", "transformers")
BOTH = pytest.mark.parametrize("library", LIBRARIES)
POOLER = ("bert.pooler.dense.weight", "bert.pooler.dense.bias")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("small")
    return {
        "gpt2": make(root / "gpt2"),
        "bert": make(root / "bert", transformers.BertForPreTraining),
        "masked": make(root / "masked", transformers.BertForMaskedLM),
        "bare": make(root / "bare", transformers.BertModel),
        "untied": make(root / "untied", tie_word_embeddings=False),
    }


def assert_both_say(folder, expected):
    """Both libraries load the folder and give these logits; returns the two models."""
    models = [load(folder, library).model for library in LIBRARIES]
    for model in models:
        torch.testing.assert_close(logits(model), expected, rtol=0, atol=1e-5)
    return models


def without(*names):
    return lambda tensors: {name: tensor for name, tensor in tensors.items() if name not in names}


def bare_names(tensors):
    return {name.removeprefix("bert.").removeprefix("transformer."): tensor for name, tensor in tensors.items()}


def old_names(tensors):
    return {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): t
        for name, t in tensors.items()
    }


@pytest.mark.parametrize("kind", ["gpt2", "bert", "masked"])
def test_as_huggingface_writes_it(made, kind):
    theirs = {
        "gpt2": transformers.GPT2LMHeadModel,
        "bert": transformers.BertForPreTraining,
        "masked": transformers.BertForMaskedLM,
    }[kind]
    assert_both_say(made[kind], logits(theirs.from_pretrained(made[kind]).eval()))


@pytest.mark.parametrize(
    "change",
    [bare_names, old_names, lambda tensors: old_names(bare_names(tensors))],
    ids=["no prefix", "gamma and beta", "both"],
)
@pytest.mark.parametrize("kind", ["gpt2", "bert", "masked"])
def test_other_names(made, folder, kind, change):
    expected = logits(load(made[kind]).model)
    renamed = folder(kind)
    edit_weights(renamed, change)
    assert_both_say(renamed, expected)


def test_a_pooler_and_no_head_on_it(made, folder):
    kept = folder("bert")
    edit_weights(kept, without("cls.seq_relationship.weight", "cls.seq_relationship.bias"))
    ours, theirs = assert_both_say(kept, logits(load(made["bert"]).model))
    assert ours(IDS).nsp_logits is None and type(theirs).__name__ == "BertForMaskedLM"


def test_a_pooler_without_prefix_and_no_head_on_it(made, folder):
    kept = folder("bert")
    edit_weights(
        kept, lambda tensors: bare_names(without("cls.seq_relationship.weight", "cls.seq_relationship.bias")(tensors))
    )
    assert_both_say(kept, logits(load(made["bert"]).model))


def test_no_pooler_and_no_head(made, folder):
    bare = folder("bert")
    edit_weights(bare, without("cls.seq_relationship.weight", "cls.seq_relationship.bias", *POOLER))
    assert_both_say(bare, logits(load(made["bert"]).model))


@BOTH
def test_the_next_sentence_head_without_a_pooler(folder, library):
    broken = folder("bert")
    edit_weights(broken, without(*POOLER))
    assert "bert.pooler.dense.bias" in refused(broken, library)


@BOTH
def test_a_bert_saved_alone_has_no_head(made, library):
    assert "is a BERT without its head for hidden words" in refused(made["bare"], library)


@BOTH
def test_half_a_head(folder, library):
    broken = folder("masked")
    edit_weights(broken, without("cls.predictions.transform.dense.bias"))
    assert "cls.predictions.transform.dense.bias" in refused(broken, library)


def test_constants_that_old_versions_stored(made, folder):
    old = folder("gpt2")
    masks = {f"transformer.h.{i}.attn.bias": torch.ones(1, 1, 11, 11, dtype=torch.bool) for i in range(2)}
    masks |= {f"transformer.h.{i}.attn.masked_bias": torch.tensor(-1e4) for i in range(2)}
    edit_weights(old, lambda tensors: tensors | masks)
    assert_both_say(old, logits(load(made["gpt2"]).model))
    old = folder("bert")
    edit_weights(old, lambda tensors: tensors | {"bert.embeddings.position_ids": torch.arange(11)[None]})
    assert_both_say(old, logits(load(made["bert"]).model))


UNREAD = {
    "gpt2": ["transformer.h.0.attn.bias", "h.1.attn.bias", "h.0.attn.masked_bias", "transformer.h.7.attn.masked_bias"],
    "bert": ["bert.embeddings.position_ids", "embeddings.position_ids", "embeddings.token_type_ids"],
}


@pytest.mark.parametrize("number", [-torch.inf, torch.nan, -1e9])
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in UNREAD for name in UNREAD[kind]])
def test_a_constant_that_no_model_reads_refuses_nothing(made, folder, kind, name, number):
    """Whatever it holds, with or without the prefix, and in half precision too."""
    old = folder(kind)
    edit_weights(old, lambda tensors: tensors | {name: torch.full((1, 1, 11, 11), number)})
    assert_both_say(old, logits(load(made[kind]).model))
    assert load(old, dtype=torch.float16).model.embeddings.token.weight.dtype == torch.float16


TIED = {
    "gpt2": {"lm_head.weight": "transformer.wte.weight"},
    "bert": {
        "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    },
}
TIED["masked"] = TIED["bert"]


@pytest.mark.parametrize("change", [lambda tensors: tensors, bare_names], ids=["prefix", "no prefix"])
@pytest.mark.parametrize(("kind", "second"), [(kind, second) for kind in TIED for second in TIED[kind]])
def test_of_two_tied_names_either_serves(made, folder, kind, second, change):
    """As safetensors.torch.save_model writes it, which keeps one of the two."""
    alone, first = folder(kind), TIED[kind][second]
    edit_weights(
        alone, lambda tensors: change({second if name == first else name: tensor for name, tensor in tensors.items()})
    )
    assert_both_say(alone, logits(load(made[kind]).model))


def test_an_output_head_of_its_own(made):
    tensors = load_file(made["untied"] / "model.safetensors")
    assert not torch.equal(tensors["lm_head.weight"], tensors["transformer.wte.weight"])
    ours, theirs = assert_both_say(
        made["untied"], logits(transformers.GPT2LMHeadModel.from_pretrained(made["untied"]).eval())
    )
    assert torch.equal(theirs.lm_head.weight, tensors["lm_head.weight"])
    assert torch.equal(ours.to_hf_state_dict()["lm_head.weight"], tensors["lm_head.weight"])
    assert ours.config.to_hf()["tie_word_embeddings"] is False


def test_a_second_head_that_the_configuration_does_not_tell(folder):
    """Ours would leave it out; that is refused."""
    hidden = folder("untied")
    edit_config(hidden, tie_word_embeddings=True)
    assert "lm_head.weight differs from transformer.wte.weight" in refused(hidden)


def split(folder, files=("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")):
    """The weights over several files, as HuggingFace names them."""
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    where = {name: files[i % len(files)] for i, name in enumerate(sorted(tensors))}
    for file in files:
        save_file({name: tensors[name] for name in tensors if where[name] == file}, folder / file, {"format": "pt"})
    write_index(folder, where)
    return where


def write_index(folder, where):
    index = {"metadata": {"total_size": 0}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


@pytest.mark.parametrize("kind", ["gpt2", "bert"])
def test_weights_over_several_files(made, folder, kind):
    several = folder(kind)
    split(several)
    assert_both_say(several, logits(load(made[kind]).model))


@BOTH
@pytest.mark.parametrize(
    "name",
    [
        "../outside.safetensors",
        "/outside.safetensors",
        "a/b.safetensors",
        "a\\b.safetensors",
        "c:b.safetensors",
        ".safetensors",
        "model.bin",
        "",
        3,
        None,
    ],
)
def test_a_shard_that_is_no_file_of_the_folder(folder, library, name, tmp_path):
    several = folder("gpt2")
    where = split(several)
    shutil.copy(several / "model-00001-of-00002.safetensors", tmp_path / "outside.safetensors")
    write_index(several, {tensor: name if "00001" in file else file for tensor, file in where.items()})
    assert "does not say which file of its folder" in refused(several, library)


@BOTH
def test_shards_and_an_index_that_do_not_fit(folder, library):
    several = folder("gpt2")
    where = split(several)
    first, last = sorted(where)[0], sorted(where)[-1]
    write_index(several, where | {"transformer.h.9.gate": where[first]})
    assert "do not fit together at tensor transformer.h.9.gate" in refused(several, library)
    write_index(several, {tensor: file for tensor, file in where.items() if tensor != last})
    assert f"do not fit together at tensor {last}" in refused(several, library)
    for content in ("[]", "{}", '{"weight_map": []}', '{"weight_map": {}}', "{"):
        (several / "model.safetensors.index.json").write_text(content)
        assert "model.safetensors.index.json" in refused(several, library)
    write_index(several, where)
    (several / where[last]).unlink()
    assert f"{where[last]} is missing" in refused(several, library)


@pytest.mark.parametrize("kind", ["gpt2", "bert"])
def test_a_tokenizer_alone(made, tmp_path, monkeypatch, kind):
    alone = tmp_path / "alone"
    alone.mkdir()
    for path in made[kind].iterdir():
        if path.name not in ("config.json", "model.safetensors"):
            shutil.copy(path, alone)
    expected = load(made[kind]).tokenizer.encode("the cat").ids
    assert load_tokenizer(alone).encode("the cat").ids == expected
    monkeypatch.setenv("LABUTILS_MODELS", str(tmp_path))
    assert load_tokenizer("alone").encode("the cat").ids == expected
    assert "config.json is missing" in refused("alone")


def test_tokenizers_by_every_name(tmp_path):
    for name in ("little-gpt2", "little-bert", "paper-gpt2"):
        assert load_tokenizer(name).encode("the cat sat").ids == load(name).tokenizer.encode("the cat sat").ids
    assert "Did you mean little-gpt2" in refused("litle-gpt2", ask=load_tokenizer)
    assert "no folder" in refused(tmp_path / "nowhere", ask=load_tokenizer)
    assert "There is no tokenizer in" in refused(tmp_path, ask=load_tokenizer)


def test_words_that_are_more_than_words(made, tmp_path):
    """Only the paper model's way with whole words is ours: split at white space, ids from 0 on."""
    whole = {
        "model": {"type": "WordLevel", "vocab": {"the": 0, "cat": 1}, "unk_token": "[UNK]"},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
    }
    for change in (
        {"pre_tokenizer": {"type": "Whitespace"}},
        {"normalizer": {"type": "Lowercase"}},
        {"model": whole["model"] | {"vocab": {"the": 0, "cat": 2}}},
        {"model": whole["model"] | {"vocab": ["the"]}},
    ):
        (tmp_path / "tokenizer.json").write_text(json.dumps(whole | change))
        assert "could not be read" in refused(tmp_path, ask=load_tokenizer)
    (tmp_path / "tokenizer.json").write_text(json.dumps(whole))
    assert load_tokenizer(tmp_path).encode("cat the").ids == [1, 0]


@pytest.mark.parametrize("wrapper", ["module.", "_orig_mod.", "model.", "module._orig_mod."])
@pytest.mark.parametrize("kind", ["gpt2", "bert", "masked"])
def test_names_that_a_program_put_something_around(made, folder, kind, wrapper):
    """Ours loads them; HuggingFace's says in one sentence what is missing."""
    expected = logits(load(made[kind]).model)
    path = folder(kind)
    edit_weights(path, lambda tensors: {f"{wrapper}{name}": tensor for name, tensor in tensors.items()})
    torch.testing.assert_close(logits(load(path).model), expected)
    with pytest.raises(CheckpointError, match="is missing|belongs to no part|head for hidden words") as found:
        load(path, "transformers")
    assert len(str(found.value)) < 300


def test_a_mark_of_the_byte_order_is_read_over(copy):
    path = copy("little-gpt2")
    expected = load("little-gpt2")
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (path / name).write_bytes(b"\xef\xbb\xbf" + (path / name).read_bytes())
    read = load(path)
    assert read.tokenizer.encode("The cat").ids == expected.tokenizer.encode("The cat").ids
    torch.testing.assert_close(logits(read.model), logits(expected.model))


def test_swish_is_silu(folder):
    path = folder("gpt2")
    edit_config(path, activation_function="swish")
    assert load(path).model.config.activation == "silu"
    assert_both_say(path, logits(load(path, "transformers").model))
