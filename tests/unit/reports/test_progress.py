"""Progress: each event in the words of the sources, plain and parsable, the counter n of 9 (PROG)."""

from __future__ import annotations

import re

import pytest

from autopilot.events import happened as h
from autopilot.events.codec import KINDS
from autopilot.events.fold import fold_all
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.evidence import Seen
from autopilot.model.policy import Budget
from autopilot.model.run import RunStatus, Step
from autopilot.model.verdict import Outcome
from autopilot.reports.progress import progress_lines
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import (
    ONE,
    TWO,
    make_brief,
    make_judgement,
    make_observation,
    make_rating,
    make_started,
    make_task,
    make_verdict,
    make_verification,
    store,
)

# covers: PROG
STARTED = make_started(make_brief(ONE), make_brief(TWO, ONE))
BEGUN = (STARTED, h.PhaseStarted(ONE, 1, "base"))
PLANNED = (*BEGUN, h.Planned(ONE, "plan", (make_task(), make_task("01-02")), ()))
SCORED = (*PLANNED, h.PhaseRated(ONE, "c1", make_rating(), 9.6, "excellence"))


def begin(step: Step, task: str = "", history: tuple[h.Event, ...] = BEGUN) -> tuple[h.Event, ...]:
    return (*history, h.StepStarted(ONE, step, 1, 1, task))


def end(step: Step, status: str, detail: str = "", task: str = "") -> tuple[h.Event, ...]:
    return (*begin(step, task, PLANNED), h.StepEnded(ONE, step, 1, status, task, detail))


def shown(*history: h.Event) -> list[str]:
    """The lines of the last event."""
    entries = store(*history)
    return list(progress_lines(entries[-1], fold_all(entries)))


FAILED = (make_verdict(Outcome.FAIL, because="the check failed"),)
TIMED_OUT = (make_observation("01-01.c1", Seen.TIMED_OUT, reason="no end after 60 s"),)


@pytest.mark.parametrize(
    ("history", "lines"),
    [
        (
            (STARTED,),
            [
                "Autopilot: Phases 1, 2 | Spec: .planning/REQUIREMENTS.md (5555555) | Model: balanced",
                "Starting phase 1...",
            ],
        ),
        ((*BEGUN, h.RunResumed("0.1.0", (), Budget())), ["Autopilot: resuming run-1 at event 3"]),
        (
            (*BEGUN, h.RunResumed("0.1.0", ("run-1/1/execute",), Budget())),
            [
                "Autopilot: resuming run-1 at event 3",
                "ended 1 process(es) an earlier, killed run had left behind",
            ],
        ),
        ((STARTED, h.Warned("no command is known")), ["warning: no command is known"]),
        (BEGUN, ["--- [PHASE 1/2] Part 1 ---"]),
        ((STARTED, h.PhaseStarted(TWO, 2, "base")), ["--- [PHASE 2/2] Part 2 (attempt 2) ---"]),
        ((STARTED, h.PhaseSkipped(TWO, "it is proven")), ["--- [PHASE 2/2] Skipped: it is proven ---"]),
        (
            (*BEGUN, h.PhaseFailed(ONE, "c1 failed", "acceptance_criteria_unmet", Step.GATE)),
            ["--- [PHASE 1/2] Failed: c1 failed | 1s ---"],
        ),
        (begin(Step.PREFLIGHT), ["[Phase 1] Step: PREFLIGHT (1/9)"]),
        (begin(Step.PLAN_CHECK), ["[Phase 1] Step: PLAN-CHECK (5/9)"]),
        (begin(Step.RATE), ["[Phase 1] Step: RATE (9/9)"]),
        (
            begin(Step.VERIFY, history=PLANNED),
            ["[Phase 1] Step: EXECUTE complete. 0/2 tasks.", "[Phase 1] Step: VERIFY (7/9)"],
        ),
        (
            begin(Step.EXECUTE, "01-01", PLANNED),
            ["[Phase 1] Step: EXECUTE (6/9) -- 2 tasks", "[Phase 1] Task 01-01 (1/2): do 01-01"],
        ),
        (begin(Step.EXECUTE, "01-02", PLANNED), ["[Phase 1] Task 01-02 (2/2): do 01-02"]),
        (begin(Step.DEBUG, "01-02", PLANNED), ["[Phase 1] Task 01-02: debug attempt 1"]),
        (begin(Step.MINI_VERIFY, "01-01", PLANNED), []),
        (begin(Step.GATE), []),
        (end(Step.TRIAGE, "full_pipeline"), ["[Phase 1] Step: TRIAGE complete. Routing: full_pipeline"]),
        (end(Step.JUDGE, "proceed"), ["[Phase 1] Step: JUDGE complete. Recommendation: proceed"]),
        (end(Step.RATE, "pass", "9.6/10"), ["[Phase 1] Step: RATE complete. Score: 9.6/10"]),
        (end(Step.VERIFY, "fail", "c1: red"), ["[Phase 1] Step: VERIFY complete. Result: fail -- c1: red"]),
        (end(Step.VERIFY, "fail"), ["[Phase 1] Step: VERIFY complete. Result: fail"]),
        (end(Step.PLAN, "error", "no PLAN.md"), ["[Phase 1] Step: PLAN failed -- no PLAN.md"]),
        (end(Step.VERIFY, "unproven", "no sandbox"), ["[Phase 1] Step: VERIFY unproven -- no sandbox"]),
        (end(Step.VERIFY, "unproven"), ["[Phase 1] Step: VERIFY unproven."]),
        (end(Step.MINI_VERIFY, "pass", task="01-01"), []),
        (
            (*BEGUN, h.StepSkipped(ONE, Step.RESEARCH, "a plan exists")),
            ["[Phase 1] Step: RESEARCH skipped (a plan exists)."],
        ),
        (
            (*PLANNED, h.TaskCommitted(ONE, "01-01", "c1", ("a.py", "b.py"), ())),
            ["[Phase 1] Task 01-01: modifying a.py", "[Phase 1] Task 01-01: modifying b.py"],
        ),
        (
            (*PLANNED, h.TaskRefused(ONE, "01-01", "it committed nothing")),
            ["[Phase 1] Task 01-01: FAILED -- it committed nothing"],
        ),
        (
            (*PLANNED, h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.PASS)),
            ["[Phase 1] Task 01-01: VERIFIED"],
        ),
        (
            (*PLANNED, h.TaskVerified(ONE, "01-01", "c1", (), FAILED, Outcome.FAIL)),
            ["[Phase 1] Task 01-01: FAILED -- 01-01.c1: the check failed"],
        ),
        (
            (*PLANNED, h.TaskVerified(ONE, "01-01", "c1", TIMED_OUT, FAILED, Outcome.FAIL)),
            ["[Phase 1] Task 01-01: FAILED -- 01-01.c1: no end after 60 s"],
        ),
        (
            (*PLANNED, h.PhaseObserved(ONE, "c1", (make_observation("compile"), make_observation("01-01.c1")))),
            ["[Phase 1] compile PASS"],
        ),
        (
            (*PLANNED, h.PhaseObserved(ONE, "c1", (make_observation("test", Seen.FAILED),))),
            ["[Phase 1] test FAIL"],
        ),
        (
            (*PLANNED, h.PhaseObserved(ONE, "c1", (make_observation("test", Seen.NOTHING),))),
            ["[Phase 1] test UNPROVEN"],
        ),
        ((*PLANNED, h.Rerouted(ONE, "red")), ["[Phase 1] Rerouted to the full pipeline: red"]),
        (
            (*PLANNED, h.GateJudged(ONE, "c1", Outcome.FAIL, "c1 failed", ())),
            ["[Phase 1] Gate: FAIL -- c1 failed"],
        ),
        ((*PLANNED, h.Landed(ONE, "0123456789abcdef")), ["[Phase 1] Landed on main at 0123456789ab."]),
        (
            (*PLANNED, h.LandingDeferred(ONE, "c1", "a.py is modified", "autopilot/run-1")),
            ["[Phase 1] Landing waits: a.py is modified. The work is on branch autopilot/run-1."],
        ),
        (
            (*PLANNED, h.RolledBack(ONE, "c2", "autopilot/diagnostic")),
            ["[Phase 1] Rolled back; what was tried is on branch autopilot/diagnostic."],
        ),
    ],
)
def test_an_event_is_shown_in_plain_lines(history: tuple[h.Event, ...], lines: list[str]) -> None:
    assert shown(*history) == lines


def test_a_completed_phase_is_summed_up_step_by_step() -> None:
    steps = [h.StepStarted(ONE, Step.RATE, 1), h.StepEnded(ONE, Step.RATE, 1, "pass")]
    assert shown(*SCORED, *steps, h.PhaseCompleted(ONE, 9.6, "c1")) == [
        "  Step: EXECUTE ... 0/2 tasks",
        "  Step: RATE ... 9.6/10",
        "--- [PHASE 1/2] Complete: 9.6/10 | 5s ---",
    ]


SILENT = (
    h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0),
    h.RunArchived("a fresh run"),
    h.CancelRequested("you"),
    h.AgentReplied(ONE, Step.PLAN, Role.PLANNER, "a", Ending.COMPLETED, Usage(), 1),
    h.PreflightDone(ONE, (), ()),
    h.Triaged(ONE, "none", (), (), False, False, ""),
    h.Researched(ONE, "d", "a"),
    h.Planned(ONE, "c", (), ()),
    h.PlanChecked(ONE, True, None, ()),
    h.RedObserved(ONE, ()),
    h.PhaseVerified(ONE, "c", make_verification(), 1),
    h.PhaseJudged(ONE, "c", make_judgement()),
    h.PhaseRated(ONE, "c", make_rating(), 9.6, "excellence"),
    h.RecordsCommitted(ONE, "c", ()),
    h.LandingStarted(ONE, "a", "b", "main", ""),
)


@pytest.mark.parametrize("event", SILENT, ids=lambda event: type(event).__name__)
def test_what_a_step_already_tells_is_not_told_twice(event: h.Event) -> None:
    assert shown(*BEGUN, event) == []


def test_every_kind_of_event_is_either_shown_or_silent_on_purpose() -> None:
    spoken = {"RunStarted", "RunResumed", "Warned", "PhaseStarted", "PhaseCompleted", "PhaseFailed", "PhaseSkipped"}
    spoken |= {"StepStarted", "StepEnded", "StepSkipped", "TaskCommitted", "TaskRefused", "TaskVerified"}
    spoken |= {"Rerouted", "PhaseObserved", "GateJudged", "Landed", "LandingDeferred", "RolledBack"}
    assert spoken | {type(event).__name__ for event in SILENT} == set(KINDS)


def test_a_whole_run_is_told_in_lines_that_a_program_can_read() -> None:
    entries = list(read_golden(FOLDER / "journal-1.jsonl"))
    forms = re.compile(r"Autopilot: |Starting phase |--- \[PHASE \d/3\] |\[Phase \d\] |  Step: |warning: ")
    lines = [line for n, stored in enumerate(entries, 1) for line in progress_lines(stored, fold_all(entries[:n]))]
    assert len(lines) > 80
    assert [line for line in lines if not forms.match(line) or "\n" in line] == []
    counted = [line for line in lines if re.search(r"Step: [A-Z-]+ \(\d/9\)", line)]
    assert len(counted) == 27
