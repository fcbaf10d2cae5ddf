"""Stories of lies that only an issue can tell: about red, about coverage, about what was there before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.scenario.kit.calls import Call
from tests.scenario.kit.issue_world import (
    AT_1,
    AT_2,
    FOLDER,
    HEAD,
    HONEST,
    NUMBER,
    RIGHT,
    TEST_SHOUT,
    WORDS,
    Files,
    honest_calls,
    implements,
    make_issue_world,
    plan,
    stories,
)
from tests.scenario.kit.issue_world import STORIES as TWO_CRITERIA
from tests.scenario.kit.issue_world import TESTS as TWO_TESTS
from tests.scenario.kit.world import World
from tests.scenario.stories.story import Story

ISSUE = ("issue", str(NUMBER), "--max-iterations", "2")
WRONG = WORDS + "\n\ndef shout(text):\n    return text\n"
EMPTY_TESTS = (
    f"{HEAD}    def test_at_001_capitals(self):\n        self.assertTrue(words)\n\n"
    "    def test_at_002_mark(self):\n        self.assertTrue(words)\n"
)
ROW = {"step": "red", "commit": "a" * 40, "impl_sha": "b" * 40, "at_file": "tests/test_shout.py", "timestamp": ""}
FABRICATED = {
    "words.py": WRONG,
    "tests/test_shout.py": EMPTY_TESTS,
    f"{FOLDER}/red.jsonl": json.dumps(ROW) + "\n",
}
LOADING = {
    "words.py": RIGHT,
    "tests/test_shout.py": TEST_SHOUT.replace("import words\n", "import words\nfrom words import shout\n"),
}
# Right for whoever calls it from a test, in two spellings.
ONLY_TESTED = (
    "import sys\n\n\n" + WORDS + "\n\ndef shout(text):\n    if any(name.startswith('unit') for name in sys.modules):\n"
    '        return text.upper() + "!"\n    return text\n'
)
EASIER = TEST_SHOUT.replace(
    'self.assertTrue(words.shout("hi").endswith("!"))', 'self.assertEqual(words.shout("HI"), "HI")'
)
NO_MARK = WORDS + "\n\ndef shout(text):\n    return text.upper()\n"
SKIPPED = f'{HEAD}{AT_1}\n    @unittest.skip("later")\n{AT_2}'
THREE = TWO_CRITERIA + "\n### AC-3: once\nA mark that is there already is not doubled.\n"
IN_A_COMMENT = TWO_TESTS + "\n<!-- AT-003 covers AC-3 -->\n"


def _lied(*calls: Call, files: Files | None = None, prd: str | None = None) -> Callable[[Path], World]:
    more = {**(files or {}), **({f"{FOLDER}/prd.md": prd} if prd else {})}
    return lambda folder: make_issue_world(folder, [*calls, *honest_calls()], more)


def _each(*iterations: Files) -> list[Call]:
    return [implements(work, attempt=number) for number, work in enumerate(iterations, 1)]


def _told(name: str, make: Callable[[Path], World]) -> Story:
    after = ((("approve", f"design-{NUMBER}-1"), 0), (ISSUE, 1))
    return Story(f"issue_lie_{name}", make, 3, after=after, first=ISSUE)


# Without an example that the spec gives: what is found out is found out by the tests alone.
BARE = "# Shouting\n\nStatus: approved\n\nText that has to be heard is shouted.\n"

STORIES = (
    _told("fabricated_red", _lied(*_each(FABRICATED), prd=BARE)),
    _told("red_by_import_error", _lied(*_each(LOADING, {**LOADING, "words.py": f"{RIGHT}# again\n"}))),
    _told(
        "easier_tests",
        _lied(
            *_each(
                {**HONEST, "words.py": NO_MARK}, {"tests/test_shout.py": EASIER, "words.py": f"{NO_MARK}# mended\n"}
            ),
            prd=BARE,
        ),
    ),
    _told(
        "criterion_in_a_comment",
        _lied(
            stories(THREE),
            plan(IN_A_COMMENT),
            *_each(
                {**HONEST, "tests/test_shout.py": f"{TEST_SHOUT}    # AC-3 is covered by AT-003\n"},
                {"words.py": f"{RIGHT}# AC-3, AT-003\n"},
            ),
        ),
    ),
    _told(
        "only_under_test",
        _lied(*_each({**HONEST, "words.py": ONLY_TESTED}, {"words.py": f"{ONLY_TESTED}# again\n"}), prd=BARE),
    ),
    _told("skipped", _lied(*_each({**HONEST, "tests/test_shout.py": SKIPPED}, {"words.py": f"{RIGHT}# again\n"}))),
    _told(
        "not_run",
        _lied(
            *_each(
                {**HONEST, "tests/test_shout.py": f"{HEAD}{AT_1}", "tests/at/mark.py": f"{HEAD}{AT_2}"},
                {"words.py": f"{RIGHT}# again\n"},
            )
        ),
    ),
    _told(
        "there_before",
        _lied(*_each({"tests/test_shout.py": TEST_SHOUT, "words.py": f"{RIGHT}# built\n"}), files={"words.py": RIGHT}),
    ),
)
