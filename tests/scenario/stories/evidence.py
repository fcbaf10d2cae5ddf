"""The story of a work that is put to every kind of probe, and of a lie that one of them finds.

The first task is honest: its own tests are replayed on the code before and held against mutants, a declared test is run
as it was pinned, the canary sings, and the spec has an example. The second task's test asks for nothing, which its
mutants show; whoever mends it writes a test that does.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.liars.case import Act, Task, git, honest, proven, write
from tests.liars.world import Stage, stage
from tests.scenario.kit.calls import claim
from tests.scenario.stories.story import Story

SYSTEM = Path("/usr/bin")  # unittest needs no more than a Python

TITLE = """def title(text):
    return " ".join(word.capitalize() for word in text.split())
"""
SLUG = TITLE + '\n\ndef slug(text):\n    return "-".join(text.lower().split())\n'
INITIALS = SLUG + '\n\ndef initials(text):\n    return "".join(word[0] for word in title(text).split())\n'
WRONG = SLUG + '\n\ndef initials(text):\n    return ""\n'

HEAD = "import unittest\n\nfrom words import {name}\n\n\nclass {case}(unittest.TestCase):\n"
TEST_TITLE = (
    HEAD.format(name="title", case="Title")
    + """    def test_words_are_capitalised(self):
        self.assertEqual(title("big world"), "Big World")
"""
)
MORE_TITLES = TEST_TITLE + '\n    def test_nothing_stays_nothing(self):\n        self.assertEqual(title(""), "")\n'
# It needs more room than a small scratch space has.
TEST_SLUG = (
    'with open("room", "wb") as file:\n    file.write(bytes(2 << 20))\n\n'
    + HEAD.format(name="slug", case="Slug")
    + """    def test_words_are_joined(self):
        self.assertEqual(slug("Hello World"), "hello-world")
"""
)
TEST_INITIALS = (
    HEAD.format(name="initials", case="Initials")
    + """    def test_first_letters(self):
        self.assertEqual(initials("hello world"), "HW")
"""
)
ASKS_NOTHING = TEST_INITIALS.replace('Equal(initials("hello world"), "HW")', 'IsNotNone("HW")')


def _task(name: str, *acts: Act, files: tuple[str, ...] = ()) -> Task:
    criterion = proven(f"{name}() does what it says", f"python3 -m unittest tests.test_{name}")
    return Task(f"Add {name}() with its tests", ["words.py", f"tests/test_{name}.py", *files], [criterion], acts)


CASE = honest(
    "evidence",
    "python",
    "every probe",
    base={"words.py": TITLE, "tests/test_title.py": TEST_TITLE},
    test="python3 -m unittest discover -s tests",
    spec='`slug("Big bad World")` returns `"big-bad-world"`.\n',
    tasks=[
        _task(
            "slug",
            write("words.py", SLUG),
            write("tests/test_slug.py", TEST_SLUG),
            write("tests/test_title.py", MORE_TITLES),
            files=("tests/test_title.py",),
        ),
        _task("initials", write("words.py", WRONG), write("tests/test_initials.py", ASKS_NOTHING)),
    ],
)
MENDED = (
    write("words.py", INITIALS),
    write("tests/test_initials.py", TEST_INITIALS),
    git("commit", "-qam", "01-02 mended"),
)


def evidence(folder: Path) -> Stage:
    world = stage(CASE, folder, SYSTEM)
    script = json.loads(world.script.read_text(encoding="utf-8"))
    script["calls"].append(claim("01-02", *MENDED, role="debugger"))
    world.script.write_text(json.dumps(script), encoding="utf-8")
    return world


STORIES = (Story("evidence", evidence, 0),)
