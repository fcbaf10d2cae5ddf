"""Whose an example is: which of a spec's examples a phase has to answer for, and which another one still owes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from autopilot.model.evidence.example import Example, StatedCommand
from autopilot.model.run import PhaseBrief
from autopilot.planning.roadmap.language import roadmap_lines
from autopilot.planning.roadmap.section import find_sections
from autopilot.planning.spec.requirement_text import requirement_lines, requirement_texts

Stated = TypeVar("Stated", Example, StatedCommand)


def in_roadmap(text: str, examples: Sequence[Stated], phase: PhaseBrief) -> list[Stated]:
    """Those in the phase's own section."""
    sections, _ = find_sections(roadmap_lines(text))
    spans = [(s.start.number, s.body[-1].number if s.body else s.start.number) for s in sections if s.phase == phase.id]
    return [example for example in examples if any(first <= example.line <= last for first, last in spans)]


class Owners(Struct, frozen=True):
    """What a spec says of its requirements: on which lines each stands, and its text."""

    lines: tuple[tuple[str, int, int], ...]
    texts: Mapping[str, str]


def read_owners(spec: str) -> Owners:
    return Owners(requirement_lines(spec), requirement_texts(spec))


def is_due(example: Example | StatedCommand, owners: Owners, phase: PhaseBrief, waiting: Sequence[PhaseBrief]) -> bool:
    """Whether this phase is the one to bring it about: no phase that is still ``waiting`` has its requirement, or names
    its function where it stands under no requirement."""
    owner = next((name for name, first, last in owners.lines if first <= example.line <= last), "")
    if owner:
        mine = not phase.requirements or _has(phase, owner)
        return mine and not any(_has(brief, owner) for brief in waiting)
    return not any(_names(brief, owners.texts, example.function) for brief in waiting)


def _has(phase: PhaseBrief, requirement: str) -> bool:
    return requirement.upper() in {name.upper() for name in phase.requirements}


def _names(phase: PhaseBrief, texts: Mapping[str, str], function: str) -> bool:
    stated = (phase.name, phase.goal, *phase.promises, *phase.commands)
    wanted = (texts.get(name, "") for name in phase.requirements)
    return any(re.search(rf"(?<!\w){re.escape(function)}(?!\w)", text) for text in (*stated, *wanted))
