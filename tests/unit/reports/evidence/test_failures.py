"""What did not hold: each failure once, expected against actual, with the tool's own message."""

from __future__ import annotations

import pytest

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.model.evidence.objection import Layer, Objection, verdicts_of
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.evidence.testing import Grade, Tally
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Expectation, Want
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.reports.documents.verification import render_verification
from autopilot.reports.evidence.failure_text import failure_document, failure_lines, head_line
from autopilot.reports.evidence.failures import failures_in, failures_of
from autopilot.reports.html.page import render_html
from autopilot.reports.run.completion import render_completion
from autopilot.reports.run.ending import render_ending
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.reports.status.status_text import render_status
from tests.unit.making import (
    ONE,
    make_brief,
    make_criterion,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verdict,
)

# covers: WHY-1
COMMAND = "python3 -c 'import wordy; print(wordy.swapcase(\"Ada\"))'"
SWAPS = make_criterion("01-01.c1", "It swaps", command=COMMAND, expectation=Expectation(Want.CONTAINS, text="aDA"))
AS_ROADMAP = make_criterion("phase.c1", "Case is swapped", command=COMMAND, expectation=SWAPS.expectation)
NO_PYTEST = "/usr/bin/python3: No module named pytest"


def fail(subject: str, because: str = "the check failed after the change") -> Verdict:
    return make_verdict(Outcome.FAIL, subject, because)


def red(subject: str, command: str = COMMAND, *, printed: str = "ada\n", code: int = 0, **more: object) -> Observation:
    lines = tuple(printed.splitlines())
    seen = {"command": command, "exit_code": code, "excerpt": printed, "last_lines": lines, "commit": "c" * 40}
    return make_observation(subject, Seen.FAILED, **seen | more)


SCRIPT = red(
    "script:01-01",
    "bash tests/task-01-01.sh",
    printed="FAIL: It swaps\n",
    code=1,
    lines=(("It swaps", False),),
    reason="FAIL: It swaps",
)
GREEN_WITHOUT_IT = Objection(Layer.SABOTAGE, "01-01.c1", "still green with constants", satisfy="compare results")
VERDICTS = (fail("01-01.c1"), fail("script:01-01"), fail("phase.c1"), *verdicts_of((GREEN_WITHOUT_IT,)))
SEEN = (red("01-01.c1"), SCRIPT, red("phase.c1"))


def phase_with(verdicts: tuple[Verdict, ...], seen: tuple[Observation, ...]) -> PhaseState:
    return make_phase(
        brief=make_brief(ONE, criteria=(AS_ROADMAP,)),
        status=PhaseStatus.FAILED,
        failure="all of it in one long sentence",
        failure_step="gate",
        tasks={"01-01": TaskState(make_task("01-01", SWAPS))},
        verdicts=verdicts,
        observations=seen,
        outcome=Outcome.FAIL,
    )


PHASE = phase_with(VERDICTS, SEEN)
SHOWN = [
    f"$ {COMMAND}",
    'expected: text containing "aDA"',
    'actual:   it printed "ada", exit status 0',
    "| ada",
    "objection: sabotage: still green with constants; compare results",
]


def test_one_cause_under_four_names_is_one_failure_expected_against_actual() -> None:
    (failure,) = failures_of(make_state(PHASE), PHASE)
    assert head_line(failure) == "It swaps (01-01.c1, also phase.c1, script:01-01)"
    assert list(failure_lines(failure)) == SHOWN


@pytest.mark.parametrize(
    ("seen", "lines"),
    [
        (
            red("test", "python3 -m pytest", printed=NO_PYTEST, code=1, reason="not there", trouble=Trouble.NOT_RUN),
            ["$ python3 -m pytest", "expected: exit status 0", "actual:   exit status 1, not run: not there"],
        ),
        (
            red("test", "pytest", code=1, tests=Tally("pytest", Grade.REPORT, passed=3, failed=1)),
            ["$ pytest", "expected: exit status 0", "actual:   exit status 1, pytest: 1 failed, 3 passed"],
        ),
        (
            make_observation("test", Seen.TIMED_OUT, command="pytest", reason="it did not finish within 9 s"),
            ["$ pytest", "expected: exit status 0", "actual:   it did not finish within 9 s"],
        ),
        (
            make_observation("test", Seen.NOTHING, command="pytest", reason="no bwrap"),
            ["$ pytest", "expected: exit status 0", "actual:   it could not be run: no bwrap"],
        ),
    ],
)
def test_a_check_says_what_was_expected_what_came_and_the_tools_own_words(seen: Observation, lines: list[str]) -> None:
    (failure,) = failures_in(PHASE, (fail("test"),), (seen,))
    assert list(failure_lines(failure)) == [*lines, *(f"| {line}" for line in seen.last_lines)]


def test_a_red_line_of_a_script_counts_where_the_criterions_own_command_passed() -> None:
    own = make_observation("01-01.c1", command=COMMAND, exit_code=0)
    (failure,) = failures_in(PHASE, (fail("01-01.c1"), fail("script:01-01")), (own, SCRIPT))
    assert (failure.command, failure.last_lines) == ("bash tests/task-01-01.sh", ("FAIL: It swaps",))
    assert failure.expected == "a PASS line for every criterion, exit status 0"


def test_a_script_that_fails_by_itself_and_an_objection_alone_are_failures_of_their_own() -> None:
    broken = red("script:01-01", "bash tests/task-01-01.sh", printed="no such file\n", code=2, reason="exit 2")
    found = failures_in(PHASE, (fail("script:01-01"), *verdicts_of((GREEN_WITHOUT_IT,))), (broken,))
    assert [failure.text for failure in found] == ["the test script of task 01-01", "It swaps"]
    assert found[0].actual == "exit status 2" and list(failure_lines(found[1]))[-1].startswith("sabotage: still green")


def test_a_criterion_that_held_before_the_work_says_that_it_should_have_failed() -> None:
    green = make_observation("01-01.c1", command=COMMAND, exit_code=0)
    verdict = make_verdict(Outcome.UNPROVEN, "01-01.c1", "the check already passed at the base")
    (failure,) = failures_in(PHASE, (verdict,), (green,))
    assert failure.expected == "that it fails before the work and passes after it"
    assert failure.actual == "the check already passed at the base"


def test_a_record_of_an_earlier_version_shows_the_beginning_of_what_was_printed() -> None:
    (failure,) = failures_in(PHASE, (fail("test"),), (red("test", last_lines=()),))
    assert failure.last_lines == ("ada",)


def test_every_report_tells_the_failure_once_with_the_command_that_repeats_it() -> None:
    state = make_state(PHASE, status=RunStatus.FAILED, stop_reason="phase 1 did not pass", exit_status=1)
    document = status_document(state, state_document(state, ()), "")
    reports = {
        "end of run": render_ending(state),
        "status": render_status(document, alive=False),
        "verification": render_verification(state, PHASE),
        "report": render_completion(state, None),
    }
    for name, text in reports.items():
        lines = [line.strip() for line in text.splitlines()]
        assert [line for line in SHOWN if lines.count(line) != 1] == [], (name, text)
        assert name == "verification" or "autopilot why 1" in text, name
    assert "all of it in one long sentence" not in reports["end of run"] + reports["status"]
    (failure,) = document["phases"]["1"]["failures"]
    assert {**failure, "lines": None} == {**failure_document(failures_of(state, PHASE)[0]), "lines": None}
    assert (failure["expected"], failure["exit_status"]) == ('text containing "aDA"', 0)


def test_the_page_shows_the_failure_before_its_tables() -> None:
    state = make_state(PHASE, status=RunStatus.FAILED, stop_reason="phase 1 did not pass", exit_status=1)
    page = render_html(state, [], [])
    assert page.index("What does not hold") < page.index("expected: text containing &quot;aDA&quot;")
