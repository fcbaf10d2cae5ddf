"""discuss-context.json: every talk's questions and answers, beside those of earlier runs about other phases."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import msgspec

from autopilot.events.state import RunState
from autopilot.events.talk import Answered, Discussion
from autopilot.model.run import PhaseBrief
from autopilot.reports.documents.context_md import NAME
from autopilot.reports.markdown import stamp

VERSION = "1.0"
# The first that fits; the format knows no other words.
CATEGORIES = (
    (
        "threshold",
        r"\bhow (many|much|long|often|large|big|fast|far|old)\b|\b(limit|maximum|minimum|at most|at least)\b",
    ),
    ("edge_case", r"\b(what (happens|if)|(when|if) .*\b(fails?|missing|empty|invalid|wrong|twice|unknown))\b"),
    ("scope", r"\b(in scope|out of scope|left (out|as it is)|belongs?|include[sd]?|exclude[sd]?)\b"),
    ("trade_off", r"\b(versus|vs|rather than|instead of|trade|prefer .* over)\b|\bor\b"),
)


def render_discuss_context(state: RunState, before: bytes | None) -> str:
    """ "" where the user has answered nothing. ``before`` is the file as it stands."""
    talks = {id: talk for id, talk in state.people.discussions.items() if talk.answers}
    if not talks:
        return ""
    phases = _known(before) | {id: _phase(state.phase(id).brief, talk) for id, talk in talks.items()}
    updated = max(_discussed_at(talk) for talk in talks.values())
    document = {"version": VERSION, "last_updated": stamp(updated), "phases": phases}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def categorize(question: str) -> str:
    found = (name for name, pattern in CATEGORIES if re.search(pattern, question, re.IGNORECASE))
    return next(found, "preference")


def _phase(brief: PhaseBrief, talk: Discussion) -> dict[str, Any]:
    return {
        "phase_name": brief.name,
        "gray_areas_discussed": list(dict.fromkeys(answered.question.area for answered in talk.answers)),
        "questions": [_answer(answered) for answered in talk.answers],
        "context_md_path": f"{brief.folder}/{NAME}",
        "discussed_at": stamp(_discussed_at(talk)),
    }


def _answer(answered: Answered) -> dict[str, str]:
    return {
        "question": answered.question.text,
        "area": answered.question.area,
        "category": answered.question.category or categorize(answered.question.text),
        "answer": answered.answer,
        "answered_at": stamp(answered.answered_at),
    }


def _discussed_at(talk: Discussion) -> datetime:
    return max(answered.answered_at for answered in talk.answers)


def _known(before: bytes | None) -> dict[str, Any]:
    """Phases of a file that another tool may have written: entries that are no phase are dropped."""
    try:
        document = msgspec.json.decode(before or b"{}")
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return {}
    phases = document.get("phases") if isinstance(document, dict) else None
    return {str(id): phase for id, phase in phases.items()} if isinstance(phases, dict) else {}
