"""The first page: what waits for you, what is at work, what happened last; over all repositories."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from autopilot.api.issue.merges import find_merges
from autopilot.api.page.records import Record, Records
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import AutopilotError
from autopilot.model.human import DECIDED, GateKind
from autopilot.model.issue.issue import PRD
from autopilot.model.planning.roadmap import PhaseId
from autopilot.reports.issue.halts import halt_of_run
from autopilot.reports.markdown import one_line
from autopilot.reports.run.restarts import Restart, find_restart
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.gates import (
    LANDING,
    VERDICT,
    Waiting,
    find_waiting,
    render_deferred,
    render_gate,
    resume_command,
)
from autopilot.reports.status.status_text import money_words
from autopilot.web.views.summary import RunSummary, describe_stop, summarise

NIGHT = timedelta(days=1)


class Request(Struct, frozen=True):
    """One thing that waits for the user, with all that is needed to decide it."""

    record: Record
    run: str
    kind: str
    name: str
    title: str
    since: datetime | None
    command: str  # the same by hand
    text: str  # whole: findings, questions, what is left to check
    cost: str
    gate: HumanGate | None = None
    answered: str = ""  # already, by what is in the inbox and not yet read
    restart: Restart | None = None  # of a run that can go on by a command alone

    @property
    def is_decided(self) -> bool:
        return self.gate is not None and self.gate.asked.kind in DECIDED

    @property
    def takes_findings(self) -> bool:
        """Whether a rejection says what to change."""
        return self.gate is not None and self.gate.asked.kind is not GateKind.CHECKPOINT

    @property
    def takes_answers(self) -> bool:
        """Whether its questions can be answered without a decision: the draft is then revised and shown again."""
        return (
            self.gate is not None and self.gate.asked.kind is GateKind.REQUIREMENTS and bool(self.gate.asked.questions)
        )

    @property
    def is_verdict(self) -> bool:
        return self.kind == VERDICT

    @property
    def can_resume(self) -> bool:
        return self.restart is not None and bool(self.restart.command)


class Unread(Struct, frozen=True):
    repository: str
    problem: str


def show_inbox(records: Records) -> dict[str, Any]:
    requests: list[Request] = []
    unread: list[Unread] = []
    runs: list[RunSummary] = []
    for record in records:
        try:
            found = list(find_requests(record))
            last = record.history().last
        except AutopilotError as error:
            problem = f"{error}; {error.hint}" if error.hint else str(error)
            unread.append(Unread(str(record.repository.path), problem))
            continue
        requests += found
        if last is not None:
            runs.append(replace(summarise(record, last), more=_runs_before(record, last)))
    requests.sort(key=lambda request: request.since.timestamp() if request.since else 0.0)
    runs.sort(key=lambda run: run.state.now, reverse=True)
    working = [run for run in runs if run.is_working]
    return {"requests": requests, "unread": unread, "working": working, "runs": runs}


def _runs_before(record: Record, last: RunState) -> int:
    """A night may have had several."""
    others = (state for state in record.history().runs.values() if state is not last)
    return sum(state.now >= last.now - NIGHT for state in others)


def find_requests(record: Record, only: str = "") -> Iterator[Request]:
    """``only``: of this run."""
    if not record.is_there:
        raise AutopilotError(
            f"the repository is not at {record.repository.path} any more",
            f"if you moved it, run `autopilot doctor --attach {record.id}` in its new folder",
        )
    history, driven = record.history(), record.is_driven
    for state in history.all_unfinished:
        if only in ("", state.run):
            yield from _of_run(record, state, driven)
    if not only:
        for run, request in find_merges(history, record.repository.path):
            yield Request(
                record, run, request["kind"], request["name"], request["title"], None, request["command"], "", ""
            )


def _of_run(record: Record, state: RunState, driven: bool) -> Iterator[Request]:
    waiting = find_waiting(state)
    answered = record.posted_names(state.run) if waiting else frozenset()
    for item in waiting:
        gate = state.people.gates.get(item.name) if item.kind not in (VERDICT, LANDING) else None
        answer = "answered; the run reads it after its current step" if item.name in answered else ""
        yield Request(
            record,
            state.run,
            str(item.kind),
            item.name,
            _title(state, item),
            item.since,
            item.command,
            _text(record, state, item, gate),
            _cost(state),
            gate,
            answer,
            Restart(LANDING, "Land it", resume_command(state)) if item.kind == LANDING and not driven else None,
        )
    if not waiting and not driven:
        yield _stopped(record, state)


def _stopped(record: Record, state: RunState) -> Request:
    """A run that rests and asks nothing: why, and how it goes on."""
    restart = find_restart(state) if state.halted else Restart("interrupted", "Resume", resume_command(state))
    lines = [*halt_of_run(state, state.issue, "", state.policy.agent_options)] if state.issue else []
    lines += [line.strip() for line in next_lines(state)] if state.halted else []
    return Request(
        record,
        state.run,
        restart.kind,
        state.run,
        describe_stop(state),
        state.now,
        restart.command,
        "\n".join(lines),
        _cost(state),
        restart=restart,
    )


def _title(state: RunState, item: Waiting) -> str:
    """What is to be checked stands whole in the text below it."""
    if item.kind != VERDICT:
        return item.title
    return render_deferred(state.phases[PhaseId(item.name)]).partition("\n")[0]


def _text(record: Record, state: RunState, item: Waiting, gate: HumanGate | None) -> str:
    if gate is not None and gate.asked.kind is GateKind.MAP:
        return ""  # each question stands above its field
    if gate is not None:
        return f"{_below_title(item.title, render_gate(gate, state))}\n{_asked_about(record, state, gate)}".strip("\n")
    if item.kind == VERDICT:
        look = f"  look at it: {item.look}" if item.look else ""
        return _below_title(_title(state, item), render_deferred(state.phases[PhaseId(item.name)])) + look
    return ""


def _asked_about(record: Record, state: RunState, gate: HumanGate) -> str:
    """The draft, or the message that presents the design."""
    if state.issue is not None and gate.asked.kind is GateKind.REQUIREMENTS:
        return record.file(state.line.tip or state.line.base, state.issue.brief.path(PRD)) or ""
    return record.presented(state, gate)


def _below_title(title: str, text: str) -> str:
    first, _, below = text.partition("\n")
    return below if first == one_line(title) else text


def _cost(state: RunState) -> str:
    used = state.totals.usage
    return f"{used.tokens:,} tokens, {money_words(used.usd, used.usd_is_estimate)}"
