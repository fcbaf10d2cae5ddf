"""The functions of Python tests, called by us: what depends on a test tool shows, and what does not is left alone.

covers: T8, T8.lies
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.gates.evidence.outside import judge_outside, judge_replaced
from autopilot.testtools.outside.outside import Outside, read_outside, spell_outside

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
    "parent": (
        "import os\n\n\ndef following(number):\n"
        "    return number + ('pytest' in open(f'/proc/{os.getppid()}/cmdline').read() or __name__ != '__main__')\n"
    ),
}


def call(folder: Path, *, signs: bool) -> Outside:
    command = spell_outside(["tests/test_shop.py", "tests/test_cases.py"], signs=signs)
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}  # those of this test
    done = subprocess.run(
        ("bash", "-c", command), cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    return read_outside(done.stdout)


def project(folder: Path, product: str) -> Path:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / "tests" / "test_cases.py").write_text(CASES)
    (folder / "shop.py").write_text(product + PROGRAM)
    return folder


def test_honest_code_passes_both_ways(tmp_path: Path) -> None:
    folder = project(tmp_path, HONEST)
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert len(plain.tests) == 5
    assert plain == tested == Outside(dict.fromkeys(plain.tests, ""))


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


def test_a_function_of_the_language_that_the_product_replaced_is_named(tmp_path: Path) -> None:
    folder = project(tmp_path, "import math\n\nmath.isclose = lambda *_, **__: True\n" + HONEST)
    replaced = call(folder, signs=False).replaced
    assert replaced == {"math.isclose": "shop.py"}
    (objection,) = judge_replaced("phase", replaced)
    assert "shop.py puts a function of its own in place of math.isclose" in objection.description


@pytest.mark.parametrize("text", ["", "{}", '{"test": 1', '{"test": [], "ended": {}}', "x" * 100_000, "[" * 50_000])
def test_whatever_was_printed_is_read(text: str) -> None:
    assert isinstance(read_outside(f"\n{text}\n"), Outside)
