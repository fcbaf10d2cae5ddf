"""What the user decides in the page. Each is the same call as the command beside its button."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.api.assembly import Assembly, assemble
from autopilot.api.cancellation import cancel
from autopilot.api.people.gate_answers import record_answer
from autopilot.api.people.verdicts import record_verdict
from autopilot.api.records import Record
from autopilot.api.resuming import start_resuming
from autopilot.events.people import HumanAnswered
from autopilot.model.errors import UsageError
from autopilot.model.human import SECTIONS
from autopilot.planning.people.answers import compose_rejection
from autopilot.settings.reading import Settings

BY = "you, in the page"
QUESTION = "question."  # what the field of a question begins with


def decide_gate(record: Record, settings: Settings, gate: str, form: Mapping[str, str]) -> str:
    match form.get("decision"):
        case "approve":
            answer = HumanAnswered(gate, {}, BY, approved=True, comment=form.get("comment", ""))
        case "reject":
            sections = {name: form.get(name, "") for name in SECTIONS}
            reason = compose_rejection(form.get("comment", ""), sections)
            answer = HumanAnswered(gate, {}, BY, approved=False, comment=reason)
        case "answer":
            answers = {name.removeprefix(QUESTION): text for name, text in form.items() if name.startswith(QUESTION)}
            answer = HumanAnswered(gate, answers, BY)
        case _:
            raise UsageError("no decision was chosen", "press one of the buttons")
    return record_answer(_assemble(record, settings), answer)


def decide_verdict(record: Record, settings: Settings, phase: str, form: Mapping[str, str]) -> str:
    issues = tuple(line.strip() for line in form.get("issues", "").splitlines() if line.strip())
    return record_verdict(_assemble(record, settings), phase, form.get("verdict", ""), issues, BY)


def cancel_run(record: Record, settings: Settings) -> str:
    return cancel(_assemble(record, settings), BY)


def resume_run(record: Record, run: str) -> str:
    """Only one that rests: another process that drives it would be told that the lock is held."""
    state = record.history().runs.get(run)
    if state is None or state not in record.history().all_unfinished:
        raise UsageError("there is nothing left to resume of that run", "the first page shows what waits")
    if record.is_driven:
        raise UsageError("a run of this repository is at work already", "wait for its end, or cancel it")
    return start_resuming(record.repository, state)


def _assemble(record: Record, settings: Settings) -> Assembly:
    if not record.is_there:
        raise UsageError(f"the repository is not at {record.repository.path} any more", "`autopilot doctor --attach`")
    return assemble(record.repository, settings)
