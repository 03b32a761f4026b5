"""Asking for a model that cannot be had."""

import pytest

from labutils.checkpoints import CheckpointError, load


def refused(*args, ask=load, **kwargs) -> str:
    """The message of the error; it is one short line and no stack of another library's words."""
    with pytest.raises(CheckpointError) as caught:
        ask(*args, **kwargs)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 500 and message.rstrip().endswith((".", "?", "'", "/."))
    return message
