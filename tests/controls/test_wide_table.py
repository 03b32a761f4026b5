"""Tables with more rows than tokens, as where a vocabulary was filled up to a multiple of 64: every control works, and a
row without a token is shown as such.
"""

import inspect
import json
import shutil

import pytest
import torch
import transformers
from engine.conftest import shared_page  # noqa: F401
from safetensors.torch import load_file, save_file

from labutils import controls
from labutils.checkpoints import load
from labutils.checkpoints.loader import HERE
from labutils.controls.engine.model_file import model_file
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.reading import following, loaded
from labutils.text.unicode import table
from labutils.trace import trace

TEXTS = {"gpt2": "The cat sat on", "bert": "The cat sat on the [MASK]."}


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """The little models, each with rows that no token has, so large that one of them is what is expected next."""
    root = tmp_path_factory.mktemp("wide")
    for kind in TEXTS:
        folder = root / f"wide-{kind}"
        shutil.copytree(HERE / f"little-{kind}", folder)
        tensors, config = (
            load_file(folder / "model.safetensors"),
            json.loads((folder / "config.json").read_text(encoding="utf-8")),
        )
        name = next(one for one in tensors if one.endswith(("wte.weight", "word_embeddings.weight")))
        count, width = tensors[name].shape
        rows = -(-(count + 1) // 64) * 64
        drawn = torch.randn(rows - count, width, generator=torch.Generator().manual_seed(0))
        drawn = (drawn * tensors[name].float().std() * 4).half().to(tensors[name].dtype)
        tensors[name] = torch.cat([tensors[name], drawn])
        if kind == "bert":
            bias = tensors["cls.predictions.bias"]
            tensors["cls.predictions.bias"] = torch.cat([bias, torch.full((rows - count,), 3.0, dtype=bias.dtype)])
        save_file(tensors, folder / "model.safetensors", {"format": "pt"})
        (folder / "config.json").write_text(json.dumps(config | {"vocab_size": rows}), encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.setenv("LABUTILS_MODELS", str(root))
    yield root
    patch.undo()
    loaded.cache_clear()
    following.cache_clear()


@pytest.mark.parametrize("kind", TEXTS)
def test_it_is_loaded_and_a_nameless_row_is_expected(wide, kind):
    ours = load(f"wide-{kind}")
    theirs = load(f"wide-{kind}", "transformers")
    seen = [trace(one.model, TEXTS[kind], one.tokenizer).logits[-3] for one in (ours, theirs)]
    torch.testing.assert_close(*seen, rtol=0, atol=1e-4)
    tokenizer, row = ours.tokenizer, ours.model.config.vocab_size - 1
    assert tokenizer.pieces(row) == tokenizer.id_to_token(row) == f"⟨row {row}⟩"
    them = transformers.AutoTokenizer.from_pretrained(wide / f"wide-{kind}")
    ids = [*tokenizer.encode(TEXTS[kind]).ids, row]
    assert tokenizer.decode(ids) == them.decode(ids)
    with pytest.raises(ValueError, match=f"ids go from 0 to {row}"):
        tokenizer.decode([row + 1])


def arguments(control, kind: str) -> dict | None:
    """What a control is opened with; None for one that takes no model, or another kind of model only."""
    name, takes = control.__name__, inspect.signature(control).parameters
    if "model" not in takes or name == "Budget":
        return None
    if kind == "bert" and name in ("Beams", "Reuse", "Shuffle", "Story", "Way"):
        return None
    text = {"text": TEXTS[kind]} if "text" in takes else {}
    if name == "Transplant":
        text = {"text": TEXTS[kind], "other": TEXTS[kind].replace("cat", "dog")}
    return text | {"model": f"wide-{kind}"}


CONTROLS = [getattr(controls, name) for name in controls.__all__ if inspect.isclass(getattr(controls, name))]
OPENED = [(one, kind) for kind in TEXTS for one in CONTROLS if arguments(one, kind)]


@pytest.mark.parametrize(("control", "kind"), OPENED, ids=lambda one: getattr(one, "__name__", one))
def test_every_control_opens_on_it(wide, control, kind):
    said = str(control(**arguments(control, kind)).finished)
    if control.__name__ in ("Beams", "NextWord", "Story", "Walk"):
        assert "⟨row " in said


@pytest.mark.parametrize("kind", TEXTS)
def test_a_page_shows_it_as_python_does(wide, kind, shared_page):  # noqa: F811
    one = load(f"wide-{kind}")
    row, ids = one.model.config.vocab_size - 1, one.tokenizer.encode(TEXTS[kind]).ids
    assert model_file("wide", one.model)["config"]["vocab"] == row + 1
    found = shared_page.run(
        """const { openUnicode } = await engine("unicode"), { openTokenizer } = await engine("tokenizer");
        const tokenizer = openTokenizer(b, openUnicode(a)), last = c.at(-1);
        return [tokenizer.piece(last), tokenizer.token(last), tokenizer.decode(c), tokenizer.encode("⟨row 1⟩").ids];""",
        table(),
        tokenizer_file(one.tokenizer),
        [*ids, row],
    )
    tokenizer = one.tokenizer
    assert found == [f"⟨row {row}⟩", f"⟨row {row}⟩", tokenizer.decode(ids), tokenizer.encode("⟨row 1⟩").ids]
