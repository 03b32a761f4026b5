"""A sound chapter passes; each thing that can be wrong with one is found, alone, with its cell."""

import nbformat
import pytest

from labutils.authoring import notebooks
from labutils.authoring.check import __main__ as command
from labutils.authoring.check import book_problems, every_notebook, notebook_problems, page_problems


def test_a_sound_chapter_and_its_exercises_have_no_findings(chapter):
    assert [sentence for path in every_notebook(chapter.parent) for sentence in notebook_problems(path)] == []
    assert book_problems(chapter.parent) == []


def put(name, text):
    """Append a text to a cell."""
    return lambda cells: cells[name].update(source=f"{cells[name].source}\n\n{text}")


def swap(name, old, new):
    def change(cells):
        assert old in cells[name].source
        cells[name].source = cells[name].source.replace(old, new)

    return change


def gone(*names):
    return lambda cells: [cells.pop(name) for name in names]


def move(name, before):
    """Put a cell before another; at the end where there is no such cell."""

    def change(cells):
        moved = cells.pop(name)
        order = dict(cells)
        cells.clear()
        for key, cell in order.items():
            if key == before:
                cells[name] = moved
            cells[key] = cell
        cells.setdefault(name, moved)

    return change


def silent(name):
    return lambda cells: cells[name].update(outputs=[], execution_count=None)


def add(name, cell, before):
    def change(cells):
        cell["id"] = name
        cells[name] = cell
        move(name, before)(cells)

    return change


def both(*changes):
    return lambda cells: [change(cells) for change in changes]


CODE, TEXT = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
FIGURE = "figure(lambda ax, wide: None, 'Heads differ in age', '<b>Figure 5.3.</b> caption'"
BOX = ":::{{admonition}} What you may have read\n:class: claim\n\n“It is so.”\n\nIt is not. (C{:03})\n:::"
LONG = "A sentence of words that goes on and on for a while. " * 8

ANATOMY = {
    "title": (swap("title", "Multi-head", "Several"), "title: the first line is not `# *5* Multi-head attention`"),
    "no question": (
        swap("title", "at once?", "at once."),
        "title: after the title stands the question of the chapter and nothing else",
    ),
    "strip": (
        swap("opening", "# Run this first: it draws where we are\n", ""),
        "opening: the second cell is not the strip",
    ),
    "facts": (
        swap("facts", "You need\n: what has to be known before.\n\n", ""),
        "facts: the third cell is not the definition list",
    ),
    "a heading is missing": (swap("cost", "## What it costs\n\n", ""), "There is no heading `## What it costs`."),
    "a heading is spelt otherwise": (swap("check", "## The check", "## Checks"), "There is no heading `## The check`."),
    "a heading stands twice": (put("recap", "## Exercises"), "recap: the heading `## Exercises` stands twice."),
    "order": (move("recap", "exercises"), "`## Exercises` comes after `## Recap`"),
    "more than a question": (put("title", "It can."), "title: after the title stands the question of the chapter"),
    "no control": (gone("control"), "play: no control stands in the first section"),
    "a control that comes late": (move("control", "predict-second"), "play: no control stands in the first section"),
    "formula first": (put("play", "Like $x^2$."), "play: a formula comes before the first control"),
    "no copy of the package": (
        lambda cells: cells["component"].update(source="x = 1", metadata={}),
        "assemble: no cell is a copy of the package",
    ),
    "check prints nothing": (silent("paper-check"), "check: no cell has a stored output that the tests compare"),
    "break prints nothing": (silent("break-it"), "broken: no cell has a stored output that names what is broken."),
    "three questions": (gone("q-two"), "questions: there are 3 questions with choices; 4 or more"),
    "nothing measured": (gone("counted"), "cost: nothing is measured"),
    "no look": (
        gone("look-control", "look-figure"),
        "No section between `## The check` and `## Quick questions` looks at a trained model",
    ),
    "four boxes": (
        both(
            *(add(f"box-{n}", TEXT(BOX.format(n)), "second-says") for n in (64, 148, 135)),
            *(add(f"proof-{n}", CODE("print(1)"), f"box-{n}") for n in (64, 148, 135)),
        ),
        "There are 4 boxes “What you may have read”, at most 3.",
    ),
    "one guess": (gone("predict-second"), "1 guesses are asked for before a reveal; 2 or more"),
    "no link to exercises": (
        swap("exercises", "[Exercises of chapter 5](exercises/05_multi_head.ipynb)", "them"),
        "exercises: there is no link to exercises/05_multi_head.ipynb.",
    ),
    "four lines": (swap("recap", "5. by itself.\n", ""), "recap: 4 items stand before **Read on.**"),
    "no reading": (swap("recap", "**Read on.** ", ""), "recap: there is no paragraph that begins with **Read on.**"),
    "one work": (
        swap("recap", "[Author 2001](../book/bibliography.md)", "Author"),
        "recap: **Read on.** names 1 works",
    ),
    "no last line": (swap("recap", "\n\nthe line that makes the next chapter necessary.", ""), "recap: the last line"),
    "link to nowhere in sight": (
        add("onward", TEXT("[*5* Multi-head attention](05_multi_head.ipynb)"), "none"),
        "onward: the last paragraph is a link, and no later chapter",
    ),
}
LENGTHS = {
    "long paragraph": (put("check", LONG), "check: a paragraph of 7 lines, at most 5: “A sentence of words"),
    "long item": (put("check", f"- {LONG}"), "check: a paragraph of 7 lines"),
    "long paragraph in a box": (swap("claim-box", "(C149)", f"{LONG}(C149)"), "claim-box: a paragraph of"),
    "long cell": (
        lambda cells: cells["whole-numbers"].update(source="x = 1\n" * 13),
        "whole-numbers: 13 lines of code; at most 12 before the component.",
    ),
}
CLAIMS = {
    "no number": (swap("claim-box", " (C149)", ""), "claim-box: the box of a claim does not end with the number"),
    "number inside": (
        swap("claim-box", "(C149)", "(C149) as said."),
        "claim-box: the box of a claim does not end with the number",
    ),
    "a guess before": (
        move("predict-second", "claim-box"),
        "claim-box: the box of C149 does not follow the code cell that proves it.",
    ),
    "no cell before": (
        move("first-step-says", "claim-box"),
        "claim-box: the box of C149 does not follow the code cell that proves it.",
    ),
    "text before": (
        swap("claim-box", ":::{adm", "So.\n\n:::{adm"),
        "claim-box: text stands between the box of C149 and the cell",
    ),
    "in the text": (put("check", "As in C162."), "check: C162 is named outside a box"),
    "no class": (swap("claim-box", ":class: claim\n", ""), "claim-box: C149 is named outside a box"),
}
LINKS = {
    "no file": (put("check", "[there](../book/gone.md)"), "check: the link to ../book/gone.md leads to no file."),
    "no heading": (
        put("check", "[there](../book/bibliography.md#what-to-eat)"),
        "check: the link to ../book/bibliography.md#what-to-eat leads to no heading of bibliography.md.",
    ),
    "no heading here": (put("check", "[there](#the-cheque)"), "check: the link to #the-cheque leads to no heading"),
    "no image": (put("check", "![a cat](cat.png)"), "check: the link to cat.png leads to no file."),
}
WORDS = {
    **{
        word: (put("check", f"It is {word} a sum."), f"check: “{word}” never appears in this book.")
        for word in ("just", "simply", "obviously", "easily")
    },
    "note that": (put("check", "Note that it holds."), "check: “Note that” never appears"),
    "of course": (put("check", "- Of course it does."), "check: “Of course” never appears"),
    "in a question": (swap("q-one", '"question?"', '"Is it just a sum?"'), "q-one: “just” never appears"),
    "in a reply": (swap("q-one", '"reply."', '"It is easy."'), "q-one: “easy” never appears"),
    "misspelt": (put("check", "Teh weights."), "check: “Teh” is misspelt; perhaps “the”."),
    "misspelt in a caption": (swap("look-figure", "source, size", "lenght"), "look-figure: “lenght” is misspelt"),
    "American": (put("check", "The color is normalized."), "check: “color” is spelt “colour” here."),
    "a share with a space": (put("check", "Of these 96 % are."), "check: “96 %”: a share is written 96%, without"),
    "a share in a thin space": (put("check", "Of these 9.6\u202f% are."), "check: “9.6\u202f%”: a share is written"),
    "a share in words": (put("check", "Of these 96 per cent are."), "check: “96 per cent”: a share is written 96%"),
    "twice": (put("check", "It is the the sum."), "check: “the the”: a word stands twice."),
    "path": (put("whole-numbers", "open('/home/me/x')"), "whole-numbers: “/home/me” is a path of somebody's machine."),
    "path of Windows": (put("whole-numbers", r"open('C:\Users')"), "is a path of somebody's machine."),
    "path in an output": (
        lambda cells: cells["paper-check"].outputs[0].update(text="/tmp/x1"),
        "paper-check: “/tmp/x1” is a path",
    ),
    "unfinished": (put("check", "TODO"), "check: “TODO” is a mark of unfinished work."),
    "instruction": (put("check", "WRITE: more."), "check: 1 instruction of the pattern still to be replaced"),
}
FIGURES = {
    "no alternative text": (put("look-figure", f"{FIGURE})"), "look-figure: a figure has no alternative text."),
    "empty": (put("look-figure", f"{FIGURE}, alt=' ')"), "look-figure: a figure has no alternative text."),
    "title again": (put("look-figure", f"{FIGURE}, 'Heads differ in age')"), "repeats its title"),
    "no number": (put("look-figure", f"{FIGURE}, 'Bars that differ')"), "has no number in it"),
    "map": (
        put("look-figure", "attention_map(w, t, 'Most look back once', '<b>Figure 5.3.</b> caption', '')"),
        "look-figure: a figure has no alternative text.",
    ),
    "axes for a title": (
        put("look-figure", f"{FIGURE.replace('Heads differ in age', 'Loss against step')}, 'It falls to 2')"),
        "look-figure: the title “Loss against step” names what is drawn.",
    ),
    "no figure number": (
        put("look-figure", f"{FIGURE.replace('<b>Figure 5.3.</b> ', '')}, 'It falls to 2')"),
        "look-figure: the caption does not begin with the number of the figure",
    ),
    "numbered out of order": (
        put("look-figure", f"{FIGURE.replace('5.3', '5.1')}, 'It falls to 2')"),
        "look-figure: figure 5.1 stands after 5.3; number them as they stand.",
    ),
    "numbered twice": (
        put("q-one", f"{FIGURE.replace('5.3', '5.4')}, 'It falls to 2')"),
        "q-one: figure 5.4 stands after 5.4; number them as they stand.",
    ),
    "numbered for another chapter": (
        put("q-one", f"{FIGURE.replace('5.3', '6.5')}, 'It falls to 2')"),
        "q-one: figure 6.5 stands after 5.4; number them as they stand.",
    ),
    "past the house": (put("whole-numbers", "plt.show()"), "whole-numbers: a picture is drawn past `labutils.figures`"),
    "image": (
        put("check", "![](../../book/chapters.yml)"),
        "check: the image ../../book/chapters.yml has no alternative text.",
    ),
}
IDS = {
    "by lot": (lambda cells: cells["check"].update(id="a1b2c3d4"), "a1b2c3d4: the id of a cell says what it is"),
    "by JupyterLab": (
        lambda cells: cells["check"].update(id="0f1e2d3c-aaaa-4bbb-8ccc-0123456789ab"),
        "the id of a cell says what it is",
    ),
    "capitals": (lambda cells: cells["check"].update(id="TheCheck"), "TheCheck: the id of a cell says what it is"),
    "guess of another chapter": (swap("q-one", '"05-q-one"', '"04-q-one"'), "q-one: a guess is named like `05-"),
    "guess without a name": (swap("q-one", '"05-q-one"', '"05-Q 1"'), "q-one: a guess is named like `05-"),
    "skipped": (lambda cells: cells["counted"].metadata.update(tags=["nbval-skip"]), "(counted): it is skipped."),
}
BROKEN = {
    f"{group}: {name}": pair
    for group, rules in (
        ("anatomy", ANATOMY),
        ("lengths", LENGTHS),
        ("claims", CLAIMS),
        ("links", LINKS),
        ("words", WORDS),
        ("figures", FIGURES),
        ("ids", IDS),
    )
    for name, pair in rules.items()
}


def changed(path, change):
    notebook = notebooks.read(path)
    cells = {cell.id: cell for cell in notebook.cells}
    change(cells)
    notebook.cells = list(cells.values())
    notebooks.write(path, notebook)


ALSO = {  # what one change cannot help doing as well
    "anatomy: order": "recap: the last line",
    "words: American": "“normalized” is spelt “normalised” here.",
    "words: a share with a space": "is neither printed nor asserted",
    "words: a share in a thin space": "is neither printed nor asserted",
    "words: a share in words": "is neither printed nor asserted",
    "figures: image": "leads to no file",
}


@pytest.mark.parametrize("name", BROKEN)
def test_one_sentence_names_what_is_wrong_and_where(chapter, name):
    change, said = BROKEN[name]
    changed(chapter, change)
    found = untimed(chapter)
    rest = [sentence for sentence in found if said not in sentence]
    assert len(found) - len(rest) == 1, found
    assert rest == [] or name in ALSO and all(ALSO[name] in sentence for sentence in rest)


def untimed(path):
    """The findings without the one on minutes, which many changes move; test_path has it."""
    return [sentence for sentence in notebook_problems(path) if "by the formula" not in sentence]


def passes(path, change):
    changed(path, change)
    return untimed(path) == []


@pytest.mark.parametrize(
    "text",
    [
        "`just` in code, “just” in quotes, *just* as a word that is shown.",
        "A formula $simply$ with signs.",
        "```python\neasy = 1\n```",
        "*on the the mat* and “normalize” and `color`.",
        f"- {LONG[:300]}\n- {LONG[:300]}",
        f"| a | b |\n|---|---|\n| {LONG} | c |",
        "$$\nx = \\frac{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}{b}\n$$",
        "[there](../book/bibliography.md#what-to-read) and [here](#the-check) and [far](https://example.org/x).",
        "The folder work/ and the word justice.",
        "How many per cent more?",
    ],
)
def test_what_may_stand_in_a_chapter(chapter, text):
    assert passes(chapter, put("check", text))


def test_comments_blank_lines_and_docstrings_are_no_lines_of_code(chapter):
    code = 'def f(x):\n    """What it does.\n\n    And more.\n    """\n\n    # why\n' + "    x += 1  # one\n" * 11
    assert passes(chapter, lambda cells: cells["whole-numbers"].update(source=code))


def test_cells_after_the_component_and_hidden_ones_may_be_longer(chapter):
    def longer(cells):
        for name in ("counted", "look-figure"):
            cells[name].source += "\n" + "x = 1\n" * 13

    assert passes(chapter, longer)


def test_wrong_choices_may_say_anything(chapter):
    assert passes(chapter, swap("q-one", '("b", "reply.")', '("77.7 % of all", "reply.")'))


def test_a_later_chapter_must_be_linked_and_then_is(chapter):
    chapter.with_name("07_bert.ipynb").write_text("{}")
    expected = "[*7* BERT](07_bert.ipynb)"
    assert [s for s in notebook_problems(chapter) if "recap" in s] == [
        f"recap: the last paragraph is not `{expected}`, the link to the next chapter."
    ]
    assert passes(chapter, add("onward", TEXT(expected), "none"))


def test_the_last_line_is_no_link(chapter):
    chapter.with_name("07_bert.ipynb").write_text("{}")
    changed(
        chapter,
        both(
            swap("recap", "\n\nthe line that makes the next chapter necessary.", ""),
            add("onward", TEXT("[*7* BERT](07_bert.ipynb)"), "none"),
        ),
    )
    assert list(notebook_problems(chapter)) == [
        "recap: the last line, which makes the next chapter necessary, is missing after **Read on.**"
    ]


def test_a_page_without_a_number_needs_no_parts_but_all_the_rest(chapter):
    page = chapter.with_name("play.ipynb")
    notebooks.write(page, nbformat.v4.new_notebook(cells=[TEXT("# Play\n\nIt is a toy.", id="title")]))
    assert notebook_problems(page) == []
    assert passes(page, put("title", "Fine."))
    changed(page, put("title", f"Just so. {LONG}"))
    assert len(notebook_problems(page)) == 2


def test_exercises_need_no_parts_but_all_the_rest(chapter):
    exercise = chapter.parent / "exercises/05_multi_head.ipynb"
    changed(exercise, put("how", "Simply write it."))
    assert notebook_problems(exercise) == ["how: “Simply” never appears in this book."]


def test_the_task_of_an_exercise_may_have_six_lines_and_no_more(chapter):
    exercise = chapter.parent / "exercises/05_multi_head.ipynb"
    six = "A sentence of words that goes on and on for a while. " * 7
    assert passes(exercise, swap("05-double-card", "**You may use**", f"{six}\n\n**You may use**"))
    changed(exercise, swap("05-double-card", "**You may use**", f"{LONG}\n\n**You may use**"))
    assert [sentence.split(":")[:2] for sentence in notebook_problems(exercise)] == [
        ["05-double-card", " a paragraph of 7 lines, at most 6"]
    ]


def retitled(old, new):
    return swap("05-double-card", old, new)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (gone("05-double-check"), "05-double-card: there is no cell 05-double-check."),
        (gone("05-double"), "05-double-card: there is no cell 05-double."),
        (
            retitled("```{dropdown} Hint 2\nnearly the answer.\n```\n", ""),
            "05-double-card: 1 hints; a first and a second belong on a card.",
        ),
        (
            retitled("**5.1 ", "**5.9 "),
            "The exercises are numbered 5.9, 5.2, 5.3, 5.4, 5.5, not 5.1, 5.2, 5.3, 5.4, 5.5.",
        ),
        (retitled("5 minutes", "8 minutes"), "facts: 75 minutes are stated, and the exercises take 78."),
        (
            both(gone("05-same-card", "05-same", "05-same-check"), swap("facts", "75", "50")),
            "There are 4 exercises; a chapter has 5 or more.",
        ),
    ],
)
def test_exercises_are_whole_and_add_up(chapter, change, said):
    exercise = chapter.parent / "exercises/05_multi_head.ipynb"
    changed(exercise, change)
    assert notebook_problems(exercise) == [said]


def test_a_card_without_its_dots(chapter):
    exercise = chapter.parent / "exercises/05_multi_head.ipynb"
    changed(exercise, retitled("●○○ ", ""))
    assert "05-double-card: the card lacks its title (**5.1 …**), three dots or its minutes." in notebook_problems(
        exercise
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("the second title", "another title", "exercises: the list lacks “the second title”, exercise 5.2."),
        (
            "15 minutes, ●●○\n- the third",
            "10 minutes, ●●○\n- the third",
            "exercises: “the second title” takes 15 minutes and has ●●○ on its card.",
        ),
        ("25 minutes, ●●●", "25 minutes, ●●○", "exercises: “the last title” takes 25 minutes and has ●●● on its card."),
    ],
)
def test_the_chapter_lists_its_exercises_as_they_are(chapter, old, new, said):
    changed(chapter, swap("exercises", old, new))
    assert notebook_problems(chapter) == [said]


def test_a_chapter_that_is_not_planned_is_refused(chapter):
    other = chapter.rename(chapter.with_name("05_heads.ipynb"))
    with pytest.raises(ValueError, match="05_heads.ipynb is not in book/chapters.yml"):
        notebook_problems(other)


def test_a_claim_is_corrected_once_in_the_book(chapter):
    again = chapter.with_name("06_feed_forward.ipynb")
    notebooks.write(again, notebooks.read(chapter))
    assert (
        "06_feed_forward: claim-box: C149 is corrected a second time; the first is in 05_multi_head: claim-box."
        in book_problems(chapter.parent)
    )


def test_a_claim_is_a_row_of_the_page_of_claims(chapter):
    changed(chapter, swap("claim-box", "C149", "C999"))
    assert notebook_problems(chapter) == ["claim-box: C999 is no row of book/claims.csv."]


def test_a_guess_has_a_name_of_its_own_in_the_book(chapter):
    changed(chapter, swap("q-one", "05-q-one", "05-first"))
    assert book_problems(chapter.parent) == [
        "05_multi_head: q-one: a predict box has the name '05-first', and so has 05_multi_head: predict-first."
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is just a page.", "“just” never appears"),
        ("The center.", "“center” is spelt “centre”"),
        ("See [there](gone.md).", "the link to gone.md leads to no file."),
        ("See `/home/me`.", "is a path of somebody's machine"),
    ],
)
def test_pages_of_markdown(small_book, text, said):
    page = small_book / "book/page.md"
    page.write_text(f"# Page\n\nSound. [Read](bibliography.md).\n\n{text}\n")
    (sentence,) = page_problems(page)
    assert said in sentence
    page.write_text("# Page\n\nSound. [Read](bibliography.md#what-to-read).\n")
    assert page_problems(page) == []


@pytest.mark.parametrize(
    ("word", "status", "said"),
    [("plain", 0, "Everything is as it must be."), ("just", 1, "05_multi_head.ipynb: check: “just” never appears")],
)
def test_the_command_says_what_it_found_and_fails_where_that_is_something(
    chapter, monkeypatch, capsys, word, status, said
):
    changed(chapter, put("check", f"It is {word} text."))
    monkeypatch.setattr("sys.argv", ["check", str(chapter), str(chapter.parents[1] / "book/bibliography.md")])
    assert command.main() == status
    assert capsys.readouterr().out.startswith(said)


def test_the_command_lists_the_numbers(chapter, monkeypatch, capsys):
    changed(chapter, put("check", "It takes 3.25 of them."))
    monkeypatch.setattr("sys.argv", ["check", "--numbers", str(chapter)])
    assert command.main() == 0
    assert capsys.readouterr().out == "05_multi_head: check: 3.25: NOT SHOWN\n"


def test_a_finding_says_whether_it_is_of_a_chapter_or_of_its_exercises(tmp_path, monkeypatch):
    monkeypatch.setattr(command.check, "notebook_problems", lambda path: ["Something is wrong."])
    paths = [tmp_path / "05_multi_head.ipynb", tmp_path / "exercises/05_multi_head.ipynb"]
    assert command.findings(paths) == [
        "05_multi_head.ipynb: Something is wrong.",
        "exercises/05_multi_head.ipynb: Something is wrong.",
    ]
