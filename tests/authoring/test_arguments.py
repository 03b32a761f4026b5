"""A command that is asked for help tells what it does, and does nothing; nor does it after a slip of the keyboard."""

import runpy
import sys

import pytest

COMMANDS = "assignments book pdf pins readme refresh serve sync".split()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("given, status", [("--help", 0), ("--no-such-option", 2)])
def test_help_and_a_slip_do_nothing(name, given, status, monkeypatch, capsys, recwarn):
    module = f"labutils.authoring.{name}"
    monkeypatch.setattr(sys, "argv", [name, given])
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(module, run_name="__main__")
    assert ended.value.code == status
    said = capsys.readouterr()
    assert "usage" in said.out + said.err
    if not status:
        assert f"make {name}" in said.out or f"labutils.authoring.{name}" in said.out
