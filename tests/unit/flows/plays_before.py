"""Plays of what comes before the work: preflight, triage, research, plan, plan check, split."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.drafting.fold import draft_of
from autopilot.events.drafting.happened import Drafted
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.model.agent import Role
from autopilot.model.assessment import PlanCheck, SplitProposal, SubPhase
from autopilot.model.evidence.observation import Seen
from autopilot.model.intent import Purpose
from autopilot.model.planning.criterion import Form, Kind
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseBrief
from autopilot.planning.plan.split import check_proposal, sub_phase_id
from autopilot.steps.context import Result, StepRun
from tests.unit.flows.playing import Choose, ask
from tests.unit.making import make_criterion, make_observation, make_task


def planned_tasks(phase: PhaseState, choose: Choose) -> tuple[Task, ...]:
    """An ordinary plan, one that is cut, one that goes to a single agent; with or without something for a person."""
    count, complexity = {"ordinary": (2, "simple"), "hard": (6, "complex"), "long": (9, "simple")}[
        choose("size of the plan", "ordinary", "hard", "long")
    ]
    person = choose("tasks for a person", "none", "one", "all")
    ids = [f"{phase.id.zfill(2)}-{n:02}" for n in range(1, count + 1)] if person != "all" else []
    tasks = [make_task(id, make_criterion(f"{id}.c1", f"{id} works"), complexity=complexity) for id in ids]
    if person != "none":
        id = f"{phase.id.zfill(2)}-99"
        look = make_criterion(f"{id}.c1", "a card is charged", form=Form.PROSE, command="")
        action = "Pay with a test card and see the receipt."
        tasks.append(make_task(id, look, type="checkpoint:human-verify", title="pay once", action=action))
    return tuple(tasks)


def play_preflight(state: RunState, phase: PhaseState, __: RunStep, choose: Choose) -> StepRun:
    yield from ()
    issues = choose("preflight", (), ("the spec is gone",))
    spec_commit = f"spec-{state.seq}" if state.inputs.spec_changed_to and not issues else ""
    done = h.PreflightDone(phase.id, issues, (), spec_commit)
    return Result("fail" if issues else "pass", (done,), "; ".join(issues))


def play_triage(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    found, purpose = choose("triage", "nothing", "a plan", "all done"), phase.brief.purpose
    there = found == "all done" and purpose is Purpose.BUILD
    criterion = make_criterion("phase.c1", kind=Kind.ALREADY if there or purpose.refines else Kind.NEW)
    seen = Seen.PASSED if there or purpose.refines else Seen.FAILED
    event = h.Triaged(
        phase=phase.id,
        source="roadmap",
        criteria=(criterion,),
        observations=(make_observation("phase.c1", seen, commit=state.line.tip),),
        verify_only=there,
        has_plan=found == "a plan",
        note=found,
    )
    events = (event, *(_carried_out(state, phase, choose) if purpose.refines and event.has_plan else ()))
    return Result("verify_only" if event.verify_only else "full_pipeline", events)


def _carried_out(state: RunState, phase: PhaseState, choose: Choose) -> tuple[h.Event, ...]:
    """The plan of a phase that is refined: what it asks for is there, and goes on counting."""
    tasks = planned_tasks(phase, choose)
    criteria = [c for task in tasks for c in task.criteria if c.form is Form.COMMAND]
    return (
        h.Planned(phase.id, state.tip_of(phase), tasks, (), ours=False),
        h.RedObserved(phase.id, tuple(make_observation(c.id, commit=state.tip_of(phase)) for c in criteria)),
        *(r.TaskAlreadyThere(phase.id, task.id) for task in tasks if task.is_automatic),
    )


def play_research(_: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.RESEARCHER)
    if choose("researcher", "well", "badly") == "badly":
        return Result("error", detail="the researcher crashed")
    return Result("completed", (h.Researched(phase.id, "d" * 64, "extend what is there"),))


def play_plan(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.PLANNER)
    if choose("planner", "well", "badly") == "badly":
        return Result("error", detail="no PLAN.md was committed")
    tasks = planned_tasks(phase, choose)
    event = h.Planned(phase.id, f"plan-{state.seq}", tasks, (), ours=not phase.plan.has_plan)
    return Result("completed", (event,), f"{len(tasks)} tasks")


def play_plan_check(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    tasks = tuple(task.task for task in phase.tasks.values())
    entered: tuple[h.Event, ...] = ()
    if not phase.plan.commit:
        tasks = planned_tasks(phase, choose)
        entered = (h.Planned(phase.id, state.line.tip, tasks, (), ours=False),)
    word = choose("plan check", "pass", "lint", "checker", "error", "sandbox")
    if word == "lint":
        lacks = choose("lacks", (), ("01-01 has no command",)) if phase.plan.has_plan else ()
        return Result("fail", (*entered, h.PlanChecked(phase.id, False, None, ("a command cannot fail",), lacks)))
    yield from ask(phase, command, Role.PLAN_CHECKER)
    if word == "error":
        return Result("error", detail="the plan_checker crashed")
    check = PlanCheck(word != "checker", (), 9.0)
    if word == "checker":
        return Result("fail", (*entered, h.PlanChecked(phase.id, False, check, ("a requirement is missing",))))
    if word == "sandbox":
        return Result("unproven", detail="01-01.c1 could not be run: no sandbox")
    return Result(
        "pass", (*entered, h.PlanChecked(phase.id, True, check, ()), *_seen_at_base(state, phase, tasks, choose))
    )


def _seen_at_base(state: RunState, phase: PhaseState, tasks: tuple[Task, ...], choose: Choose) -> tuple[h.Event, ...]:
    base = choose("red at the base", Seen.FAILED, Seen.TIMED_OUT)
    again = phase.brief.purpose is Purpose.REDO
    if again and choose("held already", False, True):
        base = Seen.PASSED
    there = [t.id for t in tasks[:1] if t.is_automatic and phase.plan.has_plan and not again]
    already = [id for id in there if choose("already there", False, True)]
    criteria = [c for task in tasks for c in task.criteria if c.form is Form.COMMAND] + list(phase.brief.criteria)
    red = tuple(
        make_observation(c.id, Seen.PASSED if c.id.partition(".")[0] in already else base, commit=state.line.tip)
        for c in criteria
    )
    checks = tuple(make_observation(name, commit=state.line.tip) for name, _ in state.policy.commands.checks())
    return (
        h.RedObserved(phase.id, red),
        r.BaselineObserved(phase.id, state.line.tip, checks),
        *(r.TaskAlreadyThere(phase.id, id) for id in already),
        r.Estimated(phase.id, 40_000, "protocol", len(tasks)),
    )


def play_split(_: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    tasks = [t.task for t in phase.tasks.values() if t.status == "pending" and t.task.is_automatic]
    yield from ask(phase, command, Role.SPLITTER)
    if choose("splitter", "cuts", "badly") == "badly":
        return Result("error", detail="the split was refused: a task is in no part")
    count = min(len(tasks), choose("parts", 2, 3, 4))
    parts = tuple(SubPhase(f"part {n}", "its scope", tuple(t.id for t in tasks[n::count])) for n in range(count))
    assert not check_proposal(SplitProposal("", parts), tasks).problems
    purpose = Purpose.REDO if phase.brief.purpose is Purpose.REDO else Purpose.BUILD
    brief = replace(phase.brief, depends_on=(), criteria=(), purpose=purpose, earlier=None)
    briefs: tuple[PhaseBrief, ...] = tuple(
        replace(brief, id=PhaseId(sub_phase_id(phase.id, n)), name=part.name) for n, part in enumerate(parts)
    )
    event = r.SplitAgreed(phase.id, "too much", briefs, tuple(part.tasks for part in parts))
    return Result("split", (event,), f"{count} parts")


def play_draft(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.PLANNER)
    number = len(draft_of(state).rounds) + 1
    fault = choose("draft", "", "it has no new phase")
    drafted = Drafted(phase.id, number, f"draft-{number}", (fault,) if fault else ())
    return Result("refused" if fault else "completed", (drafted,))
