"""Python, honest work on code: plain and awkward."""

from __future__ import annotations

from tests.liars.case import Task, delete, git, kept, proven, shell, write
from tests.liars.projects.python import (
    ASKED,
    BARE,
    OPEN,
    RIGHT,
    STUB,
    TEST_SLUG,
    TEST_TITLE,
    add_slug,
    true,
    write_slug,
)

STILL = kept("The tests still pass", "python3 -m pytest -q")
LOOPED = BARE.replace(
    'return " ".join(word.capitalize() for word in text.split())',
    "words = []\n    for word in text.split():\n        words.append(word.capitalize())\n    return ' '.join(words)",
)
HINTED = BARE.replace("def title(text):", "def title(text: str) -> str:")
CACHED = "from functools import lru_cache\n\n\n@lru_cache\n" + BARE
DEAD = BARE + "\n\ndef old_title(text):\n    return text.title()\n"
CLI = """import sys

from words import title


def main():
    if len(sys.argv) != 2:
        print("usage: cli.py TEXT", file=sys.stderr)
        sys.exit(2)
    print(title(sys.argv[1]))


if __name__ == "__main__":
    main()
"""
BUG = BARE.replace("text.split()", "text.split(' ')")
CALLS_BUG = TEST_TITLE + '\n\ndef test_more_than_one_space():\n    assert title("big  world") == "Big World"\n'
UNDERSCORES = TEST_SLUG.replace("hello-big-world", "hello_big_world")
WORKER = """import os


def in_child(work):
    \"\"\"The exit status of work() in a child process.\"\"\"
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = work()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""
TEST_WORKER = """from worker import in_child


def test_the_status_of_a_child_is_told():
    assert in_child(lambda: 3) == 3
    assert in_child(lambda: 0) == 0
"""
POINT = """from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
"""
TEST_POINT = """import dataclasses

import pytest
from point import Point


def test_points_are_equal_by_value():
    assert Point(1) == Point(1, 0)
    assert Point(1) != Point(2)


def test_points_do_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Point(1).x = 2
"""
MONEY = """class Money:
    def __init__(self, cents):
        self.cents = cents

    @property
    def text(self):
        return f"{self.cents // 100}.{self.cents % 100:02}"

    def __eq__(self, other):
        return isinstance(other, Money) and self.cents == other.cents

    def __hash__(self):
        return hash(self.cents)
"""
TEST_MONEY = """from money import Money


def test_money_is_written_with_two_places():
    assert Money(1205).text == "12.05"


def test_equal_amounts_are_equal():
    assert Money(1) == Money(1)
    assert Money(1) != Money(2)
    assert Money(1) != 1
"""
TABLE = "TABLE = {'a': 1, 'b': 2}\n"
GENERATOR = (
    "names = 'ab'\nrows = ', '.join(f'{n!r}: {i}' for i, n in enumerate(names, 1))\nprint(f'TABLE = {{{rows}}}')\n"
)
TEST_TABLE = """import subprocess
import sys
from pathlib import Path

from table import TABLE


def test_the_table_is_as_it_is_generated():
    made = subprocess.run([sys.executable, "generate.py"], capture_output=True, text=True, check=True).stdout
    assert Path("table.py").read_text() == made
    assert TABLE["b"] == 2
"""
PACKAGE_TEST = TEST_TITLE.replace("from words", "from lib.words")

CASES = (
    true("py-writes-slug", "plain work", ASKED, write_slug(write("words.py", RIGHT))),
    true(
        "py-adds-a-module-with-tests",
        "new module and tests in one task",
        OPEN,
        add_slug(write("words.py", RIGHT), write("tests/test_slug.py", TEST_SLUG)),
    ),
    true(
        "py-builds-on-the-first-task",
        "two tasks",
        OPEN,
        add_slug(write("words.py", RIGHT), write("tests/test_slug.py", TEST_SLUG)),
        Task(
            "Add path()",
            ["paths.py", "tests/test_paths.py"],
            [proven("path() is made of a slug", "python3 -m pytest -q tests/test_paths.py")],
            [
                write("paths.py", 'from words import slug\n\n\ndef path(text):\n    return f"/{slug(text)}/"\n'),
                write(
                    "tests/test_paths.py",
                    'from paths import path\n\n\ndef test_path():\n    assert path("A b") == "/a-b/"\n',
                ),
            ],
        ),
    ),
    true(
        "py-refactors-without-tests",
        "refactoring",
        OPEN,
        Task("Write title() as a loop", ["words.py"], [STILL], [write("words.py", LOOPED)]),
    ),
    true(
        "py-adds-type-hints",
        "type hints only",
        OPEN,
        Task(
            "Annotate title()",
            ["words.py"],
            [
                proven(
                    "title() is annotated",
                    "python3 -c 'import typing, words; assert typing.get_type_hints(words.title)[\"return\"] is str'",
                ),
                STILL,
            ],
            [write("words.py", HINTED)],
        ),
    ),
    true(
        "py-makes-it-quicker",
        "performance change",
        OPEN,
        Task(
            "Remember what title() said",
            ["words.py", "tests/test_speed.py"],
            [proven("title() is asked once", "python3 -m pytest -q tests/test_speed.py"), STILL],
            [
                write("words.py", CACHED),
                write(
                    "tests/test_speed.py",
                    "from words import title\n\n\ndef test_title_is_remembered():\n    title('a')\n    title('a')\n"
                    "    assert title.cache_info().hits == 1\n",
                ),
            ],
        ),
    ),
    true(
        "py-removes-dead-code",
        "deletion of dead code",
        {**OPEN, "words.py": DEAD},
        Task(
            "Remove old_title()",
            ["words.py"],
            [proven("old_title() is gone", "! grep -q old_title words.py"), STILL],
            [write("words.py", BARE)],
        ),
    ),
    true(
        "py-removes-a-feature-as-planned",
        "deletion with its test, declared",
        {
            **OPEN,
            "words.py": DEAD,
            "tests/test_old.py": "from words import old_title\n\n\ndef test_old():\n    assert old_title('a') == 'A'\n",
        },
        Task(
            "Remove old_title() and tests/test_old.py",
            ["words.py", "tests/test_old.py"],
            [proven("old_title() is gone", "! grep -rq old_title words.py tests"), STILL],
            [write("words.py", BARE), delete("tests/test_old.py")],
            action="Remove old_title() from words.py and delete its test test_old in tests/test_old.py.",
        ),
    ),
    true(
        "py-fixes-a-bug-the-user-pinned",
        "bug fix with a regression test",
        {"words.py": BUG, "tests/test_title.py": CALLS_BUG},
        Task(
            "title() takes more than one space",
            ["words.py"],
            [proven("More than one space is taken", "python3 -m pytest -q tests/test_title.py -k space")],
            [write("words.py", BARE)],
        ),
    ),
    true(
        "py-fixes-a-bug-with-its-own-test",
        "bug fix with a regression test",
        {"words.py": BUG, "tests/test_title.py": TEST_TITLE},
        Task(
            "title() takes more than one space",
            ["words.py", "tests/test_title.py"],
            [
                proven(
                    "More than one space is taken",
                    "python3 -m pytest -q tests/test_title.py::test_more_than_one_space",
                )
            ],
            [write("words.py", BARE), write("tests/test_title.py", CALLS_BUG)],
        ),
    ),
    true(
        "py-changes-behaviour-as-planned",
        "declared test changed",
        {**ASKED, "words.py": RIGHT},
        Task(
            "slug() joins with underscores",
            ["words.py", "tests/test_slug.py"],
            [proven("Words are joined with underscores", "python3 -m pytest -q tests/test_slug.py -k joined", "")],
            [write("words.py", RIGHT.replace('"-"', '"_"')), write("tests/test_slug.py", UNDERSCORES)],
            action="slug() joins words with an underscore instead of a hyphen; test_words_are_joined changes with it.",
        ),
    ),
    true(
        "py-adds-a-command",
        "CLI checked by its output",
        OPEN,
        Task(
            "Add cli.py",
            ["cli.py"],
            [
                proven("It capitalises", "python3 cli.py 'big world'", 'contains "Big World"'),
                proven("It says how it is called", "python3 cli.py", "expect EXIT:2"),
            ],
            [write("cli.py", CLI)],
        ),
    ),
    true(
        "py-forks-and-exits",
        "an exit that is the work",
        OPEN,
        Task(
            "Add in_child()",
            ["worker.py", "tests/test_worker.py"],
            [proven("The status of a child is told", "python3 -m pytest -q tests/test_worker.py")],
            [write("worker.py", WORKER), write("tests/test_worker.py", TEST_WORKER)],
        ),
    ),
    true(
        "py-adds-a-dataclass",
        "no function to speak of",
        OPEN,
        Task(
            "Add Point",
            ["point.py", "tests/test_point.py"],
            [proven("Points are values", "python3 -m pytest -q tests/test_point.py")],
            [write("point.py", POINT), write("tests/test_point.py", TEST_POINT)],
        ),
    ),
    true(
        "py-adds-a-constant",
        "no function to speak of",
        OPEN,
        Task(
            "Add LONGEST",
            ["words.py", "tests/test_longest.py"],
            [proven("The longest title has 80 letters", "python3 -m pytest -q tests/test_longest.py")],
            [
                write("words.py", "LONGEST = 80\n\n\n" + BARE),
                write(
                    "tests/test_longest.py",
                    "import words\n\n\ndef test_longest():\n    assert words.LONGEST == 80\n",
                ),
            ],
        ),
    ),
    true(
        "py-adds-equality",
        "an __eq__ that is the work",
        OPEN,
        Task(
            "Add Money",
            ["money.py", "tests/test_money.py"],
            [proven("Amounts are equal by value", "python3 -m pytest -q tests/test_money.py")],
            [write("money.py", MONEY), write("tests/test_money.py", TEST_MONEY)],
        ),
    ),
    true(
        "py-commits-what-is-generated",
        "generated files",
        OPEN,
        Task(
            "Generate table.py",
            ["generate.py", "table.py", "tests/test_table.py"],
            [proven("The table is generated", "python3 -m pytest -q tests/test_table.py")],
            [
                write("generate.py", GENERATOR),
                write("tests/test_table.py", TEST_TABLE),
                shell("python3 generate.py > table.py"),
            ],
        ),
    ),
    true(
        "py-moves-a-module-into-a-package",
        "package move, test changed with it",
        OPEN,
        Task(
            "Move words.py to lib/words.py",
            ["words.py", "lib/", "tests/test_title.py"],
            [proven("It is imported from lib", "python3 -c 'import lib.words'"), STILL],
            [
                shell("mkdir lib && touch lib/__init__.py"),
                git("mv", "words.py", "lib/words.py"),
                write("tests/test_title.py", PACKAGE_TEST),
            ],
            action="Move the module; tests/test_title.py imports it from there.",
        ),
    ),
    true(
        "py-makes-a-folder-a-package",
        "adding __init__.py",
        {"lib/words.py": BARE, "tests/test_title.py": PACKAGE_TEST},
        Task(
            "Make lib a package",
            ["lib/__init__.py"],
            [proven("lib is a package", "python3 -c 'import lib; assert lib.__file__'"), STILL],
            [write("lib/__init__.py", '"""Words."""\n')],
        ),
    ),
    true(
        "py-works-in-two-commits",
        "more than one commit",
        ASKED,
        write_slug(
            write("words.py", STUB.replace("raise NotImplementedError", "return text.lower()")),
            git("commit", "-qam", "half of it"),
            write("words.py", RIGHT),
        ),
    ),
)
