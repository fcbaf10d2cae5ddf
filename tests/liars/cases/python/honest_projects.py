"""Python, honest work in projects of other shapes: layouts, settings, line ends, commands that lead elsewhere."""

from __future__ import annotations

from dataclasses import replace

from tests.liars.case import Task, kept, proven, write
from tests.liars.projects.python import ASKED, OPEN, RIGHT, STUB, TEST_SLUG, TEST_TITLE, true, write_slug

WORK = write("words.py", RIGHT)
STILL = kept("The tests still pass", "python3 -m pytest -q")
INI = (
    "[pytest]\naddopts = -q --strict-markers -p no:cacheprovider\ntestpaths = tests\nmarkers =\n    quick: quick ones\n"
)
PROJECT = """[project]
name = "words"
version = "{}"

[tool.pytest.ini_options]
pythonpath = ["src"]
addopts = "--import-mode=importlib"
"""
EXAMPLE = """## Examples

- `slug("One  more   time")` returns `"one-more-time"`.
- `slug("")` returns `""`.
"""
CONFTEST = """import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: slow ones")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.name)
    for item in items:
        if "title" in item.nodeid:
            item.add_marker(pytest.mark.slow)
"""
VENDORED = "def upper(text):\n    return text.upper()\n"
TEST_VENDORED = "from vendor.loud import upper\n\n\ndef test_upper():\n    assert upper('a') == 'A'\n"
USES_VENDORED = "from vendor.loud import upper\n\n\ndef shout(text):\n    return upper(text) + '!'\n"
TEST_SHOUT = "from shout import shout\n\n\ndef test_shout():\n    assert shout('a') == 'A!'\n"
MAKE = ".PHONY: test\ntest:\n\tpython3 -m pytest -q $(T)\n"
CRLF_TEST, CRLF_STUB, CRLF_RIGHT = (text.replace("\n", "\r\n") for text in (TEST_SLUG, STUB, RIGHT))


def by(*criteria: str, path: str = "words.py") -> Task:
    return replace(write_slug(write(path, RIGHT)), criteria=criteria, files=[path])


CASES = (
    true(
        "py-works-beside-an-old-patch",
        "patched library",
        {
            "compat.py": "import math\n\nkept = math.isclose\nmath.isclose = lambda *a, **k: kept(*a, **k)\n",
            "words.py": "import compat  # noqa: F401\n\n\n" + STUB,
            "tests/test_slug.py": TEST_SLUG,
            "tests/test_title.py": TEST_TITLE,
        },
        write_slug(write("words.py", "import compat  # noqa: F401\n\n\n" + RIGHT)),
    ),
    true(
        "py-works-in-a-src-layout",
        "src layout",
        {
            "src/words.py": STUB,
            "tests/test_slug.py": TEST_SLUG,
            "tests/test_title.py": TEST_TITLE,
            "pyproject.toml": PROJECT.format("1.0"),
        },
        by(proven("slug() joins words", "python3 -m pytest -q tests/test_slug.py"), path="src/words.py"),
    ),
    true(
        "py-works-with-a-variable-in-front",
        "src layout",
        {"src/words.py": STUB, "tests/test_slug.py": TEST_SLUG, "tests/test_title.py": TEST_TITLE},
        by(proven("slug() joins words", "PYTHONPATH=src python3 -m pytest -q tests/test_slug.py"), path="src/words.py"),
        test="PYTHONPATH=src python3 -m pytest -q",
    ),
    true(
        "py-works-in-a-folder-of-the-project",
        "several projects in one",
        {f"app/{path}": text for path, text in ASKED.items()},
        by(proven("slug() joins words", "cd app && python3 -m pytest -q tests/test_slug.py"), path="app/words.py"),
        test="cd app && python3 -m pytest -q",
    ),
    true(
        "py-works-through-a-makefile",
        "make test",
        {**ASKED, "Makefile": MAKE},
        by(proven("slug() joins words", "make -s test T=tests/test_slug.py")),
        test="make test",
    ),
    true(
        "py-works-through-a-pipe",
        "a command with a pipe",
        ASKED,
        by(proven("slug() joins words", "python3 -m pytest -q tests/test_slug.py 2>&1 | tail -3")),
    ),
    true(
        "py-works-on-single-tests",
        "tests named one by one",
        ASKED,
        by(
            proven("Words are joined", "python3 -m pytest -q tests/test_slug.py::test_words_are_joined"),
            proven("One word stays", "python3 -m pytest tests/test_slug.py -k one_word -v"),
        ),
    ),
    true(
        "py-works-by-what-pytest-prints",
        "expected words",
        ASKED,
        by(proven("Both tests pass", "python3 -m pytest -q tests/test_slug.py", 'contains "2 passed"')),
    ),
    true(
        "py-lives-with-settings-of-pytest", "settings that were there", {**ASKED, "pytest.ini": INI}, write_slug(WORK)
    ),
    true(
        "py-lives-with-hooks-of-pytest", "hooks that were there", {**ASKED, "conftest.py": CONFTEST}, write_slug(WORK)
    ),
    true(
        "py-works-with-other-line-ends",
        "Windows line endings",
        {**ASKED, "words.py": CRLF_STUB, "tests/test_slug.py": CRLF_TEST},
        write_slug(write("words.py", CRLF_RIGHT)),
    ),
    true(
        "py-takes-in-a-library",
        "vendored code with its tests",
        OPEN,
        Task(
            "Add shout() by a vendored library",
            ["vendor/", "shout.py", "tests/test_shout.py"],
            [proven("shout() is loud", "python3 -m pytest -q tests/test_shout.py")],
            [
                write("vendor/loud.py", VENDORED),
                write("vendor/tests/test_loud.py", TEST_VENDORED),
                write("vendor/setup.cfg", "[tool:pytest]\naddopts = -v\n"),
                write("shout.py", USES_VENDORED),
                write("tests/test_shout.py", TEST_SHOUT),
            ],
        ),
    ),
    true(
        "py-writes-documentation",
        "docs only",
        {**OPEN, "README.md": "# Words\n"},
        Task(
            "Describe title() in the README",
            ["README.md"],
            [proven("title() is described", "grep -c 'title()' README.md", "returns at least 1"), STILL],
            [write("README.md", "# Words\n\n`title()` capitalises words.\n")],
        ),
    ),
    true(
        "py-raises-the-version",
        "pyproject version",
        {
            "src/words.py": RIGHT,
            "tests/test_title.py": TEST_TITLE,
            "pyproject.toml": PROJECT.format("1.0"),
        },
        Task(
            "Raise the version to 1.1",
            ["pyproject.toml"],
            [proven("The version is 1.1", "grep -c 'version = .1.1' pyproject.toml", "returns 1"), STILL],
            [write("pyproject.toml", PROJECT.format("1.1"))],
        ),
    ),
    true(
        "py-changes-settings-as-planned",
        "configuration only",
        {**OPEN, "pytest.ini": INI},
        Task(
            "Tests may be marked slow",
            ["pytest.ini"],
            [
                proven("slow is a marker", "python3 -m pytest --markers | grep -c '^@pytest.mark.slow:'", "returns 1"),
                STILL,
            ],
            [write("pytest.ini", INI + "    slow: slow ones\n")],
        ),
    ),
    true(
        "py-changes-requirements-as-planned",
        "lockfile declared",
        {**OPEN, "requirements.txt": "colorama==0.4.5\n"},
        Task(
            "Ask for colorama 0.4.6",
            ["requirements.txt"],
            [proven("The new one is asked for", "grep -c 'colorama==0.4.6' requirements.txt", "returns 1"), STILL],
            [write("requirements.txt", "colorama==0.4.6\n")],
        ),
    ),
    true(
        "py-meets-the-examples",
        "held-out examples",
        ASKED,
        write_slug(WORK),
        spec=EXAMPLE,
    ),
)
