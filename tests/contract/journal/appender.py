"""Appends entries until it is killed; prints the number of each once it is acknowledged."""

import sys
from pathlib import Path

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.events.entry import Entry
from autopilot.events.happened import Warned

LIMIT = 100_000  # a killer that never comes must not fill the disk
journal = SqliteJournal(Path(sys.argv[1]), bytes(range(32)), SystemClock())
number = journal.head().seq
for _ in range(LIMIT):
    batch = [Entry("r1", f"r1/{number + n + 1}", Warned("x" * 50 * (n + 1))) for n in range(1 + number % 3)]
    for stored in journal.append(batch):
        print(stored.seq, flush=True)
        number = stored.seq
