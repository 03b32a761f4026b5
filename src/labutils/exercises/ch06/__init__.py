"""The exercises of chapter 6: gelu (6.1), block (6.2), overtakes (6.3), descend (6.4), plural (6.5)."""
