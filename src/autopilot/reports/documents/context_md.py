"""CONTEXT.md: what the user decided about a phase before it was built, in sections other tools look for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from autopilot.events.talk import Discussion
from autopilot.model.human import HumanQuestion
from autopilot.model.proposal import DeferredIdea
from autopilot.model.run import PhaseBrief
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import bullets

NAME = "CONTEXT.md"
NO_IDEAS = "No specific requirements -- standard approaches will do"
NOT_OF_THIS_PHASE = "These belong in phases of their own: none of them is built in this phase."
NOTHING_DEFERRED = "None -- the discussion stayed within the phase"


def render_context(brief: PhaseBrief, talk: Discussion, asked: Sequence[HumanQuestion], discussed_at: datetime) -> str:
    """``asked`` is every question; what was answered stands at the end in the user's own words."""
    sections = (
        f"# Phase {brief.id}: {_line(brief.name)} - Context",
        f"**Gathered:** {discussed_at:%Y-%m-%d}\n**Status:** Ready for planning",
        "## Phase Boundary",
        " -- ".join(filter(None, (_line(talk.description), _line(brief.goal) or "see the roadmap"))),
        "## Implementation Decisions",
        *(f"### {_line(area.area)}\n{bullets(area.decisions)}" for area in talk.decisions),
        f"### Autopilot's Discretion\n{bullets(talk.discretion, 'Nothing was left open on purpose.')}",
        "## Specific Ideas",
        bullets(talk.ideas, NO_IDEAS),
        "## Deferred Ideas",
        *_deferred(talk.deferred),
        "## What was asked and answered",
        *(_answers(talk, asked) if talk.answers else ["Nothing was answered."]),
    )
    return make_inert("\n\n".join(sections)) + "\n"


def _deferred(ideas: Sequence[DeferredIdea]) -> Iterator[str]:
    """The section tells those who build the phase that nothing of it is theirs to build."""
    lines = (idea.idea if idea.idea == idea.quote else f'{idea.idea} ("{idea.quote}")' for idea in ideas)
    yield bullets(lines, NOTHING_DEFERRED)
    if ideas:
        yield NOT_OF_THIS_PHASE


def join_context(before: str, new: str, discussed_at: datetime) -> str:
    """The file as it lands: what is there already is the user's and stays, what is new follows under its date."""
    if not before.strip():
        return new
    if _below_title(new).strip() in before:
        return before  # it landed already
    return f"{before.rstrip()}\n\n---\n\n# Discussed on {discussed_at:%Y-%m-%d}\n\n{_below_title(new)}"


def _answers(talk: Discussion, asked: Iterable[HumanQuestion]) -> Iterator[str]:
    answers = {answered.question.id: answered.answer for answered in talk.answers}
    for question in asked:
        answer = answers.get(question.id, "")
        # Quoted line by line: a heading in an answer is no section of this document.
        quoted = "\n".join(f"> {line}".rstrip() for line in answer.splitlines()) if answer else "(left open)"
        yield f"**{question.id} {_line(question.area)}: {_line(question.text)}**\n\n{quoted}"


def _below_title(document: str) -> str:
    return document.partition("\n")[2].lstrip()


def _line(text: str) -> str:
    return " ".join(text.split())
