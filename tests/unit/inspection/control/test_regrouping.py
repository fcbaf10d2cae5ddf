"""Tests in another order, file or table, or under a new name of the product, are found again. covers: T8.S"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from autopilot.inspection.control.changes import control_changes
from autopilot.inspection.control.meaning.python_units import (
    find_tests_that_use,
    removed_definitions,
    renamed_definitions,
)
from autopilot.inspection.control.meaning.regrouping import find_kept, unchanged_tests
from autopilot.model.evidence.control import Kept, Meaning
from autopilot.model.git import Change

PATH = "tests/test_shop.py"
OLD = """import pytest
from shop import total
from . import helpers


def rows():
    return [1]


def test_one():
    assert total(rows()) == 1


def test_two():
    assert total([1, 1]) == 2


class TestShop:
    def setup_method(self):
        self.goods = [3]

    def test_goods(self):
        assert total(self.goods) == 3
"""
HEAD, CLASS = OLD.partition("def test_one")[0], OLD[OLD.index("class TestShop") :]
ONE, TWO = (
    OLD[OLD.index("def test_one") : OLD.index("def test_two")],
    OLD[OLD.index("def test_two") : OLD.index("class")],
)
TABLE = """@pytest.mark.parametrize("given, wanted", [([1], 1), ([1, 1], 2), ([], 0)])
def test_total(given, wanted):
    assert total(given) == wanted


"""


@pytest.mark.parametrize(
    "new",
    [
        {PATH: HEAD + CLASS + "\n\n" + TWO + ONE},
        {PATH: HEAD + ONE + TABLE + CLASS},
        {PATH: HEAD + TWO, "tests/test_one.py": HEAD + ONE, "tests/test_class.py": HEAD + CLASS},
        {"tests/test_other.py": OLD.replace("def test_one()", "def test_first() -> None")},
        {PATH: HEAD + CLASS + "\n\n" + TWO + ONE + 'if __name__ == "__main__":\n    pytest.main()\n'},
    ],
)
def test_tests_that_stand_elsewhere_are_found_again(new: Mapping[str, str]) -> None:
    kept = find_kept(OLD, PATH, new, {})
    assert kept is not None and {test.name for test in kept} == {"test_one", "test_two", "TestShop::test_goods"}
    assert {test.path for test in kept} <= new.keys()


MOVED = HEAD + CLASS + "\n\n" + TWO + ONE


@pytest.mark.parametrize(
    "new",
    [
        HEAD + TWO + CLASS,  # one is gone
        MOVED.replace("== 2", "== 3"),
        MOVED.replace("return [1]", "return [2]"),  # what it calls is another thing
        MOVED.replace("from shop import", "from helpers import"),
        MOVED.replace("self.goods = [3]", "self.goods = []"),
        MOVED + "\n\n@pytest.fixture(autouse=True)\ndef every(monkeypatch):\n    pass\n",
        MOVED + "\n\npytestmark = pytest.mark.skip\n",
        MOVED + "\n\ntotal.__code__ = rows.__code__\n",
        MOVED + "\n\ndef total(goods):\n    return len(goods)\n",
        MOVED.replace("def test_two", "@pytest.mark.skip\ndef test_two"),
        HEAD + TABLE + CLASS,  # a list in place of what rows() returns
        HEAD + TABLE.replace("([1], 1)", "(rows(), 1)") + CLASS,  # runs something when it is loaded
        HEAD + ONE + TABLE.replace("([1, 1], 2)", "([1, 1], 3)") + CLASS,
        HEAD + ONE + TABLE.replace("([1, 1], 2)", "pytest.param([1, 1], 2, marks=pytest.mark.skip)") + CLASS,
        OLD + "\n\ndef test_one():\n    assert total\n",  # the old one stands there, and is never run
        "not python (",
    ],
)
def test_a_test_that_means_something_else_is_not_found(new: str) -> None:
    assert find_kept(OLD, PATH, {PATH: new}, {}) is None


def test_tests_may_follow_a_new_name_of_the_product() -> None:
    new = {PATH: OLD.replace("total", "sum_up")}
    assert find_kept(OLD, PATH, new, {}) is None
    assert find_kept(OLD, PATH, new, {"total": "sum_up"}) is not None
    assert find_kept(OLD, PATH, {PATH: new[PATH].replace("== 2", "== 3")}, {"total": "sum_up"}) is None


def test_a_new_name_is_one_only_where_the_definition_is_the_same() -> None:
    old = "def total(goods):\n    return sum(goods)\n\n\ndef twice(goods):\n    return 2 * total(goods)\n"
    new = old.replace("total", "sum_up")
    assert renamed_definitions({"shop.py": old}, {"shop.py": new}) == {"total": "sum_up"}
    assert renamed_definitions({"shop.py": old}, {"shop.py": new.replace("sum(goods)", "0")}) == {}
    assert removed_definitions({"shop.py": old}, {"shop.py": new}) == {"total"}
    assert find_tests_that_use(OLD, frozenset({"total"})) == {"test_one", "test_two", "TestShop::test_goods"}
    assert find_tests_that_use(OLD, frozenset({"rows"})) == {"test_one"}


def test_tests_beside_a_changed_one_are_unchanged() -> None:
    new = OLD.replace("== 2", "== 3")
    assert unchanged_tests(OLD, new, PATH) == {"test_one", "TestShop::test_goods"}
    assert unchanged_tests(OLD, new + "\npytestmark = []\n", PATH) == frozenset()


FILE, NONE = "100644", "000000"


def change(path: str, old: Mapping[str, str], new: Mapping[str, str]) -> Change:
    if path not in old:
        return Change(path, "A", NONE, FILE)
    return Change(path, "M", FILE, FILE) if path in new else Change(path, "D", FILE, NONE)


def meanings(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, Meaning]:
    changes = [change(path, old, new) for path in sorted(old.keys() | new.keys()) if old.get(path) != new.get(path)]
    found = control_changes(changes, old.get, new.get, paths=list(old))
    return {change.path: change.meaning for change in found}


CITY = "import pytest\n\n\n@pytest.fixture\ndef city():\n    return 'Rome'\n"
USES = "def test_it(world, tmp_path):\n    assert world\n"


@pytest.mark.parametrize(
    ("before", "after", "meaning"),
    [
        ("", CITY, Meaning.ADDS),
        ("import pytest\n", CITY, Meaning.ADDS),
        (CITY, CITY.replace("'Rome'", '"Rome"  # a city'), Meaning.SAME),
        (CITY, CITY.replace("def city():", "def city() -> str:"), Meaning.ADDS),
        (CITY, CITY.replace("Rome", "Oslo"), Meaning.OTHER),
        ("", CITY.replace("city", "world"), Meaning.OTHER),  # a test asks for it
        ("", CITY.replace("city", "tmp_path"), Meaning.OTHER),
        ("", CITY.replace("city", "monkeypatch"), Meaning.OTHER),  # no test asks for it, and other fixtures do
        ("", CITY.replace("fixture\n", "fixture(autouse=True)\n"), Meaning.OTHER),
        ("", CITY.replace("fixture\n", "fixture(name='world')\n"), Meaning.OTHER),
        ("", "def pytest_collection_modifyitems(items):\n    items.clear()\n", Meaning.OTHER),
        ("", "import shop\n\nshop.total = len\n", Meaning.OTHER),
        ("", "collect_ignore = ['test_a.py']\n", Meaning.OTHER),
        ("", "from patches import patching\n", Meaning.OTHER),  # that came with this work
        ("", "from tests.patches import patching\n", Meaning.OTHER),
    ],
)
def test_what_is_loaded_by_itself_may_only_bring_what_nobody_used(before: str, after: str, meaning: Meaning) -> None:
    old = {"tests/test_a.py": USES, **({"tests/conftest.py": before} if before else {})}
    new = {**old, "tests/conftest.py": after, "tests/patches.py": "X = 1\n"}
    assert meanings(old, new)["tests/conftest.py"] is meaning


def test_a_helper_may_be_added_to_and_not_changed() -> None:
    old = {"tests/helpers.py": "def same(a, b):\n    assert a == b\n"}
    more = old["tests/helpers.py"] + "\n\ndef cities():\n    return ['Rome']\n"
    assert meanings(old, {"tests/helpers.py": more}) == {"tests/helpers.py": Meaning.ADDS}
    assert meanings(old, {"tests/helpers.py": more.replace("assert", "return")}) == {"tests/helpers.py": Meaning.OTHER}


def test_a_file_whose_tests_stand_elsewhere_says_where() -> None:
    new = {"tests/test_one.py": HEAD + ONE, "tests/test_rest.py": HEAD + TWO + CLASS}
    changes = [change(path, {PATH: OLD}, new) for path in (PATH, *new)]
    found = {change.path: change for change in control_changes(changes, {PATH: OLD}.get, new.get)}
    assert found[PATH].meaning is Meaning.ADDS
    assert Kept("test_two", "tests/test_rest.py", "test_two") in found[PATH].kept
