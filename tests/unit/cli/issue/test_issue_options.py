"""What `autopilot issue` is told, word by word. covers: ISSUE-INPUT"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.cli.issue.options import read_findings, read_issue_options
from autopilot.cli.parser import build_parser
from autopilot.model.errors import UsageError
from autopilot.model.issue.issue import ATDD, DESIGN, IMPL, Route, SeedFinding


def test_findings_on_the_command_line_are_split_and_weighed_as_at_a_gate() -> None:
    options = build_parser().parse_args(["issue", "24", "--finding", "P1: louder", "--finding", "- one\n- two"])
    found = read_findings(options)
    assert [finding.priority for finding in found] == [1, 0, 0]
    assert all(any(word in finding.evidence_ref for word in ("louder", "one", "two")) for finding in found)


def test_findings_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "findings.json"
    file.write_text(json.dumps([{"evidence_ref": "tests/test_a.py::test_b", "priority": "P2"}]), encoding="utf-8")
    options = build_parser().parse_args(["issue", "24", "--findings", str(file)])
    assert read_findings(options) == (SeedFinding("tests/test_a.py::test_b", priority=2),)


def test_found_are_what_was_said_and_nothing_else() -> None:
    words = ["issue", "24", "--route", "bugfix", "--impl", "--max-iterations", "3", "--max-iterations", f"{ATDD}=5"]
    found = read_issue_options(build_parser().parse_args([*words, "--steps", "design=a, b"]))
    assert (found.route, found.only) == (Route.BUGFIX, IMPL)
    assert (found.limit("other"), found.limit(ATDD)) == (3, 5)
    assert found.steps == {DESIGN: ("a", "b")}


@pytest.mark.parametrize("words", [["--finding", " "], ["--findings", "not-there.json"], ["--steps", "merge=a"]])
def test_what_cannot_be_meant_is_refused(words: list[str]) -> None:
    options = build_parser().parse_args(["issue", "24", *words])
    with pytest.raises(UsageError) as refused:
        read_findings(options), read_issue_options(options)
    assert refused.value.hint
