"""What a class costs: seconds to grade a submission, memory of a student's kernel, bytes of a visit.

    python -m tests.benchmarks.course                           # ten minutes on two cores, writes benchmarks/course.json
    python -m tests.benchmarks.course --students 10             # a rehearsal, writes nothing
    python -m tests.benchmarks.course --students 38 --every 1   # one that tries every kind of hostile answer

Two hundred students hand in the exercises of a chapter: some answers are right, most have one of the mistakes that the
checkers know, some were not begun. What each fifth student hands in is hostile: it loops, floods, copies itself, eats
memory, kills, cheats, or is something else than a notebook. They are graded in one run on all cores, and each row has to
be as it should: every right answer has its points and every other none, whatever ran beside it.
"""

import argparse
import csv
import io
import random
import tempfile
import threading
import time
from contextlib import redirect_stdout
from copy import deepcopy
from itertools import cycle
from pathlib import Path

import nbclient
import psutil
from playwright.sync_api import sync_playwright

from labutils.authoring import assignments, notebooks
from labutils.authoring.benchmarks import record
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading.course import cores
from labutils.authoring.pdf import chromium
from labutils.authoring.self_study import student
from labutils.authoring.serve import server
from labutils.places import CHAPTERS, SITE
from tests.benchmarks import hostile
from tests.exercises.classroom import hand_in
from tests.exercises.test_answers import ALL, SOURCES, with_imports, wrong_answers

CHAPTER, STUDENTS = hostile.CHAPTER, 200
EVERY, SECONDS = 5, 10  # each fifth student is a hostile one; an exercise may take ten seconds of a processor
KERNELS = ("04_attention", "08_gpt2", "10_training")
SIZES = (200, 2_000, 20_000)


def handed_in(draw):
    """A student's notebook, and for each exercise whether its answer is right."""
    source, notebook, right = SOURCES[CHAPTER], student(SOURCES[CHAPTER]), {}
    for cell in notebook.cells:
        if cell.id in ALL:
            wrong = list(wrong_answers(cell.id))
            kind = draw.choices(["right", "wrong", "untouched"], [4, 5, 1])[0]
            right[cell.id] = kind == "right"
            if kind == "right":
                cell.source = next(one.source for one in source.cells if one.id == cell.id)
            elif kind == "wrong" and wrong:
                cell.source = with_imports(cell.id, draw.choice(wrong)[3])
    return notebook, right


def class_of(course, students, every):
    """Hand in for a class; for each student the status and, of each exercise, whether it has to get points.

    Args:
        every: each so-manieth student is a hostile one.
    """
    draw, kinds, expected = random.Random(5), cycle(hostile.KINDS), {}
    for i in range(1, students + 1):
        if i % every == 0:
            kind = next(kinds)
            who = f"s{i:03}-{kind}"
            expected[who] = hostile.hand_in(course, who, kind)
        else:
            notebook, right = handed_in(draw)
            expected[f"s{i:03}"] = "graded", right
            hand_in(course, f"s{i:03}/{hostile.PLACE}", notebook)
    return expected


def graded(students, every=EVERY):
    """Wall clock and processor seconds of grading a class; ends with an error where a verdict is not as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        notebooks.write(at(folder / "exercises") / f"{hostile.NAME}.ipynb", deepcopy(SOURCES[CHAPTER]))
        assignments.prepare(folder / "exercises", folder, folder / "private")
        expected = class_of(folder, students, every)
        before = {path: path.read_bytes() for path in (folder / "submitted").rglob("*") if path.is_file()}
        start, used = time.perf_counter(), processor_seconds()
        with redirect_stdout(io.StringIO()):
            grading.main(folder, ["--allow-root", "--seconds", str(SECONDS)])
        taken, used = time.perf_counter() - start, processor_seconds() - used
        with (folder / "grades.csv").open(newline="", encoding="utf-8") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        if rows.keys() != expected.keys():
            raise SystemExit(f"The table and the class differ in {', '.join(sorted(rows.keys() ^ expected.keys()))}.")
        if wrong := [said for who, due in expected.items() if (said := differs(rows[who], *due))]:
            raise SystemExit("\n".join(wrong))
        if before != {path: path.read_bytes() for path in (folder / "submitted").rglob("*") if path.is_file()}:
            raise SystemExit("What was handed in is no longer what it was.")
        if left := hostile.left_running():
            raise SystemExit(f"Left running: {left}.")
    return taken, used


def differs(row, status, right):
    """What a row of the table says and should not, in a sentence; empty where all is as it should be."""
    if row["status"] != status:
        return f"{row['student']} is {row['status']}, and should be {status}."
    found = {exercise: float(row[exercise] or 0) > 0 for exercise in right}
    return "" if found == right else f"{row['student']} got points for {found}, and should for {right}."


def at(folder):
    folder.mkdir()
    return folder


def processor_seconds():
    """Of the whole machine: what is graded runs in processes that are gone when one asks for theirs."""
    times = psutil.cpu_times()
    return times.user + times.system


def memory(name):
    """The most that the processes of a chapter's kernel took at once while it ran, in bytes."""
    notebook, most, done = notebooks.read(CHAPTERS / f"{name}.ipynb"), 0, threading.Event()
    before = {process.pid for process in psutil.process_iter()}

    def look():
        nonlocal most
        while not done.wait(0.2):
            mine = [one for one in psutil.Process().children(recursive=True) if one.pid not in before]
            most = max(most, sum(one.memory_info().rss for one in mine if one.is_running()))

    watcher = threading.Thread(target=look)
    watcher.start()
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(CHAPTERS)}}).execute()
    done.set()
    watcher.join()
    return most


def visited(page):
    """Bytes that a browser with nothing kept fetches for one page, compressed as servers do."""
    total = 0
    with server(SITE) as running, sync_playwright() as playwright:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        opened, seen = browser.new_page(), []
        opened.on("requestfinished", lambda request: seen.append(request))
        opened.goto(f"http://127.0.0.1:{running.server_port}/{page}", wait_until="networkidle")
        total = sum(
            sum(request.sizes()[part] for part in ("responseBodySize", "responseHeadersSize")) for request in seen
        )
        browser.close()
        running.shutdown()
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=STUDENTS)
    parser.add_argument("--every", type=int, default=EVERY, help="each so-manieth student hands in something hostile")
    given = parser.parse_args()
    students = given.students
    taken, used = graded(students, given.every)
    print(f"{students} graded in {taken:.0f} s, {taken / students:.2f} s each, {used / students:.2f} processor seconds")
    if (students, given.every) != (STUDENTS, EVERY):
        return
    kernel = max(map(memory, KERNELS))
    page = visited("notebooks/04_attention.html")
    summary = (
        f"{students} submissions of the exercises of chapter {int(CHAPTER)}, graded in one run on {cores()} cores: **{taken / 60:.1f}"
        f" minutes, {taken / students:.2f} seconds each**, {used / students:.1f} seconds of a processor. What each fifth student hands"
        f" in is hostile, of {len(hostile.KINDS)} kinds, and every row was as it should be; an exercise had {SECONDS} seconds. A kernel that runs a"
        f" chapter takes at most {kernel / 1e9:.1f} GB (chapters {', '.join(str(int(name[:2])) for name in KERNELS)}); the first visit of a chapter"
        f" fetches {page / 1e6:.1f} MB. From these three the table: grading thirteen sheets, one server for every fifth student at the same time, and"
        " thirteen chapters visited by each."
    )
    rows = [
        {
            "class": f"{size:,}",
            "processor hours of grading, 13 sheets": f"{13 * size * used / students / 3600:,.0f}",
            "on 8 cores": f"{13 * size * used / students / 3600 / 8:,.1f} h",
            "memory of the hub, a fifth at work": f"{size / 5 * kernel / 1e9:,.0f} GB",
            "bytes of the site, 13 chapters each": f"{13 * size * page / 1e9:,.0f} GB",
        }
        for size in SIZES
    ]
    print(summary)
    print(record("course", "What a class costs", summary, rows))


if __name__ == "__main__":
    main()
