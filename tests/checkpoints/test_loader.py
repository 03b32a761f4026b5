"""Every way to ask for a model, and every way in which it can be missing or broken: one clear sentence each."""

import pytest
import torch
from checkpoints.asking import refused
from safetensors.torch import load_file, save_file

from labutils.checkpoints import Checkpoint, available, hub, load, load_tokenizer

SHIPPED = ["little-bert", "little-bert-even", "little-gpt2", "little-gpt2-even", "paper-gpt2"]


@pytest.mark.parametrize("library", ["labutils", "transformers"])
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models_load(name, library):
    c = load(name, library=library)
    assert isinstance(c, Checkpoint) and c.name == name and c.kind in name and c.card["name"] == name
    assert not c.model.training and next(c.model.parameters()).dtype == torch.float32
    assert type(c.model).__module__.split(".")[0] == library
    assert len(c.tokenizer) <= c.model.config.vocab_size


@pytest.mark.parametrize("library", ["labutils", "transformers"])
def test_dtype(library):
    model = load("little-gpt2", library=library, dtype=torch.float64).model
    assert {p.dtype for p in model.parameters()} == {torch.float64}
    assert "torch.int64" in refused("little-gpt2", dtype=torch.int64)
    assert "'float32'" in refused("little-gpt2", dtype="float32")


def test_loading_says_nothing(capfd):
    load("little-bert", library="transformers")
    assert capfd.readouterr() == ("", "")


def test_attention_weights_come_out_of_huggingfaces():
    model = load("little-gpt2", library="transformers").model
    assert model(torch.tensor([[1, 2, 3]]), output_attentions=True).attentions[0].shape == (1, 8, 3, 3)


def test_a_folder_by_path_and_by_name(copy, monkeypatch, tmp_path):
    mine = copy("little-gpt2").rename(tmp_path / "mine")
    for name in (mine, str(mine)):
        assert load(name).folder == mine
    monkeypatch.setenv("LABUTILS_MODELS", str(tmp_path))
    assert available() == [*SHIPPED, "mine"]
    assert load("mine").folder == mine
    monkeypatch.chdir(tmp_path)
    assert load("./mine").model.config == load("little-gpt2").model.config


def test_a_shipped_name_wins_over_a_folder_of_ones_own(copy, monkeypatch, tmp_path):
    copy("little-gpt2")
    monkeypatch.setenv("LABUTILS_MODELS", str(tmp_path))
    assert load("little-gpt2").folder != tmp_path / "little-gpt2"


def test_unknown_names():
    assert "Did you mean little-gpt2" in refused("litle-gpt2")
    assert "Known names: little-bert" in refused("qqqq")
    assert "empty" in refused(" ")
    assert "no folder" in refused("./nowhere")
    assert "'labutils' and 'transformers'" in refused("little-gpt2", library="keras")


@pytest.mark.parametrize("name", ["gpt2", "openai-community/gpt2", "bert-base-uncased"])
def test_a_model_of_the_hub_is_not_fetched_without_being_asked(name, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert "allow_download=True" in refused(name)  # and no_network would have failed the test


def test_the_hub_is_asked_for_the_pinned_commit_and_for_no_pickle(monkeypatch, copy):
    asked, folder = {}, copy("little-gpt2")
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda name, **k: asked.update(k, name=name) or folder)
    load("gpt2", allow_download=True)
    assert asked["name"] == "openai-community/gpt2" and asked["revision"] == hub.PINNED["gpt2"][1]
    assert not asked["local_files_only"] and "model.safetensors" in asked["allow_patterns"]
    assert {p.rpartition(".")[2] for p in asked["allow_patterns"]} == {"safetensors", "json", "txt"}
    load_tokenizer("distilgpt2", allow_download=True)
    assert not [p for p in asked["allow_patterns"] if p.endswith("safetensors")]


def test_no_network(monkeypatch, tmp_path):
    import socket

    def unreachable(*args, **kwargs):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "getaddrinfo", unreachable)
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # the hub's client waits between its tries
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert "is there a network?" in refused("gpt2", allow_download=True)


def test_a_revision_must_be_a_commit():
    assert "Pass revision=" in refused("somebody/some-gpt2", allow_download=True)
    assert "is no commit" in refused("somebody/some-gpt2", allow_download=True, revision="main")


@pytest.mark.parametrize("library", ["labutils", "transformers"])
class TestBrokenFolders:
    def test_missing_files(self, copy, library):
        folder = copy("little-gpt2")
        (folder / "model.safetensors").unlink()
        assert "model.safetensors is missing" in refused(folder, library)
        (folder / "config.json").unlink()
        assert "config.json is missing" in refused(folder, library)

    def test_missing_tokenizer(self, copy, library):
        folder = copy("little-gpt2")
        for name in ("vocab.json", "merges.txt", "tokenizer.json"):
            (folder / name).unlink()
        assert "tokenizer" in refused(folder, library)

    @pytest.mark.parametrize("keep", [0, 4, 1000, -1])
    def test_truncated(self, copy, library, keep):
        path = copy("little-gpt2") / "model.safetensors"
        path.write_bytes(path.read_bytes()[:keep])
        assert "model.safetensors is damaged" in refused(path.parent, library)

    def test_config_that_is_no_json(self, copy, library):
        path = copy("little-gpt2") / "config.json"
        path.write_text('{"model_type": ')
        assert "config.json is damaged" in refused(path.parent, library)

    def test_a_tensor_of_the_wrong_shape_is_named(self, copy, library):
        path = copy("little-gpt2") / "model.safetensors"
        tensors = load_file(path)
        tensors["transformer.h.2.ln_1.bias"] = torch.zeros(127)
        save_file(tensors, path, {"format": "pt"})
        message = refused(path.parent, library)
        assert "transformer.h.2.ln_1.bias" in message and "(127,)" in message and "(128,)" in message

    def test_a_missing_and_a_foreign_tensor_are_named(self, copy, library):
        path = copy("little-gpt2") / "model.safetensors"
        tensors = load_file(path)
        taken = tensors.pop("transformer.h.3.mlp.c_fc.bias")
        save_file(tensors, path, {"format": "pt"})
        assert "transformer.h.3.mlp.c_fc.bias" in refused(path.parent, library)
        save_file(
            tensors | {"transformer.h.3.mlp.c_fc.bias": taken, "transformer.h.9.gate": taken.clone()},
            path,
            {"format": "pt"},
        )
        assert "transformer.h.9.gate" in refused(path.parent, library)

    def test_another_kind_of_model(self, copy, library, edit_json):
        folder = copy("little-gpt2")
        edit_json(folder / "config.json", model_type="llama")
        assert "'llama'" in refused(folder, library)

    def test_code_of_its_own(self, copy, library, edit_json):
        folder = copy("little-gpt2")
        edit_json(folder / "config.json", auto_map={"AutoModel": "evil.Model"})
        assert "code of its own" in refused(folder, library)

    def test_a_pickle_is_refused(self, copy, library):
        folder = copy("little-gpt2")
        (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
        assert "pytorch_model.bin, a pickle" in refused(folder, library)

    def test_a_tokenizer_of_another_model(self, copy, library, edit_json):
        folder = copy("paper-gpt2")
        (folder / "tokenizer.json").write_bytes((copy("little-gpt2") / "tokenizer.json").read_bytes())
        assert "does not fit together" in refused(folder, library)


def test_a_bert_without_next_sentence_head(copy):
    path = copy("little-bert") / "model.safetensors"
    tensors = {k: t for k, t in load_file(path).items() if "seq_relationship" not in k and "pooler" not in k}
    save_file(tensors, path, {"format": "pt"})
    ids = torch.tensor([[2, 7, 8, 3]])
    ours, theirs = load(path.parent).model, load(path.parent, "transformers").model
    assert ours(ids).nsp_logits is None and type(theirs).__name__ == "BertForMaskedLM"
    torch.testing.assert_close(ours(ids).logits, theirs(ids).logits, rtol=0, atol=1e-4)
