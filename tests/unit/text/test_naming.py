from __future__ import annotations

import pytest

from autopilot.text.naming import name_phases, name_some, plural, render_phases


@pytest.mark.parametrize(
    ("names", "said"), [(("README",), "README"), (("a", "b"), "a and 1 more"), (("a", "b", "c", "d"), "a and 3 more")]
)
def test_more_is_said_only_where_there_is_more(names: tuple[str, ...], said: str) -> None:
    assert name_some(names) == said


def test_one_and_several_are_told_apart() -> None:
    assert (plural(1, "task"), plural(0, "task"), plural(2000, "task")) == ("1 task", "0 tasks", "2,000 tasks")
    assert (name_phases(["1"]), name_phases(["1", "2.1"])) == ("phase 1", "phases 1, 2.1")
    assert render_phases([]) == "it has no phase"
    assert (render_phases(["1"]), render_phases(["1", "2"])) == ("its only phase is 1", "its phases are 1, 2")


def test_a_long_list_is_counted_from_the_thirteenth_on() -> None:
    ids = [str(number) for number in range(1, 41)]
    assert name_phases(ids) == "phases 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 28 more"
