"""What single events mean to the state: landing, resuming, warnings, debug rounds, time (STATE, RES-1)."""

from __future__ import annotations

import pytest

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.fold import fold_all
from autopilot.events.people import PauseRequested
from autopilot.events.pieces import StepState
from autopilot.events.state import RunState
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.policy import Budget, Policy
from autopilot.model.run import PhaseStatus, RunStatus, Step
from tests.unit.making import (
    ONE,
    TWO,
    at,
    make_brief,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_rating,
    make_started,
    make_task,
    make_verdict,
    make_verification,
    store,
)

# covers: STATE, RES-1, T7.history
STARTED = make_started(make_brief(ONE), make_brief(TWO, ONE))
RESUMED = h.RunResumed("0.1.0", (), Budget(tokens=7))
BEGUN = (STARTED, h.PhaseStarted(ONE, 1, "base"))
FAILED = h.PhaseFailed(ONE, "c1 failed", "acceptance_criteria_unmet", Step.GATE)
REPLY = h.AgentReplied(ONE, Step.EXECUTE, Role.EXECUTOR, "scripted", Ending.COMPLETED, Usage(10, 5), 1)


def after(*events: h.Event) -> RunState:
    return fold_all(store(*events))


def test_a_landing_takes_the_tip_so_earlier_phases_that_waited_landed_with_it() -> None:
    state = after(
        STARTED,
        h.LandingDeferred(ONE, "c1", "the checkout is not clean", "autopilot/run-1"),
        h.Landed(TWO, "c2"),
    )
    assert [phase.landing.state for phase in state.phases.values()] == ["landed", "landed"]
    assert state.line.head == "c2"


def test_the_tip_moves_with_an_approved_plan_a_task_a_rollback_and_the_records() -> None:
    planned = (*BEGUN, h.Planned(ONE, "plan", (make_task(),), ()))
    assert after(*planned).line.tip == "base"  # a proposal until it is approved
    checked = (*planned, h.PlanChecked(ONE, True, None, ()))
    assert after(*checked).line.tip == "plan"
    worked = (*checked, h.TaskCommitted(ONE, "01-01", "work", ("a.py",), ()))
    assert after(*worked).line.tip == "work"
    assert after(*worked, h.RolledBack(ONE, "restored", "diagnostic")).line.tip == "restored"
    assert after(*worked, h.RecordsCommitted(ONE, "records", ())).line.tip == "records"


@pytest.mark.parametrize(
    ("parent", "files", "outside"),
    [("base", ("a.py", "c.py"), ("c.py",)), ("other", ("a.py", "b.py", "c.py"), ("b.py", "c.py"))],
)
def test_a_fix_replaces_the_tasks_files_with_its_commit_and_adds_to_them_on_top_of_other_tasks(
    parent: str, files: tuple[str, ...], outside: tuple[str, ...]
) -> None:
    planned = (*BEGUN, h.Planned(ONE, "plan", (make_task(),), ()))
    first = h.TaskCommitted(ONE, "01-01", "work", ("a.py", "b.py"), ("b.py",), parent="base")
    fixed = h.TaskCommitted(ONE, "01-01", "fixed", ("a.py", "c.py"), ("c.py",), parent=parent)
    task = after(*planned, first, fixed).phases[ONE].tasks["01-01"]
    assert (task.files, task.outside, task.commit, task.parent) == (files, outside, "fixed", parent)


def test_where_the_planning_folder_is_kept_out_only_public_commits_may_land() -> None:
    started = make_started(make_brief(ONE), policy=Policy(commit_docs=False), base="pinned")
    state = after(started, h.PhaseStarted(ONE, 1, "pinned"), h.Planned(ONE, "plan", (make_task(),), ()))
    assert (state.line.tip, state.line.public_tip) == ("pinned", "base")
    committed = h.TaskCommitted(ONE, "01-01", "work", ("a.py",), (), public="public")
    done = after(started, h.PhaseStarted(ONE, 1, "pinned"), h.Planned(ONE, "plan", (make_task(),), ()), committed)
    assert (done.line.tip, done.line.public_tip) == ("work", "public")


def test_a_resume_gives_a_failed_phase_its_second_attempt_and_then_no_third() -> None:
    rested = (FAILED, h.RunStopped(RunStatus.FAILED, "phase 1 did not pass", 1), RESUMED)
    once = after(*BEGUN, *rested).phases[ONE]
    assert (once.status, once.totals.attempt, once.ending.failure) == (PhaseStatus.NOT_STARTED, 1, "")
    twice = after(*BEGUN, *rested, h.PhaseStarted(ONE, 2, "base"), *rested).phases[ONE]
    assert (twice.status, twice.totals.attempt) == (PhaseStatus.FAILED, 2)


def test_after_a_kill_a_failed_phase_stays_failed_and_an_open_breaker_open() -> None:
    opened = r.BreakerOpened("no progress")
    before, killed = after(*BEGUN, FAILED, opened), after(*BEGUN, FAILED, opened, RESUMED)
    assert killed.phases[ONE].status is PhaseStatus.FAILED
    assert killed.breaker == before.breaker


def test_a_new_attempt_forgets_what_was_seen_and_keeps_what_was_spent_and_counted() -> None:
    events = (*BEGUN, h.StepStarted(ONE, Step.EXECUTE, 1), REPLY, h.PreflightDone(ONE, (), ("dirty",)))
    state = after(*events, h.PhaseStarted(ONE, 2, "base")).phases[ONE]
    assert (state.intake.preflight_issues, state.warnings, state.open) == (None, (), None)
    assert (state.totals.usage.tokens, dict(state.totals.attempts)) == (15, {"execute": 1})


def test_a_resume_may_raise_the_budget_and_starts_the_clock_anew() -> None:
    stopped = h.RunStopped(RunStatus.PAUSED, "the run's token cap is reached", 4)
    state = after(*BEGUN, stopped, RESUMED)
    assert (state.status, state.session.exit_status, state.session.stop_reason) == (RunStatus.RUNNING, None, "")
    assert state.policy.budget == Budget(tokens=7)
    assert (state.started_at, state.session.since) == (at(1), at(4))


def test_a_resume_takes_a_cancel_back() -> None:
    assert after(*BEGUN, h.CancelRequested("you")).session.cancelled_by == "you"
    assert after(*BEGUN, h.CancelRequested("you"), RESUMED).session.cancelled_by == ""


def test_a_resume_takes_a_pause_back() -> None:
    assert after(*BEGUN, PauseRequested("you")).session.pause_wanted_by == "you"
    assert after(*BEGUN, PauseRequested("you"), RESUMED).session.pause_wanted_by == ""


def test_a_reply_survives_a_crash_of_its_step_and_not_the_end_of_it() -> None:
    opened = (*BEGUN, h.StepStarted(ONE, Step.EXECUTE, 1, 1, "01-01"), REPLY)
    again = h.StepStarted(ONE, Step.EXECUTE, 1, 2, "01-01")
    crashed = after(*opened, RESUMED, again).phases[ONE].open
    assert crashed is not None
    assert (crashed.number, crashed.replies) == (2, (REPLY,))
    ended = h.StepEnded(ONE, Step.EXECUTE, 1, "completed", "01-01")
    next_attempt = after(*opened, ended, h.StepStarted(ONE, Step.EXECUTE, 2, 1, "01-01")).phases[ONE].open
    assert next_attempt is not None and next_attempt.replies == ()


def test_a_step_tried_again_after_a_crash_keeps_the_time_it_was_begun_at() -> None:
    begun = (*BEGUN, h.StepStarted(ONE, Step.LAND, 1))
    again = after(*begun, RESUMED, h.StepStarted(ONE, Step.LAND, 1, 2)).phases[ONE].step(Step.LAND)
    assert again is not None and again.started_at == at(3)


@pytest.mark.parametrize(("step", "debugs"), [(Step.EXECUTE, 0), (Step.DEBUG, 1)])
def test_only_what_comes_out_of_a_debug_step_counts_as_a_debug_round(step: Step, debugs: int) -> None:
    planned = (*BEGUN, h.Planned(ONE, "plan", (make_task(),), ()), h.StepStarted(ONE, step, 1, 1, "01-01"))
    for event in (h.TaskCommitted(ONE, "01-01", "work", (), ()), h.TaskRefused(ONE, "01-01", "nothing")):
        assert after(*planned, event).phases[ONE].tasks["01-01"].debugs == debugs


@pytest.mark.parametrize(
    ("outcome", "ours", "status"),
    [
        (Outcome.PASS, False, "verified"),
        (Outcome.FAIL, False, "failed"),
        (Outcome.UNPROVEN, False, "failed"),  # the work's own fault
        (Outcome.UNPROVEN, True, "committed"),  # ours: it is looked at again
    ],
)
def test_a_task_is_what_its_verification_made_it(outcome: Outcome, ours: bool, status: str) -> None:
    verdicts = (make_verdict(outcome, ours=ours),)
    state = after(
        *BEGUN,
        h.Planned(ONE, "plan", (make_task(),), ()),
        h.TaskCommitted(ONE, "01-01", "work", (), ()),
        h.TaskVerified(ONE, "01-01", "work", (), verdicts, outcome),
    )
    assert state.phases[ONE].tasks["01-01"].status == status


CLAIMED, UNCLAIMED = "claimed as done, and refused: ", "refused: "


@pytest.mark.parametrize(("claimed", "words"), [(True, CLAIMED), (False, UNCLAIMED)])
def test_a_caught_task_is_told_in_the_words_of_its_criterion_and_whether_it_was_claimed(
    claimed: bool, words: str
) -> None:
    task = make_task("01-01", make_criterion("01-01.c1", "search ignores case"))
    seen = (make_observation("01-01.c1", Seen.FAILED, reason="the command did not finish within 60 s"),)
    events = (
        h.Planned(ONE, "plan", (task,), ()),
        h.TaskCommitted(ONE, "01-01", "work", (), (), claimed=claimed),
        h.TaskVerified(ONE, "01-01", "work", seen, (make_verdict(Outcome.FAIL),), Outcome.FAIL),
        h.TaskRefused(ONE, "01-01", "the agent committed nothing", claimed=not claimed),
    )
    other = UNCLAIMED if claimed else CLAIMED
    assert after(*BEGUN, *events).phases[ONE].tasks["01-01"].caught == (
        f"{words}search ignores case: the command did not finish within 60 s",
        f"{other}the agent committed nothing",
    )


def test_what_passed_is_caught_by_nobody() -> None:
    events = (
        h.Planned(ONE, "plan", (make_task(),), ()),
        h.TaskCommitted(ONE, "01-01", "work", (), ()),
        h.TaskVerified(ONE, "01-01", "work", (), (make_verdict(Outcome.PASS),), Outcome.PASS),
    )
    assert after(*BEGUN, *events).phases[ONE].tasks["01-01"].caught == ()


CHANGED = h.RunResumed("0.1.0", (), Budget(), spec_changed_to="6" * 64)
MISMATCH = f"spec_hash_mismatch: .planning/REQUIREMENTS.md was locked as {'5' * 12} and is now {'6' * 12}"
GATED = h.GateJudged(ONE, "base", Outcome.PASS, "1 of 1 observed", (make_verdict(Outcome.PASS),))


def test_a_spec_that_changed_overtakes_the_phase_in_flight_and_no_other() -> None:
    opened = h.StepStarted(ONE, Step.EXECUTE, 1, 1, "01-01")
    state = after(*BEGUN, h.PreflightDone(ONE, (), ()), opened, CHANGED)
    assert (state.phases[ONE].intake.preflight_issues, state.phases[ONE].open) == ((MISMATCH,), None)
    assert state.phases[TWO].intake.preflight_issues is None
    assert state.inputs.spec_changed_to == "6" * 64
    assert after(*BEGUN, h.PreflightDone(ONE, (), ()), CHANGED, RESUMED).inputs.spec_changed_to == "6" * 64


def test_a_phase_that_passed_its_gate_is_not_overtaken_for_it_may_have_landed() -> None:
    landing = h.LandingStarted(ONE, "base", "records", "main", "")
    phase = after(*BEGUN, h.PreflightDone(ONE, (), ()), GATED, landing, CHANGED).phases[ONE]
    assert (phase.intake.preflight_issues, phase.landing.state) == ((), "started")


def test_a_new_spec_becomes_the_ground_its_phase_stands_on() -> None:
    state = after(*BEGUN, h.PreflightDone(ONE, (), (), spec_commit="spec"))
    assert (state.line.tip, state.phases[ONE].line.base) == ("spec", "spec")
    assert after(*BEGUN, h.PreflightDone(ONE, (), ())).phases[ONE].line.base == "base"


def test_a_spec_that_is_edited_as_the_run_goes_on_is_known_to_the_phases_after_it() -> None:
    # covers: PRE
    state = after(*BEGUN, h.PreflightDone(ONE, (), ("changed",), spec_commit="spec", spec_changed_to="6" * 64))
    assert (state.line.tip, state.inputs.spec_changed_to) == ("spec", "6" * 64)
    assert state.phases[ONE].warnings == ("changed",)
    state = after(*BEGUN, h.PreflightDone(ONE, (), (), spec_changed_to="6" * 64))
    assert (state.line.tip, state.inputs.spec_changed_to) == ("base", "6" * 64)


def test_a_phase_taken_for_done_in_error_is_looked_at_and_judged_anew() -> None:
    judged = (
        h.Triaged(ONE, "roadmap", (), (), verify_only=True, has_plan=False, note=""),
        *(h.StepSkipped(ONE, step, "triage found it done") for step in (Step.PLAN, Step.EXECUTE)),
        h.StepStarted(ONE, Step.VERIFY, 1),
        h.PhaseObserved(ONE, "base", (make_observation("phase.c1"),)),
        h.PhaseVerified(ONE, "base", make_verification(False), 1),
        h.StepEnded(ONE, Step.VERIFY, 1, "fail"),
        h.PhaseJudged(ONE, "base", make_judgement()),
        h.PhaseRated(ONE, "base", make_rating(), 9.6, "excellence"),
        h.GateJudged(ONE, "base", Outcome.FAIL, "the verifier refused it", (make_verdict(Outcome.PASS),)),
        h.Rerouted(ONE, "triage found the phase done"),
    )
    phase = after(*BEGUN, *judged).phases[ONE]
    assert (phase.plan.verify_only, phase.retries.rerouted) == (False, True)
    assert (
        phase.observed.observations,
        phase.observed.commit,
        phase.reviews.verification,
        phase.reviews.judgement,
    ) == (None, "", None, None)
    assert (phase.reviews.rating, phase.reviews.score, phase.ruling.outcome, phase.gate.verdicts) == (
        None,
        None,
        None,
        (),
    )
    assert (sorted(phase.steps), phase.totals.attempts["verify"]) == (["execute", "plan"], 1)


def test_the_run_goes_on_from_where_it_landed() -> None:
    """Over commits of the user's a landing is a merge."""
    landed = after(*BEGUN, h.RecordsCommitted(ONE, "records", ()), h.Landed(ONE, "merge"))
    assert (landed.line.head, landed.line.tip, landed.line.public_tip) == ("merge", "merge", "merge")
    kept_out = make_started(make_brief(ONE), policy=Policy(commit_docs=False), base="pinned")
    public = after(kept_out, h.RecordsCommitted(ONE, "records", ()), h.Landed(ONE, "merge"))
    assert (public.line.head, public.line.tip, public.line.public_tip) == ("merge", "records", "merge")


def test_the_tokens_of_an_attempt_are_counted_from_its_beginning() -> None:
    phase = after(*BEGUN, h.StepStarted(ONE, Step.EXECUTE, 1), REPLY, h.PhaseStarted(ONE, 2, "base"), REPLY).phases[ONE]
    assert (phase.totals.usage.tokens, phase.agents.usage.tokens) == (30, 15)


def test_what_our_sandbox_could_not_show_is_forgotten_when_its_step_ends_not_before() -> None:
    nothing = (make_observation("test", Seen.NOTHING),)
    opened = (*BEGUN, h.StepStarted(ONE, Step.VERIFY, 1), h.PhaseObserved(ONE, "base", nothing))
    assert after(*opened, RESUMED).phases[ONE].observed.observations == nothing
    assert after(*opened, h.StepEnded(ONE, Step.VERIFY, 1, "unproven")).phases[ONE].observed.observations is None


def test_a_gate_that_could_not_tell_is_asked_again_after_a_resume() -> None:
    judged = (
        h.StepStarted(ONE, Step.GATE, 1),
        h.GateJudged(ONE, "base", Outcome.UNPROVEN, "no sandbox", (make_verdict(Outcome.UNPROVEN, ours=True),)),
        h.StepEnded(ONE, Step.GATE, 1, "unproven"),
    )
    assert after(*BEGUN, *judged).phases[ONE].ruling.outcome is Outcome.UNPROVEN
    resumed = after(*BEGUN, *judged, RESUMED).phases[ONE]
    assert (resumed.ruling.outcome, resumed.gate.verdicts, resumed.observed.observations) == (None, (), None)


def test_a_warning_belongs_to_its_phase_or_to_the_run() -> None:
    state = after(*BEGUN, h.Warned("no command is known"), h.Warned("two plans", ONE), h.Warned("x", TWO))
    assert state.totals.warnings == ("no command is known",)
    assert (state.phases[ONE].warnings, state.phases[TWO].warnings) == (("two plans",), ("x",))


def test_an_archived_run_is_marked_and_stays_as_it_was() -> None:
    archived = after(*BEGUN, h.RunArchived("a fresh run"))
    assert archived.archived and archived.phases == after(*BEGUN).phases


@pytest.mark.parametrize(("status", "reviewed"), [("error", False), ("pass", True), ("refused", True)])
def test_a_review_without_a_report_of_its_own_is_there_when_it_ended_and_did_not_break_down(
    status: str, reviewed: bool
) -> None:
    """No step of today is one: any step stands in for a review that will be added."""
    phase = make_phase(steps={"gate": StepState(status=status)})
    assert (phase.is_reviewed(Step.GATE), phase.is_reviewed(Step.BUMP)) == (reviewed, False)


def test_only_reviews_that_ended_as_refused_refuse_a_phase_by_their_end() -> None:
    steps = {"verify": StepState(status="fail"), "rate": StepState(status="refused", detail="a.py is GPL")}
    assert make_phase(steps={**steps, "execute": StepState(status="refused")}).refusals == ("rate: a.py is GPL",)
