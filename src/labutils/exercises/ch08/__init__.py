"""The exercises of chapter 8: pencil (8.1), lens (8.2), parts (8.3), loop (8.4), leak (8.5)."""
