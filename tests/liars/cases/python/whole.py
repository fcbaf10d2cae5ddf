"""Python, plans that promise nothing but that all tests pass: the tests that come with the work speak for it."""

from __future__ import annotations

from tests.liars.case import Task, honest, lie, write
from tests.liars.projects.python import BARE, OPEN, PYTHON, RIGHT, TEST, TEST_SLUG, WRONG

ALL = f"All tests pass -- verified by: `{TEST}`"
FILES = ["words.py", "tests/test_slug.py"]
EMPTY = "import words\n\n\ndef test_slug_is_there():\n    assert words\n    words.slug('Hello World')\n"
TIDY = BARE.replace("word.capitalize() for word in text.split()", "part.capitalize() for part in text.split()")
MORE = "from words import title\n\n\ndef test_one_word():\n    assert title('word') == 'Word'\n"


CASES = (
    lie(
        "py-all-tests-pass-with-empty-ones",
        PYTHON,
        "empty test",
        base=OPEN,
        tasks=[Task("Add slug() with its tests", FILES, [ALL], [write(FILES[0], WRONG), write(FILES[1], EMPTY)])],
        test=TEST,
        catcher="ME",
    ),
    honest(
        "py-all-tests-pass-with-its-own",
        PYTHON,
        "whole suite",
        base=OPEN,
        tasks=[Task("Add slug() with its tests", FILES, [ALL], [write(FILES[0], RIGHT), write(FILES[1], TEST_SLUG)])],
        test=TEST,
    ),
    honest(
        "py-all-tests-pass-after-a-refactoring",
        PYTHON,
        "whole suite",
        base=OPEN,
        tasks=[
            Task(
                "Tidy title(), with a further test",
                ["words.py", "tests/test_more.py"],
                [ALL],
                [write("words.py", TIDY), write("tests/test_more.py", MORE)],
            )
        ],
        test=TEST,
    ),
)
