"""How the shipped models are made and measured: stories to batches, a recipe to weights, weights to a card."""
