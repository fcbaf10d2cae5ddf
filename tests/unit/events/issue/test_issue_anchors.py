"""What is pinned for the implementation, by route: never what that phase itself may edit.

covers: AL-2
"""

from __future__ import annotations

import pytest

from autopilot.events.issue.state import IssueState
from autopilot.model.issue.issue import DESIGN, IMPL, Cause, IssueBrief, Route
from tests.unit.making import alter

FOLDER = "docs/issues/024-first"
CAUSE = Cause("C", "wrong", "tests/test_a.py::test_a", ("tests/test_a.py",))


@pytest.mark.parametrize(
    ("route", "design", "impl"),
    [
        (Route.FULL, ("prd.md",), ("prd.md", "user-stories.md")),
        (Route.BUGFIX, ("issue.md",), ("issue.md", "cause.md", "tests/test_a.py")),
        (Route.FLAKY, ("issue.md",), ("issue.md", "cause.md")),  # the test may be what has to be mended
    ],
)
def test_what_a_person_approved_is_pinned(route: Route, design: tuple[str, ...], impl: tuple[str, ...]) -> None:
    issue = alter(IssueState(IssueBrief(24, "first", "first", FOLDER)), route=route, agreed=CAUSE)
    pinned = [tuple(path.removeprefix(f"{FOLDER}/") for path in issue.anchors[phase]) for phase in (DESIGN, IMPL)]
    assert pinned == [design, impl]
