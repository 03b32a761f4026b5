"""Own model: a reader's own file of GPT-2, which the other controls of the page then show."""

import traitlets as t

from labutils.controls.control import Control
from labutils.controls.reading import loaded

NAME, TITLE = "your-gpt2", "Your GPT-2"
LIKE = "little-gpt2"  # whose record, and whose text to start with, it has


class OwnModel(Control):
    """A reader's own `model.safetensors` of GPT-2, or the parts of a larger one, up to 400 million parameters. It is
    read in the page, sent nowhere, and kept for the next visit if the reader wants. `NextWord`, `Walk`,
    `Explorer`, `Transplant` and `Reuse` on the same page then show it.

    In JupyterLab there is nothing to choose: `load` takes the path of a folder, and each control takes it as `model`.

    Args:
        number: the number before the title, such as "1".
    """

    TITLE = "Bring your own GPT-2"
    LEDE = "Choose its file, model.safetensors. It is read on this machine and sent nowhere."

    brings = t.Dict(help="the model that the controls of the page offer: name, title, and the one that it is like").tag(
        sync=True
    )
    record = t.Dict(help="what tells a GPT-2 from other models, for the engine").tag(sync=True)

    def made(self, said):
        from labutils.controls.engine.model_file import record  # here, because the models take seconds to import

        return {
            "brings": {"name": NAME, "title": TITLE, "like": LIKE},
            "record": record(NAME, loaded(LIKE).model, TITLE),
        }

    def __repr__(self) -> str:
        return "OwnModel()"
