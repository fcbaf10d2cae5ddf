"""One phase as it is read: what it wants, how it stands, what it waits for and what waits for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.text.naming import name_phases, plural


class PhaseCard(Struct, frozen=True):
    phase: Phase
    path: str  # of the roadmap
    dependents: tuple[PhaseId, ...] = ()
    folder: str = ""
    files: tuple[str, ...] = ()
    proven: str = ""  # the run
    running: str = ""
    obstacles: tuple[str, ...] = ()  # to its removal


def render_card(card: PhaseCard) -> Iterator[str]:
    phase = card.phase
    yield f"Phase {phase.id}: {phase.name}   ({phase.path or card.path}:{phase.line})"
    yield f"  goal: {phase.goal or 'none is written'}"
    yield f"  stands: {_standing(card)}"
    yield f"  depends on: {name_phases(phase.depends_on) if phase.depends_on else 'nothing'}"
    yield f"  needed by: {name_phases(card.dependents) if card.dependents else 'no phase'}"
    if phase.requirements:
        yield f"  requirements: {', '.join(phase.requirements)}"
    yield f"  folder: {card.folder} ({plural(len(card.files), 'file')})" if card.folder else "  folder: none yet"
    yield "  criteria:" if phase.criteria else "  criteria: none is written"
    yield from _criteria(phase)
    yield from (f"  cannot be removed: {obstacle}" for obstacle in card.obstacles)


def _criteria(phase: Phase) -> Iterator[str]:
    for number, criterion in enumerate(phase.criteria, start=1):
        command = f"  [`{criterion.command}`, {criterion.expectation.in_words}]" if criterion.command else ""
        yield f"    {number}. {criterion.text}{command}"


def _standing(card: PhaseCard) -> str:
    if card.running:
        return card.running
    return f"proven in {card.proven}" if card.proven else str(card.phase.standing)


def card_document(card: PhaseCard) -> dict[str, Any]:
    phase = card.phase
    return {
        "phase": phase.id,
        "name": phase.name,
        "goal": phase.goal,
        "line": phase.line,
        "standing": phase.standing.stand.value,
        "because": _standing(card),
        "proven_in": card.proven or None,
        "depends_on": list(phase.depends_on),
        "needed_by": list(card.dependents),
        "requirements": list(phase.requirements),
        "criteria": [{"text": criterion.text, "command": criterion.command or None} for criterion in phase.criteria],
        "folder": card.folder or None,
        "files": list(card.files),
        "obstacles_to_removal": list(card.obstacles),
    }


def render_list(cards: Sequence[PhaseCard]) -> Iterator[str]:
    """All phases, one a line."""
    width = max((len(card.phase.id) for card in cards), default=1)
    for card in cards:
        waits = f"   (after {', '.join(card.phase.depends_on)})" if card.phase.depends_on else ""
        mark = "x" if card.proven or card.phase.ticked else "-" if card.phase.dropped else " "
        yield f"[{mark}] {card.phase.id:>{width}}  {card.phase.name}{waits}"
