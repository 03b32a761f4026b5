"""BERT and GPT-2 by hand, from text to trace, every stage equal to HuggingFace.

The folders are the pipeline in order: ``text`` (text to ids), ``layers`` and ``models`` (ids to
logits), ``trace`` (one forward pass with every intermediate), ``parity`` (two traces side by
side). Importing this module alone loads nothing heavy.
"""

__version__ = "0.1.0"
