"""Names that are to be gone are read from the user's words, and none that only stand there. T8.lies"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.absent import Lookup, judge_absent
from autopilot.planning.spec.absences import read_absences


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("fetch_user is renamed to load_user everywhere; the old name fetch_user is gone", ("fetch_user",)),
        ("load_user takes the place of fetch_user, which is gone", ("fetch_user",)),
        ("Rename `total` to `sum_of` everywhere", ("total",)),
        ("Remove the deprecated function parseOld()", ("parseOld",)),
        ("The option --legacy is removed. The helper `old` was dropped.", ("--legacy", "old")),
        ("src/old.py is deleted", ("src/old.py",)),
        ("Delete utils/legacy.js", ("utils/legacy.js",)),
        # Kept under its old name too; things that are no names; something else that goes.
        ("fetch_user is renamed to load_user, with fetch_user kept as an alias", ()),
        ("`total` is deprecated and is removed in version 3", ()),
        ("The bug is gone. Users are removed after 30 days. All data is deleted.", ()),
        ("Remove duplicates from the list", ()),
        ("Remove `x` from the `items` list", ()),
        ("", ()),
    ],
)
def test_names_that_are_to_be_gone_are_read(text: str, names: tuple[str, ...]) -> None:
    assert read_absences(text) == names


def test_a_name_that_was_there_and_still_is_is_refused() -> None:
    gone, new = Lookup("old", ("a.py:3",), ()), Lookup("other", (), ("a.py:1",))
    still = Lookup("fetch_user", ("a.py:3",), ("a.py:3", "b.py:1", "c.py:1", "d.py:1"))
    (refused,) = judge_absent("phase", [gone, new, still])
    assert refused.where == "a.py:3"
    assert (
        refused.description
        == "`fetch_user` is to be gone, and is still there: a.py:3, b.py:1, c.py:1 and 1 more places"
    )
