"""Ids of tests that stand elsewhere, the same in meaning: neither lost nor new. covers: T8.R"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.kept import known_ids, only_moved_as_planned, was_kept
from autopilot.gates.evidence.test_run import Excuses, judge_tests
from autopilot.model.evidence.control import Kept
from tests.unit.gates.reports import report

OLD, NEW = "tests/test_shop.py", "tests/test_cart.py"
KEPT = ((OLD, Kept("TestShop::test_total", NEW, "TestCart::test_total")), (OLD, Kept("test_open", NEW, "test_hours")))
NOW = report(f"ok {NEW}::TestCart::test_total", f"ok {NEW}::test_hours[9-17]")
TEXT = "Move the tests of test_shop.py to tests/test_cart.py."


@pytest.mark.parametrize(
    ("id", "kept"),
    [
        (f"{OLD}::TestShop::test_total", True),
        (f"{OLD}::test_open[1]", True),
        ("tests.test_shop.TestShop.test_total", True),
        (f"{OLD}::TestOther::test_total", False),
        (f"{OLD}::test_closed", False),
    ],
)
def test_a_test_is_known_by_the_name_it_had(id: str, kept: bool) -> None:
    assert was_kept(id, OLD, KEPT) is kept
    assert not was_kept(id, "tests/test_bank.py", KEPT)


def test_a_table_with_more_rows_than_tests_were_put_into_it_holds_new_ones() -> None:
    assert known_ids(NOW, KEPT) == {f"{NEW}::TestCart::test_total", f"{NEW}::test_hours[9-17]"}
    more = report(f"ok {NEW}::test_hours[9-17]", f"ok {NEW}::test_hours[0-24]")
    assert known_ids(more, KEPT) == frozenset()


@pytest.mark.parametrize(
    ("lines", "text", "moved"),
    [
        ((), TEXT, True),
        ((), "Add a cart.", False),  # no word of moving tests: the criterion promises a cart
        ((f"ok {NEW}::test_new",), TEXT, False),
    ],
)
def test_tests_that_a_plan_moves_promise_nothing_new(lines: tuple[str, ...], text: str, moved: bool) -> None:
    now = report(f"ok {NEW}::TestCart::test_total", f"ok {NEW}::test_hours", *lines)
    assert only_moved_as_planned(now, KEPT, (), text) is moved


def test_a_test_that_stands_elsewhere_is_not_lost() -> None:
    before = report(f"ok {OLD}::TestShop::test_total", f"ok {OLD}::test_open")
    assert judge_tests("c1", before, NOW, Excuses(kept=KEPT)) == ()
    assert judge_tests("c1", before, NOW, Excuses(kept=KEPT[:1])) != ()


def test_tests_of_what_the_plan_removes_may_go_from_a_file_it_lists() -> None:
    before, after = report(f"ok {OLD}::test_open", f"ok {OLD}::test_b"), report(f"ok {OLD}::test_b")
    dropped = frozenset({(OLD, "test_open")})
    (flag,) = judge_tests("c1", before, after, Excuses(files=(OLD,), dropped=dropped))
    assert flag.description.startswith("removed, as the plan says")
    (refusal,) = judge_tests("c1", before, after, Excuses(dropped=dropped))
    assert refusal.satisfy
