"""Why: what failed and what was refused on the way, each with the command that repeats it."""

from __future__ import annotations

import pytest

from autopilot.events import happened as h
from autopilot.events.pieces import TaskState
from autopilot.events.state import RunState
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.reports.evidence.explanation import (
    explain,
    explanation_document,
    only_about,
    render_explanation,
    shown_commit,
)
from tests.unit.making import (
    ONE,
    TWO,
    make_criterion,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verdict,
    store,
)

# covers: WHY-2
COUNTS = make_criterion("01-01.c1", "It counts", command="./count 'a b'")
ADDS = make_criterion("01-02.c1", "It adds", command="./add 1 1")
NOT_YET = make_verdict(Outcome.FAIL, "01-01.c1", "the check failed after the change")
RED = make_observation("01-01.c1", Seen.FAILED, command="./count 'a b'", commit="1" * 40, exit_code=2, excerpt="no\n")
WRONG = make_observation("01-02.c1", Seen.FAILED, command="./add 1 1", commit="2" * 40, exit_code=1, excerpt="3\n")
TRIED = h.TaskVerified(ONE, "01-01", "1" * 40, (RED,), (NOT_YET,), Outcome.FAIL)
TASKS = {"01-01": TaskState(make_task("01-01", COUNTS)), "01-02": TaskState(make_task("01-02", ADDS))}


def failed() -> RunState:
    """Task 01-01 was refused twice and then done; 01-02 does not hold in the end."""
    phase = make_phase(
        status=PhaseStatus.FAILED,
        failure="It adds: something long",
        failure_step="gate",
        diagnostic_branch="autopilot/diag",
        tasks=TASKS,
        observed_commit="2" * 40,
        observations=(WRONG,),
        verdicts=(make_verdict(Outcome.FAIL, "01-02.c1", "it failed"), make_verdict(Outcome.PASS, "01-01.c1")),
    )
    return make_state(phase, status=RunStatus.FAILED, stop_reason="phase 1 did not pass", exit_status=1)


def test_a_failed_phase_is_explained_with_what_was_refused_before_it_failed() -> None:
    state = failed()
    told = explain(state, store(TRIED, TRIED), tuple(state.phases.values()))
    assert list(render_explanation(told)) == [
        "run-1: failed, phase 1 did not pass",
        "",
        "phase 1, Part 1: failed in gate; the attempt is on branch autopilot/diag",
        "  It adds (01-02.c1)",
        "    $ ./add 1 1",
        "    expected: exit status 0",
        "    actual:   exit status 1",
        "    | 3",
        "    by hand, the same tree in the same sandbox: autopilot shell 1 -- './add 1 1'",
        "  task 01-01 was refused 2 times:",
        "    It counts (01-01.c1)",
        "      $ ./count 'a b'",
        "      expected: exit status 0",
        "      actual:   exit status 2",
        "      | no",
        "      by hand, the same tree in the same sandbox: "
        """autopilot shell 1 --at 111111111111 -- './count '"'"'a b'"'"''""",
    ]


def test_one_criterion_or_one_task_is_told_alone() -> None:
    state = failed()
    told = explain(state, store(TRIED), tuple(state.phases.values()))
    (by_id,), (by_task,) = only_about(told, "01-02.c1").phases, only_about(told, "01-01").phases
    assert [failure.name for failure in by_id.failures] == ["01-02.c1"] and by_id.refused == ()
    assert by_task.failures == () and [tried.task for tried in by_task.refused] == ["01-01"]
    assert only_about(told, "It ADDS").phases == only_about(told, "01-02.c1").phases
    assert only_about(told, "01-09.c1").phases == ()


@pytest.mark.parametrize(
    ("step", "more"), [("plan_check", ["  what agents said: autopilot transcript 1"]), ("preflight", [])]
)
def test_what_no_check_failed_by_is_told_by_its_reason(step: str, more: list[str]) -> None:
    phase = make_phase(status=PhaseStatus.FAILED, failure="the plan has no task", failure_step=step)
    state = make_state(phase, status=RunStatus.FAILED, stop_reason="phase 1 did not pass", exit_status=1)
    assert list(render_explanation(explain(state, (), (phase,))))[2:] == [
        f"phase 1, Part 1: failed in {step}",
        "  the plan has no task",
        *more,
    ]


def test_a_phase_that_was_skipped_names_the_one_that_failed_and_the_command_about_it() -> None:
    phase = make_phase(TWO, status=PhaseStatus.SKIPPED, failure="blocked_by_phase_1", blocked_by=ONE)
    state = make_state(phase, status=RunStatus.FAILED, stop_reason="phase 1 did not pass", exit_status=1)
    told = list(render_explanation(explain(state, (), (phase,))))
    assert told[2:] == ["phase 2, Part 2: skipped", "  it depends on phase 1, which failed: `autopilot why 1`"]


def test_a_task_whose_commit_was_refused_is_found_by_its_name() -> None:
    state = failed()
    refused = h.TaskRefused(ONE, "01-01", "the agent committed nothing")
    told = explain(state, store(refused), tuple(state.phases.values()))
    (phase,) = only_about(told, "01-01").phases
    assert [failure.because for tried in phase.refused for failure in tried.failures] == ["the agent committed nothing"]


def test_a_run_in_which_nothing_failed_says_so() -> None:
    state = make_state(status=RunStatus.COMPLETED, stop_reason="every phase passed")
    assert list(render_explanation(explain(state, (), ()))) == [
        "run-1: completed, every phase passed",
        "no check failed in run-1",
    ]


def test_of_one_phase_in_which_nothing_failed_nothing_is_said_of_the_others() -> None:
    state = make_state(make_phase(ONE), make_phase(TWO), status=RunStatus.COMPLETED)
    told = list(render_explanation(explain(state, (), (state.phases[ONE],))))
    assert told[-1] == "no check failed in phase 1 of run-1"


def test_programs_get_the_same() -> None:
    state = failed()
    document = explanation_document(explain(state, store(TRIED), tuple(state.phases.values())))
    (phase,) = document["phases"]
    assert (phase["failures"][0]["exit_status"], phase["failures"][0]["by_hand"]) == (
        1,
        "autopilot shell 1 -- './add 1 1'",
    )
    assert phase["refused"][0]["failures"][0]["actual"] == "exit status 2"


def test_a_shell_shows_what_was_judged_last_and_before_any_work_the_base() -> None:
    task = TaskState(make_task("01-01", COUNTS), commit="7" * 40)
    assert shown_commit(make_phase(base="b" * 40)) == "b" * 40
    assert shown_commit(make_phase(base="b" * 40, tasks={"01-01": task})) == "7" * 40
    assert shown_commit(make_phase(tasks={"01-01": task}, observed_commit="8" * 40)) == "8" * 40
