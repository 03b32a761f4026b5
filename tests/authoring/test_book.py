"""A build does what has changed and no more, and never takes a failed page for a finished one."""

from types import SimpleNamespace

import pytest

from labutils.authoring import book

FILES = {
    "src/labutils/text.py": {"run", "frame", "site"},
    "src/labutils/checkpoints/little/model.safetensors": {"run", "frame", "site"},
    "requirements.txt": {"run", "frame", "site"},
    "constraints.txt": {"run", "frame", "site"},
    "_config.yml": {"frame", "site"},
    "book/_toc.yml": {"frame", "site"},
    "book/_ext/site_offline.py": {"frame", "site"},
    "book/_static/page.js": {"frame", "site"},
    "book/index.md": {"site"},
    "notebooks/04_attention.ipynb": {"site"},
    "notebooks/more/04_attention.ipynb": {"site"},
    "benchmarks/tokenizers.json": {"site"},
    "tests/layers/test_attention.py": {"site"},
    "book/generated/way.html": set(),
    "src/labutils/__pycache__/text.pyc": set(),
    "notebooks/.ipynb_checkpoints/04_attention.ipynb": set(),
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one")
    places = {
        "ROOT": "",
        "BOOK": "book",
        "STATIC": "book/_static",
        "CHAPTERS": "notebooks",
        "BENCHMARKS": "benchmarks",
        "BUILD": "_build",
        "SITE": "_build/html",
    }
    for name, path in places.items():
        monkeypatch.setattr(book, name, tmp_path / path)
    return tmp_path


@pytest.fixture
def calls(root, monkeypatch):
    """`done`: the argument of each run of Jupyter Book; a status put into `fail` makes the next one fail."""
    seen = SimpleNamespace(done=[], fail=[])

    def jupyter_book(everything):
        seen.done.append(everything)
        (root / "_build/html").mkdir(exist_ok=True)
        if seen.fail:
            raise SystemExit(seen.fail.pop())

    monkeypatch.setattr(book, "jupyter_book", jupyter_book)
    monkeypatch.setattr(book, "write_generated", lambda run: book.finished("run", run))
    monkeypatch.setattr(book, "unrun", list)
    return seen


@pytest.mark.parametrize(("name", "layers"), FILES.items())
def test_a_file_counts_for_the_layers_that_are_made_from_it(root, name, layers):
    before = book.keys()
    (root / name).write_text("two")
    after = book.keys()
    assert {layer for layer in before if before[layer] != after[layer]} == layers


def test_a_new_chapter_runs_the_others_again_because_they_may_link_to_it(root):
    before = book.keys()
    (root / "notebooks/05_multi_head.ipynb").write_text("one")
    assert book.keys()["run"] != before["run"]


def test_so_does_a_new_second_notebook(root):
    before = book.keys()
    (root / "notebooks/more/05_multi_head.ipynb").write_text("one")
    assert book.keys()["run"] != before["run"]


def test_a_second_notebook_runs_again_when_what_it_needs_changes_and_its_chapter_does_not(root, monkeypatch):
    """Both have files of one name; a chapter's exercises are forgotten with it."""
    names = ("", "exercises/", "more/")
    kept = [SimpleNamespace(uri=str(root / f"notebooks/{name}04_attention.ipynb"), pk=name) for name in names]
    forgotten = []
    cache = SimpleNamespace(list_cache_records=lambda: kept, remove_cache=forgotten.append)
    monkeypatch.setattr("jupyter_cache.get_cache", lambda path: cache)
    needs = {"04_attention.ipynb": root / "book/index.md", "more/04_attention.ipynb": root / "_config.yml"}
    monkeypatch.setattr(
        "labutils.authoring.needs.files", lambda path: [needs[path.relative_to(root / "notebooks").as_posix()]]
    )
    (root / "_build").mkdir()
    for changed, expected in (
        (None, list(names)),
        (None, []),
        ("_config.yml", ["more/"]),
        ("book/index.md", ["", "exercises/"]),
    ):
        if changed:
            (root / changed).write_text("two")
        forgotten.clear()
        book.forget_stale()
        assert forgotten == expected


def test_nothing_is_done_twice(calls):
    book.build()
    book.build()
    assert calls.done == [True]


def test_a_changed_chapter_leaves_the_other_pages_alone(root, calls):
    book.build()
    (root / "notebooks/04_attention.ipynb").write_text("two")
    book.build()
    assert calls.done == [True, False]


def test_a_changed_frame_builds_all_pages(root, calls):
    book.build()
    (root / "book/_toc.yml").write_text("two")
    book.build()
    assert calls.done == [True, True]


def test_after_a_failure_all_pages_are_built_again(root, calls):
    book.build()
    (root / "book/index.md").write_text("with a warning")
    calls.fail.append(1)
    with pytest.raises(SystemExit):
        book.build()
    book.build()
    assert calls.done == [True, False, True]
