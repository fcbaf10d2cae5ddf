"""What another try, another cut or a person means to the state (STATE, DBG, CENF-01, STAT-05, SPLIT)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.accounts import reviewed_in_parts
from autopilot.events.fold import fold_all
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.assessment import JudgeFindings, MiniVerification, Recommendation
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget
from autopilot.model.result import Justification
from autopilot.model.ruling import Action, Finding
from autopilot.model.run import PhaseStatus, RunStatus, Step
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

# covers: STATE, DBG, CENF-01, CENF-03, STAT-05, SPLIT, LOOP-3, CTXE-01, ALREADY, RES-1
A, B = PhaseId("1a"), PhaseId("1b")
TASKS = (make_task(), make_task("01-02"))
BEGUN = (
    make_started(make_brief(ONE), make_brief(TWO)),
    h.PhaseStarted(ONE, 1, "base"),
    h.PreflightDone(ONE, (), ()),
    h.Triaged(ONE, "none", (), (), verify_only=False, has_plan=False, note=""),
    h.Planned(ONE, "plan", TASKS, ()),
    h.PlanChecked(ONE, True, None, ()),
    h.RedObserved(ONE, (make_observation("01-01.c1"),)),
)
WORKED = (*BEGUN, *(h.TaskCommitted(ONE, task.id, f"work-{task.id}", ("a.py",), ()) for task in TASKS))
FOUND = JudgeFindings(Recommendation.PROCEED, ("no limit",), ("a.py:1",), (), (), notes="")
REVIEWED = (
    *WORKED,
    h.StepStarted(ONE, Step.VERIFY, 1),
    h.PhaseObserved(ONE, "work-01-02", (make_observation("01-01.c1"),)),
    h.PhaseVerified(ONE, "work-01-02", make_verification(), 5),
    h.StepEnded(ONE, Step.VERIFY, 1, "pass"),
    r.JudgeFound(ONE, "work-01-02", FOUND),
    h.PhaseJudged(ONE, "work-01-02", make_judgement()),
    h.PhaseRated(ONE, "work-01-02", make_rating(), 8.2, "good"),
    r.IntegrityChecked(ONE, (Finding(3, False, None, "quick"),)),
    h.GateJudged(ONE, "work-01-02", Outcome.FAIL, "8.2", (make_verdict(Outcome.PASS),), Action.REMEDIATE),
)
RESTED = (h.RunStopped(RunStatus.WAITING, "rest", 3), h.RunResumed("0.1.0", (), Budget()))


def after(*events: h.Event) -> RunState:
    return fold_all(store(*events))


def one(*events: h.Event) -> PhaseState:
    return after(*events).phases[ONE]


REVIEWS = ("verification", "findings", "judgement", "rating", "score", "gate", "action")


def reviews(phase: PhaseState) -> list[Any]:
    said, ruled = phase.reviews, phase.ruling
    given = (said.verification, said.findings, said.judgement, said.rating, said.score, ruled.outcome, ruled.action)
    assert len(given) == len(REVIEWS)
    return [*given]


def test_the_sample_is_reviewed_in_full() -> None:
    """The control for everything below that is said to be void."""
    assert None not in reviews(one(*REVIEWED))


def test_a_debugger_without_a_commit_voids_nothing_but_the_gate() -> None:
    phase = one(*REVIEWED, r.PhaseMended(ONE, 1, ("red",), refusal="the agent committed nothing"))
    assert (phase.ruling.outcome, phase.ruling.action) == (None, None)
    assert phase.reviews.verification is not None and phase.observed.observations is not None
    assert len(phase.retries.debug_rounds) == 1


def test_a_debugger_with_a_commit_moves_the_line_and_voids_what_was_said_of_the_old_one() -> None:
    state = after(*REVIEWED, r.PhaseMended(ONE, 1, ("red",), "mend", ("a.py",), remaining=("slow",)))
    phase = state.phases[ONE]
    assert state.line.tip == "mend"
    assert reviews(phase) == [None] * len(REVIEWS)
    assert (phase.observed.observations, phase.observed.commit, "verify" in phase.steps) == (None, "", False)
    assert phase.retries.debug_rounds[0].remaining == ("slow",)


def test_debugs_before_and_after_a_re_plan_are_counted_apart() -> None:
    mended = r.PhaseMended(ONE, 1, ("red",), "mend")
    chances = one(*REVIEWED, mended, mended, r.Replanned(ONE, 6.4, ("slow",)), mended).other_chances
    assert (chances.debugs, chances.debugs_after_replan, chances.replans) == (2, 1, 1)


def test_a_remediation_adds_its_tasks_and_ends_with_its_score() -> None:
    mend = make_task("01-r1", type="remediation")
    begun = (*REVIEWED, r.RemediationStarted(ONE, 1, 8.2, 9.0, (mend,)))
    phase = one(*begun)
    assert (phase.ruling.outcome, phase.ruling.action) == (None, None)
    assert phase.reviews.rating is not None, (
        "while nothing has changed, no luckier rating of the same tree is asked for"
    )
    assert reviews(one(*begun, h.TaskCommitted(ONE, "01-r1", "c9", (), ()))) == [None] * len(REVIEWS)
    assert list(phase.tasks) == ["01-01", "01-02", "01-r1"]
    assert [task.task.id for task in phase.planned] == ["01-01", "01-02"], "it promises nothing new"
    assert (phase.remediation.cycles[0].ended, phase.other_chances.remediations) == (False, 1)
    [cycle] = one(*begun, r.RemediationEnded(ONE, 1, 8.2, 9.4, 9.0)).remediation.cycles
    assert (cycle.ended, cycle.old_score, cycle.new_score) == (True, 8.2, 9.4)


def test_a_re_plan_starts_from_research_and_keeps_what_was_counted_spent_and_triaged() -> None:
    reply = h.AgentReplied(ONE, Step.RATE, Role.RATER, "scripted", Ending.COMPLETED, Usage(10, 5), 1)
    rolled = (h.StepStarted(ONE, Step.ROLLBACK, 1), h.RolledBack(ONE, "restored", "diagnostic"))
    ended = h.StepEnded(ONE, Step.ROLLBACK, 1, "completed")
    state = after(*REVIEWED, reply, *rolled, ended, r.Replanned(ONE, 6.4, ("it is slow",)))
    phase = state.phases[ONE]
    assert (phase.tasks, phase.plan.commit, phase.plan.approved, phase.plan.red, phase.plan.rounds) == (
        {},
        "",
        False,
        None,
        0,
    )
    assert reviews(phase) == [None] * len(REVIEWS)
    assert (phase.line.base, state.line.tip, phase.ending.rolled_back_to) == ("restored", "restored", "")
    assert (phase.intake.triage, phase.intake.preflight_issues, phase.totals.attempt, phase.status) == (
        (),
        (),
        1,
        PhaseStatus.IN_PROGRESS,
    )
    assert (phase.totals.usage.tokens, phase.agents.usage.tokens, phase.totals.attempts["rollback"]) == (15, 15, 1)
    assert (phase.retries.scores, phase.retries.replan_score, phase.retries.replan_issues) == (
        (8.2,),
        6.4,
        ("it is slow",),
    )
    assert (phase.retries.replans, phase.retries.rerouted, phase.line.diagnostic_branch) == (1, True, "diagnostic")


@pytest.mark.parametrize(
    ("step", "kept"), [(Step.VERIFY, ()), (Step.JUDGE, ("verification",)), (Step.RATE, ("verification", "judgement"))]
)
def test_an_enforced_step_is_run_again_with_its_notice_and_what_came_before_it_stands(
    step: Step, kept: tuple[str, ...]
) -> None:
    phase = one(*REVIEWED, r.StepEnforced(ONE, step, "no file and line"))
    for name in ("verification", "judgement", "rating", "score", "gate", "action"):
        assert (dict(zip(REVIEWS, reviews(phase), strict=True))[name] is not None) is (name in kept), name
    assert phase.observed.observations is not None, "nothing has to be run again for it"
    state = phase.step(step)
    assert state is not None and (state.status, state.errors) == ("error", 1)
    again = one(*REVIEWED, r.StepEnforced(ONE, step, "no file and line"), h.StepStarted(ONE, step, 2)).step(step)
    assert again is not None and again.notice == "no file and line"
    assert phase.other_chances.enforced


def test_after_other_work_a_report_may_be_enforced_anew() -> None:
    enforced = (*REVIEWED, r.StepEnforced(ONE, Step.VERIFY, "no file and line"))
    assert not one(*enforced, r.PhaseMended(ONE, 1, ("red",), "mend")).other_chances.enforced
    assert not one(*enforced, r.RemediationStarted(ONE, 1, 8.2, 9.0, ())).other_chances.enforced


def test_a_task_that_is_there_already_is_done_and_one_that_is_handed_over_is_not() -> None:
    tasks = one(*BEGUN, r.TaskAlreadyThere(ONE, "01-01"), r.HandedOver(ONE, "01-02", "out of context")).tasks
    assert [tasks[name].status for name in ("01-01", "01-02")] == ["already", "handed_over"]
    assert tasks["01-02"].handovers == ("out of context",)


def test_who_rightly_changed_nothing_was_not_caught() -> None:
    refused = (
        *BEGUN,
        h.TaskRefused(ONE, "01-01", "a link leads out"),
        *[h.TaskRefused(ONE, "01-01", "-", True, True)] * 2,
    )
    assert len(one(*refused).tasks["01-01"].caught) == 3
    assert len(one(*refused, r.TaskAlreadyThere(ONE, "01-01", unshown=True)).tasks["01-01"].caught) == 3
    [kept] = one(*refused, r.TaskAlreadyThere(ONE, "01-01", made_by="made")).tasks["01-01"].caught
    assert "a link leads out" in kept


@pytest.mark.parametrize(("step", "commits", "debugs"), [
    (Step.EXECUTE, False, 0), (Step.EXECUTE, True, 0), (Step.DEBUG, False, 1), (Step.DEBUG, True, 1),
])  # fmt: skip
def test_a_debugger_that_runs_out_of_context_used_up_one_round(step: Step, commits: bool, debugs: int) -> None:
    """Otherwise one that never commits would be asked for ever."""
    opened = (*BEGUN, h.TaskRefused(ONE, "01-01", "nothing"), h.StepStarted(ONE, step, 1, 1, "01-01"))
    committed = (h.TaskCommitted(ONE, "01-01", "half", ("a.py",), ()),) if commits else ()
    assert one(*opened, *committed, r.HandedOver(ONE, "01-01", "full")).tasks["01-01"].debugs == debugs


def test_every_call_about_a_task_that_is_over_is_an_attempt_and_a_dead_debugger_is_counted_once() -> None:
    """Otherwise a limit that a script gives for the first attempt alone never ends."""
    opened = h.StepStarted(ONE, Step.EXECUTE, 1, 1, "01-01")
    limited = (*BEGUN, opened, h.StepEnded(ONE, Step.EXECUTE, 1, "put_off", "01-01"))
    assert one(*limited).tasks["01-01"].calls_before == 1
    dead = (*limited, opened, h.TaskRefused(ONE, "01-01", "nothing", died=True))
    assert (one(*dead).tasks["01-01"].deaths, one(*dead).tasks["01-01"].calls_before) == (1, 2)
    debugging = (*dead, h.StepStarted(ONE, Step.DEBUG, 1, 1, "01-01"), h.TaskRefused(ONE, "01-01", "-", died=True))
    assert (one(*debugging).tasks["01-01"].deaths, one(*debugging).tasks["01-01"].calls_before) == (1, 3)


def test_a_reading_belongs_to_the_commit_it_was_made_of() -> None:
    reading = MiniVerification(True, (), (), ("git diff",))
    read = (*WORKED, r.TaskRead(ONE, "01-01", "work-01-01", reading))
    assert one(*read).tasks["01-01"].reading == reading
    assert one(*read, h.TaskCommitted(ONE, "01-01", "again", ("a.py",), ())).tasks["01-01"].reading is None


DEFERRED = (*REVIEWED, r.PhaseDeferred(ONE, Justification("01-99", "pay once", 2, 2), (), 4.0, "autopilot/deferred"))


def given(verdict: str) -> r.VerdictGiven:
    return r.VerdictGiven(ONE, verdict, ("no receipt",), "you")


def test_deferred_work_waits_on_a_line_of_its_own_and_the_run_goes_on_without_it() -> None:
    state = after(*DEFERRED)
    phase = state.phases[ONE]
    assert (state.line.tip, phase.line.tip, phase.status) == (
        "base",
        "work-01-02",
        PhaseStatus.NEEDS_HUMAN_VERIFICATION,
    )
    assert state.current is None and not phase.is_answered
    second = (h.PhaseStarted(TWO, 1, "base"), h.Planned(TWO, "plan-2", (), ()), h.PlanChecked(TWO, True, None, ()))
    later = after(*DEFERRED, *second)
    assert (later.line.tip, later.phases[ONE].line.tip) == ("plan-2", "work-01-02")


@pytest.mark.parametrize(
    ("verdict", "gate", "action"),
    [("pass", Outcome.PASS, Action.PASS), ("fail", Outcome.FAIL, None), ("issues_found", Outcome.FAIL, None)],
)
def test_a_persons_word_settles_what_no_check_could(verdict: str, gate: Outcome, action: Action | None) -> None:
    state = after(*DEFERRED, given(verdict))
    phase = state.phases[ONE]
    assert state.current is phase
    assert (phase.ruling.outcome, phase.ruling.action) == (gate, action)
    assert phase.deferral is not None and (phase.deferral.verdict, phase.deferral.issues) == (verdict, ("no receipt",))


def test_the_first_word_counts_and_a_word_on_what_does_not_wait_means_nothing() -> None:
    first = one(*DEFERRED, given("fail"), given("pass"))
    assert first.deferral is not None and first.deferral.verdict == "fail"
    assert one(*REVIEWED, given("pass")) == one(*REVIEWED)


@pytest.mark.parametrize("first", ["pass", "issues_found"])
def test_a_persons_issues_lead_to_one_remediation_however_often_the_phase_was_left_to_a_person(first: str) -> None:
    """One that was passed and came to wait again all the same has had none before."""
    mended = (r.RemediationStarted(ONE, 1, None, 9.0, (make_task("01-r1"),), by_person=True),)
    before = (*DEFERRED, given(first), *(mended if first == "issues_found" else ()), DEFERRED[-1])
    told = one(*before, given("issues_found"))
    assert told.deferral is not None
    assert told.deferral.number == sum(cycle.by_person for cycle in told.remediation.cycles) + 1
    again = r.RemediationStarted(ONE, 2, None, 9.0, (make_task("01-r2"),), by_person=True)
    done = one(*before, given("issues_found"), again)
    assert done.deferral is not None and done.deferral.number == sum(
        cycle.by_person for cycle in done.remediation.cycles
    )


def test_what_waited_is_observed_anew_where_it_comes_onto_the_runs_line() -> None:
    seen = (make_observation("01-01.c1", commit="merge"),)
    state = after(*DEFERRED, given("pass"), r.Integrated(ONE, ONE, "merge", seen, ()))
    phase = state.phases[ONE]
    assert (state.line.tip, phase.line.tip, phase.observed.commit) == ("merge", "", "merge")
    assert phase.observed.observations == seen


PARTS = tuple(make_brief(id) for id in (A, B))
CUT = (*BEGUN, r.SplitAgreed(ONE, "six complex tasks", PARTS, (("01-01",), ("01-02",))))


def test_parts_begin_past_planning_each_with_its_tasks_on_its_own_line() -> None:
    state = after(*CUT)
    assert state.phases[ONE].split.parts == (A, B) and state.current is state.phases[ONE]
    for id, task in ((A, "01-01"), (B, "01-02")):
        part = state.parts[id]
        assert (part.parent, part.line.base, part.line.tip, list(part.tasks)) == (ONE, "plan", "plan", [task])
        assert (part.plan.approved, part.plan.red, part.intake.preflight_issues) == (
            True,
            state.phases[ONE].plan.red,
            (),
        )


def test_what_a_part_commits_moves_its_own_line_alone() -> None:
    state = after(*CUT, h.TaskCommitted(A, "01-01", "work-a", ("a.py",), ()), r.PhaseMended(B, 1, (), "mend-b"))
    assert (state.line.tip, state.parts[A].line.tip, state.parts[B].line.tip) == ("plan", "work-a", "mend-b")
    assert state.tip_of(state.parts[A]) == "work-a"


def test_a_cut_phase_is_reviewed_in_parts_unless_a_person_or_a_remediation_asks_for_the_whole() -> None:
    assert reviewed_in_parts(one(*CUT))
    mend = make_task("01-r1", type="remediation")
    mending = (*REVIEWED, r.RemediationStarted(ONE, 1, 8.2, 9.0, (mend,)))
    assert not reviewed_in_parts(one(*mending, r.SplitAgreed(ONE, "five files", PARTS, (("01-r1",), ()))))
    asks = (*BEGUN, h.Planned(ONE, "plan", (*TASKS, make_task("01-99", type="checkpoint:human-verify")), ()))
    assert not reviewed_in_parts(one(*asks, r.SplitAgreed(ONE, "six", PARTS, (("01-01",), ("01-02",)))))


def test_a_conflict_counts_its_rounds_until_the_part_is_in() -> None:
    found = (*CUT, r.ConflictFound(ONE, A, "merge", ("a.py",), "it conflicts"))
    tried = (*found, r.Resolved(ONE, A, refusal="markers"), r.Resolved(ONE, A, "resolved"))
    conflict = one(*tried).split.conflict
    assert conflict is not None and (conflict.rounds, conflict.resolved) == (2, "resolved")
    again = one(*tried, r.ConflictFound(ONE, A, "resolved", (), "red")).split.conflict
    assert again is not None and (again.rounds, again.resolved) == (2, "")
    state = after(*tried, r.Integrated(ONE, A, "resolved", (), ()))
    assert (state.line.tip, state.phases[ONE].split.conflict, state.phases[ONE].split.integrated) == (
        "resolved",
        None,
        (A,),
    )
    other = after(*tried, r.Integrated(ONE, A, "resolved", (), ()), r.ConflictFound(ONE, B, "m", (), "red")).phases[ONE]
    assert other.split.conflict is not None and other.split.conflict.rounds == 0


def test_a_resume_looks_again_at_what_a_part_lacked_and_a_changed_spec_overtakes_it() -> None:
    lacked = (h.StepStarted(A, Step.VERIFY, 1), h.StepEnded(A, Step.VERIFY, 1, "unproven", detail="no sandbox"))
    assert "verify" in after(*CUT, *lacked).parts[A].steps
    assert "verify" not in after(*CUT, *lacked, *RESTED).parts[A].steps
    changed = after(*CUT, h.StepStarted(B, Step.VERIFY, 1), h.RunResumed("0.1.0", (), Budget(), "6" * 64))
    assert all("spec_hash_mismatch" in (part.intake.preflight_issues or ("",))[0] for part in changed.parts.values())
    assert changed.parts[B].open is None


def test_a_part_that_begins_anew_keeps_its_numbers_and_what_it_spent() -> None:
    reply = h.AgentReplied(A, Step.EXECUTE, Role.EXECUTOR, "scripted", Ending.COMPLETED, Usage(10, 5), 1, "01-01")
    began = (*CUT, h.StepStarted(A, Step.EXECUTE, 1, 1, "01-01"), reply)
    part = after(*began, r.SplitAgreed(ONE, "again", PARTS, (("01-01",), ("01-02",)))).parts[A]
    assert (part.totals.attempts["execute.01-01"], part.totals.usage.tokens, part.agents.usage.tokens, part.open) == (
        1,
        15,
        0,
        None,
    )


@pytest.mark.parametrize(("tier", "harder"), [(1, False), (2, True), (3, True)])
def test_scores_all_alike_make_the_next_phase_be_looked_at_harder(tier: int, harder: bool) -> None:
    uniform = r.ScoresUniform(ONE, tier, 5, 9.2, 9.3, (ONE,))
    state = after(*REVIEWED, uniform, h.PhaseStarted(TWO, 1, "base"))
    assert state.phases[TWO].retries.enhanced is harder
    assert state.lessons.enhanced_next is (tier == 3), "from the highest tier on all that are to come"


def test_what_people_said_moves_the_confidence_and_is_warned_of() -> None:
    state = after(*BEGUN, r.DeferralAdjusted(6.0, 6.5, "often refused"), r.DeferRateHigh("2 of 3"))
    assert (state.policy.deferral_confidence, state.totals.warnings) == (6.5, ("2 of 3",))


def test_an_incomplete_phase_is_marked_and_an_estimate_kept() -> None:
    phase = one(*REVIEWED, r.MarkedIncomplete(ONE, 8.2, 9.0, 2), r.Estimated(ONE, 40_000, "data"))
    assert (phase.remediation.incomplete, phase.intake.estimate, phase.intake.phase_type) == (True, 40_000, "data")
