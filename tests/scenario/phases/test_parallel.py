"""Phases side by side: each on a line of its own, one after the other into the branch, and nothing of any is lost.

covers: LOOP-4, LOOP-2, T4.5
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from autopilot.api.people.gate_answers import record_answer
from autopilot.api.people.verdicts import record_verdict
from autopilot.events.fold_provision import LIMITED
from autopilot.events.happened import AgentReplied, Landed, StepStarted
from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import ConflictFound, Integrated, PhaseDeferred, VerdictGiven
from autopilot.events.state import RunState
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunRequest, Step
from autopilot.rails.assignment import ASKS
from tests.scenario.kit.calls import Call, once_more, work
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.reviews import verifier
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.people import LISTEN, NO_PHONE

TOLD = (PhaseDeferred, VerdictGiven, Integrated, Landed)
# 1 first, then 2, 3 and 4 beside each other, then 5 on all of them.
DIAMOND = {2: (1,), 3: (1,), 4: (1,), 5: (2, 3, 4)}


def drive(world: World, at_once: int = 3, intent: Intent | None = None) -> RunState:
    state = RunState()
    for recorded in world.drive(RunRequest(intent=replace(intent or Intent(), parallel=at_once))):
        state = recorded.state
    return state


def tree(world: World) -> str:
    """What the branch holds outside the planning folder."""
    rows = world.git("ls-tree", "-r", "HEAD").splitlines()
    return "\n".join(row for row in rows if "\t.planning/" not in row)


def most_at_work(world: World) -> int:
    """How many phases were between start and end at the same time, by the record."""
    at_work: set[str] = set()
    most = 0
    for stored in world.assemble().ports.journal.read():
        match type(stored.event).__name__:
            case "PhaseStarted":
                at_work.add(stored.event.phase)  # type: ignore[union-attr]
            case "PhaseCompleted" | "PhaseFailed":
                at_work.discard(stored.event.phase)  # type: ignore[union-attr]
        most = max(most, len(at_work))
    return most


def test_a_diamond_side_by_side_ends_with_the_tree_of_one_after_the_other(tmp_path: Path) -> None:
    plot = Plot(phases=5, depends=DIAMOND, planned=True)
    beside, after = make_world(tmp_path / "beside", plot), make_world(tmp_path / "after", plot)
    state = drive(beside)
    assert state.session.exit_status == 0, state.session.stop_reason
    assert drive(after, at_once=1).session.exit_status == 0
    assert tree(beside) == tree(after)
    assert most_at_work(beside) == 3
    assert beside.git("status", "--porcelain") == ""


def conflicting(task: str) -> Call:
    """Both write the same file, each its own text."""
    call = work(task)
    return {**call, "do": [{"write": "shared.txt", "text": f"by {task}\n"}, *call["do"]]}


def resolve(phase: int, *actions: Call) -> Call:
    """The executor that is to fit this phase onto what landed meanwhile."""
    done = [*actions, {"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", "both"]}]
    return {**work(f"{phase:02}-01"), "do": done, "task": str(phase)}


def test_a_conflict_goes_to_a_resolver_and_both_phases_land(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True, files=("shared.txt",)))
    both = {"write": "shared.txt", "text": "by 01-01\nby 02-01\n"}
    world.play(*(resolve(n, both) for n in (1, 2)), conflicting("01-01"), conflicting("02-01"))
    state = drive(world, at_once=2)
    assert state.session.exit_status == 0, state.session.stop_reason
    assert world.read("shared.txt") == "by 01-01\nby 02-01\n"
    resolved = [
        stored.event.phase
        for stored in world.assemble().ports.journal.read()
        if isinstance(stored.event, StepStarted) and stored.event.step is Step.RESOLVE
    ]
    assert len(resolved) == 1


def test_a_failed_phase_does_not_stop_those_beside_it_and_leaves_nothing_on_the_line(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=3, depends={3: (1,)}, planned=True))
    world.play(work("01-01", text="echo something else\n"), once_more("01-01"), once_more())
    state = drive(world, at_once=2, intent=Intent(complete=True))
    assert state.session.exit_status == 1
    words = {name: phase.status for name, phase in state.phases.items()}
    assert words == {"1": PhaseStatus.FAILED, "2": PhaseStatus.COMPLETED, "3": PhaseStatus.SKIPPED}
    assert "part-02-01.sh" in tree(world)
    assert "part-01-01.sh" not in tree(world)
    assert any("diagnostic-phase-1" in branch for branch in world.branches)


def test_a_resolver_that_drops_what_landed_meanwhile_is_found_out(tmp_path: Path) -> None:
    """The merged tree is held to what both phases promised, not only to what the one that comes promised."""
    world = make_world(tmp_path, Plot(phases=2, planned=True, files=("shared.txt",)))
    mine = [
        resolve(n, {"run": f"git rm -q --ignore-unmatch part-{3 - n:02}-01.sh; git rev-list --count HEAD > shared.txt"})
        for n in (1, 2)
    ]
    world.play(*mine, conflicting("01-01"), conflicting("02-01"))
    state = drive(world, at_once=2)
    landed = [name for name, phase in state.phases.items() if phase.status is PhaseStatus.COMPLETED]
    assert state.session.exit_status == 1 and len(landed) == 1, state.session.stop_reason
    assert f"part-0{landed[0]}-01.sh" in tree(world)
    found = [
        stored.event for stored in world.assemble().ports.journal.read() if isinstance(stored.event, ConflictFound)
    ]
    assert any(f"on the merged tree phase {landed[0]}" in event.because for event in found)


def test_a_verdict_given_while_others_are_at_work_is_acted_on_at_once(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True, checkpoints={1: LISTEN}))
    world.play(verifier(1, "01-01", 4.0, NO_PHONE), {**work("02-01"), "do": [{"sleep": 3}, *work("02-01")["do"]]})
    kinds: list[tuple[str, str]] = []
    for recorded in world.drive(RunRequest(intent=Intent(parallel=2))):
        events = [stored.event for stored in recorded.entries]
        kinds += [(type(event).__name__, event.phase) for event in events if isinstance(event, TOLD)]
        if any(isinstance(event, PhaseDeferred) for event in events):
            record_verdict(world.assemble(), "1", "pass", (), "you")
    assert recorded.state.session.exit_status == 0, recorded.state.session.stop_reason
    assert kinds.index(("PhaseDeferred", "1")) < kinds.index(("VerdictGiven", "1")) < kinds.index(("Integrated", "1"))
    assert kinds[-1] == ("Landed", "2"), "it had to wait for nobody"
    assert {"part-01-01.sh", "part-02-01.sh"} <= set(world.git("ls-tree", "--name-only", "HEAD").splitlines())


def test_a_checkpoint_lets_those_at_work_finish_and_asks_once_about_all_of_them(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=3, planned=True))
    state = drive(world, at_once=2, intent=Intent(checkpoint_every=1))
    assert (state.session.exit_status, list(state.people.gates)) == (3, ["checkpoint-1"]), state.session.stop_reason
    done = {name for name, phase in state.phases.items() if phase.status is PhaseStatus.COMPLETED}
    assert done == {"1", "2"} and state.phases[PhaseId("3")].totals.attempt == 0
    record_answer(world.assemble(), HumanAnswered("checkpoint-1", {}, "you", approved=True))
    state = drive(world, at_once=2, intent=Intent(checkpoint_every=1))
    assert (state.session.exit_status, list(state.people.gates)) == (0, ["checkpoint-1"]), state.session.stop_reason


def test_a_limit_that_one_meets_is_respected_by_all(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    world.play({"role": "plan_checker", "phase": "1", "attempt": 1, "ending": "rate_limited", "retry_after_s": 4.0})
    assert drive(world, at_once=2).session.exit_status == 0
    record = world.assemble().ports.journal.read()
    asked = [
        (s.time, s.event) for s in record if isinstance(s.event, AgentReplied | StepStarted) and s.event.step in ASKS
    ]
    limited_at = next(at for at, event in asked if isinstance(event, AgentReplied) and event.ending in LIMITED)
    over_at = limited_at + timedelta(seconds=4.0)
    begun = [(at, event.phase) for at, event in asked if isinstance(event, StepStarted)]
    assert {phase for at, phase in begun if at > over_at} == {"1", "2"}
    assert [(at, phase) for at, phase in begun if limited_at < at < over_at] == []
