"""A pure performer: brings back for every step the events the real one would, with what it saw and heard chosen.

``choose(question, good, *bad)`` answers for the world. The rules a step follows stay the product's own: what was seen
is judged by the real gates, and only what a person, an agent or a machine would contribute is made up here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.gates.task import judge_criteria, worst
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.assessment import PlanCheck, Recommendation
from autopilot.model.criterion import Kind
from autopilot.model.evidence import Seen
from autopilot.model.plan import Task
from autopilot.model.run import Step
from autopilot.model.verdict import Outcome
from autopilot.steps import gate
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence import phase_verdicts
from autopilot.steps.knowing import every_criterion
from tests.unit.making import (
    make_criterion,
    make_judgement,
    make_observation,
    make_rating,
    make_task,
    make_verification,
)

Choose = Callable[..., Any]
Play = Callable[[RunState, PhaseState, RunStep, Choose], StepRun]


def perform(command: RunStep, state: RunState, choose: Choose) -> StepRun:
    return PLAYS[command.step](state, state.phases[command.phase], command, choose)


def always_well(_: str, good: Any, *__: Any) -> Any:
    return good


def planned_tasks(phase: PhaseState, count: int) -> tuple[Task, ...]:
    ids = [f"{phase.id.zfill(2)}-{n:02}" for n in range(1, count + 1)]
    return tuple(make_task(id, make_criterion(f"{id}.c1", f"{id} works")) for id in ids)


def ask(phase: PhaseState, command: RunStep, role: Role) -> Iterator[tuple[h.Event, ...]]:
    """Yield the reply; one recorded by an earlier try of this step is not asked for again."""
    if phase.open is None or not phase.open.replies:
        usage = Usage(tokens_in=900, tokens_out=100, usd=0.01)
        reply = h.AgentReplied(phase.id, command.step, role, "scripted", Ending.COMPLETED, usage, 5, command.task)
        yield (reply,)


def _preflight(state: RunState, phase: PhaseState, __: RunStep, choose: Choose) -> StepRun:
    yield from ()
    issues = choose("preflight", (), ("the spec is gone",))
    spec_commit = f"spec-{state.seq}" if state.spec_changed_to and not issues else ""
    done = h.PreflightDone(phase.id, issues, (), spec_commit)
    return Result("fail" if issues else "pass", (done,), "; ".join(issues))


def _triage(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    found = choose("triage", "nothing", "a plan", "all done")
    criterion = make_criterion("phase.c1", kind=Kind.ALREADY if found == "all done" else Kind.NEW)
    seen = Seen.PASSED if found == "all done" else Seen.FAILED
    event = h.Triaged(
        phase=phase.id,
        source="roadmap",
        criteria=(criterion,),
        observations=(make_observation("phase.c1", seen, commit=state.tip),),
        verify_only=found == "all done",
        has_plan=found == "a plan",
        note=found,
    )
    return Result("verify_only" if event.verify_only else "full_pipeline", (event,))


def _research(_: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.RESEARCHER)
    if choose("researcher", "well", "badly") == "badly":
        return Result("error", detail="the researcher ended as crashed")
    return Result("completed", (h.Researched(phase.id, "d" * 64, "extend what is there"),))


def _plan(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.PLANNER)
    if choose("planner", "well", "badly") == "badly":
        return Result("error", detail="no PLAN.md was committed")
    tasks = planned_tasks(phase, choose("how many tasks", 2, 1, 3))
    return Result("completed", (h.Planned(phase.id, f"plan-{state.seq}", tasks, ()),), f"{len(tasks)} tasks")


def _plan_check(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    tasks = tuple(task.task for task in phase.tasks.values())
    entered: tuple[h.Event, ...] = ()
    if not phase.plan_commit or not phase.plan_ours:
        tasks = planned_tasks(phase, 2)
        entered = (h.Planned(phase.id, state.tip, tasks, (), ours=False),)
    word = choose("plan check", "pass", "lint", "checker", "error", "sandbox")
    if word == "lint":
        return Result("fail", (*entered, h.PlanChecked(phase.id, False, None, ("a command cannot fail",))))
    yield from ask(phase, command, Role.PLAN_CHECKER)
    if word == "error":
        return Result("error", detail="the plan_checker ended as crashed")
    check = PlanCheck(word != "checker", (), 9.0)
    if word == "checker":
        return Result("fail", (*entered, h.PlanChecked(phase.id, False, check, ("a requirement is missing",))))
    if word == "sandbox":
        return Result("unproven", detail="01-01.c1 could not be run: no sandbox")
    base = choose("red at the base", Seen.FAILED, Seen.TIMED_OUT)
    criteria = (*(c for task in tasks for c in task.criteria), *phase.brief.criteria)
    red = tuple(make_observation(c.id, base, commit=state.tip) for c in criteria)
    return Result("pass", (*entered, h.PlanChecked(phase.id, True, check, ()), h.RedObserved(phase.id, red)))


def _work(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    """Execute and debug alike: an agent was asked, and what it committed is taken in or refused."""
    role = Role.EXECUTOR if command.step is Step.EXECUTE else Role.DEBUGGER
    yield from ask(phase, command, role)
    if choose(role.value, "commits", "commits nothing") == "commits nothing":
        return Result("refused", (h.TaskRefused(phase.id, command.task, "it committed nothing"),))
    event = h.TaskCommitted(phase.id, command.task, f"work-{state.seq}", (f"{command.task}.py",), ())
    return Result("completed", (event,), "1 files")


def _mini_verify(_: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ()
    task = phase.tasks[command.task]
    seen = choose("mini verification", Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT, Seen.NOTHING)
    after = tuple(make_observation(c.id, seen, commit=task.commit) for c in task.task.criteria)
    verdicts = judge_criteria(task.task.criteria, phase.red or (), after, ours=phase.plan_ours)
    outcome = worst(verdicts)
    event = h.TaskVerified(phase.id, command.task, task.commit, after, verdicts, outcome)
    ours = outcome is Outcome.UNPROVEN and all(v.ours for v in verdicts)
    if ours:
        return Result("unproven", (event,), "a check could not be run: no sandbox")
    return Result("pass" if outcome is Outcome.PASS else "fail", (event,))


def _verify(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    observations = phase.observations if phase.observed_commit == state.tip else None
    if observations is None:
        seen = choose("verification", Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT, Seen.NOTHING)
        subjects = [criterion.id for _, criterion in every_criterion(phase)]
        seens = [seen, *(Seen.PASSED for _ in subjects[1:])]
        observations = tuple(
            make_observation(subject, one, commit=state.tip) for subject, one in zip(subjects, seens, strict=True)
        )
        yield (h.PhaseObserved(phase.id, state.tip, observations),)
    if any(o.seen is Seen.NOTHING for o in observations):
        return Result("unproven", detail="a check could not be run: no sandbox")
    if any(v.outcome is not Outcome.PASS for v in phase_verdicts(replace(phase, observations=observations))):
        return Result("fail", detail="a check is red")
    yield from ask(phase, command, Role.VERIFIER)
    word = choose("verifier", "pass", "fail", "error")
    if word == "error":
        return Result("error", detail="the verifier ran no command")
    return Result(word, (h.PhaseVerified(phase.id, state.tip, make_verification(word == "pass"), 5),))


def _judge(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.JUDGE)
    word = choose("judge", *Recommendation, "error")
    if word == "error":
        return Result("error", detail="the judge ended as crashed")
    return Result(word, (h.PhaseJudged(phase.id, state.tip, make_judgement(word)),))


def _rate(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.RATER)
    score = choose("score", 9.6, 6.4, "error")
    if score == "error":
        return Result("error", detail="the rating was refused: the scorecard is empty")
    event = h.PhaseRated(phase.id, state.tip, make_rating(), score, "a band")
    return Result("pass" if score >= 9.0 else "fail", (event,), f"{score}/10")


def _gate(state: RunState, phase: PhaseState, command: RunStep, _: Choose) -> StepRun:
    """The real one: it needs nothing from outside."""
    context = StepContext(state, phase, command.step, command.attempt, command.task, ports=None)  # type: ignore[arg-type]
    return (yield from gate.perform(context))


def _rollback(state: RunState, phase: PhaseState, _: RunStep, __: Choose) -> StepRun:
    yield from ()
    return Result("completed", (h.RolledBack(phase.id, f"restored-{state.seq}", f"diagnostic-phase-{phase.id}"),))


def _land(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    new = phase.records_commit and state.tip
    if not new:
        new = f"records-{state.seq}"
        yield (h.RecordsCommitted(phase.id, new, (".planning/ROADMAP.md",)),)
    if phase.landing.state != "started":
        yield (h.LandingStarted(phase.id, state.head, new, state.branch, ""),)
    if choose("checkout", "clean", "dirty") == "clean":
        return Result("landed", (h.Landed(phase.id, new),))
    deferred = h.LandingDeferred(phase.id, new, "the checkout is not clean", f"autopilot/{state.run}")
    return Result("waiting", (deferred,), deferred.because)


PLAYS: Mapping[Step, Play] = {
    Step.PREFLIGHT: _preflight,
    Step.TRIAGE: _triage,
    Step.RESEARCH: _research,
    Step.PLAN: _plan,
    Step.PLAN_CHECK: _plan_check,
    Step.EXECUTE: _work,
    Step.DEBUG: _work,
    Step.MINI_VERIFY: _mini_verify,
    Step.VERIFY: _verify,
    Step.JUDGE: _judge,
    Step.RATE: _rate,
    Step.GATE: _gate,
    Step.ROLLBACK: _rollback,
    Step.LAND: _land,
}
