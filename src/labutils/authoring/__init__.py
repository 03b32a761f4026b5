"""What keeps the book true: synced cells, refreshed notebooks, generated pages, the build."""

import sys

# jsonschema, which nbformat imports, loads a whole grammar for a kind of address that no notebook has: three seconds of
# a processor at the start of each command and of each process that tries answers. It goes on without.
sys.modules.setdefault("rfc3987_syntax", None)
