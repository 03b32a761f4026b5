"""The exercises of chapter 12: least (12.1), step (12.2), chi (12.3), accept (12.4), choose (12.5)."""
