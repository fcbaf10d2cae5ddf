"""Phases of another tool's plan as a roadmap and as requirements, in GSD's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.model.planning.outline import Outline
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.planning.standing import Stand
from autopilot.model.policy import Commands
from autopilot.planning.importing.criteria_text import LABEL, item, write_criterion
from autopilot.planning.importing.plain_words import hides_what_follows, inert, one_line, plain_name, reason
from autopilot.planning.roadmap.standing.holding import is_cause

NOTHING = "Nothing"


class Plan(Struct, frozen=True):
    """What is to be written, and where it comes from."""

    outline: Outline
    title: str  # of the format or forge: "spec-kit (specs/NNN-name/)"
    ids: Mapping[PhaseId, PhaseId]
    commands: Commands
    texts: Mapping[PhaseId, str] = {}  # the whole text of a phase, where no file has it

    def name(self, phase: Phase) -> str:
        return plain_name(phase.name) or f"Phase {self.ids[phase.id]}"

    def sources(self, phase: Phase) -> tuple[str, ...]:
        listed = self.outline.listed.get(phase.id)
        paths = (*self.outline.specs.get(phase.id, ()), phase.path, listed.plan.path if listed else "")
        return tuple(dict.fromkeys(path for path in paths if path)) or (self.outline.roadmap.path,)


def render_roadmap(plan: Plan) -> str:
    phases = plan.outline.roadmap.phases
    boxes = [_box(plan, phase) for phase in phases]
    sections = [line for phase in phases for line in ("", *_section(plan, phase))]
    head = ["# Roadmap", "", f"Imported from {plan.title}. What was done there is done here without proof.", ""]
    return "\n".join([*head, "## Phases", "", *boxes, "", "## Phase Details", *sections, ""])


def render_requirements(plan: Plan) -> str:
    """The words that every phase is held against; quoted, so that none of them is taken for an id or a box."""
    lines = ["# Requirements", "", f"What {plan.title} asks of each phase. Frozen while a run works."]
    for phase in plan.outline.roadmap.phases:
        sources = ", ".join(f"`{path}`" for path in plan.sources(phase))
        lines += ["", f"## Phase {plan.ids[phase.id]}: {plan.name(phase)}", "", f"From {sources}; read it too.", ""]
        lines += [f"> {number}. {inert(criterion.text)}" for number, criterion in enumerate(phase.criteria, start=1)]
        if text := plan.texts.get(phase.id, ""):
            quoted = [f"> {_words(line)}".rstrip() for line in text.split("\n")]
            lines += ["", *(map(inert, quoted) if hides_what_follows("\n".join(quoted)) else quoted)]
    return "\n".join([*lines, ""])


def _box(plan: Plan, phase: Phase) -> str:
    tick = "x" if phase.standing.stand is Stand.DONE else " "
    line = f"- [{tick}] **Phase {plan.ids[phase.id]}: {plan.name(phase)}**"
    if is_cause(phase):
        return f"{line} (waits for you: {reason(phase.standing.because) or 'as it was'})"
    if phase.standing.stand is Stand.DROPPED:
        return f"{line} (cancelled)"
    return line


def _section(plan: Plan, phase: Phase) -> Iterator[str]:
    yield f"### Phase {plan.ids[phase.id]}: {plan.name(phase)}"
    called = f" as {one_line(phase.id)}" if plan.ids[phase.id] != phase.id else ""
    yield f"**Imported from**: {', '.join(plan.sources(phase))}{called}"
    yield f"**Goal**: {one_line(phase.goal) or plan.name(phase)}"
    yield f"**Depends on**: {_depends(plan, phase.depends_on)}"
    if phase.criteria:
        yield LABEL
        for number, criterion in enumerate(phase.criteria, start=1):
            yield item(number, write_criterion(criterion, plan.commands)[0])


def _depends(plan: Plan, ids: Sequence[PhaseId]) -> str:
    return ", ".join(f"Phase {plan.ids[id]}" for id in ids if id in plan.ids) or NOTHING


def _words(line: str) -> str:
    return line.rstrip().replace("<!--", "< !--")
