"""A reader's copy follows the book until it is changed; then nothing but a reset touches it, and a reset loses nothing."""

import pytest

from labutils.authoring.lab import reset, update


@pytest.fixture
def folders(tmp_path):
    chapters, work = tmp_path / "notebooks", tmp_path / "work"
    chapters.mkdir()
    (chapters / "04_attention.ipynb").write_text("first")
    (chapters / "05_multi_head.ipynb").write_text("other")
    assert update(chapters, work) == []
    return chapters / "04_attention.ipynb", work / "04_attention.ipynb"


def again(folders):
    return update(folders[0].parent, folders[1].parent)


def test_an_untouched_copy_follows_the_book(folders):
    original, copy = folders
    assert copy.read_text() == "first"
    original.write_text("second")
    assert again(folders) == [] and copy.read_text() == "second"


def test_a_changed_copy_stays_and_says_so_when_the_book_moves_on(folders):
    original, copy = folders
    copy.write_text("mine")
    assert again(folders) == [] and copy.read_text() == "mine"
    original.write_text("second")
    (sentence,) = again(folders)
    assert "make reset CHAPTER=04" in sentence and copy.read_text() == "mine"


def test_a_deleted_copy_comes_back(folders):
    folders[1].unlink()
    assert again(folders) == [] and folders[1].read_text() == "first"


def test_reset_keeps_each_changed_copy(folders):
    original, copy = folders
    for n, mine in enumerate(("mine", "mine too"), 1):
        copy.write_text(mine)
        said = reset("04", original.parent, copy.parent)
        assert copy.read_text() == "first"
        assert f"04_attention.yours-{n}.ipynb" in said
        assert (copy.parent / f"04_attention.yours-{n}.ipynb").read_text() == mine
    assert "kept" not in reset("04_attention", original.parent, copy.parent)


def test_reset_after_an_update_takes_the_new_version_and_follows_it(folders):
    original, copy = folders
    copy.write_text("mine")
    original.write_text("second")
    reset("04", original.parent, copy.parent)
    original.write_text("third")
    assert again(folders) == [] and copy.read_text() == "third"


@pytest.mark.parametrize("name", ["", "0", "99", "attention"])
def test_reset_of_no_single_chapter_is_one_sentence(folders, name):
    with pytest.raises(ValueError, match="04_attention, 05_multi_head"):
        reset(name, folders[0].parent, folders[1].parent)
