"""The exercises of chapter 5: strips (5.1), fused (5.2), previous (5.3), silent (5.4), name (5.5)."""
