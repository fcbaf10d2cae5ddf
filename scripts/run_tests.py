#!/usr/bin/env python3
"""Runs pytest with the given arguments, and the few tests that failed once more by themselves.

    scripts/run_tests.py [ARGUMENT …]

These tests start thousands of processes beside each other, and a machine can be slow at any of them. A test that fails
beside the others and passes alone is named as unstable in the last lines, with what it said above them: it has a fault
that is worth finding, but it is no reason to call the change wrong. More than MOST failures, a test that fails again,
and every other way to end are failures of the whole.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

MOST = 5
SOME_FAILED = 1  # pytest's exit status; others mean that it was interrupted, or could not collect
FAILED = Path(".pytest_cache/v/cache/lastfailed")  # written by pytest, below the folder it is started in


def run(arguments: Sequence[str]) -> int:
    FAILED.unlink(missing_ok=True)  # those of an earlier run
    status = _pytest(arguments, dict(os.environ))
    failed = _failed() if status == SOME_FAILED else []
    if not 0 < len(failed) <= MOST:
        return status
    print(f"\nonce more, by themselves: {', '.join(failed)}", flush=True)
    without_figures = {name: value for name, value in os.environ.items() if name != "AUTOPILOT_DURATIONS"}
    again = _pytest(["-n", "0", *failed], without_figures)
    if again == 0:
        print("\n".join(f"UNSTABLE {name}: failed beside the others, passed alone" for name in failed), flush=True)
    return again


def _pytest(arguments: Sequence[str], environment: dict[str, str]) -> int:
    with subprocess.Popen([sys.executable, "-m", "pytest", *arguments], env=environment) as child:
        # Whoever ends this ends the tests: they would go on for minutes beside whatever is started next.
        signal.signal(signal.SIGTERM, lambda *_: child.send_signal(signal.SIGINT))
        return child.wait()


def _failed() -> list[str]:
    return sorted(json.loads(FAILED.read_text(encoding="utf-8"))) if FAILED.exists() else []


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
