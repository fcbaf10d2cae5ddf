"""Plan lint. covers: PLAN-03, T8 (layer P)"""

from __future__ import annotations

import pytest

from autopilot.model.complaint import Severity
from autopilot.model.criterion import Criterion, Expectation, Form, Kind, Strength, Want
from autopilot.model.plan import Task
from autopilot.planning.lint import lint_plan

GOOD = Criterion("2-1.c1", "works", Form.COMMAND, command="pytest tests/a.py")
GREP = Criterion("2-1.c2", "there", Form.COMMAND, command="grep a b", strength=Strength.GREP)
PROSE = Criterion("2-1.c3", "is nice", Form.PROSE)


def task(*criteria: Criterion, id: str = "2-1", type: str = "auto") -> Task:
    return Task(id, "T", type=type, complexity="simple", files=("a.py",), criteria=criteria, path="PLAN.md", line=3)


def found(tasks: list[Task], ours: bool, scripts: dict[str, str] | None = None) -> list[tuple[Severity, str]]:
    return [(c.severity, c.text) for c in lint_plan(tasks, scripts or {}, ours)]


SCRIPT = {"2-1": "#!/bin/bash\nexit 1\n"}


def test_a_sound_plan_of_ours_has_no_finding() -> None:
    assert found([task(GOOD, GREP)], True, SCRIPT) == []


def test_a_sound_plan_of_the_user_needs_no_script() -> None:
    assert found([task(GOOD)], False) == []


def test_a_plan_without_tasks_is_blocked() -> None:
    assert found([], False) == [(Severity.BLOCKER, "the plan has no task")]


def test_a_number_given_twice_is_blocked_once() -> None:
    assert found([task(GOOD), task(GOOD)], False) == [(Severity.BLOCKER, "task 2-1 is there 2 times")]


def test_a_task_that_nothing_can_check_is_blocked_whoever_wrote_it() -> None:
    texts = found([task(PROSE)], False)
    assert (Severity.BLOCKER, "task 2-1 has no criterion that can be run and no test script") in texts
    assert (Severity.WARNING, "2-1.c3 has no command: is nice") in texts


@pytest.mark.parametrize(("ours", "severity"), [(True, Severity.BLOCKER), (False, Severity.WARNING)])
def test_prose_and_bare_grep_block_our_plans_and_warn_in_the_users(ours: bool, severity: Severity) -> None:
    assert (severity, "2-1.c3 has no command: is nice") in found([task(GOOD, PROSE)], ours, SCRIPT)
    assert any(s is severity and "structural" in text for s, text in found([task(GREP)], ours))
    assert not any("structural" in text for _, text in found([task(GREP)], ours, SCRIPT))


def test_our_plans_need_a_script_for_every_task() -> None:
    assert (Severity.BLOCKER, "task 2-1 lacks its test script tests/task-2-1.sh") in found(
        [task(GOOD)], True, {"2-1": " \n"}
    )


def test_a_command_that_cannot_fail_is_blocked_unless_its_output_is_judged() -> None:
    swallowed = Criterion("c", "x", Form.COMMAND, command="grep -c a b || true")
    counted = Criterion("c", "x", Form.COMMAND, command=swallowed.command, expectation=Expectation(Want.EQUALS, 0))
    printed = Criterion("c", "x", Form.COMMAND, command="echo 5", expectation=Expectation(Want.EQUALS, 5))
    assert [s for s, text in found([task(swallowed)], False) if "cannot fail" in text] == [Severity.BLOCKER]
    assert not any("cannot fail" in text for _, text in found([task(counted)], False))
    assert any("cannot fail" in text for _, text in found([task(printed)], False))


def test_a_task_with_nothing_new_to_see_is_a_warning() -> None:
    keep = Criterion("c", "x", Form.COMMAND, command="npm test", kind=Kind.KEEP)
    assert [s for s, text in found([task(keep)], False) if "no new criterion" in text] == [Severity.WARNING]


@pytest.mark.parametrize("ours", [True, False])
@pytest.mark.parametrize("type", ["checkpoint:human-verify", "checkpoint:decision", "checkpoint:human-action"])
def test_a_task_that_asks_a_person_is_blocked_whoever_wrote_it_and_needs_no_commands(type: str, ours: bool) -> None:
    words = f"task 2-1 asks a person ({type}), which a run cannot do yet"
    assert found([task(type=type)], ours) == [(Severity.BLOCKER, words)]
    assert found([task(GOOD), task(type=type, id="2-2")], False)[-1] == (Severity.BLOCKER, words.replace("2-1", "2-2"))


def test_missing_complexity_and_files_are_warnings() -> None:
    bare = Task("2-1", "T", criteria=(GOOD,))
    assert [s for s, _ in found([bare], False)] == [Severity.WARNING, Severity.WARNING]
