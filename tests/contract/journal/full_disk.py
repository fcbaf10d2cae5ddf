"""Fills a small disk by appending, then frees some of it and goes on; prints what happened as JSON."""

import json
import sys
from pathlib import Path

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.files import write_atomically
from autopilot.adapters.journal.chain import verify_record
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import open_key
from autopilot.events.anchor import anchor_text
from autopilot.events.entry import Entry
from autopilot.events.happened import Warned
from autopilot.model.errors import AutopilotError
from autopilot.model.secrecy.redaction import Redactor

disk = Path(sys.argv[1])
filler = disk / "filler"
filler.write_bytes(b"x" * 200_000)
path = disk / "journal.db"
key = open_key(disk / "key", path)
journal = SqliteJournal(path, key, SystemClock())
acknowledged, failures = 0, []
anchor = anchor_text(journal.head())
for number in range(5_000):
    try:
        acknowledged = journal.append([Entry("r1", f"r1/{number}", Warned("y" * 500))])[-1].seq
        anchor = anchor_text(journal.head())
    except AutopilotError as error:
        failures.append((type(error).__name__, str(error), error.exit_status, error.hint != ""))
        if len(failures) == 3:
            break
(disk / "state.json").touch()
others = []
for attempt in (
    lambda: write_atomically(disk / "state.json", bytes(300_000)),
    lambda: FileBlobs(disk / "blobs", Redactor()).put("".join(map(chr, range(0x4E00, 0x9000))).encode() * 20),
):
    try:
        attempt()
    except AutopilotError as error:
        others.append(type(error).__name__)
leftovers = [file.name for file in disk.rglob(".*")]

seen_beside = sum(1 for _ in SqliteJournal(path, key, SystemClock(), readonly=True).read())
filler.unlink()
again = journal.append([Entry("r1", "r1/after", Warned("there is space again"))])[-1].seq
journal.close()
check = verify_record(SqliteJournal(path, key, SystemClock()), (anchor,))
print(
    json.dumps(
        {
            "acknowledged": acknowledged,
            "failures": failures,
            "others": others,
            "leftovers": leftovers,
            "seen_beside": seen_beside,
            "again": again,
            "entries": check.events,
        }
    )
)
