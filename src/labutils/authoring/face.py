"""Cut the text face to the signs that the book uses: `python -m labutils.authoring.face FOLDER`.

The face is Literata (OFL), from the npm package `@fontsource-variable/literata`; FOLDER is that package, unpacked
(`npm pack @fontsource-variable/literata@5.3.0 && tar xf *.tgz` makes `package/`). The cuts are written to
book/_static/vendor/literata, with the licence, and their hashes to the manifest beside it. It needs `fonttools` and
`brotli`; nobody else needs them, since the cuts lie in the repository.

`FACES` says which cut holds which signs, and `face.css` repeats it, so that a browser loads a cut only for a page that
has a sign of it. `FALLBACK` names the signs of the book that Literata does not have: they come from the reader's own
serif. A test compares all three with the pages.
"""

import argparse
import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from labutils.controls.style import LOOK
from labutils.places import STATIC

PACKAGE, VERSION = "@fontsource-variable/literata", "5.3.0"
FAMILY = "Literata Book"
FOLDER = STATIC / "vendor" / "literata"
LATIN = (
    "U+20-7E, U+A0, U+A7, U+B0-B3, U+B7, U+B9, U+BC-BE, U+D7, U+E1, U+E4, U+E7-E9, U+ED, U+EF, U+F1, U+F3, U+F6-F7,"
    " U+FC, U+2011, U+2013-2014, U+2018-2019, U+201C-201D, U+2026, U+202F, U+2032-2033, U+2060, U+2212"
)
# name of the cut: (file of the package, weights, slope, signs)
FACES = {
    "literata": ("literata-latin-opsz-normal", "400 700", "normal", LATIN),
    "literata-italic": ("literata-latin-opsz-italic", "400", "italic", LATIN),
    "literata-names": (
        "literata-latin-ext-opsz-normal",
        "400 700",
        "normal",
        "U+106-107, U+10C-10D, U+120-121, U+131, U+141-142, U+144, U+150-151, U+15E-161, U+179-17E",
    ),
    "literata-greek": (
        "literata-greek-opsz-normal",
        "400 700",
        "normal",
        "U+394, U+398, U+39B, U+3A3, U+3A6, U+3A9, U+3B1-3C1, U+3C3-3C9",
    ),
}
# signs without a drawing of their own: one that looks the same, or a space
SAME = {0x2011: 0x2D, 0x202F: 0x20, 0x2060: None}
# what Literata does not have and the book uses, by kind
FALLBACK = {
    "arrows": "←→↔",
    "mathematics": "√∞≤≥≈∈∑‖ᵀ⅓⅗",
    "raised and lowered figures": "⁰⁴⁵⁶⁷⁸⁹⁻ᵗ₀₁₂₃₄₅₆₇₈₉ₖᵢⱼₙ",
    "signs that a chapter shows": "␣�🙂",
    "marks of difficulty and of checks": "●○✓✕",
}


def signs(ranges: str) -> set[int]:
    """The code points of a list as a stylesheet writes it.

    >>> sorted(map(chr, signs("U+41-43, U+7A")))
    ['A', 'B', 'C', 'z']
    """
    found = set()
    for part in ranges.replace("U+", "").split(","):
        first, _, last = part.strip().partition("-")
        found |= set(range(int(first, 16), int(last or first, 16) + 1))
    return found


def drawn() -> set[str]:
    """All signs that the pages may use: those of the cuts, and those that have a named fallback."""
    return {chr(code) for *_, ranges in FACES.values() for code in signs(ranges)} | set("".join(FALLBACK.values()))


def rules() -> str:
    """The stylesheet that names the cuts."""
    head = f"/* The text face. Written by labutils.authoring.face from {PACKAGE} {VERSION}. */\n"
    return head + "".join(_rule(name, *face[1:]) for name, face in FACES.items())


def _rule(name: str, weights: str, slope: str, ranges: str) -> str:
    return (
        f'@font-face {{\n  font-family: "{FAMILY}";\n  src: url("vendor/literata/{name}.woff2") format("woff2");\n'
        f"  font-weight: {weights};\n  font-style: {slope};\n  font-display: swap;\n  unicode-range: {ranges};\n}}\n"
    )


def cut(source: Path, target: Path, codes: Iterable[int]) -> None:
    """Write the part of a font that draws these signs, both axes kept, figures proportional or tabular as asked."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    font = TTFont(source)
    for code, like in SAME.items():
        name = font.getBestCmap().get(like) if like else None
        for table in font["cmap"].tables:
            if table.isUnicode() and code in codes and name:
                table.cmap.setdefault(code, name)
    options = subset.Options(
        flavor="woff2", layout_features=["ccmp", "liga", "locl", "pnum", "tnum", "kern"], hinting=False
    )
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # whose it is, and the licence
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=set(codes))
    cutter.subset(font)
    font["head"].modified = font["head"].created  # the same bytes each time
    font.recalcTimestamp = False
    subset.save_font(font, target, options)


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut the text face to the signs that the book uses.")
    parser.add_argument("package", type=Path, help=f"the unpacked npm package {PACKAGE}@{VERSION}")
    package = parser.parse_args().package
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.copy(package / "LICENSE", FOLDER / "LICENSE")
    for name, (file, _, _, ranges) in FACES.items():
        cut(package / "files" / f"{file}.woff2", FOLDER / f"{name}.woff2", signs(ranges))
    (LOOK / "face.css").write_text(rules(), encoding="utf-8")
    manifest = FOLDER.parent / "manifest.json"
    known = json.loads(manifest.read_text(encoding="utf-8"))
    known["literata"] = {
        "version": VERSION,
        "licence": "OFL-1.1",
        "source": f"npm {PACKAGE}@{VERSION}, cut by labutils.authoring.face",
        "files": {
            f"literata/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(FOLDER.iterdir())
        },
    }
    manifest.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
