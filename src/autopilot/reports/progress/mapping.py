"""Progress of the context map: what each phase is worth, what is asked, and what the answers made of it."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.people import ContextMapped, MappingEnded, MappingStarted
from autopilot.events.state import RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.reports.markdown import plural
from autopilot.reports.status.brief import brief
from autopilot.reports.status.files import CONTEXT_MAP

MAPPING = (MappingStarted, ContextMapped, MappingEnded)


def mapping_lines(event: MappingStarted | ContextMapped | MappingEnded, state: RunState) -> Iterator[str]:
    match event:
        case MappingStarted(phases=phases):
            yield f"Context map: {plural(len(phases), 'phase')} ({', '.join(phases)})"
        case ContextMapped(phase=phase, sufficiency=known, questions=questions, problem=problem):
            yield sufficiency_line(phase, known)
            if questions:
                yield f"[Phase {phase}] {plural(len(questions), 'question')} for you: {known.reason}"
            if problem:
                yield f"[Phase {phase}] warning: no questions could be generated: {brief(problem)}"
        case MappingEnded(after=after, questions=count, answered=answered):
            for phase, known in after.items():
                before = state.people.mapping[phase].before
                if known.score != before.score:
                    yield f"Phase {phase}: context sufficiency {before.score}/10 -> {known.score}/10"
            if count:
                yield f"Context map: {answered} of {plural(count, 'question')} answered, kept in {CONTEXT_MAP}"


def sufficiency_line(phase: PhaseId, known: Sufficiency) -> str:
    parts = f"{known.criteria:g} criteria, {known.requirements:g} requirements, {known.docs:g} docs"
    return f"Phase {phase}: context sufficiency {known.score}/10 ({parts}, {known.dependencies:g} deps)"
