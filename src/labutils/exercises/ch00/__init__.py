"""The exercises of chapter 0: shapes (0.1), count (0.2), stay (0.3), order (0.4), words (0.5)."""
