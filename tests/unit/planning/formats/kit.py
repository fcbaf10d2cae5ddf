"""Small worlds of planning files, and what a format makes of them."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.model.planning.outline import Outline, Proven
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.marking import apply_edits

COMMANDS = Commands(test="make test", compile="npx tsc --noEmit")
DAY = "2026-11-18"


def outline(format: Format, texts: Mapping[str, str]) -> Outline:
    """Of what the format finds among these files."""
    found = format.find(sorted(texts))
    return format.read({path: texts[path] for path in found}, COMMANDS)


def stands(made: Outline) -> dict[str, str]:
    return {phase.id: phase.standing.stand.value for phase in made.roadmap.phases}


def phase(made: Outline, id: str) -> Phase:
    return next(phase for phase in made.roadmap.phases if phase.id == id)


def said(made: Outline) -> list[str]:
    return [str(complaint) for complaint in made.roadmap.complaints]


def marked(format: Format, texts: Mapping[str, str], id: str, *tasks: str) -> dict[str, str]:
    """Every file afterwards."""
    edits = format.mark(texts, Proven(PhaseId(id), frozenset(tasks), DAY))
    return {**texts, **apply_edits(texts, edits)}


def changed_lines(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, dict[int, str]]:
    """By file and line number; line endings are part of a line."""
    found = {}
    for path, text in before.items():
        pairs = zip(text.split("\n"), after[path].split("\n"), strict=True)
        if lines := {number: new for number, (old, new) in enumerate(pairs, start=1) if old != new}:
            found[path] = lines
    return found
