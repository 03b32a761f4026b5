"""Static figures in one style: plots through matplotlib, maps of weights drawn cell by cell."""

from labutils.figures.map import attention_map
from labutils.figures.plot import CATEGORIES, INK, LINE, MUTED, PAPER, Figure, figure

__all__ = ["CATEGORIES", "INK", "LINE", "MUTED", "PAPER", "Figure", "attention_map", "figure"]
