"""Which changes are the work and which are its evidence. covers: T8.M, T8.E"""

from __future__ import annotations

from autopilot.inspection.implementation import Split, split
from autopilot.model.git import Change


def changes(*paths: str, mode: str = "100644") -> list[Change]:
    return [Change(path, "M", "100644", mode) for path in paths]


def test_every_change_is_one_of_three() -> None:
    paths = (
        "src/app.py",
        "tests/test_app.py",
        "tests/data/a.json",
        "pyproject.toml",
        "README.md",
        "dist/app.js",
        "dist/app.js.map",
        "protocols/review.md",
        "data/words.txt",
        "docs/notes.txt",
        "checks/smoke.py",
        ".planning/PLAN.md",
        "LICENSE",
        ".gitignore",
        "web/index.html",
    )
    assert split(changes(*paths), lambda path: path == "pyproject.toml", {"./checks/smoke.py"}) == Split(
        implementation=("src/app.py", "dist/app.js", "protocols/review.md", "data/words.txt", "web/index.html"),
        tests=("tests/test_app.py", "tests/data/a.json", "pyproject.toml", "checks/smoke.py"),
        rest=("README.md", "dist/app.js.map", "docs/notes.txt", ".planning/PLAN.md", "LICENSE", ".gitignore"),
    )


def test_a_submodule_is_neither() -> None:
    assert split(changes("vendor/lib", mode="160000"), lambda path: False, ()) == Split(rest=("vendor/lib",))


def test_a_named_folder_does_not_make_everything_in_it_a_test() -> None:
    assert split(changes("src/a.py", "src/a_test.py"), lambda path: False, {"src"}).implementation == ("src/a.py",)


def test_a_module_with_the_name_of_a_document_is_code() -> None:
    found = split(
        changes("licence.py", "src/changes.ts", "notice.go", "LICENCE.md", "LICENSE.MIT"), lambda _: False, ()
    )
    assert found.implementation == ("licence.py", "src/changes.ts", "notice.go")
    assert found.rest == ("LICENCE.md", "LICENSE.MIT")
