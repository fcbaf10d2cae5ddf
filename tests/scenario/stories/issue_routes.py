"""Stories of issues that go another way: a bug, a flaky test, a document; and of the first gate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.scenario.kit.calls import Call
from tests.scenario.kit.issue_world import (
    FOLDER,
    NUMBER,
    PRD,
    WORDS,
    Files,
    drafts,
    finds_cause,
    honest_calls,
    implements,
    make_issue_world,
)
from tests.scenario.kit.world import World
from tests.scenario.stories.story import Story

ISSUE = ("issue", str(NUMBER))
NO_PRD = {f"{FOLDER}/prd.md": ""}
BUG = '---\nlabels: [bug]\n---\n# Shouting doubles the mark\n\n`shout("hi!")` must give `"HI!"`.\n'
DOUBLES = WORDS + '\n\ndef shout(text):\n    return text.upper() + "!"\n'
MENDED = WORDS + '\n\ndef shout(text):\n    return text.upper().rstrip("!") + "!"\n'
REPRODUCTION = {
    "tests/test_mark.py": "import unittest\n\nimport words\n\n\nclass Mark(unittest.TestCase):\n"
    '    def test_a_mark_is_not_doubled(self):\n        self.assertEqual(words.shout("hi!"), "HI!")\n'
}
SHOWN = "test_mark.Mark.test_a_mark_is_not_doubled"

FLAKY = "---\nlabels: [flaky]\n---\n# A test of unique() fails now and then\n"
UNORDERED = WORDS + "\n\ndef unique(words):\n    return list(set(words))\n"
ORDERED = WORDS + "\n\ndef unique(words):\n    return list(dict.fromkeys(words))\n"
TEST_UNIQUE = (
    "import unittest\n\nimport words\n\n\nclass Unique(unittest.TestCase):\n    def test_order_is_kept(self):\n"
    '        self.assertEqual(words.unique(["b", "a", "b"]), ["b", "a"])\n'
)
WAVERING = "test_unique.Unique.test_order_is_kept"

TYPO = "---\nlabels: [documentation]\n---\n# A typo in the README\n\nIt says *wrods*.\n"
README, BETTER = "# words\n\nFunctions for wrods.\n", "# words\n\nFunctions for words.\n"


def _made(files: Files, *calls: Call) -> Callable[[Path], World]:
    return lambda folder: make_issue_world(folder, [*calls, *honest_calls()], files)


bug = _made(
    {**NO_PRD, f"{FOLDER}/issue.md": BUG, "words.py": DOUBLES},
    finds_cause("reproducing-bugs", REPRODUCTION, "C", SHOWN, "shout() adds a mark whether or not there is one"),
    implements({"words.py": MENDED}, step="fixing-bugs"),
)
flaky = _made(
    {**NO_PRD, f"{FOLDER}/issue.md": FLAKY, "words.py": UNORDERED, "tests/test_unique.py": TEST_UNIQUE},
    finds_cause(
        "measuring-flaky-tests",
        {},
        "order",
        WAVERING,
        "unique() goes by the order of a set, which differs from process to process",
        ["tests/test_unique.py"],
    ),
    implements({"words.py": ORDERED}, step="fixing-flaky-tests"),
)
typo = _made(
    {f"{FOLDER}/issue.md": TYPO, "README.md": README},
    {**implements({"README.md": BETTER}, step="changing-documents"), "phase": "design"},
)
undefined = _made(
    {**NO_PRD, f"{FOLDER}/issue.md": "# Shouting\n\nText that has to be heard is shouted.\n"},
    drafts("# Shouting\n\nLoud.\n", attempt=1, questions=["How loud?"]),
    drafts(PRD.replace("Status: approved\n\n", ""), attempt=2),
)

STORIES = (
    Story(
        "issue_bugfix",
        bug,
        3,
        after=((("approve", f"cause-{NUMBER}-1"), 0), (ISSUE, 0)),
        first=(*ISSUE, "--route", "bugfix"),
    ),
    Story(
        "issue_flaky",
        flaky,
        3,
        after=((("approve", f"cause-{NUMBER}-1"), 0), (ISSUE, 0)),
        # So often that two runs in ten thousand tell another story.
        first=(*ISSUE, "--route", "flaky", "--flaky-runs", "16"),
    ),
    Story(
        "issue_express",
        typo,
        3,
        after=((("approve", f"design-{NUMBER}-1"), 0), (ISSUE, 0)),
        first=(*ISSUE, "--route", "express"),
    ),
    Story(
        "issue_express_declined",
        typo,
        3,
        after=((("answer", f"route-{NUMBER}", "route", "full"), 0), (ISSUE, 3)),
        first=ISSUE,
    ),
    Story(
        "issue_defined",
        undefined,
        3,
        after=(
            (("reject", f"requirements-{NUMBER}-1", "say that it ends with a mark"), 0),
            (ISSUE, 3),
            (("approve", f"requirements-{NUMBER}-2"), 0),
            (ISSUE, 3),
        ),
        first=(*ISSUE, "--define"),
    ),
)
