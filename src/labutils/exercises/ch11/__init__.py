"""The exercises of chapter 11: append (11.1), places (11.2), leave (11.3), attend (11.4), plan (11.5)."""
