"""What tests alone import to compare with judges as they do, wherever it stands. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.inspection.control.behind import runs_tests, scripts_behind
from autopilot.inspection.control.changes import control_changes
from autopilot.inspection.control.judging_modules import becomes_product, helpers_of_tests
from autopilot.model.evidence.control import ControlKind, Meaning
from autopilot.model.git import Change

PRODUCT = {"shop/__init__.py": "", "shop/cart.py": "def total(rows):\n    return sum(rows)\n"}
HEAP = "tests/test_heap.py"
ASSERTING = "def assert_rows(got, want):\n    assert list(got) == list(want)\n"


@pytest.mark.parametrize(
    ("path", "text", "test"),
    [
        ("limits.py", "TOLERANCE = 1e-8\n", "from limits import TOLERANCE\n"),
        ("kit/kit/__init__.py", ASSERTING, "from kit import assert_rows\n"),
        ("shop/testing.py", "import unittest\n\n\nclass Case(unittest.TestCase):\n    pass\n", "import shop.testing\n"),
        (
            "shop/fakes.py",
            "import pytest\n\n\n@pytest.fixture\ndef cart():\n    pass\n",
            "from shop.fakes import cart\n",
        ),
    ],
)
def test_a_helper_of_tests_is_found(path: str, text: str, test: str) -> None:
    files = {**PRODUCT, path: text, "tests/test_cart.py": test}
    assert helpers_of_tests([path, "shop/cart.py"], files, files.get) == (path,)


@pytest.mark.parametrize(
    ("files", "changed"),
    [
        # Product code that asserts on its way to a result.
        (
            {"shop/heap.py": "def pop(rows):\n    assert rows\n    return rows.pop()\n", HEAP: "import shop.heap\n"},
            "shop/heap.py",
        ),
        (
            {"shop/heap.py": "def push(rows):\n    assert rows\n    rows.clear()\n", HEAP: "import shop.heap\n"},
            "shop/heap.py",
        ),
        # The product uses these values as well.
        ({"limits.py": "M = 3\n", "shop/cart.py": "import limits\n", HEAP: "import limits\n"}, "limits.py"),
        ({"limits.py": "MOST = 3\n"}, "limits.py"),
        ({"points.py": "from typing import Any\n\nPoint = make('x y')\n", HEAP: "import points\n"}, "points.py"),
        # The front of a package.
        ({"kit/__init__.py": "from .a import b\n\n__all__ = ['b']\n", HEAP: "import kit\n"}, "kit/__init__.py"),
    ],
)  # fmt: skip
def test_the_product_is_none(files: dict[str, str], changed: str) -> None:
    files = {**PRODUCT, **files}
    assert helpers_of_tests([changed], files, files.get) == ()


def test_a_plugin_that_settings_name_is_one() -> None:
    files = {**PRODUCT, "pytest.ini": "[pytest]\naddopts = -p shop.plug\n", "shop/plug.py": "import pytest\n"}
    assert helpers_of_tests(["shop/plug.py"], files, files.get) == ("shop/plug.py",)


def test_a_script_that_only_tests_require_is_one() -> None:
    files = {"lib/compare.js": "assert.equal(1, 1)\n", "test/a.test.js": "const c = require('../lib/compare');\n"}
    assert helpers_of_tests(["lib/compare.js"], files, files.get) == ("lib/compare.js",)


@pytest.mark.parametrize(
    ("check", "files", "judging"),
    [
        ("python3 ci/accept.py", {"ci/accept.py": "import sys\n"}, {"ci/accept.py"}),
        (
            "sh dev/check",
            {"dev/check": "#!/bin/sh\n. dev/env.sh\npython3 see.py\n", "dev/env.sh": "A=1\n", "see.py": "assert 1\n"},
            {"dev/check", "dev/env.sh", "see.py"},
        ),
        (
            "make test",
            {"Makefile": "include config.mk\n\ntest:\n\tpytest\n", "config.mk": "FLAGS = -q\n"},
            {"Makefile", "config.mk"},
        ),
    ],
)  # fmt: skip
def test_what_a_check_goes_through_judges_whatever_its_name(
    check: str, files: dict[str, str], judging: set[str]
) -> None:
    assert judging <= set(scripts_behind([], files.get, [check]))


NAMES_IT = "def test_total():\n    assert total() == open('data/approved.txt').read()\n"


@pytest.mark.parametrize(
    ("product", "found"),
    [
        ("def total():\n    return 1\n", ("data/approved.txt",)),
        ("def total():\n    return open('data/approved.txt').read()\n", ()),
        ("def total():\n    return glob('data/*.txt')\n", ()),
        ('def total():\n    return Path("data").iterdir()\n', ()),
        ("def total():\n    return Path('data').iterdir()\n", ()),
    ],
)
def test_data_that_tests_alone_name_judges(product: str, found: tuple[str, ...]) -> None:
    files = {"shop.py": product, "test_shop.py": NAMES_IT, "data/approved.txt": "1\n", "data/other.txt": "2\n"}
    assert helpers_of_tests(["shop.py", "data/approved.txt", "data/other.txt"], files, files.get) == found


BEHIND = {
    "package.json": '{"scripts": {"test": "node --test", "lint": "eslint .", "check": "npm test"}}',
    "Makefile": "test:\n\tpython3 -m pytest\n\nlint:\n\truff check .\n",
    "check.sh": "go test ./...\n",
}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm test", True),
        ("npm run lint", False),
        ("make -s test", True),
        ("make lint", False),
        ("sh check.sh", True),
        ("ruff check .", False),
        ("bats tests", True),
        ("grep -q '^pytest>=7' requirements-dev.txt", False),
        ("grep -q x a.txt && pytest -q", True),
    ],
)
def test_a_command_runs_tests_by_what_it_calls(command: str, expected: bool) -> None:
    assert runs_tests(command, BEHIND.get) is expected


def test_a_manifest_that_a_test_reads_is_none() -> None:
    files = {"package.json": '{"version": "1.0.0"}', "shop.js": "", "test/shop.test.js": 'read("package.json")\n'}
    assert helpers_of_tests(["package.json"], files, files.get) == ()


@pytest.mark.parametrize(
    ("new", "meaning"),
    [
        ("LIMIT = 40\n\n\ndef cut(text):\n    return text[:LIMIT]\n", Meaning.ADDS),
        ("LIMIT = 41\n", Meaning.OTHER),
    ],
)
def test_a_module_of_values_may_get_functions_and_no_other_values(new: str, meaning: Meaning) -> None:
    files = {"limits.py": "LIMIT = 40\n", "tests/test_limits.py": "from limits import LIMIT\n\nassert LIMIT == 40\n"}
    change = Change("limits.py", "M", "100644", "100644")
    (found,) = control_changes([change], files.get, {**files, "limits.py": new}.get, (), ["limits.py"])
    assert (found.kind, found.meaning) == (ControlKind.HELPER, meaning)


def test_a_module_of_values_that_gets_code_of_its_own_becomes_product() -> None:
    values, built = 'SECONDS = {"s": 1}\n', 'SECONDS = {"s": 1}\n\n\ndef parse(text):\n    return SECONDS[text[-1]]\n'
    assert becomes_product("units.py", values, built)
    assert becomes_product("money.py", values, "class Money:\n    def __eq__(self, other):\n        return True\n")
    assert not becomes_product("units.py", values, values + "M = 3\n")
    assert not becomes_product("units.py", values, ASSERTING)  # it judges then
    assert not becomes_product("units.py", ASSERTING, built)  # it judged before
    assert not becomes_product("units.js", "", "export const f = () => 1;\n")
