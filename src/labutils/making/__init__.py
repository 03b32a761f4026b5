"""How the shipped models are made and measured: stories to batches, a recipe to weights, weights to a card.

Three experiments that take longer than a chapter can wait stand here too, their curves beside them: `backwards`
(chapter 1), `scale` (chapter 4) and `deep` (chapter 6).
"""
