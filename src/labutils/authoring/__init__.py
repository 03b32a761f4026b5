"""What keeps the book true: synced cells, refreshed notebooks, generated pages, the build."""
