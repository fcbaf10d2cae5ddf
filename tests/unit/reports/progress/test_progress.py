"""Progress: each event in the words of the sources, plain and parsable, the counter n of 9 (PROG)."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import provision as p
from autopilot.events import recovery as r
from autopilot.events.codec import KINDS
from autopilot.events.fold import fold_all
from autopilot.events.people import FlagsRefused, PauseRequested, RecordCarried
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.assessment import CannotVerify, JudgeFindings, MiniVerification, Recommendation
from autopilot.model.evidence.likeness import Compared, Likeness
from autopilot.model.evidence.objection import Layer, Objection, Weight, verdicts_of
from autopilot.model.evidence.observation import Seen, Trouble
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget
from autopilot.model.result import Justification
from autopilot.model.ruling import Finding
from autopilot.model.run import RunStatus, Step
from autopilot.reports.debugging.progress import DEBUG
from autopilot.reports.drafting import DRAFT
from autopilot.reports.issue.progress import ISSUE
from autopilot.reports.progress.closing_lines import CLOSING
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.progress.people_lines import GATES, MAPPING, TALK
from autopilot.reports.progress.provision import PROVISION
from autopilot.reports.progress.recovery_lines import RECOVERY
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import (
    ONE,
    TWO,
    at,
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

# covers: PROG, CB, MTRC-02, STAT-04
STARTED = make_started(make_brief(ONE), make_brief(TWO, ONE))
PROSE = "You've hit your limit. Upgrade to continue (https://example.org/plus), or try again later."
AT_REST = h.RunStopped(RunStatus.PAUSED, "the circuit breaker is open", 1)
BEGUN = (STARTED, h.PhaseStarted(ONE, 1, "base"))
UNTOUCHED = h.TaskRefused(ONE, "01-01", "the agent committed nothing", True, True)
PLANNED = (*BEGUN, h.Planned(ONE, "plan", (make_task(), make_task("01-02")), ()))
TAMPERED = Objection(Layer.CHANGE, "task 01-01", "tests/test_a.py was changed", satisfy="list it")
ODD = Objection(Layer.LOOK, "phase", "it asks who calls it", weight=Weight.FLAG)
SCORED = (*PLANNED, h.PhaseRated(ONE, "c1", make_rating(), 9.6, "excellence"))


def begin(step: Step, task: str = "", history: tuple[h.Event, ...] = BEGUN) -> tuple[h.Event, ...]:
    return (*history, h.StepStarted(ONE, step, 1, 1, task))


TASK_ONE = "[Phase 1] Task 01-01:"
NEW, NEVER = Compared(Likeness.NEW, 1, 1, ("a.py: F401 x",)), Compared(Likeness.NEVER_RAN)
RED_CHECKS = (
    make_observation("compile", Seen.FAILED, compared=NEW),
    make_observation("lint", Seen.FAILED, compared=Compared(Likeness.FINDINGS, 12)),
    make_observation("build", Seen.FAILED, compared=NEVER, reason="no script build", trouble=Trouble.NOT_RUN),
    make_observation("test", Seen.FAILED, legacy=2),
)


def end(step: Step, status: str, detail: str = "", task: str = "") -> tuple[h.Event, ...]:
    return (*begin(step, task, PLANNED), h.StepEnded(ONE, step, 1, status, task, detail))


def shown(*history: h.Event, verbose: bool = False) -> list[str]:
    """The lines of the last event."""
    entries = store(*history)
    return list(progress_lines(entries[-1], fold_all(entries), verbose=verbose))


CAUGHT = f"{TASK_ONE} CAUGHT -- its agent called it done; Autopilot ran its checks, and it is not"
FAILED = (make_verdict(Outcome.FAIL, because="the check failed"),)
TIMED_OUT = (make_observation("01-01.c1", Seen.TIMED_OUT, reason="the command did not finish within 60 s"),)


@pytest.mark.parametrize(
    ("history", "lines"),
    [
        (
            (STARTED,),
            [
                "Autopilot: Phases 1, 2 | Spec: .planning/REQUIREMENTS.md (5555555) | Model profile: balanced",
                "Starting phase 1...",
            ],
        ),
        ((*BEGUN, h.RunResumed("0.1.0", (), Budget())), ["Autopilot: resuming run-1 in phase 1"]),
        (
            (*begin(Step.JUDGE), h.RunResumed("0.1.0", (), Budget())),
            ["Autopilot: resuming run-1 at JUDGE of phase 1"],
        ),
        (
            (*BEGUN, h.RunResumed("0.1.0", ("run-1/1/execute",), Budget())),
            [
                "Autopilot: resuming run-1 in phase 1",
                "stopped 1 process that an earlier run left behind when it was killed",
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
            ["[Phase 1] Step: EXECUTE ended: 0 of 2 tasks verified.", "[Phase 1] Step: VERIFY (7/9)"],
        ),
        (
            begin(Step.EXECUTE, "01-01", PLANNED),
            ["[Phase 1] Step: EXECUTE (6/9) -- 2 tasks", "[Phase 1] Task 01-01 (1/2): do 01-01"],
        ),
        (
            begin(Step.EXECUTE, "01-02", end(Step.EXECUTE, "completed", task="01-01")),
            ["[Phase 1] Task 01-02 (2/2): do 01-02"],
        ),
        (
            begin(Step.EXECUTE, "01-02", (*PLANNED, r.TaskAlreadyThere(ONE, "01-01"))),
            ["[Phase 1] Step: EXECUTE (6/9) -- 2 tasks", "[Phase 1] Task 01-02 (2/2): do 01-02"],
        ),
        (begin(Step.DEBUG, "01-02", PLANNED), ["[Phase 1] Task 01-02: debug attempt 1"]),
        (begin(Step.MINI_VERIFY, "01-01", PLANNED), []),
        (begin(Step.GATE), []),
        (end(Step.TRIAGE, "full_pipeline"), ["[Phase 1] Routing: full pipeline"]),
        (end(Step.JUDGE, "proceed"), ["[Phase 1] Recommendation: proceed"]),
        (end(Step.RATE, "pass", "9.6/10"), ["[Phase 1] Score: 9.6/10"]),
        (end(Step.VERIFY, "fail", "c1: red"), ["[Phase 1] Result: fail -- c1: red"]),
        (end(Step.VERIFY, "fail"), ["[Phase 1] Result: fail"]),
        (end(Step.PLAN, "error", "no PLAN.md"), ["[Phase 1] Step: PLAN failed -- no PLAN.md"]),
        (end(Step.VERIFY, "unproven", "no sandbox"), ["[Phase 1] Step: VERIFY could not run -- no sandbox"]),
        (end(Step.VERIFY, "unproven"), ["[Phase 1] Step: VERIFY could not run."]),
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
            (*PLANNED, h.TaskCommitted(ONE, "01-01", "c1", tuple(f"{n}.py" for n in range(24_128)), ())),
            [
                *(f"[Phase 1] Task 01-01: modifying {n}.py" for n in range(12)),
                f"{TASK_ONE} modifying 24,116 more files",
            ],
        ),
        (
            (*PLANNED, h.TaskRefused(ONE, "01-01", "the agent committed nothing")),
            ["[Phase 1] Task 01-01: FAILED -- the agent committed nothing"],
        ),
        (
            (*PLANNED, h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.PASS)),
            ["[Phase 1] Task 01-01: VERIFIED"],
        ),
        (
            (*PLANNED, h.TaskVerified(ONE, "01-01", "c1", (), FAILED, Outcome.FAIL)),
            [CAUGHT, "[Phase 1] Task 01-01: FAILED -- it works (01-01.c1): the check failed"],
        ),
        (
            (
                *PLANNED,
                h.TaskVerified(ONE, "01-01", "c1", (), verdicts_of((TAMPERED,)), Outcome.FAIL, (), (TAMPERED, ODD)),
            ),
            [
                "[Phase 1] Task 01-01: flag -- second look: it asks who calls it",
                CAUGHT,
                "[Phase 1] Task 01-01: FAILED -- control files: tests/test_a.py was changed; list it",
            ],
        ),
        (
            (*PLANNED, h.PhaseObserved(ONE, "c1", (), objections=(ODD,))),
            ["[Phase 1] flag -- second look: it asks who calls it"],
        ),
        (
            (*PLANNED, h.TaskVerified(ONE, "01-01", "c1", TIMED_OUT, FAILED, Outcome.FAIL)),
            [CAUGHT, "[Phase 1] Task 01-01: FAILED -- it works (01-01.c1): the command did not finish within 60 s"],
        ),
        (
            (*PLANNED, h.PhaseObserved(ONE, "c1", RED_CHECKS)),
            [
                "[Phase 1] compile FAIL -- new since the work began: a.py: F401 x",
                "[Phase 1] lint RED BEFORE -- its 12 findings were there before the work began; nothing else is red",
                "[Phase 1] build NOT RUN -- not run, neither before the work nor after it: no script build",
                "[Phase 1] test RED BEFORE -- 2 tests were red before the work began and still are; "
                "nothing else is red",
            ],
        ),
        (
            (*PLANNED, r.BaselineObserved(ONE, "c1", (*RED_CHECKS[2:3], make_observation("lint", Seen.FAILED)))),
            ["[Phase 1] baseline build NOT RUN -- no script build", "[Phase 1] baseline lint FAIL"],
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
        ((*PLANNED, h.Rerouted(ONE, "it holds", verify_only=True)), ["[Phase 1] Rerouted to verification: it holds"]),
        (
            (*PLANNED, r.TaskAlreadyThere(ONE, "01-01", unshown=True)),
            ["[Phase 1] Task 01-01: CARRIED OUT by the summary of its plan, nothing it promises is red -- left to you"],
        ),
        (
            (*PLANNED, UNTOUCHED, r.TaskAlreadyThere(ONE, "01-01", unshown=True)),
            [
                "[Phase 1] Task 01-01: NOTHING COMMITTED by two agents, and nothing it promises is red -- left to you",
            ],
        ),
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
            ["[Phase 1] Rolled back; the attempt is kept on branch autopilot/diagnostic."],
        ),
    ],
)
def test_an_event_is_shown_in_plain_lines(history: tuple[h.Event, ...], lines: list[str]) -> None:
    assert shown(*history) == lines


def test_a_step_without_news_is_told_once_and_in_full_only_where_that_is_asked_for() -> None:
    assert shown(*end(Step.RESEARCH, "completed")) == []
    assert shown(*end(Step.RESEARCH, "completed"), verbose=True) == ["[Phase 1] Step: RESEARCH complete."]
    routed = "[Phase 1] Step: TRIAGE complete. Routing: full pipeline"
    assert shown(*end(Step.TRIAGE, "full_pipeline"), verbose=True) == [routed]


def test_a_phase_that_runs_alone_is_counted_in_its_roadmap() -> None:
    started = make_started(make_brief(TWO), outline=(make_brief(ONE), make_brief(TWO), make_brief(PhaseId("3"))))
    assert shown(started, h.PhaseStarted(TWO, 1, "base"))[0].startswith("--- [PHASE 2/3] ")


def test_a_completed_phase_is_summed_up_step_by_step_where_all_is_asked_for() -> None:
    steps: list[h.Event] = [h.StepStarted(ONE, Step.RATE, 1), h.StepEnded(ONE, Step.RATE, 1, "pass")]
    there = r.TaskAlreadyThere(ONE, "01-01")
    done = (*SCORED, there, *steps, h.PhaseCompleted(ONE, 9.6, "c1"))
    assert shown(*done) == ["--- [PHASE 1/2] Complete: 9.6/10 | 6s ---"]
    assert shown(*done, verbose=True) == [
        "  Step: EXECUTE ... 1/2 tasks",
        "  Step: RATE ... 9.6/10",
        "--- [PHASE 1/2] Complete: 9.6/10 | 6s ---",
    ]


def test_a_plan_that_was_never_carried_out_is_not_summed_up_as_work() -> None:
    failed = h.PhaseFailed(ONE, "the plan was refused 3 times", "coordination_failure", Step.PLAN_CHECK)
    assert not [line for line in shown(*PLANNED, failed, verbose=True) if "EXECUTE" in line]


ONE_A, ONE_B = PhaseId("1a"), PhaseId("1b")
PARTS = (make_brief(ONE_A), make_brief(ONE_B))
SPLIT = (*PLANNED, r.SplitAgreed(ONE, "two areas", PARTS, (("01-01",), ("01-02",))))
READ = MiniVerification(True, (), (), ("make test",))
CONFLICT = r.ConflictFound(ONE, ONE_B, "m1", ("a.py",), "both changed it")
ASKED = Justification("01-02", "pay with a real card", 1, 1)
LIMIT = CannotVerify("it pays", ("read the code",), "the bank cannot be reached")
DEFERRED = r.PhaseDeferred(ONE, ASKED, (LIMIT,), 4.0, "autopilot/waiting")
TWO_ISSUES = ("it is slow", "it is blue")


@pytest.mark.parametrize(
    ("history", "lines"),
    [
        (
            (*BEGUN, r.Estimated(ONE, 180000, "ui")),
            ["Phase 1 cost estimate: 180,000 tokens (no plan yet; phase of type ui)"],
        ),
        (
            (*BEGUN, r.Estimated(ONE, 132000, "ui", 2, 1)),
            ["Phase 1 cost estimate: 132,000 tokens (3 tasks: 2 simple, 1 medium, 0 complex)"],
        ),
        (
            (*BEGUN, r.BaselineObserved(ONE, "base", (make_observation("lint", Seen.FAILED),))),
            ["[Phase 1] baseline lint FAIL"],
        ),
        ((*PLANNED, r.TaskAlreadyThere(ONE, "01-01")), ["[Phase 1] Task 01-01: ALREADY THERE"]),
        ((*PLANNED, r.TaskRead(ONE, "01-01", "c1", READ)), ["[Phase 1] Task 01-01: review PASS"]),
        (
            (*PLANNED, r.TaskRead(ONE, "01-01", "c1", replace(READ, passed=False, concerns=TWO_ISSUES))),
            ["[Phase 1] Task 01-01: review FAIL -- it is slow; it is blue"],
        ),
        (
            (*PLANNED, r.TaskRead(ONE, "01-01", "c1", None, "no JSON")),
            ["[Phase 1] Task 01-01: review UNPROVEN -- no JSON"],
        ),
        (
            (*PLANNED, r.HandedOver(ONE, "01-01", "context_exhausted")),
            ["[Phase 1] Task 01-01: HANDED OVER to a fresh agent -- context_exhausted"],
        ),
        (
            (*BEGUN, r.IntegrityChecked(ONE, (Finding(3, False, None, "fast"), Finding(10, True, Step.VERIFY, "no")))),
            ["[Phase 1] Integrity check 3: warning -- fast", "[Phase 1] Integrity check 10: REFUSED -- no"],
        ),
        (
            (*BEGUN, r.StepEnforced(ONE, Step.VERIFY, "the verifier ran no command")),
            ["[Phase 1] Step: VERIFY is repeated -- the verifier ran no command"],
        ),
        (
            (*BEGUN, r.ScoresUniform(ONE, 1, 3, 9.1, 9.2, ())),
            [
                "[Phase 1] warning: 3 scores in a row lie between 9.1 and 9.2: "
                "the reviewers may not have checked the work"
            ],
        ),
        (
            (*BEGUN, r.ScoresUniform(ONE, 1, 3, 9.6, 9.6, ())),
            ["[Phase 1] warning: 3 scores in a row are 9.6: the reviewers may not have checked the work"],
        ),
        (
            (*BEGUN, r.ScoresUniform(ONE, 2, 5, 9.1, 9.2, ())),
            ["[Phase 1] warning: 5 scores in a row lie between 9.1 and 9.2: the next phase is reviewed more strictly"],
        ),
        (
            (*BEGUN, r.ScoresUniform(ONE, 3, 9, 9.1, 9.2, ())),
            [
                "[Phase 1] warning: 9 scores in a row lie between 9.1 and 9.2: "
                "CRITICAL, every later phase is reviewed more strictly"
            ],
        ),
        (begin(Step.DEBUG), ["[Phase 1] Step: DEBUG (attempt 1)"]),
        (
            begin(Step.DEBUG, history=(*PLANNED, r.PhaseMended(ONE, 1, ()))),
            ["[Phase 1] Step: DEBUG (attempt 2)"],
        ),
        (
            (*PLANNED, r.PhaseMended(ONE, 1, ("red",), "c2", ("a.py",), remaining=("still red",))),
            ["[Phase 1] Debug: modifying a.py", "[Phase 1] Step: DEBUG complete. 1 issue remaining."],
        ),
        (
            (*PLANNED, r.PhaseMended(ONE, 1, ("red",), refusal="it changed .planning")),
            ["[Phase 1] Step: DEBUG failed -- it changed .planning"],
        ),
        (end(Step.DEBUG, "refused", "it changed .planning"), []),
        (end(Step.DEBUG, "error", "no reply"), ["[Phase 1] Step: DEBUG failed -- no reply"]),
        (
            (*PLANNED, r.RemediationStarted(ONE, 1, 8.2, 9.0, (make_task("01-r1"),))),
            ["[Phase 1] Remediation cycle 1/2: 1 task -- score 8.2/10 below threshold 9.0"],
        ),
        (
            (*PLANNED, r.RemediationStarted(ONE, 1, None, 9.0, (make_task("01-r1"),), by_person=True)),
            ["[Phase 1] Remediation cycle 1 after your verdict: 1 task"],
        ),
        (
            (*PLANNED, r.RemediationEnded(ONE, 1, 8.2, 9.3, 9.0)),
            ["[Phase 1] Remediation cycle 1 complete. Score: 8.2/10 -> 9.3/10, threshold 9.0 reached"],
        ),
        (
            (*PLANNED, r.RemediationEnded(ONE, 1, 8.2, None, 9.0)),
            ["[Phase 1] Remediation cycle 1 complete. Score: 8.2/10 -> no score, threshold 9.0 not reached"],
        ),
        (
            (*PLANNED, r.Replanned(ONE, 6.0, TWO_ISSUES)),
            ["[Phase 1] Re-plan: 6.0/10, 2 issues -- restarting from research"],
        ),
        (
            (*PLANNED, r.MarkedIncomplete(ONE, 8.0, 9.0, 2)),
            [
                "[Phase 1] Remediation exhausted (2 cycles): 8.0/10 of 9.0, force_incomplete",
                "[Phase 1] Diagnostic: .autopilot/diagnostics/phase-1-confidence.md",
            ],
        ),
        (
            (*BEGUN, DEFERRED),
            [
                "[Phase 1] Task 01-02: needs a person -- pay with a real card",
                "[Phase 1] Not proven: it pays -- the bank cannot be reached",
                "[Phase 1] The work is on branch autopilot/waiting.",
                "--- [PHASE 1/2] Deferred: waits for your verdict: autopilot verdict 1 pass | 1s ---",
            ],
        ),
        (
            (*PLANNED, r.ResolvedAlone(ONE, "01-02", 8.0)),
            ["[Phase 1] Task 01-02: resolved without a person (confidence 8.0/10)"],
        ),
        (
            (*BEGUN, DEFERRED, r.VerdictGiven(ONE, "issues_found", TWO_ISSUES, "ann", ("A cache",))),
            [
                "[Phase 1] Verdict: issues_found by ann -- it is slow; it is blue",
                "[Phase 1] A cache sounds like a new capability: "
                "it belongs in a phase of its own and is recorded under Deferred Ideas",
            ],
        ),
        (
            SPLIT,
            [
                "[Phase 1] Split into 2 parts -- two areas",
                "[Phase 1a] Part 1a: 01-01",
                "[Phase 1b] Part 1b: 01-02",
            ],
        ),
        (begin(Step.SPLIT), ["[Phase 1] Step: SPLIT"]),
        (begin(Step.INTEGRATE, ONE_B, SPLIT), ["[Phase 1] Step: INTEGRATE 1b"]),
        (
            (*SPLIT, h.StepStarted(ONE_A, Step.EXECUTE, 1, 1, "01-01")),
            ["[Phase 1a] Step: EXECUTE (6/9) -- 1 task", "[Phase 1a] Task 01-01 (1/1): do 01-01"],
        ),
        ((*SPLIT, h.PhaseCompleted(ONE_A, 9.4, "c1")), ["[Phase 1a] Part complete: no score | 1s"]),
        (
            (*SPLIT, h.PhaseFailed(ONE_A, "c1 failed", "acceptance_criteria_unmet", Step.GATE)),
            ["[Phase 1a] Part failed: c1 failed | 1s"],
        ),
        ((*SPLIT, CONFLICT), ["[Phase 1] Part 1b: CONFLICT -- both changed it (a.py)"]),
        ((*SPLIT, CONFLICT, r.Resolved(ONE, ONE_B, "m2")), ["[Phase 1] Part 1b: resolved"]),
        (
            (*SPLIT, CONFLICT, r.Resolved(ONE, ONE_B, refusal="markers are left")),
            ["[Phase 1] Part 1b: not resolved -- markers are left"],
        ),
        (
            (*SPLIT, r.Integrated(ONE, ONE_A, "0123456789abcdef", (make_observation("test"),), ())),
            ["[Phase 1] test PASS", "[Phase 1] Part 1a: INTEGRATED at 0123456789ab"],
        ),
        (
            (*BEGUN, DEFERRED, r.Integrated(ONE, ONE, "0123456789abcdef", (), ())),
            ["[Phase 1] Its branch: INTEGRATED at 0123456789ab"],
        ),
        ((*BEGUN, r.BreakerOpened("no progress")), ["Circuit breaker: OPEN -- no progress"]),
        ((*BEGUN, r.BreakerClosed("it moves")), ["Circuit breaker: CLOSED -- it moves"]),
        (
            (*BEGUN, r.BreakerOpened("no progress"), AT_REST, h.RunResumed("0.1.0", (), Budget())),
            [
                "Autopilot: resuming run-1 in phase 1",
                "Circuit breaker: HALF-OPEN -- one step without progress opens it again",
            ],
        ),
        (
            (*BEGUN, r.DeferralAdjusted(6.0, 5.5, "3 of 3 passed")),
            ["Deferral threshold: 6.0 -> 5.5 -- 3 of 3 passed"],
        ),
        ((*BEGUN, r.DeferRateHigh("1 of 2 phases wait")), ["warning: 1 of 2 phases wait"]),
    ],
)
def test_another_try_another_cut_or_a_person_is_told_in_plain_lines(
    history: tuple[h.Event, ...], lines: list[str]
) -> None:
    assert shown(*history) == lines


def test_a_phase_that_counts_as_incomplete_is_never_shown_as_whole() -> None:
    history = (*SCORED, r.MarkedIncomplete(ONE, 9.6, 9.8, 2), h.PhaseCompleted(ONE, 9.6, "c1"))
    assert shown(*history)[-1] == "--- [PHASE 1/2] Complete: 9.6/10 | 4s | force_incomplete ---"


def test_the_tasks_of_a_split_phase_are_those_of_its_parts() -> None:
    done = h.TaskVerified(ONE_A, "01-01", "c1", (), (), Outcome.PASS)
    assert (
        shown(*SPLIT, done, h.StepStarted(ONE, Step.VERIFY, 1))[0]
        == "[Phase 1] Step: EXECUTE ended: 1 of 2 tasks verified."
    )


def test_a_task_for_a_person_is_not_counted_as_work() -> None:
    asking = h.Planned(ONE, "plan", (make_task(), make_task("01-02", type="checkpoint:human-verify")), ())
    history = (*BEGUN, asking, r.TaskAlreadyThere(ONE, "01-01"), h.StepStarted(ONE, Step.VERIFY, 1))
    assert shown(*history)[0] == "[Phase 1] Step: EXECUTE ended: 1 of 1 task verified."


SILENT = (
    h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0),
    h.RunArchived("a fresh run"),
    h.CancelRequested("you"),
    PauseRequested("you"),
    RecordCarried("d" * 64, 3, "m"),
    FlagsRefused(("--force", "--gaps"), "one or the other"),
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
    r.JudgeFound(ONE, "c", JudgeFindings(Recommendation.PROCEED, (), (), (), (), notes="")),
)


@pytest.mark.parametrize("event", SILENT, ids=lambda event: type(event).__name__)
def test_what_a_step_already_tells_is_not_told_twice(event: h.Event) -> None:
    assert shown(*BEGUN, event) == []


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            p.AgentSwitched(Role.JUDGE, "claude", "codex:small", "claude reached its provider's rate limit"),
            "Agents: codex takes over from claude -- claude reached its provider's rate limit",
        ),
        (p.WaitStarted(at(27), "claude is limited"), "Waiting 24 s, until 12:00:27 UTC -- claude is limited"),
        (
            p.WaitStarted(at(86_403), f"claude reached its provider's rate limit: {PROSE}"),
            "Waiting 24 h 00 min, until 2025-01-02 12:00:03 UTC -- "
            "claude reached its provider's rate limit: You've hit your limit",
        ),
        (p.Woken(29.6), "Waited 30 s; continuing."),
        (
            p.AgentCutOff(ONE, Step.VERIFY, Role.VERIFIER, "claude", Usage(tokens_in=1_200, tokens_out=34)),
            "[Phase 1] claude was interrupted as verifier; it had used 1,234 tokens",
        ),
    ],
)
def test_what_becomes_of_the_agents_is_told(event: h.Event, line: str) -> None:
    assert shown(*BEGUN, event) == [line]


def limited(role: Role, agent: str = "claude", ending: Ending = Ending.RATE_LIMITED) -> h.AgentReplied:
    return h.AgentReplied(ONE, Step.JUDGE, role, agent, ending, Usage(), 5, detail=PROSE, retry_after_s=3600)


def test_hosts_that_an_agent_asked_for_in_vain_are_named_with_the_remedy() -> None:
    reply = h.AgentReplied(ONE, Step.EXECUTE, Role.EXECUTOR, "claude", Ending.COMPLETED, Usage(), 5)
    assert shown(*BEGUN, reply) == []
    refused = replace(reply, refused_hosts=("a.example", "b.example:80"))
    line = "[Phase 1] claude may not reach a.example, b.example:80; to allow it: hosts in [agent.claude]"
    assert shown(*BEGUN, refused) == [line]


def test_what_is_left_out_of_a_commit_is_named_with_the_remedy() -> None:
    reply = h.AgentReplied(ONE, Step.EXECUTE, Role.EXECUTOR, "claude", Ending.COMPLETED, Usage(), 5)
    [line] = shown(*BEGUN, replace(reply, left_out=("build (3 files)", "lib/env (900 files)")))
    assert line.startswith(
        "[Phase 1] left out of the commit, as builds make it: build (3 files), lib/env (900 files); "
    )
    assert "list it in the task's files" in line


def told(*history: h.Event, verbose: bool = False) -> list[str]:
    """Every line about agents, in a run in which all of this happens."""
    entries = store(*BEGUN, *history)
    states = (fold_all(entries[:n]) for n in range(1, len(entries) + 1))
    pairs = zip(entries, states, strict=True)
    lines = [line for stored, state in pairs for line in progress_lines(stored, state, verbose=verbose)]
    return [line for line in lines if line.startswith("Agents: ")]


def changed(role: Role, because: str, old: str = "claude", new: str = "codex") -> p.AgentSwitched:
    return p.AgentSwitched(role, old, new, because)


def test_who_steps_in_is_told_once_for_all_roles_and_once_when_it_is_over() -> None:
    [why] = (limit.because for limit in fold_all(store(*BEGUN, limited(Role.JUDGE))).provision.limits.values())
    back = [changed(role, p.BACK_AGAIN, "codex", "claude") for role in (Role.JUDGE, Role.RATER)]
    history = (limited(Role.JUDGE), changed(Role.JUDGE, why), changed(Role.RATER, why), *back)
    lines = told(*history, changed(Role.JUDGE, why))
    steps_in, over, again = lines
    assert re.fullmatch(r"Agents: claude is rate-limited until 13:0\d UTC; fallback codex takes over", steps_in)
    assert over == "Agents: claude is available again and takes over from codex"
    assert again == steps_in, "another limit is told anew"
    every = told(*history, verbose=True)
    assert every[1] == f"Agents: codex replaces claude as rater -- claude reached its provider's rate limit: {PROSE}"
    assert len(every) == 4


def test_who_steps_in_for_an_agent_that_is_out_is_told_with_why() -> None:
    history = (limited(Role.JUDGE, ending=Ending.AUTH), changed(Role.JUDGE, f"{PROSE}; autopilot agents login claude"))
    assert told(*history) == ["Agents: claude is unavailable (You've hit your limit); fallback codex takes over"]


def test_what_a_provider_says_at_length_is_told_by_its_first_sentence() -> None:
    reason = f"the judge crashed: {PROSE}"
    assert shown(*BEGUN, h.PhaseFailed(ONE, reason, "other", Step.JUDGE))[-1].startswith(
        "--- [PHASE 1/2] Failed: the judge crashed: You've hit your limit | "
    )
    [line] = shown(
        *end(Step.VERIFY, "put_off", f"the verifier got no answer from its overloaded provider: {'so it is, ' * 99}")
    )
    assert line.endswith("…") and len(line) <= 200
    entries = store(*end(Step.VERIFY, "put_off", reason))
    assert PROSE in next(iter(progress_lines(entries[-1], fold_all(entries), verbose=True)))


@pytest.mark.parametrize(("step", "task", "label"), [(Step.VERIFY, "", "VERIFY"), (Step.EXECUTE, "01-01", "01-01")])
def test_a_step_that_is_put_off_says_why(step: Step, task: str, label: str) -> None:
    [line] = shown(*end(step, "put_off", "the agent reached its provider's rate limit", task))
    assert line.startswith("[Phase 1] Step: ") and label in line
    assert line.endswith(" postponed -- the agent reached its provider's rate limit")


def test_every_kind_of_event_is_either_shown_or_silent_on_purpose() -> None:
    spoken = {"RunStarted", "RunResumed", "Warned", "PhaseStarted", "PhaseCompleted", "PhaseFailed", "PhaseSkipped"}
    spoken |= {"StepStarted", "StepEnded", "StepSkipped", "TaskCommitted", "TaskRefused", "TaskVerified"}
    spoken |= {"Rerouted", "PhaseObserved", "GateJudged", "Landed", "LandingDeferred", "RolledBack"}
    spoken |= {kind.__name__ for kind in (*RECOVERY, *get_args(r.RecoveryRunEvent), *get_args(r.TaskRecovery))}
    spoken |= {"PhaseDeferred", "ResolvedAlone", *(kind.__name__ for kind in (*PROVISION, *MAPPING))}
    assert {kind.__name__ for kind in get_args(r.RecoveryEvent)} <= spoken
    spoken |= {"PhasePassedOver", *(kind.__name__ for kind in (*TALK, *CLOSING, *GATES, *ISSUE, *DEBUG, *DRAFT))}
    spoken |= {"DraftBegun"}  # the start of its run says what is drafted
    assert spoken | {type(event).__name__ for event in SILENT} == set(KINDS)


def test_a_whole_run_is_told_in_lines_that_a_program_can_read() -> None:
    entries = list(read_golden(FOLDER / "journal-1.jsonl"))
    forms = re.compile(r"Autopilot: |Starting phase |--- \[PHASE \d/3\] |\[Phase \d\] |  Step: |warning: ")
    lines = [line for n, stored in enumerate(entries, 1) for line in progress_lines(stored, fold_all(entries[:n]))]
    assert len(lines) > 80
    assert [line for line in lines if not forms.match(line) or "\n" in line] == []
    counted = [line for line in lines if re.search(r"Step: [A-Z-]+ \(\d/9\)", line)]
    assert len(counted) == 27
