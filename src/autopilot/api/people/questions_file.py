"""``questions.md``: rewritten when other questions are open, with everything the user typed kept."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.git.checkout.documents import read_document, write_document
from autopilot.events.state import RunState
from autopilot.planning.people.answers import parse_answers
from autopilot.planning.people.replies import written_so_far
from autopilot.reports.status.files import QUESTIONS
from autopilot.reports.status.questions import Typed, questions_title, render_questions


def update_questions(state: RunState, before: bytes | None) -> str:
    """The text of the file, "" for no file. While the same questions are open, the user's text stays."""
    text = (before or b"").decode("utf-8", "replace")
    rendered = render_questions(state)
    if not rendered or text.partition("\n")[0].rstrip("\r") == questions_title(state):
        return text if rendered else ""
    return render_questions(state, written_so_far(parse_answers(text, QUESTIONS), state))


def read_draft(checkout: Path, state: RunState) -> Typed:
    """The user's drafts for open questions."""
    text = (read_document(checkout, QUESTIONS) or b"").decode("utf-8", "replace")
    return written_so_far(parse_answers(text, QUESTIONS), state)


def keep_draft(checkout: Path, state: RunState, typed: Typed) -> None:
    """Save typed answers when the user leaves: a gate is answered completely or not at all."""
    text = render_questions(state, {**read_draft(checkout, state), **typed})
    write_document(checkout, QUESTIONS, text.encode())
