"""Start a chapter from the pattern: `make new-chapter NUMBER=11 NAME=kv_cache`.

Without make: `python -m labutils.authoring.new_chapter 11 kv_cache`. Title and question come from book/chapters.yml.
Written are the chapter and its exercises, a checker for each with its table of mistakes, unusual answers to them, the
entry in book/_toc.yml, and the link at the end of the chapter before it. With `MORE=yes` (`--more`) comes a second
notebook, `notebooks/more/11_kv_cache.ipynb`; where the chapter is there already, this alone.
Everything runs and is published at once; what is left to write begins with `WRITE:`, and `make check` lists it.
"""

import argparse
import re
import sys
from pathlib import Path

import nbformat

from labutils.authoring import notebooks, pattern
from labutils.authoring.declared import declared
from labutils.controls.strip import CHAPTER_OF
from labutils.places import ROOT

# the last paragraph of a page: a link and nothing else
LAST_LINK = re.compile(r"(^|\n\n)\[\*\d+\* [^\]]*\]\([^)]*\)\s*$")
ANSWERS = {"double": "2 * x", "triple": "3 * x", "square": "x * x", "negate": "-x", "same": "x"}  # of the pattern


def start(number: str, name: str, root: Path = ROOT, more: bool = False) -> list[Path]:
    """Write all that a new chapter consists of; returns the files that are new or changed.

    more: whether a second notebook is wanted, of this chapter or of one that is there already.

    Raises:
        ValueError: book/chapters.yml plans no such chapter, or it has been started already. Nothing is written then.
    """
    parts = declared(root / "book/chapters.yml")["parts"]
    planned = {chapter["name"]: chapter for part in parts for chapter in part["chapters"]}
    stem = f"{int(number):02d}_{name}" if number.isdigit() else f"{number}_{name}"
    if stem not in planned:
        here = [known for known in planned if known.startswith(stem[:2])]
        raise ValueError(
            f"book/chapters.yml plans no chapter {stem}. {f'It has {here[0]}.' if here else 'Plan it there first.'}"
        )
    chapter, exercise, second = (root / f"notebooks/{folder}{stem}.ipynb" for folder in ("", "exercises/", "more/"))
    alone = more and chapter.exists()
    for path in (second,) if alone else (chapter, exercise, second):
        if path.exists():
            raise ValueError(f"{path.relative_to(root).as_posix()} is there already.")
    toc = root / "book/_toc.yml"
    if alone:
        contents = with_second(toc.read_text(encoding="utf-8"), stem)
        return [_second(second, planned[stem]), _put(toc, contents)]
    contents = with_entry(
        toc.read_text(encoding="utf-8"),
        stem,
        [[c["name"] for c in part["chapters"]] for part in parts],
        {c["name"]: part["caption"] for part in parts for c in part["chapters"]},
    )
    words, written = words_for(planned[stem]), [chapter, exercise]
    exercise.parent.mkdir(parents=True, exist_ok=True)
    notebooks.write(exercise, pattern.notebook("exercise", words))
    notebooks.write(chapter, pattern.notebook("chapter", words))
    if more:
        contents = with_second(contents, stem)
        written.append(_second(second, planned[stem]))
    return [*written, *_checks(root, words), _put(toc, contents), *link_up(list(planned.values()), root)]


def _put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _second(path: Path, chapter: dict) -> Path:
    path.parent.mkdir(exist_ok=True)
    notebooks.write(path, pattern.notebook("more", words_for(chapter)))
    return path


def _checks(root: Path, words: dict[str, str]) -> list[Path]:
    """Write a checker for each exercise, and the answers that the tests alone need."""
    folder, number = root / f"src/labutils/exercises/ch{words['nn']}", words["number"]
    listed = ", ".join(f"{answer} ({number}.{i})" for i, answer in enumerate(ANSWERS, 1))
    files = {folder / "__init__.py": f'"""The exercises of chapter {number}: {listed}."""\n'}
    for i, (answer, result) in enumerate(ANSWERS.items(), 1):
        more = {"place": str(i), "answer": answer, "result": result}
        files[folder / f"{answer}.py"] = pattern.filled("checker", words | more)
    files[root / f"tests/exercises/answers_{words['nn']}.py"] = pattern.filled("answers", words)
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def words_for(chapter: dict) -> dict[str, str]:
    """What the pattern leaves open and the plan says."""
    name, title = chapter["name"], chapter["title"]
    number = int(name[:2])
    stations = [station for station, known in CHAPTER_OF.items() if int(known[:2]) <= number]
    lower = title if title[1:2].isupper() else title[0].lower() + title[1:]
    return {
        "number": str(number),
        "nn": name[:2],
        "name": name,
        "title": title,
        "lower_title": lower,
        "question": chapter["question"],
        "station": stations[-1],
    }


def link(chapter: dict) -> str:
    """The last paragraph of the chapter before this one."""
    return f"[*{int(chapter['name'][:2])}* {chapter['title']}]({chapter['name']}.ipynb)"


def link_up(planned: list[dict], root: Path) -> list[Path]:
    """Let each chapter end with the link to the next one that is written; returns those that have changed."""
    written = [chapter for chapter in planned if (root / f"notebooks/{chapter['name']}.ipynb").exists()]
    changed = []
    for chapter, following in zip(written, written[1:], strict=False):
        path = root / f"notebooks/{chapter['name']}.ipynb"
        notebook = notebooks.read(path)
        last, way = notebook.cells[-1], link(following)
        if last.cell_type == "markdown" and LAST_LINK.search(last.source):
            last.source = LAST_LINK.sub(lambda found: found[1] + way, last.source)
        else:
            notebook.cells.append(nbformat.v4.new_markdown_cell(way, id="onward"))
        if notebooks.write(path, notebook):
            changed.append(path)
    return changed


def with_entry(toc: str, name: str, parts: list[list[str]], caption: dict[str, str]) -> str:
    """The table of contents with one more chapter at its place, shaped like its neighbour's entry.

    Args:
        parts: the names of the planned chapters, part by part. caption: name -> the heading of its part.

    Raises:
        ValueError: no planned chapter is in the table of contents yet, so there is no neighbour.
    """
    lines = toc.rstrip("\n").split("\n")
    order = [known for part in parts for known in part]
    listed = [known for known in order if _entry(lines, known)]
    if not listed:
        raise ValueError("book/_toc.yml has no chapter beside which a new one could stand. Add it by hand.")
    near = [known for known in listed if caption[known] == caption[name]] or listed
    earlier = [known for known in near if order.index(known) < order.index(name)]
    neighbour = earlier[-1] if earlier else near[0]
    first, end = _entry(lines, neighbour)
    block = [line.replace(neighbour, name) for line in lines[first:end] if "/more/" not in line]
    if caption[neighbour] != caption[name]:
        first, end = _part(lines, first)
        space = re.match(" *", lines[first])[0]
        block = [f"{space}- caption: {caption[name]}", f"{space}  chapters:", *block]
    at = end if earlier else first
    return "\n".join([*lines[:at], *block, *lines[at:]]) + "\n"


def with_second(toc: str, name: str) -> str:
    """The table of contents with the second notebook of a chapter below it, before its exercises.

    Raises:
        ValueError: the chapter has no entry, or none with sections.
    """
    lines = toc.rstrip("\n").split("\n")
    first, end = _entry(lines, name) or (0, 0)
    at = next((i for i in range(first, end) if lines[i].strip() == "sections:"), None)
    if at is None:
        raise ValueError(
            f"book/_toc.yml has no entry notebooks/{name} with sections. Add notebooks/more/{name} by hand."
        )
    space = re.match(" *", lines[at + 1])[0]
    return "\n".join([*lines[: at + 1], f"{space}- file: notebooks/more/{name}", *lines[at + 1 :]]) + "\n"


def _entry(lines: list[str], name: str) -> tuple[int, int] | None:
    """The first line of a chapter's entry and the line after its last; None if it has none."""
    for i, line in enumerate(lines):
        if re.fullmatch(rf" *- file: notebooks/{name}", line.rstrip()):
            return i, _end(lines, i)
    return None


def _part(lines: list[str], inside: int) -> tuple[int, int]:
    """The lines of the part that a line lies in."""
    space = len(re.match(" *", lines[inside])[0])
    first = next(
        i for i in range(inside, -1, -1) if re.match(" *- ", lines[i]) and len(re.match(" *", lines[i])[0]) < space
    )
    return first, _end(lines, first)


def _end(lines: list[str], first: int) -> int:
    space = len(re.match(" *", lines[first])[0])
    after = (i for i in range(first + 1, len(lines)) if lines[i].strip() and len(re.match(" *", lines[i])[0]) <= space)
    return next(after, len(lines))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m labutils.authoring.new_chapter", description="Start a chapter from the pattern."
    )
    parser.add_argument("number", help="two digits, as in book/chapters.yml: 05")
    parser.add_argument("name", help="as in book/chapters.yml: multi_head")
    parser.add_argument("--more", action="store_true", help="a second notebook, in notebooks/more/")
    options = parser.parse_args()
    try:
        changed = start(options.number, options.name, more=options.more)
    except ValueError as error:
        sys.exit(str(error))
    print("\n".join(path.relative_to(ROOT).as_posix() for path in changed))
    print("book/writing.md says what belongs into each cell; `make check` lists what is still to write.")


if __name__ == "__main__":
    main()
