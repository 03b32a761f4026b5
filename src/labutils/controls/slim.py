"""The widget state of a page, without what the site stores once for all pages.

A notebook that was executed holds each widget with its whole JavaScript and stylesheet. The site's own script has the
controls already, so a page keeps their data alone: the record of a control shrinks to its traits and buffers.
"""

from collections.abc import Mapping
from typing import Any


def slim(widgets: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """`widgets` is model id -> record, as in ``metadata.widgets[...]["state"]`` of a notebook. Others than ours stay
    whole.
    """
    ours = {key: _traits(record) for key, record in widgets.items() if is_control(record)}
    rest = {key: record for key, record in widgets.items() if not is_control(record)}
    if all(record.get("model_name") == "LayoutModel" for record in rest.values()):  # boxes that only our controls had
        rest = {}
    return ours | rest


def is_control(record: Mapping[str, Any]) -> bool:
    return record.get("model_module") == "anywidget" and bool(record.get("state", {}).get("control"))


def _traits(record: Mapping[str, Any]) -> dict[str, Any]:
    drawn = ("layout", "tabbable", "tooltip")
    state = {name: value for name, value in record["state"].items() if name[0] != "_" and name not in drawn}
    kept = {"state": state}
    if record.get("buffers"):
        kept["buffers"] = record["buffers"]
    return kept
