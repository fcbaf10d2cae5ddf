"""What the user decides in the page. Each is the same call as the command beside its button."""

from __future__ import annotations

import re
from collections.abc import Mapping

from autopilot.api.assembly import Assembly, assemble
from autopilot.api.cancellation import cancel
from autopilot.api.page.records import Record
from autopilot.api.page.resuming import start_resuming
from autopilot.api.people.gate_answers import read_issue_answer, record_answer
from autopilot.api.people.verdicts import record_verdict
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.model.errors import UsageError
from autopilot.model.human import OF_AN_ISSUE, SECTIONS
from autopilot.planning.people.answers import compose_rejection
from autopilot.reports.run.restarts import Restart, find_restart
from autopilot.settings.reading import Settings

BY = "you, in the page"
AMOUNT = re.compile(r"[0-9]{1,15}(\.[0-9]{1,6})?")
QUESTION = "question."  # what the field of a question begins with


def decide_gate(record: Record, settings: Settings, gate: str, form: Mapping[str, str]) -> str:
    answers = {name.removeprefix(QUESTION): text for name, text in form.items() if name.startswith(QUESTION)}
    match form.get("decision"):
        case "approve" | "answer" as decision if (asked := _asked_of_issue(record, gate)) is not None:
            is_approved = decision == "approve"  # then an empty field is no answer; else it leaves the question out
            words = [f"{name}={text}" for name, text in answers.items() if text.strip() or not is_approved]
            answer = read_issue_answer(asked, [*words, "ok"] if is_approved else words, BY)
        case "approve":
            answer = HumanAnswered(gate, {}, BY, approved=True)
        case "reject":
            sections = {name: form.get(name, "") for name in SECTIONS}
            reason = compose_rejection(form.get("comment", ""), sections)
            answer = HumanAnswered(gate, {}, BY, approved=False, comment=reason)
        case "answer":
            answer = HumanAnswered(gate, answers, BY)
        case _:
            raise UsageError("no decision was chosen", "press one of the buttons")
    return record_answer(_assemble(record, settings), answer)


def _asked_of_issue(record: Record, gate: str) -> HumanAsked | None:
    """Its gates have rules of their own: what answers and an approval mean together."""
    known = (run.people.gates.get(gate) for run in record.history().all_unfinished)
    return next((found.asked for found in known if found and found.asked.kind in OF_AN_ISSUE), None)


def decide_verdict(record: Record, settings: Settings, phase: str, form: Mapping[str, str]) -> str:
    issues = tuple(line.strip() for line in form.get("issues", "").splitlines() if line.strip())
    return record_verdict(_assemble(record, settings), phase, form.get("verdict", ""), issues, BY)


def cancel_run(record: Record, settings: Settings) -> str:
    return cancel(_assemble(record, settings), BY)


def resume_run(record: Record, run: str, form: Mapping[str, str]) -> str:
    """Only one that rests: another process that drives it would be told that the lock is held."""
    state = record.history().runs.get(run)
    if state is None or state not in record.history().all_unfinished:
        raise UsageError("there is nothing left to resume of that run", "the first page shows what waits")
    if record.is_driven:
        raise UsageError("a run of this repository is at work already", "wait for its end, or cancel it")
    restart = find_restart(state)
    if state.halted and not restart.command:
        raise UsageError(f"no resume alone helps it: {restart.kind}", "its page says what does")
    finding = _finding(form) if restart.takes_finding else []
    return start_resuming(record.repository, state, [*restart.options, *_raised(restart, form), *finding])


def _raised(restart: Restart, form: Mapping[str, str]) -> list[str]:
    """The caps that stopped it, as the user would have them."""
    raised = []
    for option, proposed in restart.caps:
        value = form.get(option, proposed).strip().replace(",", "")
        if not AMOUNT.fullmatch(value):
            raise UsageError(f"{option} needs a number, not {value!r}", f"such as {proposed}")
        raised.append(f"{option}={value}")
    return raised


def _finding(form: Mapping[str, str]) -> list[str]:
    finding = " ".join(form.get("finding", "").split())
    return [f"--finding={finding}"] if finding else []


def _assemble(record: Record, settings: Settings) -> Assembly:
    if not record.is_there:
        raise UsageError(f"the repository is not at {record.repository.path} any more", "`autopilot doctor --attach`")
    return assemble(record.repository, settings)
