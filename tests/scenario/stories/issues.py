"""Stories of one issue between its three gates: how it converges, and every way it is stopped instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.scenario.kit.calls import Call
from tests.scenario.kit.issue_world import (
    FOLDER,
    HEAD,
    HONEST,
    NO_CAPITALS,
    NO_MARK,
    NUMBER,
    TEST_SHOUT,
    TESTS,
    WORDS,
    Files,
    honest_calls,
    implements,
    make_issue_world,
    plan,
    stories,
)
from tests.scenario.kit.issue_world import STORIES as TWO_CRITERIA
from tests.scenario.kit.world import World
from tests.scenario.stories.story import Story

ISSUE = ("issue", str(NUMBER))
LOG = f"{FOLDER}/autopilot-log.jsonl"
APPROVED = (("approve", f"design-{NUMBER}-1"), 0)
THREE_CRITERIA = TWO_CRITERIA + "\n### AC-3: once\nA mark that is there already is not doubled.\n"
AT_3 = '    def test_at_003_once(self):\n        self.assertEqual(words.shout("hi!"), "HI!")\n'
THIRD = TESTS + "- [ ] [planned] AT-003: a mark is not doubled\n  - Covers: AC-3\n"


def _made(*calls: Call, files: Files | None = None) -> Callable[[Path], World]:
    return lambda folder: make_issue_world(folder, [*calls, *honest_calls()], files)


def _implemented(*iterations: Call | Files) -> Callable[[Path], World]:
    """One call for every iteration; what is named by files is written and committed."""
    calls = [
        {**(work if "do" in work else implements(work)), "attempt": number} for number, work in enumerate(iterations, 1)
    ]
    return _made(*calls)


def _told(
    name: str, make: Callable[[Path], World], exit_status: int, *more: tuple[tuple[str, ...], int], quick: bool = False
) -> Story:
    """Up to the design gate, approved, and on: how that ends."""
    return Story(f"issue_{name}", make, 3, quick, after=(APPROVED, (ISSUE, exit_status), *more), first=ISSUE)


def _shell(line: str) -> list[Call]:
    return [{"run": line}, {"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", "more"]}]


ANCHOR_EDITED = implements(HONEST, *_shell(f"echo '- quietly' >> {FOLDER}/user-stories.md"))
LOG_DELETED = implements(HONEST, *_shell(f"git rm -q {LOG}"))
LOG_ROLLED_BACK = implements(HONEST, *_shell(f"sed -i '$d' {LOG}"))
LOG_APPENDED = implements(HONEST, *_shell(f"tail -n 1 {LOG} >> {LOG}"))
NEVER_RED = {
    "words.py": WORDS,
    "tests/test_shout.py": HEAD.replace("import words", "import words  # noqa")
    + "    def test_at_001_capitals(self):\n        self.assertTrue(words)\n\n"
    + "    def test_at_002_mark(self):\n        self.assertTrue(words)\n",
    "shout.md": "done\n",
}
BROKEN = {**HONEST, "words.py": WORDS + "\n\ndef shout(text):\n    return text\n"}
ONE_FAILS = {**HONEST, "words.py": NO_MARK}
OTHER_FAILS = {**HONEST, "words.py": NO_CAPITALS}


def again(files: Files, number: int) -> Files:
    """The same work once more, with nothing to tell it from the last but a comment."""
    return {**files, "words.py": f"{files['words.py']}# {number}\n"}


def uncovered(folder: Path) -> World:
    calls = [
        stories(THREE_CRITERIA),
        implements(HONEST, attempt=1),
        implements({"tests/test_shout.py": f"{TEST_SHOUT}\n{AT_3}", f"{FOLDER}/acceptance-tests.md": THIRD}, attempt=2),
    ]
    return make_issue_world(folder, [*calls, *honest_calls()])


def rejected_twice(folder: Path) -> World:
    second = TWO_CRITERIA.replace("Every letter", "Really every letter")
    third = second.replace("one exclamation mark", "exactly one exclamation mark")
    calls = [stories(attempt=1), stories(second, attempt=2), stories(third, attempt=3)]
    plans = [plan(attempt=1), plan(TESTS.replace("hi\n", "hello\n", 1), attempt=2), plan(attempt=3)]
    return make_issue_world(folder, [*calls, *plans, *honest_calls()])


REJECTION = "stories: every letter must be meant\nplan: say which file comes first\ntests: AT-001 should greet"
PARTIAL = "stories are ok / the plan needs a step for the documents"

STORIES = (
    _told("converges_at_once", _made(), 0, quick=True),
    _told("converges_at_third", _implemented(BROKEN, ONE_FAILS, HONEST), 0, quick=True),
    _told("uncovered_then_closed", uncovered, 0),
    _told("never_red", _implemented(NEVER_RED), 1),
    _told("anchor_edited", _implemented(ANCHOR_EDITED), 1),
    _told("log_deleted", _implemented(LOG_DELETED), 1),
    _told("log_rolled_back", _implemented(LOG_ROLLED_BACK), 1),
    _told("log_appended", _implemented(LOG_APPENDED), 1),
    _told("sameness", _implemented(ONE_FAILS, again(ONE_FAILS, 2)), 1),
    _told("stuck", _implemented(ONE_FAILS, OTHER_FAILS, again(ONE_FAILS, 3)), 1),
    Story(
        "issue_max_iterations",
        _implemented(BROKEN, ONE_FAILS),
        3,
        after=(APPROVED, ((*ISSUE, "--max-iterations", "2"), 1)),
        first=ISSUE,
    ),
    _told(
        "halted_then_mended",
        _implemented(ONE_FAILS, again(ONE_FAILS, 2), HONEST),
        1,
        (ISSUE, 0),
        quick=True,
    ),
    Story(
        "issue_rejected_twice",
        rejected_twice,
        3,
        after=(
            (("reject", f"design-{NUMBER}-1", REJECTION), 0),
            (ISSUE, 3),
            (("reject", f"design-{NUMBER}-2", "stories: exactly one mark"), 0),
            (ISSUE, 3),
            (("approve", f"design-{NUMBER}-3"), 0),
            (ISSUE, 0),
        ),
        first=ISSUE,
    ),
    Story(
        "issue_partly_approved",
        rejected_twice,
        3,
        after=((("reject", f"design-{NUMBER}-1", PARTIAL), 0), (ISSUE, 3)),
        first=ISSUE,
    ),
)
