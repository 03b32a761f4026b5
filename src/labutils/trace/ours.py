"""The stages of our own models: they show them to whoever looks."""

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn

from labutils.layers import Recorder
from labutils.models import Family


def stages(
    model: nn.Module,
    family: Family,
    batches,
    want: Callable[[str], bool],
    change: Mapping[str, Callable[[Tensor], Tensor]],
) -> dict[str, Tensor]:
    """Run `model` on a batch for each stack: the wanted stages by their full names, each with the batch in front."""
    recorder = Recorder(lambda name: want(name.split(" ")[-1]), change)
    model(**_given(family, batches), see=recorder)
    unknown = set(change) - recorder.shown
    if unknown:
        raise ValueError(
            f"This model has no stage {sorted(unknown)[0]!r} to change. A stage of a block is called 'layer 0 weights',"
            " say."
        )
    return recorder.stages


def _given(family: Family, batches) -> dict[str, Any]:
    """What the model is called with."""
    first, *second = batches.values()
    given = {"ids": first.ids, "attention_mask": first.attention_mask}
    for target in second:
        return given | {"target_ids": target.ids, "target_mask": target.attention_mask}
    types = {"type_ids": first.type_ids} if family.segments else {}
    return given | {"position_ids": first.position_ids} | types
