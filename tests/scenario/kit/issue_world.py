"""A small world for whole issues: a project with one approved prd.md, and a script that designs and implements it.

The issue asks for ``shout()`` with two criteria. The honest script writes stories, plan and acceptance tests, then
tests and code; a scenario says only where it differs. Tests run by unittest: a Python is all they need.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.scenario.kit.calls import Call, usage
from tests.scenario.kit.world import Ran, World

NUMBER, SLUG = 24, "shout"
FOLDER = f"docs/issues/0{NUMBER}-{SLUG}"
BRANCH = f"autopilot/issue-{NUMBER}-{SLUG}"
STEPS = {"stories": "extracting-user-stories", "plan": "writing-plan-and-tests", "impl": "running-atdd-cycle"}

PRD = """# Shouting

Status: approved

Text that has to be heard is shouted: `shout("hi")` returns `"HI!"`.
"""
STORIES = """# User stories

As a caller I want to be heard.

### AC-1: capitals
Every letter is a capital.

### AC-2: a mark
It ends with one exclamation mark.
"""
PLAN = """# Plan

1. Add `shout()` to `words.py`.
2. Add `tests/test_shout.py`.
"""
TESTS = """# Acceptance tests

- [ ] [planned] AT-001: letters become capitals
  - Given: hi
  - When: it is shouted
  - Then: HI
  - Covers: AC-1
- [ ] [planned] AT-002: it ends with a mark
  - Given: hi
  - When: it is shouted
  - Then: one mark at its end
  - Covers: AC-2
"""
WORDS = 'def title(text):\n    return " ".join(word.capitalize() for word in text.split())\n'
RIGHT = WORDS + '\n\ndef shout(text):\n    return text.upper().rstrip("!") + "!"\n'
NO_MARK = WORDS + "\n\ndef shout(text):\n    return text.upper()\n"
NO_CAPITALS = WORDS + '\n\ndef shout(text):\n    return text.rstrip("!") + "!"\n'
TEST_TITLE = """import unittest

from words import title


class Title(unittest.TestCase):
    def test_words_are_capitalised(self):
        self.assertEqual(title("big world"), "Big World")
"""
HEAD = "import unittest\n\nimport words\n\n\nclass Shout(unittest.TestCase):\n"
AT_1 = '    def test_at_001_capitals(self):\n        self.assertEqual(words.shout("hi there")[:8], "HI THERE")\n'
AT_2 = '    def test_at_002_mark(self):\n        self.assertTrue(words.shout("hi").endswith("!"))\n'
TEST_SHOUT = f"{HEAD}{AT_1}\n{AT_2}"
COMMAND = "python3 -m unittest discover -s tests"

Files = Mapping[str, str]


class IssueWorld(World):
    """Its Python is the system's: a virtual environment may lie in a home that the sandbox hides."""

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "PATH": "/usr/bin:/bin"}

    def issue(self, *words: str) -> Ran:
        return self.autopilot("issue", *(words or (str(NUMBER),)), "--script", str(self.script))

    def on_branch(self, path: str) -> str:
        return self.git("show", f"{BRANCH}:{path}")

    def rows(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.on_branch(f"{FOLDER}/autopilot-log.jsonl").splitlines()]


def make_issue_world(folder: Path, calls: Sequence[Call], files: Files | None = None) -> IssueWorld:
    world = IssueWorld(folder)
    config = {"project": {"commands": {"test": COMMAND}}}
    base = {"words.py": WORDS, "tests/test_title.py": TEST_TITLE, ".planning/config.json": json.dumps(config)}
    for path, text in {**base, f"{FOLDER}/prd.md": PRD, **(files or {})}.items():
        if text:
            world.write(path, text)
    world.git("init", "-q", "-b", "main")
    world.commit("the beginning")
    world.script.write_text(json.dumps({"calls": list(calls), "default": "honest"}), encoding="utf-8")
    return world


def write_all(files: Files) -> list[Call]:
    return [
        *({"write": path, "text": text} for path, text in files.items()),
        {"git": ["add", "-A"]},
        {"git": ["commit", "-q", "-m", "work"]},
    ]


def stories(text: str = STORIES, *, attempt: int = 0, decisions: Sequence[tuple[str, int, str]] = ()) -> Call:
    return designs("stories", {f"{FOLDER}/user-stories.md": text}, attempt=attempt, decisions=decisions)


def plan(text: str = TESTS, *, attempt: int = 0, decisions: Sequence[tuple[str, int, str]] = ()) -> Call:
    files = {f"{FOLDER}/plan.md": PLAN, f"{FOLDER}/acceptance-tests.md": text}
    return designs("plan", files, attempt=attempt, decisions=decisions)


def designs(step: str, files: Files, *, attempt: int = 0, decisions: Sequence[tuple[str, int, str]] = ()) -> Call:
    said = [{"file": file, "line": line, "text": text} for file, line, text in decisions]
    reply = {"decisions": said, "concerns": []}
    return _call("designer", "design", STEPS.get(step, step), write_all(files), reply, attempt)


def implements(files: Files | None = None, *actions: Call, attempt: int = 0, step: str = "impl") -> Call:
    """Whatever was done: the claim is always the same."""
    work = [*actions, *(write_all(files) if files else ())]
    reply = {"done": True, "summary": "all of it", "concerns": []}
    return _call("implementer", "impl", STEPS.get(step, step), work, reply, attempt)


def finds_cause(step: str, files: Files, kind: str, test: str, text: str, stands_in: Sequence[str] = ()) -> Call:
    """A designer that looks for the cause of a bug or of a flaky test; of a bug it brings the test that shows it."""
    cause = {"kind": kind, "text": text, "test": test, "files": list(stands_in or files)}
    reply = {"decisions": [], "concerns": [], "cause": cause}
    return _call("designer", "design", step, write_all(files) if files else (), reply, 0)


def drafts(text: str, *, attempt: int = 0, questions: Sequence[str] = ()) -> Call:
    reply = {"decisions": [], "questions": list(questions)}
    return _call("analyst", "design", "", write_all({f"{FOLDER}/prd.md": text}), reply, attempt)


def _call(role: str, phase: str, task: str, do: Sequence[Call], reply: Call, attempt: int) -> Call:
    call: Call = {"role": role, "phase": phase, "task": task, "do": list(do), "reply": reply, "usage": usage()}
    return {**call, "attempt": attempt} if attempt else call


HONEST = {"words.py": RIGHT, "tests/test_shout.py": TEST_SHOUT}


def honest_calls() -> list[Call]:
    return [stories(), plan(), implements(HONEST)]
