"""A draft that waits: shown, written into the roadmap as its user has seen it, or dropped."""

from __future__ import annotations

from msgspec import Struct

from autopilot.api.assembly import Assembly
from autopilot.api.phases.reading import must_be_committed
from autopilot.api.phases.writing import Outcome, Prepared, Request, write_edit
from autopilot.api.projections import Projections
from autopilot.engine.history import load_history, read_history
from autopilot.engine.inputs import refuse_repository
from autopilot.engine.ledger import check_against_anchor
from autopilot.engine.leftovers import clear_leftovers
from autopilot.engine.resuming import ledger_of
from autopilot.events.drafting.happened import DraftSettled
from autopilot.events.drafting.state import DraftState
from autopilot.events.happened import RunStopped
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from autopilot.model.planning.draft import DRAFT
from autopilot.model.planning.edit import Edit
from autopilot.model.policy import Commands
from autopilot.model.run import RunStatus
from autopilot.planning.drafting import new_phases
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.ports.bundle import Ports
from autopilot.reports.drafting import SEE, name_of
from autopilot.text.naming import plural

SHORTEST = 7  # of a name: a shorter one could be guessed
BY = "you"
BEGIN = '`autopilot plan "what I want"` drafts a roadmap'


class _WrittenAlready(UsageError):
    """There is nothing left to write."""


class Shown(Struct, frozen=True):
    run: RunState
    before: bytes | None  # the roadmap as it was when the draft began
    after: bytes

    @property
    def draft(self) -> DraftState:
        assert self.run.drafting is not None, "the run is one that drafts"
        return self.run.drafting


def find_draft(assembly: Assembly) -> Shown:
    """The draft of this repository that its user has not decided on."""
    ports = assembly.ports
    run = read_history(ports.journal.read()).draft
    if run is None or run.drafting is None:
        raise UsageError("there is no draft of a roadmap", BEGIN)
    commit, path = run.drafting.commit, run.drafting.brief.path
    if not commit:
        raise UsageError(f"the draft is not written yet ({run.run})", "`autopilot resume` continues it, or --discard")
    return Shown(run, ports.vault.read(run.line.base, path), ports.vault.read(commit, path) or b"")


def accept_draft(assembly: Assembly, request: Request, name: str) -> Outcome:
    """``name``: that of the draft that the user has seen. Another one is not written."""
    shown = find_draft(assembly)
    draft = shown.draft
    if not draft.is_ready:
        raise UsageError("the last draft was refused, and is not written", f"{draft.complaints[0]}; {BEGIN}")
    if len(name) < SHORTEST or not name_of(draft).startswith(name):
        hint = f"`{SEE}` shows it, with the command that writes it"
        waits = f"the draft that waits ({name_of(draft)})"
        raise UsageError(f"{name} is not {waits}" if name else f"--accept needs the name of {waits}", hint)
    ports = assembly.ports
    try:
        outcome = write_edit(assembly, request, lambda commits: _prepare(shown, ports, commits=commits))
    except _WrittenAlready as written:  # killed before it was recorded, or written by hand
        outcome = Outcome(None, summary=str(written))
    _settle(assembly, shown.run, accepted=True, commit=outcome.commit)
    return outcome


def discard_draft(assembly: Assembly) -> str:
    """Also one that was interrupted: what a killed run left behind goes with it."""
    run = read_history(assembly.ports.journal.read()).draft
    if run is None:
        raise UsageError("there is no draft of a roadmap", BEGIN)
    _settle(assembly, run, accepted=False)
    return f"the draft of {run.run} is dropped; nothing was written"


def _prepare(shown: Shown, ports: Ports, *, commits: bool) -> Prepared:
    path = shown.draft.brief.path
    if ports.checkout.read(path) == shown.after:
        raise _WrittenAlready(f"{path} holds the draft already", "look at it")
    if ports.checkout.read(path) != shown.before:
        hint = "`autopilot plan --discard` drops it; ask again, and the draft begins with the roadmap as it is"
        raise UsageError(f"{path} has changed since the draft began, so it is not written over it", hint)
    facts = ports.checkout.facts()
    if commits:
        refuse_repository(facts)
        ports.vault.adopt(facts.head)
        if shown.before is not None:
            must_be_committed(path, facts.dirty, facts.head, ports)
    return Prepared(_edit(shown, path), facts.head if commits else "", ports.checkout.read)


def _edit(shown: Shown, path: str) -> Edit:
    before, after = ((content or b"").decode("utf-8", "replace") for content in (shown.before, shown.after))
    added = new_phases(before, parse_roadmap(after, path), Commands())
    return Edit(f"docs: plan {plural(len(added), 'phase')}", added[0].id, {path: shown.after})


def _settle(assembly: Assembly, run: RunState, *, accepted: bool, commit: str = "") -> None:
    assembly.lock.take("autopilot plan")
    try:
        ports = assembly.ports
        check_against_anchor(ports.journal, ports.vault)
        run = load_history(ports.journal).runs[run.run]
        clear_leftovers(ports)
        ledger = ledger_of(run, ports)
        projections = Projections(assembly.repository.path, ports.journal)
        projections.begin(ports.journal.read(run.run))
        settled = DraftSettled(DRAFT, accepted, BY, commit)
        word = "written" if accepted else "dropped"
        stopped = RunStopped(RunStatus.COMPLETED, f"the draft is {word}", 0, kind=None)
        projections.take(ledger.record(ledger.slot(f"settled/{run.totals.resumes}"), (settled, stopped)))
        projections.write()
    finally:
        assembly.lock.release()
