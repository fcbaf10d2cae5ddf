"""What the story of evidence is probed by: which tree is which, and what has come of it at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autopilot.adapters.home import Home
from autopilot.events.state import PhaseState
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Observation
from tests.scenario.stories.evidence import (
    ASKS_NOTHING,
    INITIALS,
    MORE_TITLES,
    SLUG,
    TEST_INITIALS,
    TEST_SLUG,
    TEST_TITLE,
    TITLE,
    WRONG,
)

WRITTEN = (TITLE, SLUG, WRONG, INITIALS)
TESTS = (TEST_TITLE, MORE_TITLES, TEST_SLUG, TEST_INITIALS, ASKS_NOTHING)
Facts = dict[str, tuple[str, ...]]

# By task, "" for the phase: what it came to, what was seen of it, and what refused it on the way.
FACTS: Facts = {
    "01-01": (
        *("verified", "pinned:test passed", "replay:01-01.c1 failed", "mutant:01-01.c1 failed"),
        *("expectation:01-01.c1 failed", "canary:unittest failed", "debugged 0 times"),
    ),
    "01-02": (
        *("verified", "replay:01-02.c1 failed", "mutant:01-02.c1 failed", "expectation:01-02.c1 failed"),
        "debugged 1 times",
        "claimed as done, and refused: M:01-02.c1: still green with `initials` returning other values of the same type"
        " and with `initials` returning None and with `initials` returning true; make the tests compare what the code"
        " returns or changes with the expected result",
    ),
    "": (
        *("completed", "pinned:test passed", "expectation:test failed", "outside:without signs passed"),
        *(
            "held-out:neighbours 1 passed",
            "mutant:test failed",
            "mutant:test failed",
            "mutant:test passed",
            "mutant:test passed",
        ),
        *("mutant:test passed", "mutant:test failed", "held-out:1 passed", "held-out:2 passed"),
    ),
}


def facts_of(phase: PhaseState) -> Facts:
    found: Facts = {
        name: (task.status, *_seen(task.probes), f"debugged {task.debugs} times", *task.caught)
        for name, task in phase.tasks.items()
    }
    objections = [*phase.observed.objections, *(o for task in phase.tasks.values() for o in task.objections)]
    against = [str(objection) for objection in objections if objection.weight is not Weight.FLAG]
    return found | {"": (phase.status.value, *_seen(phase.observed.probes), *against)}


def _seen(probes: Sequence[Observation]) -> list[str]:
    return [f"{probe.subject} {probe.seen.value}" for probe in probes]


def trees_of(home: Home) -> list[Path]:
    """Trees that were made to be looked at and are there still."""
    return sorted((home.workspaces / "passing").glob("*"))


def kind_of(tree: Path) -> str:
    """Which probe a tree was made for; "" when it is gone."""
    try:
        words, titles = ((tree / path).read_text() for path in ("words.py", "tests/test_title.py"))
    except FileNotFoundError:
        return ""
    if words not in WRITTEN:
        return "mutant"
    tests = {path.name: path.read_text() for path in (tree / "tests").glob("test_*.py")}
    if any("self.fail(" in text for text in tests.values()):
        return "canary"
    if any(text not in TESTS for text in tests.values()):
        return "expectation"
    return "pinned" if titles == TEST_TITLE else "replay"
