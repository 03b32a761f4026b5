"""A control is found by its folder: nothing is registered, and what takes long to import waits until it is named."""

import subprocess
import sys

import pytest

from labutils import controls
from labutils.controls import bundle
from labutils.controls.control import Control


@pytest.mark.parametrize("folder", bundle.controls())
def test_a_folder_holds_the_class_of_its_name(folder):
    name = bundle.class_of(folder)
    assert name in dir(controls) and name in controls.__all__
    made = getattr(controls, name)
    assert issubclass(made, Control) and made.__name__ == name and made.__module__ == f"labutils.controls.{folder}"


def test_names_are_known_before_torch_is_read():
    code = "import sys, labutils.controls as c; assert 'Explorer' in dir(c); print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_a_name_that_there_is_not_is_one_sentence():
    with pytest.raises(
        AttributeError, match="^labutils.controls has no 'Stepz'; its controls are .*Explorer, Heads, NextWord,"
    ):
        _ = controls.Stepz
    with pytest.raises(ImportError):
        from labutils.controls import Stepz  # noqa: F401
    from labutils.controls import Steps, steps

    assert steps.Steps is Steps  # a module is no control, and imported as any other


def test_a_new_folder_is_a_control_at_once(tmp_path, monkeypatch):
    (tmp_path / "never_made").mkdir()
    (tmp_path / "never_made" / "never_made.js").write_text("export function render() {}\n")
    monkeypatch.setattr(bundle, "HERE", tmp_path)
    assert bundle.homes() == {"NeverMade": "never_made"}
    with pytest.raises(ModuleNotFoundError, match="never_made"):
        _ = controls.NeverMade
