"""What real test tools wrote, by the name of the file it is kept in."""

from __future__ import annotations

from pathlib import Path

from autopilot.model.evidence.testing import TestReport

FOLDER = Path(__file__).parent / "recorded"


def recorded(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def ends(report: TestReport) -> dict[str, str]:
    """Every test with how it ended and, where it failed, why."""
    return {r.id: r.by.value if r.by else r.ended.value for r in report.results}
