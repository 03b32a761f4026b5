"""The stages of our own models: they record themselves."""

from torch import nn

from labutils.layers import Recorder
from labutils.models import GPT2, Bert


def stages(model: nn.Module, batch) -> tuple[dict, list[dict]]:
    """Run `model` on `batch`; the stages of the model, and of each block, each with the batch in front."""
    record = Recorder()
    extra = {} if isinstance(model, GPT2) else {"type_ids": batch.type_ids}
    model(batch.ids, attention_mask=batch.attention_mask, position_ids=batch.position_ids, record=record, **extra)
    return record.stages, [layer.stages for layer in record.layers]


def kind(model: nn.Module) -> str | None:
    return "gpt2" if isinstance(model, GPT2) else "bert" if isinstance(model, Bert) else None
