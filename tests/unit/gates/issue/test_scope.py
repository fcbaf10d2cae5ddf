"""An issue changes what its plan names, and what is new. covers: AL-5"""

from __future__ import annotations

import pytest

from autopilot.gates.issue.scope import judge_scope
from autopilot.model.git import Change

FOLDER = "docs/issues/024-shout"


@pytest.mark.parametrize(
    ("changed", "declared", "foreign"),
    [
        ([("M", "words.py")], ("words.py",), ""),
        ([("M", "other.py")], ("words.py",), "other.py"),
        ([("D", "other.py")], ("words.py",), "other.py"),
        ([("A", "other.py")], ("words.py",), ""),
        ([("M", "src/deep/a.py")], ("src/",), ""),
        ([("M", f"{FOLDER}/plan.md")], ("words.py",), ""),
        ([("M", "docs/issues/025-other/plan.md")], ("words.py",), "docs/issues/025-other/plan.md"),
        ([("M", "other.py")], (), ""),
    ],
)
def test_a_file_that_was_there_is_changed_only_where_the_plan_names_it(
    changed: list[tuple[str, str]], declared: tuple[str, ...], foreign: str
) -> None:
    objections = judge_scope([Change(path, status, "", "") for status, path in changed], declared, FOLDER)
    assert [objection.where for objection in objections] == ([foreign] if foreign else [])
