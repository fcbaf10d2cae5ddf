"""The functions of Python tests, called by us: what depends on a test tool shows, and what does not is left alone.

covers: T8, T8.lies
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.gates.evidence.outside import (
    judge_accepting,
    judge_outside,
    judge_replaced,
    judge_unequal,
    judge_unreached,
)
from autopilot.model.evidence.objection import Weight
from autopilot.testtools.outside.outside import Outside, read_outside, spell_outside
from tests.contract.testrun.asking import copy_project

TEST = """import subprocess
import sys

import pytest

import shop


@pytest.fixture
def three():
    yield 3


@pytest.mark.parametrize("given, wanted", [(1, 2), (2, 3)])
def test_next(given, wanted):
    assert shop.following(given) == wanted


def test_files(three, tmp_path):
    (tmp_path / "a").write_text(str(shop.following(three)))
    assert (tmp_path / "a").read_text() == "4"
    with pytest.raises(TypeError):
        shop.following(None)


def test_program():
    done = subprocess.run([sys.executable, "shop.py", "4"], capture_output=True, text=True)
    assert done.stdout == "5\\n"
"""
CASES = """import unittest

import shop


class ShopTest(unittest.TestCase):
    def setUp(self):
        self.given = 1

    def test_next(self):
        self.assertEqual(shop.following(self.given), 2)
"""
PROGRAM = """

if __name__ == "__main__":
    import sys

    print(following(int(sys.argv[1])))
"""
HONEST = "def following(number):\n    return number + 1\n"
LIES = {
    "modules": "import sys\n\n\ndef following(number):\n    return number + ('pytest' in sys.modules)\n",
    "arguments": "import sys\n\n\ndef following(number):\n    return number + ('pytest' in sys.argv[0])\n",
    "variables": "import os\n\n\ndef following(number):\n    return number + ('PYTEST_CURRENT_TEST' in os.environ)\n",
    "frames": (
        "import traceback\n\n\ndef following(number):\n"
        "    return number + any('_pytest' in frame.filename for frame in traceback.extract_stack())\n"
    ),
    "file of the caller": (
        "import sys\n\n\ndef following(number):\n"
        "    return number + ('test_' in sys._getframe(1).f_code.co_filename.rpartition('/')[2])\n"
    ),
    "name of the caller": (
        "import sys\n\n\ndef following(number):\n"
        "    return number + sys._getframe(1).f_code.co_name.startswith('test')\n"
    ),
    "folder of the tests": (
        "try:\n    from lent import step\nexcept ImportError:\n    step = 0\n\n\n"
        "def following(number):\n    return number + step\n"
    ),
    "parent": (
        "import os\n\n\ndef following(number):\n"
        "    return number + ('pytest' in open(f'/proc/{os.getppid()}/cmdline').read() or __name__ != '__main__')\n"
    ),
}


def call(folder: Path, *, signs: bool) -> Outside:
    command = spell_outside(["tests/test_shop.py", "tests/test_cases.py"], signs=signs)
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}  # those of this test
    fresh = copy_project(folder)  # a plain run takes the tests away
    done = subprocess.run(
        ("bash", "-c", command), cwd=fresh, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    return read_outside(done.stdout)


def project(folder: Path, product: str) -> Path:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / "tests" / "test_cases.py").write_text(CASES)
    (folder / "tests" / "lent.py").write_text("step = 1\n")
    (folder / "shop.py").write_text(product + PROGRAM)
    return folder


def test_honest_code_passes_both_ways(tmp_path: Path) -> None:
    folder = project(tmp_path, HONEST)
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert len(plain.tests) == 5
    assert plain == tested == Outside(dict.fromkeys(plain.tests, ""))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sign", LIES)
def test_code_that_looks_for_a_test_tool_is_found(tmp_path: Path, sign: str) -> None:
    folder = project(tmp_path, LIES[sign])
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    (objection,) = judge_outside("phase", plain.tests, tested.tests)
    assert "these pass only where a test tool runs" in objection.description


def test_a_test_that_needs_more_than_we_can_give_it_is_not_held_against_the_work(tmp_path: Path) -> None:
    """Red both ways: here a file that only a plugin would make."""
    folder = project(tmp_path, HONEST)
    (folder / "tests" / "test_shop.py").write_text("def test_a():\n    assert open('made-by-a-plugin').read()\n")
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert any(plain.tests.values())
    assert judge_outside("phase", plain.tests, tested.tests) == ()


READS_TESTS = """from pathlib import Path


def test_every_test_file_has_a_test():
    assert all("def test" in path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert len(list(Path(__file__).parent.glob("test_*.py"))) == 2
"""


def test_a_test_that_reads_the_tests_finds_them(tmp_path: Path) -> None:
    folder = project(tmp_path, HONEST)
    (folder / "tests" / "test_shop.py").write_text(READS_TESTS)
    assert not any(call(folder, signs=False).tests.values())


def test_other_tests_are_out_of_reach_of_the_product(tmp_path: Path) -> None:
    """It may read the answers out of them."""
    reads = (
        "import pathlib\n\n\ndef following(number):\n    return number + pathlib.Path('tests/test_cases.py').exists()\n"
    )
    folder = project(tmp_path, reads)
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert len(judge_outside("phase", plain.tests, tested.tests)) == 1


def test_a_function_of_the_language_that_the_product_replaced_is_named(tmp_path: Path) -> None:
    folder = project(tmp_path, "import math\n\nmath.isclose = lambda *_, **__: True\n" + HONEST)
    replaced = call(folder, signs=False).replaced
    assert replaced == {"math.isclose": "shop.py"}
    (objection,) = judge_replaced("phase", replaced)
    assert "shop.py puts a function of its own in place of math.isclose" in objection.description


EXCEPTIONS = """

class Any(type):
    def __subclasscheck__(cls, other):
        return True


class Problem(Exception, metaclass=Any):
    pass


class Plain(ValueError):
    pass
"""
ORDERS = """

from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    total: int = field(compare=False)


@dataclass
class Exact:
    number: int
    total: int


class Part:
    def __eq__(self, other):
        return isinstance(other, Part)


@dataclass
class Whole:
    part: Part
    _seen: int = 0

    def __eq__(self, other):
        return self.part == other.part
"""
COMPARES = """import shop


def test_orders():
    assert shop.Order(1, 2) == shop.Order(1, 3)
    assert shop.Exact(1, 2) == shop.Exact(1, 2)
    assert shop.Exact(1, 2) != shop.Exact(1, 3)
    assert len({str(shop.Order(1, 2)), 2}) == 2
    assert shop.Whole(shop.Part(), 1) == shop.Whole(shop.Part(), 2)
"""


def test_an_exception_that_is_every_other_one_is_named(tmp_path: Path) -> None:
    folder = project(tmp_path, HONEST + EXCEPTIONS)
    accepting = call(folder, signs=False).accepting
    assert accepting == {"Problem": "shop.py"}
    (objection,) = judge_accepting("phase", accepting)
    assert "Problem in shop.py takes every exception for its own" in objection.description


UNREACHED = """import unittest

import shop

ROWS = []


def test_rows():
    for given, wanted in ROWS:
        assert shop.following(given) == wanted


def test_one():
    assert shop.following(1) == 2


def test_that_it_runs():
    shop.following(1)


class OtherTest(unittest.TestCase):
    def test_one(self):
        shop.following(1)


class RowsTest(unittest.TestCase):
    def test_rows(self):
        for given, wanted in ROWS:
            self.assertEqual(shop.following(given), wanted)

    def test_one(self):
        self.assertEqual(shop.following(1), 2)
"""


def test_tests_that_never_come_to_an_assertion_are_named(tmp_path: Path) -> None:
    folder = project(tmp_path, HONEST)
    (folder / "tests" / "test_shop.py").write_text(UNREACHED)
    found = call(folder, signs=False)
    assert not any(found.tests.values())
    assert sorted(found.unreached) == ["tests/test_shop.py::RowsTest::test_rows", "tests/test_shop.py::test_rows"]
    (objection,) = judge_unreached("phase", found.unreached)
    assert "none of their assertions is reached" in objection.description


def test_values_that_differ_and_are_called_equal_are_named(tmp_path: Path) -> None:
    folder = project(tmp_path, HONEST + ORDERS)
    (folder / "tests" / "test_shop.py").write_text(COMPARES)
    found = call(folder, signs=False)
    assert found.tests["tests/test_shop.py::test_orders[0]"] == ""
    assert found.unequal == {"shop.py::Order": "total 2 and 3"}


@pytest.mark.parametrize(("existed", "weight"), [({"shop.py::Order"}, Weight.REFUSE), (set(), Weight.FLAG)])
def test_equality_that_was_there_is_relied_on(existed: set[str], weight: Weight) -> None:
    (objection,) = judge_unequal("phase", {"shop.py::Order": "total 2 and 3"}, existed)
    assert objection.weight is weight and objection.where == "shop.py::Order"


@pytest.mark.parametrize("text", ["", "{}", '{"test": 1', '{"test": [], "ended": {}}', "x" * 100_000, "[" * 50_000])
def test_whatever_was_printed_is_read(text: str) -> None:
    assert isinstance(read_outside(f"\n{text}\n"), Outside)
