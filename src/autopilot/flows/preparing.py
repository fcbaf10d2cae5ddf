"""Before any phase starts: the context map, the discussion with the user, and the checkpoints."""

from __future__ import annotations

from collections.abc import Iterable

from autopilot.events.people import HumanAsked, MappingEnded, MappingStarted
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import Discussion, HumanGate, Mapped
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.phase import next_step, try_again, wait_for_us
from autopilot.model.human import DECIDED, GateKind, HumanQuestion
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.planning.people.sufficiency import rescore

MAP_GATE = "map"
AREAS = "areas"  # the one question of its gate
WAITING_FOR = {
    GateKind.CHECKPOINT: "the checkpoint waits for your approval",
    GateKind.MAP: "questions about the phases wait for your answers",
    GateKind.AREAS: "the discussion waits until you choose its areas",
    GateKind.DISCUSS: "questions of the discussion wait for your answers",
    GateKind.ROUTE: "the issue waits until you choose its route",
    GateKind.REQUIREMENTS: "the requirements wait for you to read and approve them",
    GateKind.DESIGN: "the design waits for you to read and approve it",
    GateKind.CAUSE: "the cause that was found waits for you to confirm it",
}


def prepare(state: RunState) -> tuple[Command, ...]:
    """The next commands of the discussion, then of the context map; () when both are done or not wanted.

    A run in which a phase has started continues where it was: its phases are past all this.
    """
    if any(phase.totals.attempt for phase in state.phases.values()):
        return ()
    return (state.inputs.intent.discuss and _discuss(state)) or (state.inputs.intent.map and _map(state)) or ()


def ask_at_checkpoint(state: RunState) -> Command | None:
    """After every N phases the user checks the work; no new phase starts until then.

    The answer covers all that is done by then: phases that complete meanwhile are not asked about again.
    """
    every = state.inputs.intent.checkpoint_every
    if not every:
        return None
    done = [p for p in state.phases.values() if p.status is PhaseStatus.COMPLETED]
    asked = [gate for gate in state.people.gates.values() if gate.asked.kind is GateKind.CHECKPOINT]
    waiting = next((gate for gate in asked if gate.answered is None), None)
    if waiting is not None:
        return wait_for([waiting])
    if asked and asked[-1].answered and asked[-1].answered.approved is False and _is_news(state, asked[-1]):
        comment = asked[-1].answered.comment
        return Halt(
            RunStatus.PAUSED, f"you stopped the run at {asked[-1].asked.gate}{': ' + comment if comment else ''}", 1
        )
    seen_at = asked[-1].answered_at if asked else None
    if sum(seen_at is None or (p.ending.completed_at or state.now) > seen_at for p in done) < every:
        return None
    name = f"checkpoint-{len(asked) + 1}"
    title = f"{len(done)} of {len(state.phases)} phases are done: continue?"
    return Record(f"ask/{name}", (HumanAsked(name, GateKind.CHECKPOINT, title),))


def wait_for(gates: Iterable[HumanGate]) -> Halt:
    first, *others = [gate.asked for gate in gates]
    command = f"autopilot {'approve' if first.kind in DECIDED else 'answer'} {first.gate}"
    then = f", then {', '.join(gate.gate for gate in others)}" if others else ""
    return Halt(RunStatus.WAITING, f"{WAITING_FOR[first.kind]}: {command}{then}", 3)


def _is_news(state: RunState, gate: HumanGate) -> bool:
    """Whether the run has not stopped since: a rejection stops it once, and a user who resumes it overrules it."""
    rested_at = state.totals.rested_at
    return gate.answered_at is not None and (rested_at is None or rested_at < gate.answered_at)


def _map(state: RunState) -> tuple[Command, ...]:
    """Every phase is scored, then all questions are asked at once, then all phases are scored again."""
    targets = tuple(state.phases)
    missing = [state.phases[name] for name in targets if name not in state.people.mapping]
    if not state.people.mapping_begun:
        return (Record("map/start", (MappingStarted(targets, state.inputs.command),)),)
    if missing:
        return (_step(missing[0], Step.MAP),)
    if state.people.mapped:
        return ()
    questions = tuple(q for name in targets for q in state.people.mapping[name].questions)
    gate = state.people.gates.get(MAP_GATE)
    if questions and gate is None:
        phases = sum(bool(state.people.mapping[name].questions) for name in targets)
        title = f"{phases} phase{'s need' if phases > 1 else ' needs'} more information"
        return (Record("ask/map", (HumanAsked(MAP_GATE, GateKind.MAP, title, questions),)),)
    if gate is not None and gate.answered is None:
        return (wait_for([gate]),)
    answered = sum(len(mapped.answers) for mapped in state.people.mapping.values())
    after = {name: _rescore(mapped) for name, mapped in state.people.mapping.items()}
    return (Record("map/end", (MappingEnded(after, len(questions), answered),)),)


def _rescore(mapped: Mapped) -> Sufficiency:
    answered = [mapped.answers[q.id].question.category for q in mapped.questions if q.id in mapped.answers]
    return rescore(mapped.before, answered)


def _discuss(state: RunState) -> tuple[Command, ...]:
    """Every phase as far as it goes without its user; several gates may be open at once, so that one session is enough.

    Agents first: the user should find all questions at once.
    """
    commands = [_talk(state, phase) for phase in state.phases.values()]
    work = [command for command in commands if isinstance(command, RunStep | Record)]
    stops = [command for command in commands if isinstance(command, Halt)]
    if work:
        return (work[0],)
    waiting = [gate for gate in state.open_gates if gate.asked.kind in (GateKind.AREAS, GateKind.DISCUSS)]
    return tuple(stops[:1]) or ((wait_for(waiting),) if waiting else ())


def _talk(state: RunState, phase: PhaseState) -> Command | None:
    """The next command in the discussion of one phase; None when it is over or waits for the user."""
    talk = state.people.discussions.get(phase.id)
    if talk is None:
        return _step(phase, Step.DISCUSS, "areas")
    if talk.done:
        return None
    if talk.picked is None:
        return _ask(state, phase.id, GateKind.AREAS, f"areas-{phase.id}", (HumanQuestion(AREAS, AREAS, phase.id),))
    if talk.more:
        return _step(phase, Step.DISCUSS, f"more-{talk.rounds + 1}")
    gate = f"discuss-{phase.id}-{talk.rounds}"
    if gate not in state.people.gates:
        return _ask(state, phase.id, GateKind.DISCUSS, gate, talk.pending or _first_questions(phase.id, talk))
    return _step(phase, Step.DISCUSS, "digest") if state.people.gates[gate].answered else None


def _first_questions(phase: PhaseId, talk: Discussion) -> tuple[HumanQuestion, ...]:
    picked = [(number, area) for number, area in enumerate(talk.areas, 1) if area.area in (talk.picked or ())]
    return tuple(
        HumanQuestion(f"{number}.{n}", text, phase, area=area.area)
        for number, area in picked
        for n, text in enumerate(area.questions, 1)
    )


def _ask(
    state: RunState, phase: PhaseId, kind: GateKind, name: str, questions: tuple[HumanQuestion, ...]
) -> Record | None:
    if name in state.people.gates:
        return None  # asked, and not answered yet
    subject = "which areas do you want to discuss?" if kind is GateKind.AREAS else "before it is built"
    title = f"Phase {phase}, {state.phases[phase].brief.name}: {subject}"
    return Record(f"ask/{name}", (HumanAsked(name, kind, title, questions, phase),))


def _step(phase: PhaseState, step: Step, task: str = "") -> Command:
    """The step itself; what it could not do for our own reasons stops the run with the reason."""
    if stop := wait_for_us(phase):
        return stop
    return try_again(phase.id, phase.open) if phase.open else next_step(phase, step, task)
