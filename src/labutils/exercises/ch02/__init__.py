"""The exercises of chapter 2: pairs (2.1), merges (2.2), fewest (2.3), padding (2.4), decoding (2.5), own (2.6)."""
