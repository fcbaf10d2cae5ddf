"""Walks of several phases at once: graphs with diamonds, checkpoints on the way, and the laws of lines side by side."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.earlier_journals import blocked_by
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.human import GateKind
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Breaker, Budget, Commands
from autopilot.model.ruling import Action
from autopilot.model.run import PhaseBrief, PhaseStatus, Step, StopKind
from autopilot.rails.assignment import ASKS
from tests.unit.flows.chance import by_lot, seated
from tests.unit.flows.provisioning import SEATINGS
from tests.unit.flows.stage import Stage
from tests.unit.making import make_brief, make_policy, make_started

GRAPHS: tuple[Mapping[int, tuple[int, ...]], ...] = (
    {1: (), 2: (1,), 3: (1,), 4: (2, 3)},
    {1: (), 2: (), 3: (), 4: (), 5: ()},
    {1: (), 2: (), 3: (1, 2), 4: (), 5: (3, 4), 6: (3,)},
    {1: (), 2: (1,), 3: (1,), 4: (1,), 5: (2, 3), 6: (3, 4)},
    {1: (), 2: (1,), 3: ()},
)
POLICIES = (
    make_policy(parallel_phases=2),
    make_policy(parallel_phases=3, commands=Commands(test="make test")),
    make_policy(parallel_phases=4, research=False, breaker=Breaker(no_progress=50, same_error=50, retries_per_run=50)),
    make_policy(parallel_phases=3, budget=Budget(tokens=24_000)),
    make_policy(parallel_phases=2, parts=2, pass_threshold=7.0, budget=Budget(tokens_per_phase=9_000)),
)
INTENTS = (
    Intent(),
    Intent(complete=True),
    Intent(checkpoint_every=1),
    Intent(complete=True, checkpoint_every=2),
)


class Walk(Stage):
    """A stage whose person also says at checkpoints whether the run is to go on, sooner or later or never."""

    def _hear_verdicts(self) -> None:
        super()._hear_verdicts()
        for gate in self.state.open_gates:
            word = self.choose("checkpoint", "approve", "reject", "")
            if word:
                answered = HumanAnswered(gate.asked.gate, {}, "you", approved=word == "approve")
                self._store(f"{self.state.run}/inbox/{len(self.history)}", answered)


def walk_by_lot(seed: int) -> Walk:
    lot = Random(seed)
    policy = seated(lot.choice(POLICIES), lot.choice(SEATINGS))
    started = make_started(*briefs(lot.choice(GRAPHS)), policy=policy, intent=lot.choice(INTENTS))
    return Walk(started, by_lot(seed), resumes=lot.randrange(6))


def briefs(graph: Mapping[int, tuple[int, ...]]) -> tuple[PhaseBrief, ...]:
    return tuple(make_brief(PhaseId(str(n)), *(PhaseId(str(m)) for m in needs)) for n, needs in graph.items())


def takes_a_place(phase: PhaseState) -> bool:
    return phase.status is PhaseStatus.IN_PROGRESS or phase.is_answered


# --- laws ------------------------------------------------------------------------------------------------------------


def one_at_a_time_is_on_the_line(stage: Stage, command: Command) -> None:
    on_it = [phase.id for phase in stage.state.phases.values() if takes_a_place(phase) and not phase.line.tip]
    assert len(on_it) <= 1, on_it
    if isinstance(command, RunStep) and command.step is Step.INTEGRATE and command.task == command.phase:
        assert not on_it, f"{command.phase} comes onto the line although {on_it} has not landed"


def whoever_is_made_to_fit_keeps_its_place(stage: Stage, command: Command) -> None:
    """A conflict was found with the line as it stood; were it to move on, the resolver's tree would lack what came."""
    if not isinstance(command, RunStep) or command.step not in (Step.RESOLVE, Step.INTEGRATE):
        return
    conflict = stage.state.phase(command.phase).split.conflict
    if command.task != command.phase or conflict is None:
        return
    for stored in reversed(stage.history):
        match stored.event:
            case r.ConflictFound(phase=phase, part=part) if phase == part == command.phase:
                return
            case r.Integrated(phase=phase, part=part):
                assert phase != part, f"{phase} came between"
            case h.RecordsCommitted(phase=phase):
                raise AssertionError(f"{phase} came between")


def a_phase_begins_with_all_it_needs(stage: Stage, command: Command) -> None:
    for event in command.events if isinstance(command, Record) else ():
        if isinstance(event, h.PhaseStarted):
            phases = stage.state.phases
            needs = {name: phases[name].status for name in phases[event.phase].brief.depends_on}
            assert set(needs.values()) <= {PhaseStatus.COMPLETED}, f"{event.phase} begins with {needs}"
            assert (
                sum(takes_a_place(p) and not p.line.held_at for p in phases.values())
                < stage.state.policy.parallel.phases
            )
            unproven = [
                p
                for p in phases.values()
                if takes_a_place(p) and not p.line.tip and p.ruling.outcome is not Outcome.PASS
            ]
            assert event.on_own_branch and event.base == (unproven[0].line.base if unproven else stage.state.line.tip)


def only_what_is_blocked_is_left_out(stage: Stage, command: Command) -> None:
    for event in command.events if isinstance(command, Record) else ():
        if isinstance(event, h.PhaseSkipped):
            failed = blocked_by(event)
            assert stage.state.phases[failed].status is PhaseStatus.FAILED
            assert failed in needed_by(stage.state, event.phase)


def needed_by(state: RunState, phase: PhaseId) -> set[PhaseId]:
    needs = state.phases[phase].brief.depends_on
    return {*needs, *(deeper for name in needs for deeper in needed_by(state, name))}


def nothing_begins_beyond_a_checkpoint(stage: Stage, command: Command) -> None:
    every = stage.state.inputs.intent.checkpoint_every
    begins = isinstance(command, Record) and isinstance(command.events[0], h.PhaseStarted)
    if not every or not begins:
        return
    gates = [gate for gate in stage.state.people.gates.values() if gate.asked.kind is GateKind.CHECKPOINT]
    assert all(gate.answered for gate in gates), "nobody has said yet that it may go on"
    last = max((gate.answered_at for gate in gates if gate.answered_at), default=stage.state.started_at)
    if gates and gates[-1].answered and gates[-1].answered.approved is False:
        rested = stage.state.totals.rested_at
        assert rested is not None and rested > last, "it was stopped there, and nobody took it up again"
    done = [p for p in stage.state.phases.values() if p.status is PhaseStatus.COMPLETED]
    assert sum((p.ending.completed_at or last) > last for p in done) < every, "a checkpoint was passed by"


def nobody_is_asked_twice_about_the_same(stage: Stage, command: Command) -> None:
    for event in command.events if isinstance(command, Record) else ():
        if isinstance(event, HumanAsked):
            seen = [gate.answered_at for gate in stage.state.people.gates.values() if gate.answered_at]
            last = max(seen, default=stage.state.started_at)
            done = [p.ending.completed_at for p in stage.state.phases.values() if p.status is PhaseStatus.COMPLETED]
            assert sum(at is not None and at > last for at in done) >= stage.state.inputs.intent.checkpoint_every


def a_cap_stops_what_would_spend(stage: Stage, command: Command) -> None:
    """And nothing else: what is done may still be judged and land."""
    state = stage.state
    if state.totals.usage.tokens < state.policy.budget.tokens or command in [under[0] for under in stage.crew.values()]:
        return
    if isinstance(command, RunStep) and command.step in ASKS and command.phase not in stage.crew:
        opened = state.phase(command.phase).open
        assert opened is not None and opened.replies, f"{command} although all is spent"
    assert not (isinstance(command, Record) and isinstance(command.events[0], h.PhaseStarted))
    if isinstance(command, Halt) and command.kind is StopKind.CAP:
        at_gate = [
            p.id for p in state.phases.values() if takes_a_place(p) and p.ruling.action is Action.PASS and not p.open
        ]
        stuck = {p.id for p in state.phases.values() if any(s.status == "unproven" for s in p.steps.values())}
        assert not set(at_gate) - stuck or any(p.split.conflict for p in state.phases.values()), f"{at_gate} could land"


def steps_under_way_are_those_of_their_phases(stage: Stage, command: Command) -> None:
    state = stage.state
    opened = [phase for phase in state.phases.values() if phase.open is not None]
    assert all(not phase.settled or phase.is_answered or phase.landing.state for phase in opened)
    if isinstance(command, RunStep) and (before := state.phase(command.phase).open) is not None:
        assert (command.step, command.attempt, command.task) == (before.step, before.attempt, before.task)
        assert command.number == before.number + 1


def nothing_of_anybody_is_lost(stage: Stage) -> None:
    """What completed came onto the line by its own merge, after its last passage through the gate or a verdict."""
    joined: set[PhaseId] = set()
    for stored in stage.history:
        match stored.event:
            case h.PhaseStarted(phase=phase):
                joined.discard(phase)
            case r.Integrated(phase=phase, part=part) if phase == part:
                joined.add(phase)
            case r.PhaseDeferred(phase=phase):
                joined.discard(phase)  # what had come onto the line went back with it
            case h.RecordsCommitted(phase=phase):
                assert phase in joined, f"{phase} lands from a line nobody merged"
    for ended in stage.state.phases.values():
        if ended.status is PhaseStatus.COMPLETED:
            assert ended.ruling.outcome is Outcome.PASS and not ended.line.tip


def all_that_could_be_done_is_done(stage: Stage) -> None:
    """A failure leaves out what depends on it and nothing else."""
    state = stage.state
    if "did not pass" in state.session.stop_reason:
        left = [p.id for p in state.phases.values() if not p.settled]
        waiting = [p.id for p in state.phases.values() if p.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION]
        assert all(needed_by(state, name) & set(waiting) for name in left), left
