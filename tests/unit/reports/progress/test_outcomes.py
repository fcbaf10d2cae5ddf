"""Progress at a terminal: what holds, what does not, what waits; how it goes is told by the live lines."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.fold import fold_all
from autopilot.model.assessment import MiniVerification
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import Step
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.progress.outcomes import outcome_lines
from tests.unit.making import ONE, TWO, make_brief, make_observation, make_rating, make_started, make_task, make_verdict
from tests.unit.making import store as stored_events

# covers: PROG
STARTED = make_started(make_brief(ONE), make_brief(TWO, ONE))
BEGUN = (STARTED, h.PhaseStarted(ONE, 1, "base"))
PLANNED = (*BEGUN, h.Planned(ONE, "plan", (make_task(), make_task("01-02")), ()))
AT_TASK = (
    *PLANNED,
    h.StepStarted(ONE, Step.EXECUTE, 1, 1, "01-01"),
    h.TaskCommitted(ONE, "01-01", "c1", ("a.py",), ()),
)
RATED = (*PLANNED, h.PhaseRated(ONE, "c1", make_rating(), 9.6, "excellence"))
RED = make_observation("01-01.c1", Seen.FAILED, exit_code=1)
FAILED = (make_verdict(Outcome.FAIL, because="the check failed"),)
TWO_CHECKS = (make_observation("compile"), make_observation("test", Seen.FAILED))


def told(*history: h.Event) -> list[str]:
    """The lines of the last event."""
    entries = stored_events(*history)
    return list(outcome_lines(entries[-1], fold_all(entries)))


@pytest.mark.parametrize(
    "history",
    [
        BEGUN,
        (*BEGUN, h.StepStarted(ONE, Step.PLAN, 1, 1)),
        (*BEGUN, h.StepStarted(ONE, Step.PLAN, 1, 1), h.StepEnded(ONE, Step.PLAN, 1, "completed")),
        (*BEGUN, h.StepSkipped(ONE, Step.RESEARCH, "there is a plan")),
        AT_TASK,
        (*PLANNED, r.TaskRead(ONE, "01-01", "c1", MiniVerification(True, (), (), ()))),
        (*BEGUN, h.PhaseObserved(ONE, "c1", (make_observation("compile"),))),
        (*BEGUN, h.GateJudged(ONE, "c1", Outcome.PASS, "2 of 2 proven", ())),
    ],
)
def test_how_it_goes_is_no_outcome(history: tuple[h.Event, ...]) -> None:
    assert told(*history) == []


@pytest.mark.parametrize(
    ("history", "lines"),
    [
        ((STARTED,), ["Autopilot: Phases 1, 2 | Spec: .planning/REQUIREMENTS.md (5555555) | Model profile: balanced"]),
        ((STARTED, h.Warned("no command is known")), ["warning: no command is known"]),
        (
            (*AT_TASK, h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.PASS)),
            ["  ✓ task 01-01 do 01-01 · 2s"],
        ),
        ((*RATED, h.PhaseCompleted(ONE, 9.6, "c1")), ["✓ phase 1 Part 1: 9.6/10 · not landed yet · 3s"]),
        (
            (*BEGUN, h.PhaseFailed(ONE, "c1 failed", "acceptance_criteria_unmet", Step.GATE)),
            ["✗ phase 1 Part 1 failed: c1 failed · 1s"],
        ),
        ((STARTED, h.PhaseSkipped(TWO, "it is proven")), ["! phase 2 Part 2 skipped: it is proven"]),
        ((*BEGUN, h.PhaseObserved(ONE, "c1", TWO_CHECKS)), ["[Phase 1] test FAIL"]),
        (
            (*BEGUN, h.GateJudged(ONE, "c1", Outcome.FAIL, "c1 is red", ())),
            ["[Phase 1] Gate: FAIL -- c1 is red"],
        ),
    ],
)
def test_an_outcome_is_one_line(history: tuple[h.Event, ...], lines: list[str]) -> None:
    assert told(*history) == lines


def test_of_a_false_claim_the_reader_sees_what_was_expected_and_what_was_seen() -> None:
    last = h.TaskVerified(ONE, "01-01", "c1", (replace(RED, last_lines=("boom",)),), FAILED, Outcome.FAIL)
    caught, failed, *below = told(*AT_TASK, last)
    assert caught.startswith("  ✗ task 01-01: CAUGHT -- its agent called it done")
    assert failed.startswith("  ✗ task 01-01: FAILED -- ")
    assert [line.strip().partition(":")[0] for line in below] == ["expected", "actual"]


def test_every_outcome_is_told_where_steps_are_told_too() -> None:
    """A terminal shows nothing that a log leaves out, except in other words."""
    history = (*AT_TASK, h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.PASS), h.PhaseCompleted(ONE, 9.6, "c1"))
    entries = stored_events(*history)
    for count in range(1, len(entries) + 1):
        state = fold_all(entries[:count])
        if list(outcome_lines(entries[count - 1], state)):
            assert list(progress_lines(entries[count - 1], state))
