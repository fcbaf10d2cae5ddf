"""The criteria of an issue are traced to tests, files and a commit, and back. covers: CMD-WEB"""

from __future__ import annotations

from autopilot.reports.issue.trace import UNCOVERED, trace_criteria, trace_files
from tests.unit import issue_runs as runs

TEXTS = {"AC-1": "rows as commas", "AC-2": "a header", "AC-3": "an empty file"}


def test_a_criterion_leads_to_its_tests_files_and_commit() -> None:
    issue = runs.state_of(*runs.HALTED).issue
    assert issue is not None
    first, second, third = trace_criteria(issue, TEXTS)
    assert (first.criterion, first.text, first.acceptance_tests) == ("AC-1", "rows as commas", ("AT-001",))
    assert (first.tests, first.files, first.commit) == (("tests/test_csv.py::test_at_001",), ("csv.py",), "i" * 40)
    assert (second.problem, second.commit) == ("it was not run", "")
    assert third.problem == UNCOVERED


def test_before_anything_was_judged_no_criterion_is_called_uncovered() -> None:
    issue = runs.state_of(*runs.APPROVED).issue
    assert issue is not None
    assert {traced.problem for traced in trace_criteria(issue, TEXTS)} == {""}
    assert list(trace_files(issue)) == []


def test_a_file_leads_back_to_what_its_tests_cover_and_one_without_tests_to_all_of_it() -> None:
    work = runs.i.WorkTaken(runs.IMPL, runs.ATDD, 1, "i" * 40, "r" * 40, ("csv.py", "tests/test_csv.py", runs.PLAN))
    issue = runs.state_of(*runs.IN_IMPL, work, runs.judged(True)).issue
    assert issue is not None
    code, tests = trace_files(issue)
    assert (code.path, code.tests, code.criteria) == ("csv.py", (), ("AC-1",))
    assert (tests.path, tests.tests) == ("tests/test_csv.py", ("tests/test_csv.py::test_at_001",))
    assert tests.criteria == ("AC-1",)
