"""The exercises of chapter 9: last (9.1), labels (9.2), spans (9.3), tie (9.4), ways (9.5)."""
