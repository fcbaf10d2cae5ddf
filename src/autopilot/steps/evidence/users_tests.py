"""Tests that were there when the run began are the user's: only the user's words release them, no plan of an agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.declared import covers, ordered_by
from autopilot.gates.evidence.test_id import is_to_be_removed
from autopilot.inspection.control.meaning.python_units import find_tests_that_use, removed_definitions
from autopilot.model.evidence.control import ControlChange, ControlKind
from autopilot.model.git import Change
from autopilot.model.planning.criterion import Criterion, Strength
from autopilot.planning.people.scope import leave_out
from autopilot.planning.roadmap.language import roadmap_lines
from autopilot.planning.roadmap.section import find_sections
from autopilot.planning.spec.requirement_text import mapped_requirements
from autopilot.steps.asking.context_files import user_answers
from autopilot.steps.context import StepContext
from autopilot.steps.observing.texts import text_at
from autopilot.text.shell import runs_program

_SENTENCE = re.compile(r"(?<=[.;!?])\s|\n|(?<=\*\*:) ")
_REMOVAL = re.compile(r"(?:remove|delete|drop)\b", re.IGNORECASE)  # an order; "removes" tells what the product does
_TESTS = (ControlKind.TEST, ControlKind.FIXTURE, ControlKind.SNAPSHOT, ControlKind.HELPER)


def hold_users_tests(
    ctx: StepContext, old: str, new: str, changes: Sequence[Change], control: Sequence[ControlChange]
) -> tuple[tuple[ControlChange, ...], tuple[str, ...]]:
    """Marks those that the agent's plan cannot release, and names those that the user's words release, whatever that
    plan lists. In a plan of the user's the user's own words declare.

    The acceptance tests of an issue are an agent's, and what they rest on is frozen by the issue itself.
    """
    touched = [change for change in control if change.kind in _TESTS and change.status != "A"]
    if not touched or not ctx.phase.plan.ours or ctx.state.issue:
        return tuple(control), ()
    at_start, asked = text_at(ctx, ctx.state.line.base), text_by_user(ctx)
    released = ordered_by(asked)
    gone = _removed(ctx, old, new, changes, asked)
    looked_at = looked_at_alone(ctx.phase.brief.criteria, ctx.ports.vault.list(ctx.state.line.base))

    def is_released(change: ControlChange) -> bool:
        if any(covers(name, change.path) for name in released) or is_to_be_removed(change.path, asked):
            return True
        if change.kind is ControlKind.HELPER and change.path in looked_at:
            return True
        return bool(find_tests_that_use(at_start(change.path) or "", gone))

    free = {change.path for change in touched if is_released(change)}
    held = {c.path for c in touched if c.path not in free and at_start(c.path) is not None}
    return tuple(replace(change, held=change.path in held) for change in control), tuple(sorted(free))


def looked_at_alone(criteria: Sequence[Criterion], paths: Sequence[str]) -> frozenset[str]:
    """Files that a criterion of the roadmap only looks at (`grep -q word notes.txt`), each without another of the
    project: nothing but a change of that file makes it hold, so it is what the criterion asks for."""
    new = (criterion for criterion in criteria if criterion.is_new and criterion.strength is Strength.GREP)
    named = [_named_in(c.command, paths) for c in new if not runs_program(c.command)]
    return frozenset(path for files in named if len(files) == 1 for path in files)


def _named_in(command: str, paths: Sequence[str]) -> frozenset[str]:
    arguments = {word.removeprefix("./") for word in re.split(r"[\s\"'`;|&()<>]+", command)}
    return frozenset(arguments.intersection(paths))


def removals_by_user(ctx: StepContext) -> str:
    """The sentences in which the user says that something is to go; not those that only speak of it."""
    sentences = _SENTENCE.split(text_by_user(ctx))
    return "\n".join(sentence for sentence in sentences if _REMOVAL.match(sentence.lstrip("*#-0123456789. ")))


def promised_text(ctx: StepContext) -> str:
    """The goal of the phase and its criteria."""
    brief = ctx.phase.brief
    return "\n".join((brief.goal, *(criterion.text for criterion in brief.criteria)))


def text_by_user(ctx: StepContext) -> str:
    """The phase's section of the roadmap, its requirements, and what the user answered: as the run pinned them. ""
    of an issue, whose documents agents wrote."""
    if ctx.state.issue:
        return ""
    if (session := ctx.state.debugging) is not None:
        return "\n".join((session.brief.text, *session.remarks))
    whole = ctx.state.phases[ctx.phase.parent] if ctx.phase.parent else ctx.phase
    read = text_at(ctx, ctx.state.line.base)
    spec = read(ctx.spec) or ""
    talk = ctx.state.people.discussions.get(whole.id)
    deferred = [idea.quote for idea in talk.deferred] if talk else []
    replies = [leave_out(answered.answer, deferred) for answered in talk.answers] if talk else []
    answers = [answer.answer for answer in user_answers(ctx)]
    wanted = mapped_requirements(whole.brief, spec).values()
    return "\n".join((*_section(read(ctx.state.inputs.roadmap) or "", whole.id), *wanted, *answers, *replies))


def _section(roadmap: str, phase: str) -> Iterator[str]:
    sections, _ = find_sections(roadmap_lines(roadmap))
    yield from (line.text for section in sections if section.phase == phase for line in (section.start, *section.body))


def _removed(ctx: StepContext, old: str, new: str, changes: Sequence[Change], asked: str) -> frozenset[str]:
    """What the work took out of the product and the user says is to go: its tests go with it."""
    paths = [change.path for change in changes if change.path.endswith(".py")]
    was, now = ({path: read(path) or "" for path in paths} for read in (text_at(ctx, old), text_at(ctx, new)))
    return frozenset(name for name in removed_definitions(was, now) if is_to_be_removed(name, asked))
