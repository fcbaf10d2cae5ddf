"""Control files: what a task declares, what is refused, put back and shown. covers: T8.S"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.gates.evidence.control import declared_by, judge_control, to_restore, undeclared
from autopilot.gates.evidence.declared import covers, ordered_by
from autopilot.model.evidence.control import ControlChange, ControlKind, Meaning
from autopilot.model.evidence.objection import Layer, Weight
from autopilot.model.git import ChangeStatus
from autopilot.model.planning.criterion import Criterion, Form
from autopilot.model.planning.plan import Task

K = ControlKind
CONFTEST = ControlChange("tests/conftest.py", K.SUPPORT, "M")
OLD_TEST = ControlChange("tests/test_a.py", K.TEST, "M")
TIDIED = ControlChange("tests/test_a.py", K.TEST, "M", meaning=Meaning.SAME)
GROWN = ControlChange("tests/test_a.py", K.TEST, "M", meaning=Meaning.ADDS)
MOVED = ControlChange("tests/test_a.py", K.TEST, "D", meaning=Meaning.SAME, moved_to="tests/b/test_a.py")
NEW_TEST = ControlChange("tests/test_b.py", K.TEST, "A")


def task(*files: str, title: str = "T", action: str = "", done: str = "", command: str = "") -> Task:
    criteria = (Criterion("1.c1", "it works", Form.COMMAND, command=command),) if command else ()
    return Task("1", title, files=files, action=action, done=done, criteria=criteria)


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("tests/test_a.py", "tests/test_a.py", True),
        ("tests/", "tests/unit/test_a.py", True),
        ("tests", "tests/conftest.py", True),
        ("tests/**", "tests/unit/a/b.py", True),
        ("tests/*.py", "tests/test_a.py", True),
        ("tests/*.py", "tests/unit/test_a.py", False),
        ("**/conftest.py", "conftest.py", True),
        ("**/conftest.py", "a/b/conftest.py", True),
        ("conftest.py", "tests/conftest.py", True),
        ("*.snap", "src/__snapshots__/a.snap", True),
        ("src/**/*.test.ts", "src/a/b/c.test.ts", True),
        ("src/{a,b}.test.ts", "src/b.test.ts", True),
        ("src/[ab].ts", "src/a.ts", True),
        ("src/test", "src/testing.py", False),
        ("tests/test_a.py", "tests/test_ab.py", False),
        ("test", "tests/test_a.py", False),
        ("[z-a].py", "x.py", False),
        ("*a" * 16 + "b", "a" * 32, False),  # a regular expression took exponential time for it
    ],
)
def test_a_declaration_covers_files_folders_and_patterns(pattern: str, path: str, covered: bool) -> None:
    assert covers(pattern, path) is covered


@pytest.mark.parametrize(
    ("given", "declared"),
    [
        (task("`src/a.py`", "./tests/", "tests\\win.py"), ("src/a.py", "tests/", "tests/win.py")),
        (task("tests/a.py → tests/b.py", "c.py:10-20", "d.py::test_x"), ("tests/a.py", "tests/b.py", "c.py", "d.py")),
        (task(".", "**", "*", "/etc/passwd", "../x"), ()),
        (
            task("src/a.py", action="Rename `tests/old.py` to `tests/new.py`."),
            ("src/a.py", "tests/old.py", "tests/new.py"),
        ),
        (task("src/a.py", action="Add a case to tests/test_a.py."), ("src/a.py", "tests/test_a.py")),
        (
            task("src/a.py", action="Update the snapshot src/__snapshots__/a.snap"),
            ("src/a.py", "src/__snapshots__/a.snap"),
        ),
        (task("src/a.py", action="Add foo so that tests/test_a.py passes."), ("src/a.py",)),
        (task("src/a.py", action="Make tests/test_a.py pass. Do not edit tests/test_a.py."), ("src/a.py",)),
        (task("src/a.py", command="pytest tests/test_a.py"), ("src/a.py",)),
        (task(title="Teach shelf/a.py to add", command="pytest -q tests/test_a.py"), ("shelf/a.py", "tests/test_a.py")),
        (task(action="Add tests in tests/ and/or elsewhere, e.g. here"), ("e.g",)),
        (task(action="Don't touch tests/test_a.py.", command="pytest tests/test_a.py"), ()),
        (task(action="Write it.", command="python -m pytest tests/test_a.py::test_b"), ("tests/test_a.py",)),
        (task(action="Update the Makefile and .eslintrc"), ("Makefile", ".eslintrc")),
    ],
)
def test_a_task_declares_what_it_lists_or_plainly_orders(given: Task, declared: tuple[str, ...]) -> None:
    assert declared_by(given) == declared


@pytest.mark.parametrize(
    ("changes", "declared", "refused"),
    [
        ([CONFTEST], (), ["tests/conftest.py"]),
        ([CONFTEST], ("tests/conftest.py",), []),
        ([OLD_TEST], ("src/a.py",), ["tests/test_a.py"]),
        ([ControlChange("tests/test_a.py", K.TEST, "D")], ("src/",), ["tests/test_a.py"]),
        ([ControlChange("tests/test_a.py", K.TEST, "T")], (), ["tests/test_a.py"]),
        ([TIDIED], ("src/a.py",), []),
        ([GROWN], ("src/a.py",), []),
        ([GROWN, ControlChange("tests/data/b.json", K.FIXTURE, "A")], (), []),
        ([TIDIED, ControlChange("tests/data/b.json", K.FIXTURE, "A")], (), ["tests/data/b.json"]),
        ([MOVED], ("src/a.py",), []),
        ([NEW_TEST], ("src/a.py",), []),
        ([NEW_TEST, ControlChange("tests/data/b.json", K.FIXTURE, "A")], (), []),
        ([NEW_TEST, ControlChange("a.snap", K.SNAPSHOT, "A")], (), []),
        ([OLD_TEST, ControlChange("a.snap", K.SNAPSHOT, "A")], ("tests/test_a.py",), []),
        ([ControlChange("tests/data/b.json", K.FIXTURE, "A")], (), ["tests/data/b.json"]),
        ([NEW_TEST, ControlChange("tests/data/b.json", K.FIXTURE, "M")], (), ["tests/data/b.json"]),
        ([NEW_TEST, ControlChange("tests/conftest.py", K.SUPPORT, "A")], (), ["tests/conftest.py"]),
        ([ControlChange("pytest.ini", K.RUNNER, "A")], (), ["pytest.ini"]),
        ([ControlChange("package-lock.json", K.LOCK, "M")], ("package.json",), []),
        ([ControlChange("package-lock.json", K.LOCK, "M")], ("web/package.json",), []),
        ([ControlChange("web/package-lock.json", K.LOCK, "M")], ("api/package.json",), ["web/package-lock.json"]),
        ([ControlChange("go.sum", K.LOCK, "M")], ("src/a.go",), ["go.sum"]),
        ([ControlChange("vendor/modules.txt", K.LOCK, "M")], ("go.mod",), []),
        ([ControlChange("node_modules/left-pad/index.js", K.LOCK, "A")], ("package.json",), []),
        ([ControlChange("uv.lock", K.LOCK, "A")], ("**/*.toml",), []),
        ([ControlChange("tests/test_a.py", K.TEST, "M", endings_only=True)], (), []),
        ([ControlChange("tests/a.json", K.FIXTURE, "M", endings_only=True)], (), ["tests/a.json"]),
        ([ControlChange("a.pyc", K.BYTECODE, "A")], (), []),
        ([ControlChange("src/lib.rs", K.TEST, "M", inline=True)], (), ["src/lib.rs"]),
        ([ControlChange("src/lib.rs", K.TEST, "M", inline=True)], ("src/lib.rs",), []),
    ],
)
def test_what_no_task_declares_is_refused_unless_it_only_adds(
    changes: list[ControlChange], declared: tuple[str, ...], refused: list[str]
) -> None:
    assert [change.path for change in undeclared(changes, declared)] == refused
    objections = judge_control("task 1", changes, declared)
    assert [o.where for o in objections if o.weight is Weight.REFUSE] == refused
    assert all(o.layer is Layer.CHANGE and o.subject == "task 1" for o in objections)


def test_what_is_refused_is_put_back_from_the_pin_and_what_a_run_left_is_taken_away() -> None:
    changes = [
        CONFTEST,
        NEW_TEST,
        ControlChange("a.pyc", K.BYTECODE, "A"),
        ControlChange("src/x.rs", K.TEST, "M", inline=True),
    ]
    assert to_restore(changes, ()) == ("tests/conftest.py", "a.pyc")
    assert to_restore(changes, ("tests/",)) == ("a.pyc",)
    assert to_restore([TIDIED, MOVED], ()) == () == to_restore([GROWN], ())


@pytest.mark.parametrize(
    ("status", "declared", "restored"),
    [("M", ("a.pyc",), ()), ("M", ("*.pyc",), ()), ("M", (), ("a.pyc",)), ("A", ("a.pyc",), ("a.pyc",))],
)
def test_bytecode_that_was_tracked_and_is_declared_stays_as_the_work_has_it(
    status: ChangeStatus, declared: tuple[str, ...], restored: tuple[str, ...]
) -> None:
    assert to_restore([ControlChange("a.pyc", K.BYTECODE, status)], declared) == restored


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (OLD_TEST, "it was changed; restore it, or list it in the task of the plan"),
        (ControlChange("tests/test_a.py", K.TEST, "D"), "it was deleted; restore it"),
        (ControlChange("pytest.ini", K.RUNNER, "A"), "it was added; take it out"),
        (ControlChange("src/a.rs", K.TEST, "M", inline=True), "tests inside it were changed or deleted"),
        (ControlChange("a.json", K.FIXTURE, "M", endings_only=True), "(only its line endings)"),
    ],
)
def test_an_objection_says_what_was_seen_where_and_what_would_satisfy_it(change: ControlChange, words: str) -> None:
    (objection,) = judge_control("task 1", [change], ())
    assert words in str(objection) and change.path in str(objection) and change.kind.value in str(objection)


@pytest.mark.parametrize(
    ("change", "declared", "words"),
    [
        (CONFTEST, ("tests/",), "the task declares tests/conftest.py (test setup), and it was changed"),
        (ControlChange("tests/conftest.py", K.SUPPORT, "A"), ("tests/",), "and it was added"),
        (
            ControlChange("tests/test_a.py", K.TEST, "M", endings_only=True),
            (),
            "only the line endings of tests/test_a.py",
        ),
        (TIDIED, (), "only the layout of tests/test_a.py (test) was changed"),
        (MOVED, (), "tests/test_a.py was moved to tests/b/test_a.py with its tests"),
        (ControlChange("uv.lock", K.LOCK, "M"), ("pyproject.toml",), "uv.lock was changed with the manifest"),
        (ControlChange("a.pyc", K.BYTECODE, "A"), (), "a.pyc is bytecode"),
    ],
)
def test_what_is_allowed_and_matters_is_shown(change: ControlChange, declared: tuple[str, ...], words: str) -> None:
    (objection,) = judge_control("task 1", [change], declared)
    assert words in objection.description and objection.weight is Weight.FLAG


def test_new_tests_are_what_tasks_are_asked_for_and_need_no_word() -> None:
    assert judge_control("task 1", [GROWN], ()) == ()
    assert judge_control("task 1", [NEW_TEST], ()) == () == judge_control("task 1", [NEW_TEST], ("tests/",))


def test_of_very_many_only_the_first_are_named() -> None:
    many = [ControlChange(f"tests/test_{n}.py", K.TEST, "D") for n in range(40)]
    objections = judge_control("task 1", many, ())
    assert len(objections) == 9 and "32 more" in objections[-1].description
    shown = judge_control("task 1", many, ("tests/",))
    assert len(shown) == 9 and all(o.weight is Weight.FLAG for o in shown)


HELD = ControlChange("tests/test_a.py", K.TEST, "M", held=True)


def test_a_test_of_the_users_is_released_by_no_task_of_an_agents_plan() -> None:
    (objection,) = judge_control("task 1", [HELD], ["tests/test_a.py"])
    assert "was there when the run began" in objection.description and "user's words" in objection.satisfy
    assert objection.weight is Weight.REFUSE and to_restore([HELD], ["tests/"]) == ("tests/test_a.py",)


@pytest.mark.parametrize("meaning", [Meaning.SAME, Meaning.ADDS])
def test_what_only_adds_to_such_a_test_is_allowed_all_the_same(meaning: Meaning) -> None:
    assert undeclared([replace(HELD, meaning=meaning)], []) == ()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("Totals are rounded; update tests/test_a.py to ask for that", ("tests/test_a.py",)),
        ("`tests/test_a.py` may be changed.", ("tests/test_a.py",)),
        ("tests/test_a.py has to change", ("tests/test_a.py",)),
        ("Remove tests/test_a.py and tests/test_b.py", ("tests/test_a.py", "tests/test_b.py")),
        ("`pytest tests/test_a.py` passes", ()),
        ("What tests/test_a.py asks for holds", ()),
        ("Do not change tests/test_a.py", ()),
    ],
)
def test_users_release_a_file_by_an_order_and_not_by_naming_it(words: str, named: tuple[str, ...]) -> None:
    assert ordered_by(words) == named


@pytest.mark.parametrize(
    ("declared", "refused"),
    [(("tests/",), 1), (("tests",), 1), (("tests/golden/report.txt",), 0), (("tests/golden/*.txt",), 0)],
)
def test_a_folder_is_no_leave_to_change_what_tests_compare_with(declared: tuple[str, ...], refused: int) -> None:
    golden = ControlChange("tests/golden/report.txt", K.FIXTURE, "M")
    new = ControlChange("tests/golden/other.txt", K.FIXTURE, "A")
    test = ControlChange("tests/test_report.py", K.TEST, "A")
    assert len(undeclared([golden, new, test], declared)) == refused
