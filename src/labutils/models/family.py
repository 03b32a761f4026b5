"""What an architecture is to the rest of the book: one record for each, and the one
list of them.

A new architecture is a file beside `gpt2.py` and `bert.py` that ends in its record, and
a line in `FAMILIES`.
"""

from torch import nn

from . import bert, gpt2
from .records import Family

FAMILIES = {family.name: family for family in (gpt2.FAMILY, bert.FAMILY)}


def family_of(model: nn.Module | str) -> Family:
    """The family of one of our models, of one of HuggingFace's, or of a `model_type` in
    config.json.

    Raises ValueError for anything else.
    """
    if isinstance(model, str):
        found = FAMILIES.get(model)
    else:
        names = {c.__name__ for c in type(model).__mro__}
        found = next(
            (
                f
                for f in FAMILIES.values()
                if isinstance(model, f.model) or names & set(f.hf_classes)
            ),
            None,
        )
    if found is None:
        ours = " and ".join(f.model.__name__ for f in FAMILIES.values())
        theirs = ", ".join(name for f in FAMILIES.values() for name in f.hf_classes)
        what = repr(model) if isinstance(model, str) else type(model).__name__
        raise ValueError(
            f"{what} is no model of this book: these are {ours} of labutils, and"
            f" {theirs} of transformers."
        )
    return found
