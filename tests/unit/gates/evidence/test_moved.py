"""A test that stands in another file is the same test. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.moved import Moves, follow_moves
from autopilot.model.evidence.testing import Ended, Grade, TestReport, TestResult

MOVED = (("tests/test_a.py", "tests/unit/test_a.py"),)


@pytest.mark.parametrize(
    ("id", "file", "moves", "followed"),
    [
        ("tests/test_a.py::test_x[1]", "tests/test_a.py", MOVED, "tests/unit/test_a.py::test_x[1]"),
        ("tests/test_a.py::test_x", "", MOVED, "tests/unit/test_a.py::test_x"),
        ("tests/test_ab.py::test_x", "tests/test_ab.py", MOVED, "tests/test_ab.py::test_x"),
        ("tests.test_a.A.test_x", "tests/test_a.py", MOVED, "tests.unit.test_a.A.test_x"),
        ("test_a.A.test_x", "tests/test_a.py", MOVED, "unit.test_a.A.test_x"),
        ("a title", "tests/test_a.py", MOVED, "a title"),
        ("tests/test_a.py::x", "", (*MOVED, ("tests/unit/test_a.py", "t/test_b.py")), "t/test_b.py::x"),
    ],
)
def test_an_id_follows_its_file(id: str, file: str, moves: Moves, followed: str) -> None:
    report = TestReport("pytest", Grade.REPORT, (TestResult(id, Ended.PASSED, file=file),))
    found = follow_moves(report, moves)
    assert found is not None and [result.id for result in found.results] == [followed]


def test_without_a_move_or_a_report_nothing_changes() -> None:
    report = TestReport("pytest", Grade.REPORT)
    assert follow_moves(report, ()) is report and follow_moves(None, MOVED) is None
