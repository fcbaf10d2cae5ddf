"""EXECUTION-LOG.md: what each task came to, by what was seen; claims stand beside it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from autopilot.events.pieces import Asked, Cycle, PhaseDebug, TaskState
from autopilot.model.agent import Role
from autopilot.model.assessment import CriterionReading, MiniVerification
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.execution_log import render_execution_log
from tests.unit.making import (
    START,
    TWO,
    make_criterion,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verdict,
)

# covers: EXEC, EXEC-06, PVRF-01, CTXE-01, CENF-01


def log(*tasks: TaskState, **more: Any) -> str:
    phase = make_phase(tasks={task.task.id: task for task in tasks}, **more)
    return render_execution_log(make_state(phase), phase)


def task(status: str, id: str = "01-01", **more: Any) -> TaskState:
    return TaskState(make_task(id, make_criterion(f"{id}.c1", "it works"), title="make it work"), status, **more)


READING = MiniVerification(
    False, (CriterionReading("it works", "failed", "a.py:3"),), ("no test for the empty title",), ("make",)
)


def test_a_task_has_the_sources_entry() -> None:
    entry = task(
        "verified",
        commit="c1",
        files=("a.py", "b.py"),
        outside=("b.py",),
        confidence=6.5,
        debugs=1,
        observations=(make_observation("01-01.c1", command="check it", exit_code=0),),
        verdicts=(make_verdict(Outcome.PASS),),
        reading=READING,
        handovers=("out of context",),
        caught=("claimed as done, and refused: it works: exit 1",),
    )
    assert log(entry) == (
        "# Phase 1 Execution Log: Part 1\n"
        "\n"
        "## Before the first task\n"
        "\n"
        "No check was run before the work began.\n"
        "\n"
        "Available learnings: none.\n"
        "\n"
        "### Task 01-01: make it work\n"
        "- **Status:** COMPLETED\n"
        "- **Commit SHA:** c1\n"
        "- **Files modified:** a.py, b.py\n"
        "- **Outside the task's list:** b.py\n"
        "- **Evidence:** `check it` passed (exit 0)\n"
        "- **Confidence:** 6.5/10 by its own agent\n"
        "- **Agents:** none\n"
        "- **Handovers:** 1 (out of context)\n"
        "- **Mini-Verification:**\n"
        "  - **Result:** PASS\n"
        "  - **Criteria checked:** 1\n"
        "  - **Criteria passed:** 1\n"
        "  - **Failures:** None\n"
        "  - **Reading:** fail, contrary to the observation (PASS); not verified: it works; "
        "no test for the empty title\n"
        "  - **Debug attempts:** 1\n"
        "\n"
        "Claims that were refused:\n"
        "\n"
        "- claimed as done, and refused: it works: exit 1\n"
    )


@pytest.mark.parametrize(
    ("status", "word", "result"),
    [
        ("verified", "COMPLETED", "PASS"),
        ("already", "COMPLETED", "PASS"),
        ("failed", "FAILED", "FAIL"),
        ("refused", "FAILED", "FAIL"),
        ("committed", "NEEDS_REVIEW", "NOT RUN"),
        ("handed_over", "NEEDS_REVIEW", "NOT RUN"),
        ("pending", "NOT RUN", "NOT RUN"),
    ],
)
def test_the_status_is_what_was_seen(status: str, word: str, result: str) -> None:
    text = log(task(status, confidence=10.0))
    assert f"- **Status:** {word}\n" in text and f"  - **Result:** {result}\n" in text


def test_an_agents_doubt_asks_for_review_only_while_nothing_was_seen() -> None:
    assert "6/10 by its own agent, below 7: to be reviewed" in log(task("committed", confidence=6.0))
    assert "to be reviewed" not in log(task("verified", confidence=6.0))
    assert "to be reviewed" not in log(task("committed", confidence=7.0))
    assert "- **Confidence:** not given" in log(task("committed"))


def test_a_sure_agent_does_not_make_a_failed_task_look_better() -> None:
    reading = MiniVerification(True, (CriterionReading("it works", "verified", "a.py:3"),), (), ("make",))
    failed = task("failed", confidence=10.0, verdicts=(make_verdict(Outcome.FAIL),), reading=reading)
    text = log(failed, verdicts=(make_verdict(Outcome.FAIL),))
    assert "- **Status:** FAILED" in text
    assert "  - **Failures:** 01-01.c1: so it was seen" in text
    assert "  - **Reading:** pass, contrary to the observation (FAIL)\n" in text
    assert "- **At the phase's last commit:** does not hold" in text


def test_a_task_may_hold_in_the_end_although_it_failed_at_first() -> None:
    text = log(task("failed", verdicts=(make_verdict(Outcome.FAIL),)), verdicts=(make_verdict(Outcome.PASS),))
    assert "- **Status:** FAILED" in text and "- **At the phase's last commit:** holds" in text


def test_a_reading_that_could_not_be_used_says_why() -> None:
    assert "  - **Reading:** none: it ran no command" in log(task("verified", reading_problem="it ran no command"))


def test_a_task_that_was_there_already_has_that_as_its_evidence() -> None:
    text = log(task("already"))
    assert "- **Evidence:** already there: every criterion held before the work began" in text
    assert "- **Commit SHA:** none" in text


def test_a_checkpoint_is_left_to_its_person() -> None:
    asking = TaskState(make_task("01-02", type="checkpoint:human-verify"))
    text = log(asking, verdicts=(make_verdict(Outcome.PASS),))
    assert "- **Status:** NOT RUN (the task needs a person)" in text and "last commit" not in text


def test_remediation_tasks_name_their_cycle_and_its_cause() -> None:
    tasks = (task("verified", "01-r1"), task("verified", "01-r2"))
    text = log(*tasks, cycles=(Cycle(1, 8.2, ("01-r1",)), Cycle(2, 8.9, ("01-r2",), by_person=True)))
    assert "- **Remediation:** cycle 1, because of the score 8.2" in text
    assert "- **Remediation:** cycle 2, because of a person's verdict" in text


def test_the_log_begins_with_how_things_stood_before_the_work() -> None:
    baseline = (
        make_observation("compile", command="make", exit_code=0),
        make_observation("lint", Seen.FAILED, command="lint", exit_code=1, excerpt="3 errors"),
    )
    earlier = make_phase(TWO, status=PhaseStatus.FAILED, completed_at=START - timedelta(hours=1))
    phase = make_phase(tasks={"01-01": task("verified")}, baseline=baseline)
    text = render_execution_log(make_state(phase, earlier, calibration=("one",)), phase)
    assert (
        "| Check | Command | Baseline |\n"
        "| --- | --- | --- |\n"
        "| compile | `make` | passed (exit 0) |\n"
        "| lint | `lint` | failed (exit 1): 3 errors |\n"
        "\n"
        "Available learnings: the failure of phase 2, verdicts of people (1).\n"
    ) in text


def test_what_failed_later_was_not_known_before_the_work() -> None:
    later = make_phase(TWO, status=PhaseStatus.FAILED, completed_at=START + timedelta(hours=1))
    phase = make_phase(tasks={"01-01": task("verified")})
    assert "Available learnings: none." in render_execution_log(make_state(phase, later), phase)


def test_debugging_of_the_whole_phase_is_told_attempt_by_attempt() -> None:
    rounds = (
        PhaseDebug(1, ("it works: exit 1",), "m" * 40, ("mended a.py",), ("the rest",), ()),
        PhaseDebug(2, ("it works: exit 1",), "", (), (), (), refusal="the agent committed nothing"),
    )
    assert log(task("failed"), debug_rounds=rounds).endswith(
        "## Debugging of the whole phase\n"
        "\n"
        "| Attempt | Commit | Found before it | Changes (reported) | Remaining (reported) |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| 1 | mmmmmmmmmmmm | it works: exit 1 | mended a.py | the rest |\n"
        "| 2 | none: the agent committed nothing | it works: exit 1 | - | - |\n"
    )


def test_nobodys_title_can_write_an_entry_of_its_own() -> None:
    evil = TaskState(make_task("01-01", title="x\n- **Status:** COMPLETED\n### Task 01-09: y"), "failed")
    text = log(evil)
    assert text.count("\n- **Status:**") == 1 and text.count("\n### Task") == 1


def test_a_task_names_who_worked_at_it_and_nobody_else() -> None:
    asked = (
        Asked(Role.EXECUTOR, "codex", 0, "rate_limited", "01-01", "codex 0.1"),
        Asked(Role.EXECUTOR, "claude", 1_200, "completed", "01-01", "2.1", "opus", times=2),
        Asked(Role.DEBUGGER, "claude", 300, "completed", "01-01", "2.1", "opus"),
        Asked(Role.MINI_VERIFIER, "gemini", 50, "completed", "01-01"),
        Asked(Role.EXECUTOR, "gemini", 70, "completed", "01-02"),
    )
    told = log(task("verified"), task("verified", "01-02"), asked=asked)
    first = "codex codex 0.1, 0 tokens, asked 1 time, 1 time rate limited; claude 2.1 with opus, 1,500 tokens"
    assert f"- **Agents:** {first}, asked 3 times\n" in told
    assert "- **Agents:** gemini, 70 tokens, asked 1 time\n" in told


def test_who_did_all_tasks_together_is_named_at_each_that_was_done() -> None:
    asked = (Asked(Role.EXECUTOR, "claude", 900, "completed"), Asked(Role.DEBUGGER, "codex", 9, "completed"))
    told = log(task("verified"), task("already", "01-02"), asked=asked)
    assert told.count("- **Agents:** claude, 900 tokens, asked 1 time, for all tasks together\n") == 1
    assert told.count("- **Agents:** none\n") == 1
