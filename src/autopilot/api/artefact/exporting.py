"""Writes the record of a repository into one sealed file: events, texts and commits; no key, no login, no secret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from autopilot import __version__
from autopilot.adapters.artefact.carried import Carried, CarriedMessage, artefact_key, write_artefact
from autopilot.adapters.git.packing import pack_up, read_packed
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.journal.chain import Row, stored, verify_record
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.api.assembly import Assembly
from autopilot.api.missing_record import explain_no_run
from autopilot.api.run_report import check_target
from autopilot.engine.history import read_history
from autopilot.engine.ledger import ANCHOR
from autopilot.events.codec import encode
from autopilot.events.happened import RunStarted
from autopilot.events.state import RunState
from autopilot.model.errors import Unavailable
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.stored_text import named_texts
from autopilot.ports.bundle import Ports
from autopilot.text.naming import plural

_COMMITS = re.compile(rb'"([0-9a-f]{40}(?:[0-9a-f]{24})?)"')
_LOCAL = "refs/autopilot/anchors/"  # of this machine's key


def export_record(assembly: Assembly, environment: Mapping[str, str], file: Path) -> str:
    """Say what was written. UsageError without a key to seal it with; Unavailable where a known secret is in it."""
    key = artefact_key(environment)
    check_target(file, assembly.repository.path, "the artefact")
    ports = assembly.ports
    if ports.journal.head().seq == 0:
        raise explain_no_run(assembly.repository.home, assembly.repository.path)
    assembly.lock.take("autopilot log export")
    try:
        carried = _carried(ports, assembly.redactor)
    finally:
        assembly.lock.release()
    write_artefact(carried, key, file)
    runs = len({row.run for row in carried.rows})
    return f"{plural(len(carried.rows), 'event')} of {plural(runs, 'run')} are in {file}, sealed"


def _carried(ports: Ports, redactor: Redactor) -> Carried:
    journal, vault = ports.journal, ports.vault
    assert isinstance(journal, SqliteJournal), "only records on a disk are carried"
    assert isinstance(vault, GitVault), "its commits are packed by git"
    anchor = vault.anchored(ANCHOR)
    verify_record(journal, (anchor,) if anchor else ())
    rows = journal.rows()
    events = [stored(row) for row in rows]
    texts = {digest: ports.blobs.get(digest) for event in events for digest in named_texts(event.event)}
    known = next((event.event.head for event in events if isinstance(event.event, RunStarted)), "")
    known = known if vault.has(known) else ""
    refs = {name: commit for name, commit in vault.refs("refs/").items() if not name.startswith(_LOCAL)}
    offers = dict(_offers(read_history(events).runs.values(), ports))
    tips = sorted({*filter(vault.has, {*refs.values(), *_named_commits(rows)}), *offers.values()})
    messages = tuple(CarriedMessage(m.key, m.run, *encode(m.event)) for m in journal.inbox())
    _refuse_secrets(_contents(rows, messages, texts, read_packed(vault.git, tips, known)), redactor)
    pack = pack_up(vault.git, tips, known)
    return Carried(__version__, rows, messages, texts, known, refs, offers, pack)


def _named_commits(rows: Sequence[Row]) -> set[str]:
    """What may land, or be compared with, need not be on any branch of ours."""
    return {found.decode() for row in rows for found in _COMMITS.findall(row.payload)}


def _offers(runs: Iterable[RunState], ports: Ports) -> Iterator[tuple[str, str]]:
    """Branches that a person is to look at or merge; and what landed where it was run, for a checkout without it."""
    for state in runs:
        if state.archived:
            continue
        if state.line.head and ports.vault.has(state.line.head):
            yield f"autopilot/{state.run}", state.line.head
        for phase in state.phases.values():
            deferred = phase.deferral.branch if phase.deferral else ""
            for branch in filter(None, (deferred, phase.landing.branch, phase.line.diagnostic_branch)):
                commit = ports.checkout.resolve(f"refs/heads/{branch}")
                if commit and ports.vault.has(commit):
                    yield branch, commit


def _contents(
    rows: Sequence[Row],
    messages: Sequence[CarriedMessage],
    texts: Mapping[str, bytes],
    objects: Iterable[tuple[str, bytes]],
) -> Iterator[tuple[str, bytes]]:
    """Everything that would leave this machine, each with the name by which it can be found here."""
    yield from ((f"entry {row.seq} of the record", row.payload) for row in rows)
    yield from ((f"the message {message.key}", message.payload) for message in messages)
    yield from ((f"the text {digest[:12]}", content) for digest, content in texts.items())
    yield from ((f"the git object {name[:12]}", content) for name, content in objects)


def _refuse_secrets(contents: Iterable[tuple[str, bytes]], redactor: Redactor) -> None:
    """To take it out would break the chain: the evidence is of these very bytes."""
    for name, content in contents:
        if redactor.knows(content.decode("utf-8", "surrogateescape")):
            raise Unavailable(
                f"the record is not exported: the value of a secret of yours is in {name}",
                "`autopilot log verify` finds the record whole; change that secret, then export again without it in "
                "your environment, or keep the state home from job to job instead",
            )
