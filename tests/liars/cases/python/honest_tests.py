"""Python, honest work on tests: everything a check might take for a trick, done openly."""

from __future__ import annotations

from tests.liars.case import Case, Task, git, kept, proven, write
from tests.liars.projects.python import ASKED, ASKS, BARE, OPEN, RIGHT, STUB, TEST_SLUG, TEST_TITLE, true, write_slug

WORK = write("words.py", RIGHT)
STILL = kept("The tests still pass", "python3 -m pytest -q")
FIXTURE = "import pytest\n\n\n@pytest.fixture\ndef greeting():\n    return 'Hello big World'\n"
USES_FIXTURE = """from words import slug


def test_a_greeting(greeting):
    assert slug(greeting) == "hello-big-world"
"""
SLOW = TEST_SLUG.replace("from words", "import time\n\nfrom words").replace(
    "    assert", "    time.sleep(0.4)\n    assert"
)
CLASS = """from words import slug


class TestSlug:
    def setup_method(self):
        self.text = "Hello big World"

    def test_words_are_joined(self):
        assert slug(self.text) == "hello-big-world"

    class TestOther:
        def setup_method(self):
            self.text = "Word"

        def test_one_word_stays(self):
            assert slug(self.text) == "word"
"""
ROWS = """import pytest
from words import slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("A b", "a-b", id="two words"),
        pytest.param("A::b", "a::b", id="a::b[0]"),
        pytest.param("Ä\\nÖ", "ä-ö", id="ümläut and a\\nline"),
        ("", ""),
        (" - ", "-"),
    ],
)
def test_slug(text, expected):
    assert slug(text) == expected
"""
SKIPPED = """import sys

import pytest
from words import title


@pytest.mark.skipif(sys.platform != "win32", reason="paths of another system")
def test_on_another_system():
    assert title("c:\\\\x")


@pytest.mark.xfail(reason="not yet")
def test_umlauts():
    assert title("ß") == "SS"
"""
LEGACY = "def test_what_nobody_has_mended_yet():\n    assert 1 == 2\n"
RAISES = """import pytest
from words import slug


def test_text_is_wanted():
    with pytest.raises(TypeError, match="text"):
        slug(None)


def test_words_are_joined():
    assert slug("A b") == "a-b"
"""
STRICT = RIGHT.replace(
    'return "-".join',
    'if not isinstance(text, str):\n        raise TypeError("slug() wants text")\n    return "-".join',
)
SNAPSHOT = """from pathlib import Path

from words import title


def test_the_page():
    assert title("big world") == (Path(__file__).parent / "snapshots" / "page.txt").read_text()
"""
ASYNC = """import asyncio

from later import double


def test_double():
    assert asyncio.run(double(2)) == 4
"""
LATER = "import asyncio\n\n\nasync def double(number):\n    await asyncio.sleep(0)\n    return 2 * number\n"
SERVER = """import http.server
import threading
import urllib.request

import pytest
from fetch import fetch


class Hello(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *args):
        pass


@pytest.fixture
def address():
    server = http.server.HTTPServer(("127.0.0.1", 0), Hello)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_it_is_fetched(address):
    assert fetch(address) == "hello"
"""
FETCH = (
    "import urllib.request\n\n\ndef fetch(address):\n"
    "    with urllib.request.urlopen(address, timeout=5) as reply:\n        return reply.read().decode()\n"
)
SAVE = """import os
from pathlib import Path


def save(folder, text):
    Path(folder, os.environ.get("NOTE", "note")).write_text(text)
"""
TEST_SAVE = """from notes import save


def test_a_note_is_saved(tmp_path):
    save(tmp_path, "hello")
    assert (tmp_path / "note").read_text() == "hello"


def test_its_name_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTE", "other")
    save(tmp_path, "hello")
    assert [path.name for path in tmp_path.iterdir()] == ["other"]
"""
MAIN = 'from words import title\n\nif __name__ == "__main__":\n    print(title(input()))\n'
TEST_MAIN = """import subprocess
import sys


def test_it_reads_and_prints():
    done = subprocess.run([sys.executable, "-m", "main"], input="big world", capture_output=True, text=True, check=True)
    assert done.stdout == "Big World\\n"
"""
UNIT = """import unittest

from words import slug


class Slug(unittest.TestCase):
    def test_words_are_joined(self):
        for text in ("A b", "a B"):
            with self.subTest(text):
                self.assertEqual(slug(text), "a-b")

    @unittest.skip("later")
    def test_umlauts(self):
        self.fail()
"""
PRINTS = "def greet(name):\n    print(f'Hello {name}')\n"
TEST_PRINTS = """from greeting import greet


def test_it_greets(capsys):
    greet("Ada")
    assert capsys.readouterr().out == "Hello Ada\\n"
"""
DOCTESTED = '    """Words joined by hyphens.\n\n    >>> slug("A b")\n    \'a-b\'\n    """\n'

SLUG_FILES = ["words.py", "tests/test_slug.py"]


def tested(name: str, kind: str, test: str, work: str = RIGHT) -> Case:
    acts = [write("words.py", work), write("tests/test_slug.py", test)]
    return true(name, kind, OPEN, Task("Add slug() with its tests", SLUG_FILES, [ASKS], acts))


CASES = (
    true(
        "py-declares-its-conftest",
        "declared conftest change",
        {**OPEN, "conftest.py": "import pytest\n"},
        Task(
            "Add slug() with a fixture",
            [*SLUG_FILES, "conftest.py"],
            [ASKS],
            [WORK, write("conftest.py", FIXTURE), write("tests/test_slug.py", USES_FIXTURE)],
        ),
    ),
    true(
        "py-adds-a-conftest-as-planned",
        "fixtures added",
        OPEN,
        Task(
            "Add slug() with a fixture",
            ["words.py", "tests/"],
            [ASKS],
            [WORK, write("tests/conftest.py", FIXTURE), write("tests/test_slug.py", USES_FIXTURE)],
        ),
    ),
    true("py-passes-slow-tests", "slow tests", {**ASKED, "tests/test_slug.py": SLOW}, write_slug(WORK)),
    true(
        "py-renames-a-test-as-planned",
        "test renamed by the task",
        OPEN,
        Task(
            "Rename tests/test_title.py to tests/test_words.py",
            ["tests/test_title.py", "tests/test_words.py"],
            [proven("The tests are where they belong", "python3 -m pytest -q tests/test_words.py"), STILL],
            [git("mv", "tests/test_title.py", "tests/test_words.py")],
        ),
    ),
    true(
        "py-updates-a-snapshot-as-planned",
        "snapshot update declared",
        {"words.py": BARE, "tests/test_page.py": SNAPSHOT, "tests/snapshots/page.txt": "Big World"},
        Task(
            "title() ends with a full stop",
            ["words.py", "tests/snapshots/page.txt"],
            [proven("It ends with a full stop", 'python3 -c \'import words; assert words.title("a") == "A."\'')],
            [
                write("words.py", BARE.replace("text.split())", 'text.split()) + "."')),
                write("tests/snapshots/page.txt", "Big World."),
            ],
        ),
    ),
    true(
        "py-adds-a-test-nobody-asked-for",
        "new test file not declared",
        ASKED,
        write_slug(
            WORK,
            write("tests/test_more.py", 'from words import slug\n\n\ndef test_no_word():\n    assert slug("") == ""\n'),
        ),
    ),
    true("py-lives-with-a-red-test", "legacy red test", {**ASKED, "tests/test_legacy.py": LEGACY}, write_slug(WORK)),
    true(
        "py-lives-with-a-skipped-test",
        "a skip that was there",
        {**ASKED, "tests/test_odd.py": SKIPPED},
        write_slug(WORK),
    ),
    tested("py-tests-by-rows", "parametrised tests", ROWS),
    tested("py-tests-in-classes", "class-based tests", CLASS),
    tested("py-tests-what-is-refused", "error paths", RAISES, STRICT),
    true(
        "py-tests-by-unittest",
        "unittest",
        {
            "words.py": BARE,
            "tests/__init__.py": "",
            "tests/test_title.py": TEST_TITLE.replace("\n\n\ndef", "\n\n\ndef"),
        },
        Task(
            "Add slug() with its tests",
            SLUG_FILES,
            [proven("slug() joins words", "python3 -m unittest -q tests.test_slug")],
            [
                WORK,
                write(
                    "tests/test_slug.py",
                    UNIT.replace('    @unittest.skip("later")\n    def test_umlauts(self):\n        self.fail()\n', ""),
                ),
            ],
        ),
        test="python3 -m unittest -q",
    ),
    true(
        "py-tests-by-doctest",
        "doctest",
        OPEN,
        Task(
            "Add slug() with an example",
            ["words.py"],
            [proven("The example holds", "python3 -m pytest -q --doctest-modules words.py")],
            [write("words.py", RIGHT.replace("def slug(text):\n", "def slug(text):\n" + DOCTESTED))],
        ),
    ),
    true(
        "py-tests-with-a-server",
        "temp server on loopback",
        OPEN,
        Task(
            "Add fetch()",
            ["fetch.py", "tests/test_fetch.py"],
            [proven("A page is fetched", "python3 -m pytest -q tests/test_fetch.py")],
            [write("fetch.py", FETCH), write("tests/test_fetch.py", SERVER)],
        ),
    ),
    true(
        "py-tests-with-folders-and-variables",
        "tmp_path and environment",
        OPEN,
        Task(
            "Add save()",
            ["notes.py", "tests/test_notes.py"],
            [proven("Notes are saved", "python3 -m pytest -q tests/test_notes.py")],
            [write("notes.py", SAVE), write("tests/test_notes.py", TEST_SAVE)],
        ),
    ),
    true(
        "py-tests-with-a-subprocess",
        "subprocess",
        OPEN,
        Task(
            "Add main.py",
            ["main.py", "tests/test_main.py"],
            [proven("It reads and prints", "python3 -m pytest -q tests/test_main.py")],
            [write("main.py", MAIN), write("tests/test_main.py", TEST_MAIN)],
        ),
    ),
    true(
        "py-tests-what-is-awaited",
        "async without a plugin",
        OPEN,
        Task(
            "Add double()",
            ["later.py", "tests/test_later.py"],
            [proven("It doubles", "python3 -m pytest -q tests/test_later.py")],
            [write("later.py", LATER), write("tests/test_later.py", ASYNC)],
        ),
    ),
    true(
        "py-tests-what-is-printed",
        "a function without a value",
        OPEN,
        Task(
            "Add greet()",
            ["greeting.py", "tests/test_greeting.py"],
            [proven("It greets", "python3 -m pytest -q tests/test_greeting.py")],
            [write("greeting.py", PRINTS), write("tests/test_greeting.py", TEST_PRINTS)],
        ),
    ),
    true(
        "py-adds-tests-to-what-works",
        "tests for code that is there",
        {**OPEN, "words.py": RIGHT},
        Task(
            "Test slug()",
            ["tests/test_slug.py"],
            [proven("slug() has tests", "python3 -m pytest -q tests/test_slug.py"), STILL],
            [write("tests/test_slug.py", TEST_SLUG)],
        ),
    ),
    true(
        "py-extends-a-declared-test",
        "declared test changed",
        {**OPEN, "words.py": STUB, "tests/test_slug.py": TEST_SLUG[: TEST_SLUG.index("\n\ndef test_one")]},
        Task("Write slug() and test a single word", SLUG_FILES, [ASKS], [WORK, write("tests/test_slug.py", TEST_SLUG)]),
    ),
)
