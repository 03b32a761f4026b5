"""What chapters exchange: in one place each a chapter puts the reader's function where the package has its own.

A kernel keeps that until it ends, and with a broken function not even the first figure of a chapter is drawn. So each
chapter begins with the whole package.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

EXCHANGED = (
    "labutils.layers.multi_head:attention",
    "labutils.text.bpe:merge_fast",
    "labutils.text.wordpiece:longest_match",
)
PACKAGE = str(Path(__file__).parent)


def put_back() -> None:
    """Put the package's own functions where a chapter has put others."""
    for place in EXCHANGED:
        home, _, name = place.partition(":")
        module = sys.modules.get(home)
        if module and not _is_own(getattr(module, name)):
            setattr(module, name, getattr(_read_anew(module), name))


def _is_own(value: object) -> bool:
    code = getattr(value, "__code__", None)
    return code is not None and code.co_filename.startswith(PACKAGE)


def _read_anew(module: ModuleType) -> ModuleType:
    """The module as its file has it, beside the one that all use: nobody need have kept the function in time."""
    spec = spec_from_file_location(module.__name__, module.__file__)
    anew = module_from_spec(spec)
    spec.loader.exec_module(anew)
    return anew
