"""What the user answered in earlier runs about phases, for a run that starts now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from autopilot.engine.past import Named, named
from autopilot.events.state import RunState
from autopilot.model.errors import AutopilotError
from autopilot.model.intent import ContextAnswer
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseBrief
from autopilot.planning.people.context_map import PATH, join_context, read_context_map
from autopilot.ports.git import Checkout

LARGEST = 1_000_000  # bytes of the file: all of it goes into the record

Context = Mapping[PhaseId, tuple[ContextAnswer, ...]]


def gather_context(
    runs: Iterable[RunState], phases: Iterable[PhaseBrief], checkout: Checkout, clean: Callable[[str], str]
) -> tuple[Context, tuple[str, ...]]:
    """What earlier runs recorded and what only the context map in the checkout holds; and what is wrong with that file.

    It is read for what the user may have written into it; nothing in it can keep a run from beginning. ``clean`` takes
    secrets out of that: what was recorded has been cleaned before.
    """
    briefs = tuple(phases)
    recorded = recall_answers(runs, briefs)
    try:
        content = checkout.read(PATH)
    except AutopilotError as error:
        return recorded, (f"Autopilot ignores {PATH}: {error}",)
    if content is None:
        return recorded, ()
    if len(content) > LARGEST:
        return recorded, (f"Autopilot ignores {PATH}: the file is too large",)
    names = {brief.id: brief.name for brief in briefs}
    written, complaints = read_context_map(content.decode("utf-8", "replace"), names)
    known = {
        phase: tuple(replace(entry, question=clean(entry.question), answer=clean(entry.answer)) for entry in answers)
        for phase, answers in written.items()
        if phase in names
    }
    return join_context(recorded, known), tuple(str(complaint) for complaint in complaints)


def recall_answers(runs: Iterable[RunState], phases: Iterable[PhaseBrief]) -> Context:
    """By phase, in the order they were first asked. Asked again, the later answer counts. Runs come oldest first."""
    recorded: dict[Named, dict[str, ContextAnswer]] = {}
    for run in runs:
        names = {brief.id: named(brief) for brief in run.inputs.outline}
        for phase, mapped in run.people.mapping.items():
            answers = recorded.setdefault(names.get(phase, (phase, "")), {})
            for answered in mapped.answers.values():
                question = answered.question
                answers[question.text] = ContextAnswer(question.text, answered.answer, question.category)
    found = {brief.id: tuple(recorded.get(named(brief), {}).values()) for brief in phases}
    return {phase: answers for phase, answers in found.items() if answers}
