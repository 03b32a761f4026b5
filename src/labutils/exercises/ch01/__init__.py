"""The exercises of chapter 1: peephole (1.1), leaky (1.2), clip (1.3), heard (1.4), no_need (1.5)."""
