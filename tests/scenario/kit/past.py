"""A run of another day, written into the record without being run: what later calls find completed."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.engine.ledger import Ledger
from autopilot.events.happened import Landed, PhaseCompleted, PhaseRated, PhaseStarted, RunStarted, RunStopped
from autopilot.events.state import RunState
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseBrief, RunStatus, SpecLock
from tests.scenario.kit.world import World
from tests.unit.making import make_rating


def record_past(
    world: World, scores: Mapping[int, float], *, finished: bool = True, intent: Intent | None = None
) -> str:
    """The phases with their scores, landed; the run comes to rest unless it is to be left unfinished."""
    run, head = f"run-2026-01-0{len(scores)}", world.head
    ports = world.assemble().ports
    ports.vault.adopt(head)
    ledger = Ledger(RunState(run=run), ports.journal, ports.vault)
    slot = ledger.slot("past")
    briefs = tuple(
        PhaseBrief(PhaseId(str(n)), f"Part {n}", f"Part {n} says its name", (), (), world.plot.folder(n))
        for n in scores
    )
    started = RunStarted(
        run=run,
        version="0.1.0",
        phases=briefs,
        outline=briefs,
        roadmap=".planning/ROADMAP.md",
        spec=SpecLock(".planning/REQUIREMENTS.md", "5" * 64),
        policy=world.settings.policy(),
        branch="main",
        head=head,
        base=head,
        pinned=(),
        proven=(),
        ticked=(),
        agents=("scripted 0.1.0",),
        model="balanced",
        intent=intent or Intent(),
    )
    ledger.record(slot, (started,))
    for brief in briefs:
        score = scores[int(brief.id)]
        rated = PhaseRated(brief.id, head, make_rating(), score, "good")
        ledger.record(slot, (PhaseStarted(brief.id, 1, head), rated))
        ledger.record(slot, (PhaseCompleted(brief.id, score, head), Landed(brief.id, head)))
    if finished:
        ledger.record(slot, (RunStopped(RunStatus.COMPLETED, "every phase passed", 0),))
    return run
