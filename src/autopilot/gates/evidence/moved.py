"""Tests that stand in another file than before the work: a report of that time, with the ids they have now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.gates.evidence.test_id import file
from autopilot.model.evidence.testing import TestReport, TestResult

Moves = Sequence[tuple[str, str]]  # in the order they were done


def follow_moves(report: TestReport | None, moves: Moves) -> TestReport | None:
    if report is None or not moves:
        return report
    results = report.results
    for old, new in moves:
        results = tuple(_moved(result, old, new) for result in results)
    return replace(report, results=results)


def _moved(result: TestResult, old: str, new: str) -> TestResult:
    if (result.file or file(result.id)).removeprefix("./") != old:
        return result
    return replace(result, file=new if result.file else "", id=_moved_id(result.id, old, new))


def _moved_id(id: str, old: str, new: str) -> str:
    """By its path, or by the module that Python makes of the path, from the root or from a folder below it."""
    if id.startswith(old):
        return new + id[len(old) :]
    before, after = (PurePosixPath(path).with_suffix("").parts for path in (old, new))
    for depth in range(len(before)):
        module = ".".join(before[depth:]) + "."
        if before[:depth] == after[:depth] and id.startswith(module):
            return ".".join(after[depth:]) + "." + id[len(module) :]
    return id
