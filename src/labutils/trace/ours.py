"""The stages of our own models: they show them to whoever looks."""

from collections.abc import Callable, Mapping

from torch import Tensor, nn

from labutils.layers import Recorder
from labutils.models import Family


def stages(
    model: nn.Module,
    family: Family,
    batch,
    want: Callable[[str], bool],
    change: Mapping[str, Callable[[Tensor], Tensor]],
) -> dict[str, Tensor]:
    """Run `model` on `batch`: the wanted stages by their full names, each with the batch in front."""
    recorder = Recorder(want, change)
    extra = {"type_ids": batch.type_ids} if family.segments else {}
    model(batch.ids, attention_mask=batch.attention_mask, position_ids=batch.position_ids, see=recorder, **extra)
    unknown = set(change) - recorder.shown
    if unknown:
        raise ValueError(
            f"This model has no stage {sorted(unknown)[0]!r} to change. A stage of a block is called 'layer 0 weights',"
            " say."
        )
    return recorder.stages
