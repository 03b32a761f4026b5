"""The exercises of chapter 7: norms (7.1), keys (7.2), pool (7.3), turned (7.4), layer (7.5)."""
