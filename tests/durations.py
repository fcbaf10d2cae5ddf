"""How long the tests of each folder took, as a table at the end of a run.

``AUTOPILOT_DURATIONS=FILE`` writes the same figures, with those of every test, as JSON.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

OF_FOLDERS: Counter[str] = Counter()
OF_TESTS: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """With xdist the workers' reports arrive at the controller too, which is the one that prints."""
    OF_FOLDERS[folder_of(report.nodeid)] += report.duration
    OF_TESTS[report.nodeid] += report.duration


def folder_of(nodeid: str) -> str:
    """The top folder; of the two that hold hundreds of files, the one below it."""
    parts = nodeid.partition("::")[0].split("/")[:-1]
    return "/".join(parts[: 3 if parts[1:2] in (["scenario"], ["contract"]) else 2])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if len(OF_TESTS) < 2:
        return
    terminalreporter.section("minutes per folder, set-up and clean-up included, all workers together")
    for folder, seconds in OF_FOLDERS.most_common():
        terminalreporter.write_line(f"{seconds / 60:7.1f}  {folder}")
    terminalreporter.write_line(f"{sum(OF_FOLDERS.values()) / 60:7.1f}  together")
    if wanted := os.environ.get("AUTOPILOT_DURATIONS"):
        figures = {"folders": dict(OF_FOLDERS), "tests": dict(OF_TESTS)}
        Path(wanted).write_text(json.dumps(figures, indent=1), encoding="utf-8")
