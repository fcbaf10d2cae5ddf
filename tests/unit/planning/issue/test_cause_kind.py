"""The kind of a cause, however somebody writes it.

covers: AL-1
"""

from __future__ import annotations

import pytest

from autopilot.model.issue.issue import MEANINGS, CauseClass, FlakyKind
from autopilot.planning.issue.cause_kind import read_kind


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("C", "C"),
        (" c ", "C"),
        ("C: logic error", "C"),
        ("C (logic error)", "C"),
        ("class B", "B"),
        ("A – requirement gap", "A"),
        ("logic error", "C"),
        ("Test gap", "B"),
        ("timing", "timing"),
        ("Shared-State", "shared state"),
        ("external_dependency", "external dependency"),
        ("resource leak", "resource leak"),
        ("A: logic error", "A: logic error"),  # it says two things
        ("bad luck", "bad luck"),
        ("", ""),
    ],
)
def test_a_kind_is_read_as_it_is_meant_or_left_as_it_was_said(said: str, kind: str) -> None:
    assert read_kind(said) == kind


def test_every_kind_has_a_meaning_and_reads_as_itself() -> None:
    kinds = [*CauseClass, *FlakyKind]
    assert sorted(MEANINGS) == sorted(kinds)
    assert [read_kind(kind) for kind in kinds] == kinds
