"""Takes and drops a lock at its parent's word: a line in, a line out."""

import sys
from pathlib import Path

from autopilot.adapters.lock import FileLock
from autopilot.model.errors import UsageError

lock = FileLock(Path(sys.argv[1]))
for line in sys.stdin:
    if line.strip() == "take":
        try:
            lock.take("autopilot run 3-7")
            print("held", flush=True)
        except UsageError as error:
            print(f"refused: {error}", flush=True)
    else:
        lock.release()
        print("free", flush=True)
