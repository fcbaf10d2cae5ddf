"""Which commits of an agent are taken in: facts about the commit, nothing it says (T8.C, T4.3)."""

from __future__ import annotations

import pytest

from autopilot.gates.commit import CONTROL, outside, refuse_commit, refuse_compiled
from autopilot.gates.evidence.declared import covers
from autopilot.model.git import Change

# covers: T8.C, T4.3
FILE, SYMLINK, GITLINK, FOLDER_MODE = "100644", "120000", "160000", "040000"


def change(path: str, mode: str = FILE, status: str = "A") -> Change:
    return Change(path, status, "000000" if status == "A" else FILE, "000000" if status == "D" else mode)


def test_a_commit_that_changes_files_on_top_of_what_it_was_given_is_taken_in() -> None:
    changes = [change("shelf/a.py", status="M"), change("tests/test_a.py"), change("old.py", status="D")]
    assert refuse_commit(changes, descends=True) == ""


def test_a_commit_beside_the_one_it_was_given_is_refused() -> None:
    assert "does not descend" in refuse_commit([change("a.py")], descends=False)


def test_a_commit_that_changes_nothing_is_refused() -> None:
    assert refuse_commit([], descends=True) == "the agent committed nothing"


@pytest.mark.parametrize(
    ("bad", "word"),
    [
        (change(".planning/ROADMAP.md", status="M"), "may not be changed by agents"),
        (change(".planning/phases/01-a/PLAN.md", status="D"), "may not be changed by agents"),
        (change(".autopilot/state.json"), "may not be changed by agents"),
        (
            change(".autopilot", SYMLINK),
            "may not be changed by agents",
        ),  # landed, our own files would be written through it
        (change(".planning", SYMLINK), "may not be changed by agents"),
        (change("vendor/lib", GITLINK), "nested repository"),
        (Change("a\\xff", "A", "000000", FILE, is_exact=False), "not UTF-8"),
        (change("lib/.git/config"), "git folder"),
        (change("lib/.GIT/hooks/post-checkout"), "git folder"),
        (change("GIT~1/config"), "git folder"),
        (change("tests", SYMLINK), "symbolic link"),
        (change("pkg/__tests__", SYMLINK), "symbolic link"),
        (change("tests/test_a.py", SYMLINK, "T"), "turns a test into a symbolic link"),
        (change("tests/conftest.py", SYMLINK), "symbolic link"),
        (change("src/a.spec.ts", SYMLINK, "M"), "symbolic link"),
        (change("pkg/a_test.go", SYMLINK), "symbolic link"),
        (change("src/__snapshots__", SYMLINK), "turns a test folder into a symbolic link"),
    ],
)
def test_one_forbidden_change_refuses_the_whole_commit(bad: Change, word: str) -> None:
    reason = refuse_commit([change("a.py"), bad, change("b.py")], descends=True)
    assert word in reason
    assert reason.startswith(bad.path)


def test_roadmap_and_spec_are_control_paths_wherever_they_stand() -> None:
    control = (*CONTROL, "ROADMAP.md/", "docs/spec.md/")
    for path in ("ROADMAP.md", "docs/spec.md", ".planning/config.json"):
        assert "may not be changed by agents" in refuse_commit(
            [change(path, status="M")], descends=True, control=control
        )
    for path in ("docs/ROADMAP.md", "docs/spec.md.txt", "spec.md"):
        assert refuse_commit([change(path, status="M")], descends=True, control=control) == ""


@pytest.mark.parametrize(
    "harmless",
    [
        change(".planning-notes.md"),
        change(".autopilots/x"),
        change("docs/.planning/x.md"),  # only the one at the top is ours
        change(".gitignore"),
        change(".github/workflows/ci.yml"),
        change("latest", SYMLINK),
        change("docs/contest.py", SYMLINK),
        change("tests/test_a.py", FILE, "T"),
    ],
)
def test_a_name_that_only_resembles_a_forbidden_one_is_left_alone(harmless: Change) -> None:
    assert refuse_commit([harmless], descends=True) == ""


PYC, CLASS = "tests/__pycache__/helper.cpython-311.pyc", "lib/Shelf.class"
NEW, TRACKED = "add it to .gitignore", "list it in the task of the plan"


@pytest.mark.parametrize(
    ("compiled", "declared", "words"),
    [
        (change(PYC), (), NEW),
        (change("shelf.pyc"), (), NEW),
        (change("shelf.pyo"), (), NEW),
        (change(CLASS), (), NEW),
        (change("shelf/__pycache__/notes.txt"), (), NEW),
        (change("shelf/__pycache__", SYMLINK), (), NEW),
        (change(PYC), ("tests/", PYC), NEW),  # only what the repository tracks already can be declared
        (change(CLASS, status="M"), (), TRACKED),
        (change(CLASS, status="M"), ("lib/",), TRACKED),  # who may change a folder means the sources in it
        (change(CLASS, status="M"), ("lib/Other.class",), TRACKED),
        (change(CLASS, SYMLINK, "T"), (CLASS,), NEW),
        (change(CLASS, status="M"), (CLASS,), ""),
        (change(CLASS, status="M"), ("lib/*.class",), ""),
        (change(PYC, status="M"), ("tests/__pycache__/",), ""),
        (change(PYC, status="D"), (), ""),
        (change("shelf/pycache.py"), (), ""),
        (change("docs/class.md"), (), ""),
    ],
)
def test_compiled_code_is_refused_unless_it_was_tracked_and_is_declared(
    compiled: Change, declared: tuple[str, ...], words: str
) -> None:
    reason = refuse_compiled([change("a.py"), compiled], declared)
    assert words in reason and bool(reason) is bool(words)
    assert not reason or reason.startswith(f"{compiled.path} is compiled code")


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["shelf/a.py", "tests/test_a.py"], ("README.md",)),
        (["shelf/", "tests"], ("README.md",)),
        (["`./shelf/a.py`", "./tests", "README.md"], ()),
        (["shelf/a"], ("shelf/a.py", "tests/test_a.py", "README.md")),  # a name is no prefix of another
        ([], ()),  # a task that lists nothing cannot be left
    ],
)
def test_changes_the_task_does_not_name_are_a_finding(files: list[str], found: tuple[str, ...]) -> None:
    changes = [change("shelf/a.py"), change("tests/test_a.py"), change("README.md")]
    assert outside(changes, files) == found


@pytest.mark.parametrize(
    ("declared", "path", "covered"),
    [
        ("tests/test_a.py", "tests/test_a.py", True),
        ("`./tests/test_a.py`", "tests/test_a.py", True),
        ("tests", "tests/test_a.py", True),
        ("tests/", "tests/deep/test_a.py", True),
        ("tests/*.py", "tests/test_a.py", True),
        ("test", "tests/test_a.py", False),
        ("", "tests/test_a.py", False),
        ("tests/test_a.py", "tests/test_a.pyc", False),
    ],
)
def test_a_declared_name_covers_a_path_a_folder_or_a_glob(declared: str, path: str, covered: bool) -> None:
    assert covers(declared, path) is covered
