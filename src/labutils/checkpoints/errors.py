"""The one exception of this package."""


class CheckpointError(ValueError):
    """A model could not be found, read or trusted. The message is one sentence that says which, and what to do."""
