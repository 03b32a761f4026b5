"""The exercises of chapter 1: pencil (1.1), peephole (1.2), leaky (1.3), clip (1.4), heard (1.5), no_need (1.6)."""
