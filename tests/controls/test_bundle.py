"""The linker: modules joined into one text, each once, each in a scope of its own."""

import pytest

from labutils.controls import bundle


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "HERE", tmp_path)

    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
        return tmp_path

    return write


def joined(folder, entry):
    found = bundle.modules(folder / f"{entry}.js")
    return "\n".join(found.values()) + f"\nreturn {bundle.variable(folder / entry)};"


def test_names_of_different_modules_do_not_meet(folder, browser):
    home = folder(
        a='import { twice as double } from "./b.js";\nconst local = 1;\nexport const answer = double(20) + local + 1;',
        b="const local = 2;\nexport function twice(x) { return local * x; }",
    )
    page = browser.new_page()
    assert page.evaluate(f"() => {{ const f = () => {{ {joined(home, 'a')} }}; return f().answer; }}") == 42
    page.close()


def test_a_module_that_two_others_need_comes_once_and_first(folder):
    home = folder(
        a='import { x } from "./b.js";\nimport { y } from "./c.js";\nexport const z = x + y;',
        b='import { y } from "./c.js";\nexport const x = y;',
        c="export const y = 1;",
    )
    assert [path.stem for path in bundle.modules(home / "a.js")] == ["c", "b", "a"]


@pytest.mark.parametrize(
    "files, words",
    [
        ({"a": 'import { x } from "./b.js";', "b": 'import { y } from "./a.js";'}, "circle"),
        ({"a": 'import { x } from "./nowhere.js";'}, "does not exist"),
        (
            {"a": 'import { x } from "./b.js";', "b": "export const y = 1, x = 2;"},
            r"a\.js imports x from b\.js, which exports no such thing",
        ),
        ({"a": "export default 3;"}, "does not know this form"),
        ({"a": 'import x from "./b.js";', "b": ""}, "does not know this form"),
    ],
)
def test_what_cannot_be_linked_is_named(folder, files, words):
    home = folder(**files)
    with pytest.raises(ValueError, match=words):
        bundle.modules(home / "a.js")


def test_the_site_holds_every_file_once():
    text = bundle.site()
    assert {"steps", "explorer", "predict"} <= set(bundle.controls())
    for path in [*(bundle.HERE / "look").glob("*.js"), *(bundle.HERE / "steps").glob("*.js")]:
        assert text.count(f"const {bundle.variable(path)} = ") == 1, path.name


@pytest.mark.parametrize("control", bundle.controls())
def test_a_widget_carries_a_module_that_renders(control, browser):
    page = browser.new_page()
    kind = page.evaluate(
        "text => import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))).then(m => typeof"
        " m.default.render)",
        bundle.widget(control),
    )
    assert kind == "function"
    page.close()
