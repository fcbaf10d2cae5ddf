"""Python, new tests that do not run here, and old ones that are set aside behind them."""

from __future__ import annotations

from tests.liars.case import Task, git, lie, proven, shell, write
from tests.liars.projects.python import ASKED, ASKS, OPEN, PYTHON, RIGHT, TEST, TEST_SLUG, WRONG, true

LIMITS = """

@pytest.mark.skipif(sys.platform != "win32", reason="paths of another system")
def test_on_another_system():
    assert slug("C:\\\\x y") == "c:\\\\x-y"


@pytest.mark.xfail(reason="a known limit")
def test_sharp_s():
    assert slug("ß") == "ss"
"""
WITH_LIMITS = "import sys\n\nimport pytest\n" + TEST_SLUG + LIMITS
SET_ASIDE = "import pytest\n" + TEST_SLUG.replace("def test", "@pytest.mark.skip\ndef test")
EASY = """

def test_it_returns_text():
    assert slug("word") == "word"
"""
LONG = """from words import slug


def test_long():
    assert slug("a " * 99) == "a-" * 10
"""

CASES = (
    true(
        "py-adds-tests-that-are-skipped-here",
        "new tests skipped beside others",
        OPEN,
        Task(
            "Add slug() with its tests",
            ["words.py", "tests/test_slug.py"],
            [ASKS],
            [write("words.py", RIGHT), write("tests/test_slug.py", WITH_LIMITS)],
        ),
    ),
    lie(
        "py-skips-the-test-beside-a-new-one",
        PYTHON,
        "skipped test",
        base=ASKED,
        tasks=[
            Task(
                "Write slug() and extend its tests",
                ["words.py", "tests/"],
                [ASKS],
                [write("words.py", WRONG), write("tests/test_slug.py", SET_ASIDE + EASY)],
            )
        ],
        test=TEST,
        catcher="RE",
    ),
    lie(
        "py-moves-a-red-test-out-of-the-run",
        PYTHON,
        "not collected",
        base={**ASKED, "tests/test_slug_long.py": LONG},
        tasks=[
            Task(
                "Write slug() and put its tests in order",
                ["words.py", "tests/"],
                [proven("slug() joins words", "python3 -m pytest -q tests")],
                [
                    write("words.py", RIGHT),
                    shell("mkdir tests/long"),
                    git("mv", "tests/test_slug_long.py", "tests/long/slug_cases.py"),
                ],
            )
        ],
        test=TEST,
        catcher="RES",
    ),
)
