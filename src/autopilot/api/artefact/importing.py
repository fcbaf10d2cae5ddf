"""Imports an artefact: its runs go on here as if they had been begun here, under this machine's own key."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.artefact.carried import Carried, artefact_key, read_artefact
from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.git.packing import unpack
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.journal.chain import Row, check_links, stored
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.api.assembly import Assembly
from autopilot.api.projections import Projections
from autopilot.engine.ledger import ANCHOR
from autopilot.events.anchor import anchor_text
from autopilot.events.codec import decode
from autopilot.events.entry import Entry, Message
from autopilot.events.people import RecordCarried
from autopilot.model.errors import RecordBroken, UsageError
from autopilot.text.naming import plural

_REF = re.compile(r"refs/(?:heads|autopilot)/[A-Za-z0-9_][A-Za-z0-9_./+-]{0,250}")
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ANCHORS = "refs/autopilot/anchors/"
_CARRIED = RecordCarried.__name__


class Imported(Struct, frozen=True):
    runs: tuple[str, ...]  # that are new here, or have gone on elsewhere
    events: int = 0
    branches: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.runs:
            return "nothing was imported: everything in it is known here already"
        branches = f"; its branches: {', '.join(self.branches)}" if self.branches else ""
        return f"{plural(self.events, 'event')} of {', '.join(self.runs)} imported{branches}"


def import_record(assembly: Assembly, environment: Mapping[str, str], file: Path) -> Imported:
    """RecordBroken for a seal that does not fit; UsageError where a run went on here and there."""
    carried, digest = read_artefact(file, artefact_key(environment))
    check_links(carried.rows)
    assembly.lock.take("autopilot log import")
    try:
        return _import(assembly, carried, digest)
    finally:
        assembly.lock.release()


def _import(assembly: Assembly, carried: Carried, digest: str) -> Imported:
    """Objects and texts first: an event that is on disk names nothing that is not."""
    ports = assembly.ports
    journal, vault = ports.journal, ports.vault
    assert isinstance(journal, SqliteJournal), "only records on a disk are carried"
    assert isinstance(vault, GitVault), "its commits are unpacked by git"
    fresh = _fresh(journal.rows(), carried.rows)
    runs = tuple(dict.fromkeys(row.run for row in fresh))
    if not runs:
        return Imported(())
    for row in fresh:
        _must_be_readable(row)
    _take_commits(assembly, vault, carried, runs)
    _take_texts(FileBlobs(assembly.repository.home.blobs, assembly.redactor), carried.texts)
    journal.take_over(fresh)
    last = carried.rows[-1]
    marks = [Entry(run, f"{run}/carried/{digest[:16]}", RecordCarried(digest, last.seq, last.mac)) for run in runs]
    journal.append(marks)
    vault.anchor(ANCHOR, anchor_text(journal.head()))
    for message in carried.messages:
        if message.run in runs:
            journal.post(Message(message.key, message.run, decode(message.kind, message.payload)))
    offers = {name: commit for name, commit in carried.offers.items() if vault.has(commit)}
    branches = [ports.checkout.offer(name.removeprefix("autopilot/"), commit) for name, commit in offers.items()]
    Projections(assembly.repository.path, journal, eyes=ports.eyes).catch_up()
    return Imported(runs, len(fresh), tuple(branches))


def _must_be_readable(row: Row) -> None:
    """Refused before anything is written."""
    try:
        stored(row)
    except ValueError as error:
        raise RecordBroken(
            f"entry {row.seq} of the artefact has no time: {row.time[:40]!r}", "Export it again."
        ) from error


def _fresh(ours: Sequence[Row], theirs: Sequence[Row]) -> tuple[Row, ...]:
    """The rows that are new here, run by run: each run was either begun elsewhere, or went on from where it is here."""
    fresh: list[Row] = []
    for run in dict.fromkeys(row.run for row in theirs):
        here = [_content(row) for row in ours if row.run == run and row.kind != _CARRIED]
        carried = [row for row in theirs if row.run == run and row.kind != _CARRIED]
        if any(_content(row) != known for row, known in zip(carried, here, strict=False)):
            raise UsageError(
                f"{run} went on here and where the artefact comes from: they cannot be made one",
                f"go on here with `autopilot resume`, or elsewhere from that artefact; `autopilot report {run}` "
                "shows what was done here",
            )
        fresh += islice(carried, len(here), None)
    return tuple(sorted(fresh, key=lambda row: row.seq))


def _content(row: Row) -> tuple[str, str, str, bytes]:
    return row.key, row.time, row.kind, row.payload


def _take_commits(assembly: Assembly, vault: GitVault, carried: Carried, runs: Sequence[str]) -> None:
    if carried.known:
        if not _ID.fullmatch(carried.known) or not assembly.ports.checkout.resolve(carried.known):
            raise UsageError(
                f"this checkout does not have commit {carried.known[:12]}, which the runs in the artefact build on",
                "import it in a checkout of the same repository, with its history: `git fetch --unshallow`, or "
                "fetch-depth: 0 in a job",
            )
        vault.adopt(carried.known)
    unpack(vault.git, carried.pack)
    known = vault.refs("refs/")
    for name, commit in carried.refs.items():
        is_plain = _REF.fullmatch(name) and ".." not in name and "//" not in name and not name.startswith(_ANCHORS)
        if not is_plain or not _ID.fullmatch(commit) or not vault.has(commit):
            raise RecordBroken(f"the artefact names {name[:80]!r}, which it does not bring", "Export it again.")
        if name not in known or any(run in name for run in runs):
            vault.set_ref(name, commit)


def _take_texts(blobs: FileBlobs, texts: Mapping[str, bytes]) -> None:
    """As they are: their names are the digests that the events tell."""
    for digest, content in texts.items():
        if hashlib.sha256(content).hexdigest() != digest:
            raise RecordBroken(f"the text {digest[:12]} of the artefact was altered", "Export it again.")
        blobs.keep(content)
