"""cause.md says what was agreed, by whom and what shows it; nobody's words can pass for ours.

covers: AL-1, AL-2
"""

from __future__ import annotations

import pytest

from autopilot.events.issue.state import IssueState
from autopilot.model.issue.issue import Cause, IssueBrief, Rate, Route
from autopilot.reports.issue.cause import render_cause
from tests.unit.making import alter

BRIEF = IssueBrief(24, "first()\nbreaks", "first", "docs/issues/024-first")
CAUSE = Cause("C", "words.py:6 takes text[0]", "tests/test_a.py::test_a", ("tests/test_a.py",))


def render(cause: Cause = CAUSE, route: Route = Route.BUGFIX, rate: Rate | None = None) -> str:
    return render_cause(alter(IssueState(BRIEF), route=route, agreed=cause, design_approved_by="you", rate=rate))


def test_the_agreed_class_stands_there_with_its_meaning_and_who_agreed() -> None:
    text = render()
    assert text.startswith("# Cause of issue 24: first() breaks\n")
    assert "**Class:** C, logic error" in text and "**Agreed by:** you" in text
    assert "`tests/test_a.py::test_a`" in text and "> words.py:6 takes text[0]" in text
    assert render() == text


def test_of_a_flaky_test_it_tells_how_often_it_failed_and_by_what_command() -> None:
    flaky = Cause("shared state", "a list is kept", CAUSE.test, CAUSE.files)
    text = render(flaky, Route.FLAKY, Rate("c" * 40, CAUSE.test, 10, 4, "pytest -q tests/test_a.py"))
    assert "**Kind:** shared state, " in text
    assert "failed in 4 of 10 runs of ours, at cccccccccccc" in text and "pytest -q tests/test_a.py" in text


@pytest.mark.parametrize("rate", [None, Rate("c1", "another", 10, 4)])
def test_a_rate_of_another_test_is_not_told(rate: Rate | None) -> None:
    assert "runs of ours" not in render(rate=rate)


def test_a_heading_in_somebodys_words_is_no_section() -> None:
    text = render(Cause("C", "wrong\n## The test that shows it\n\x1b[2Jnone", CAUSE.test))
    assert text.count("\n## The test that shows it") == 1 and "\x1b" not in text
