"""A program that the roadmap names loads what was written for it. covers: T8.H"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.otherwise.unwired import judge_unwired
from autopilot.inspection.wiring.called import has_crashed
from autopilot.model.evidence.objection import Weight

MAIN = "import sys\nfrom notes.store import NOTES\nif sys.argv[1:] == ['list']:\n    print(NOTES)\n"
SEARCH = {"notes/search.py": "def search_command(words):\n    return 0\n"}


@pytest.mark.parametrize(
    ("word", "loaded", "work", "refused"),
    [
        ("search", {"notes/__main__.py": MAIN, "notes/store.py": ""}, SEARCH, True),
        ("search", {"notes/__main__.py": MAIN}, {"notes/find.py": "def search(words):\n    return 0\n"}, True),
        ("search", {"notes/__main__.py": f"{MAIN}search()\n"}, SEARCH, False),
        ("search", {"notes/__main__.py": MAIN, "notes/search.py": ""}, SEARCH, False),
        ("dune", {"notes/__main__.py": MAIN}, SEARCH, False),  # data, as far as is known
        ("dry-run", {"notes/__main__.py": "dryRun"}, {"notes/dry_run.py": ""}, False),
        ("search", {}, SEARCH, False),  # nothing was seen of it
    ],
)
def test_what_only_tests_load_is_nothing_that_users_have(
    word: str, loaded: dict[str, str], work: dict[str, str], refused: bool
) -> None:
    assert bool(judge_unwired("phase", f"python3 -m notes {word}", word, loaded, work)) is refused


def test_a_program_that_crashed_may_have_loaded_it_later() -> None:
    (objection,) = judge_unwired("phase", "notes search", "search", {"notes/__main__.py": MAIN}, SEARCH, crashed=True)
    assert objection.weight is Weight.FLAG


@pytest.mark.parametrize(
    ("output", "crashed"),
    [
        ('Traceback (most recent call last):\n  File "manage.py"\n', True),
        ("Error: x\n    at main (/p/cli.js:3:9)\n", True),
        ("usage: notes list\n", False),
        ("look at me: 3\n", False),
    ],
)
def test_a_crash_is_known_by_its_stack(output: str, crashed: bool) -> None:
    assert has_crashed(output) is crashed
