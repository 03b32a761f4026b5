"""Static figures in one style: plots through matplotlib, maps of weights and strips of numbers drawn cell by cell."""

from labutils.figures.bertviz_frame import bertviz_head_view, bertviz_model_view
from labutils.figures.map import attention_map
from labutils.figures.plot import CATEGORIES, INK, LINE, MUTED, PAPER, Figure, figure, ink_on
from labutils.figures.rows import Column, rows
from labutils.figures.strips import Made, strips

__all__ = [
    "CATEGORIES",
    "INK",
    "LINE",
    "MUTED",
    "PAPER",
    "Column",
    "Figure",
    "Made",
    "attention_map",
    "bertviz_head_view",
    "bertviz_model_view",
    "figure",
    "ink_on",
    "rows",
    "strips",
]
