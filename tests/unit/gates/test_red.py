"""Red at the base: evidence where something was found out, to be replayed where something was only absent (T8.E)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.gates.red import is_idle, judge_red, needs_replay, refuse_broken, refuse_toothless
from autopilot.model.evidence.objection import Layer, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import By, Grade, Tally
from autopilot.model.planning.criterion import Kind
from tests.unit.making import make_criterion, make_observation, make_task

# covers: T8.E, T8.lies
FAILED = Seen.FAILED


def told(by: By | None, **more: Any) -> Tally:
    return Tally("pytest", Grade.REPORT, by=by, **more)


@pytest.mark.parametrize(
    ("seen", "more", "replay"),
    [
        (FAILED, {"tests": told(By.ASSERTION, failed=1)}, False),
        (FAILED, {"tests": told(By.ERROR, failed=1)}, False),
        (FAILED, {"tests": told(By.LOADING)}, True),
        (FAILED, {"tests": told(By.ABSENT)}, True),
        (FAILED, {"tests": told(By.UNKNOWN, failed=1)}, True),
        (FAILED, {"tests": told(None)}, True),  # no test was selected
        (FAILED, {"tests": told(None, passed=3)}, False),  # something else of the command is red
        (FAILED, {"tests": told(None, passed=3, problem="cut off")}, True),
        (FAILED, {"exit_code": 1, "excerpt": "2 is not 3"}, False),
        (FAILED, {"exit_code": 127, "excerpt": "bash: line 1: ./app: No such file or directory"}, True),
        (FAILED, {"exit_code": 126, "excerpt": "bash: line 1: ./app: Permission denied"}, True),
        (FAILED, {"exit_code": 2, "excerpt": "python: can't open file '/p/app.py': [Errno 2]"}, True),
        (FAILED, {"exit_code": 1, "excerpt": "Error: Cannot find module '/p/app.js'"}, True),
        (FAILED, {"exit_code": 1, "excerpt": "npm error Missing script: check"}, True),
        (Seen.TIMED_OUT, {}, True),
        (Seen.PASSED, {"tests": told(None, passed=1)}, False),
        (Seen.NOTHING, {}, False),
    ],
)
def test_red_by_absence_needs_a_replay(seen: Seen, more: dict[str, Any], replay: bool) -> None:
    assert needs_replay(make_observation("c1", seen, **more)) is replay


def test_what_nobody_looked_at_needs_one_too() -> None:
    assert needs_replay(None)


BROKEN = [
    "bash: -c: line 1: syntax error near unexpected token `)'",
    "bash: -c: line 2: unexpected EOF while looking for matching `\"'",
    "sh: 1: Syntax error: Unterminated quoted string",
    "plan/tests/task-1.sh: line 4: syntax error: unexpected end of file",
    '  File "<string>", line 1\n    import a b\n             ^\nSyntaxError: invalid syntax',
    "[eval]:1\nlet = 1 2\n        ^\n\nSyntaxError: Unexpected number",
]
HONEST = [
    "bash: line 1: ./app: No such file or directory",
    "assert 1 == 2",
    # A file of the project that does not parse is for the work to mend.
    '  File "<string>", line 1, in <module>\n  File "/p/app.py", line 1\n    x y\n    ^\nSyntaxError: invalid',
    "usage: app [-h]\napp: error: syntax error in expression",
]


@pytest.mark.parametrize(("said", "refused"), [*((s, True) for s in BROKEN), *((s, False) for s in HONEST)])
def test_a_command_that_no_shell_can_read_is_red_for_ever(said: str, refused: bool) -> None:
    objection = judge_red(make_observation("01-01.c1", FAILED, excerpt=said))
    assert (objection is not None) is refused
    if objection is not None:
        assert (objection.layer, objection.weight) == (Layer.RED, Weight.REFUSE) and objection.satisfy


@pytest.mark.parametrize(
    ("seen", "lines", "refused"),
    [
        (FAILED, (), True),
        (FAILED, (("it works", False),), False),
        (FAILED, (("it works", True), ("it counts", False)), False),
        (Seen.PASSED, (), False),  # judged by its own rule: it was not red
        (Seen.NOTHING, (), False),
    ],
)
def test_a_test_script_that_broke_off_at_the_base_found_nothing_out(
    seen: Seen, lines: tuple[tuple[str, bool], ...], refused: bool
) -> None:
    objection = judge_red(make_observation("script:01-01", seen, lines=lines, exit_code=1))
    assert (objection is not None) is refused


def test_only_what_is_new_has_to_be_red() -> None:
    broken = make_observation("01-01.c1", FAILED, excerpt=BROKEN[0])
    new, kept = (
        make_task("01-01", make_criterion("01-01.c1")),
        make_task("01-01", make_criterion("01-01.c1", kind=Kind.KEEP)),
    )
    assert [subject for subject, _ in refuse_broken([new], [broken])] == ["01-01.c1"]
    assert list(refuse_broken([kept], [broken])) == []


@pytest.mark.parametrize(
    ("seen", "is_redo", "refused"),
    [
        ((FAILED, FAILED), False, []),
        ((FAILED, Seen.PASSED), False, ["01-01.c2 (it counts) passed before any work"]),
        ((Seen.PASSED, Seen.PASSED), False, ["01-01.c1", "01-01.c2", "nothing that task 01-01 promises fails"]),
        ((Seen.PASSED, Seen.TIMED_OUT), True, ["01-01.c2 (it counts) timed out before any work"]),
    ],
)
def test_a_plan_is_toothless_where_its_checks_held_before_the_work(
    seen: tuple[Seen, Seen], is_redo: bool, refused: list[str]
) -> None:
    task = make_task("01-01", make_criterion("01-01.c1", "it adds"), make_criterion("01-01.c2", "it counts"))
    red = [make_observation(c.id, s) for c, s in zip(task.criteria, seen, strict=True)]
    found = list(refuse_toothless([task], red, (), is_redo=is_redo))
    assert len(found) == len(refused) and all(map(str.startswith, found, refused))
    assert list(refuse_toothless([task], red, {"it adds", "it counts"}, is_redo=is_redo)) == []
    assert is_idle(task, red) is (FAILED not in seen)
