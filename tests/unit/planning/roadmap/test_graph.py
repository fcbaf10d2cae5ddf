"""Dependencies among phases: what is still open, and how a circle is told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.roadmap.graph import describe_circle, open_dependencies, topological_order

ONE, TWO, THREE = PhaseId("1"), PhaseId("2"), PhaseId("3")
WAITS = {ONE: (), TWO: (ONE,), THREE: (TWO,)}


@pytest.mark.parametrize(
    ("phase", "met", "left"), [(THREE, (), [ONE, TWO]), (THREE, (TWO,), []), (TWO, (ONE,), []), (ONE, (), [])]
)
def test_open_dependencies_are_told_with_their_own(
    phase: PhaseId, met: tuple[PhaseId, ...], left: list[PhaseId]
) -> None:
    assert open_dependencies(phase, WAITS, met) == left


def test_a_circle_is_told_with_the_lines_to_change() -> None:
    circle = [Phase(ONE, "a", depends_on=(TWO,), line=3), Phase(TWO, "b", depends_on=(ONE,), line=5)]
    with pytest.raises(UsageError) as raised:
        topological_order(circle)
    assert raised.value.hint == (
        "remove one of these dependencies: of phase 1 on phase 2 (line 3) or of phase 2 on phase 1 (line 5)"
    )


def test_a_circle_among_files_is_named_by_them_and_one_of_what_is_done_stops_nothing() -> None:
    circle = [
        Phase(ONE, "a", depends_on=(TWO,), path="tasks/1.md", line=3),
        Phase(TWO, "b", depends_on=(ONE,), path="tasks/2.md", line=5),
    ]
    assert "of phase 1 on phase 2 (tasks/1.md:3)" in describe_circle(circle)
    assert describe_circle([replace(circle[0], ticked=True), circle[1]]) == ""
