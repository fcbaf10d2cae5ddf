"""``questions.md`` as it ought to be, without a word lost that its user has typed into it."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.git.checkout.documents import read_document, write_document
from autopilot.events.state import RunState
from autopilot.planning.people.answers import parse_answers
from autopilot.planning.people.replies import written_so_far
from autopilot.reports.status.files import QUESTIONS
from autopilot.reports.status.questions import Typed, questions_title, render_questions


def update_questions(state: RunState, before: bytes | None) -> str:
    """The text of the file; "" for none. As long as the same is open, it is its user's."""
    text = (before or b"").decode("utf-8", "replace")
    rendered = render_questions(state)
    if not rendered or text.partition("\n")[0].rstrip("\r") == questions_title(state):
        return text if rendered else ""
    return render_questions(state, written_so_far(parse_answers(text, QUESTIONS), state))


def read_draft(checkout: Path, state: RunState) -> Typed:
    """What its user has written there so far about whatever is open."""
    text = (read_document(checkout, QUESTIONS) or b"").decode("utf-8", "replace")
    return written_so_far(parse_answers(text, QUESTIONS), state)


def keep_draft(checkout: Path, state: RunState, typed: Typed) -> None:
    """Whoever leaves in the middle has typed for nothing otherwise: a gate is answered whole or not at all."""
    text = render_questions(state, {**read_draft(checkout, state), **typed})
    write_document(checkout, QUESTIONS, text.encode())
