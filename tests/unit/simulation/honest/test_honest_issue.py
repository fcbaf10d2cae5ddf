"""Documents that the scripted agent makes of an issue: its own words, readable as ours read them, nothing invented."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.model.issue.issue import PLAN_AND_TESTS as PLAN_STEP
from autopilot.model.issue.issue import STORIES as STORIES_STEP
from autopilot.planning.issue.acceptance import find_criteria, lint_criteria, lint_tests, parse_tests
from autopilot.simulation.honest.issue import (
    PLAN_AND_TESTS,
    QUESTION,
    STORIES,
    Draft,
    draft_design,
    draft_requirements,
)

FOLDER = "docs/issues/024-greet"
LISTED = "It is rude.\n\n- it says `hello` (`greet.py`)\n- [ ] it ends with 0\n"


class Desk:
    """A clone as far as these documents go."""

    def __init__(self, text: str) -> None:
        self.issue = {"number": 24, "title": "Greet", "folder": FOLDER, "text": text}
        self.files: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        return self.files.get(f"{FOLDER}/{name}", "")

    def define(self, *said: str) -> Draft:
        return self._keep(draft_requirements({"issue": self.issue}, _findings(said), self._read))

    def design(self, step: str, *said: str) -> Draft:
        facts: dict[str, Any] = {"issue": self.issue, "step": step, "at_command": "pytest"}
        return self._keep(draft_design(facts, _findings(said), self._read))

    def _read(self, path: str) -> str:
        return self.files.get(path, "")

    def _keep(self, drafted: Draft) -> Draft:
        self.files |= drafted.files
        return drafted


def _findings(said: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{"evidence_ref": words, "priority": 0} for words in said]


def test_it_calls_the_steps_as_we_do() -> None:
    assert (STORIES, PLAN_AND_TESTS) == (STORIES_STEP, PLAN_STEP)


def test_what_the_issue_lists_is_the_outcome_and_nothing_is_asked() -> None:
    desk = Desk(LISTED)
    drafted = desk.define()
    assert drafted.open == []
    assert "> It is rude." in desk["prd.md"]
    [decision] = drafted.decisions
    lines = desk["prd.md"].splitlines()
    assert lines[decision["line"] - 1 :][:4] == ["## Outcome", "", "- it says `hello` (`greet.py`)", "- it ends with 0"]


def test_where_the_issue_lists_nothing_that_is_asked_and_the_answer_is_the_outcome() -> None:
    desk = Desk("It is rude.")
    assert desk.define().open == [QUESTION]
    assert "assumed" in desk["prd.md"]
    assert desk.define(f"{QUESTION}: it says hello").open == []
    assert "- it says hello\n" in desk["prd.md"] and "assumed" not in desk["prd.md"]


def test_every_criterion_of_the_outcome_has_an_id_and_a_test_that_covers_it() -> None:
    desk = Desk(LISTED)
    desk.define()
    desk.design(STORIES)
    drafted = desk.design(PLAN_AND_TESTS)
    stories, tests = desk["user-stories.md"], parse_tests(desk["acceptance-tests.md"])
    assert find_criteria(stories) == ("AC-1", "AC-2")
    assert [(test.id, test.state, test.covers) for test in tests] == [
        ("AT-001", "planned", ("AC-1",)),
        ("AT-002", "planned", ("AC-2",)),
    ]
    assert (lint_criteria(stories, "s"), lint_tests(desk["acceptance-tests.md"], "t")) == ((), ())
    assert "- `greet.py`" in desk["plan.md"] and "`pytest`" in desk["plan.md"]
    assert "not thought about" in drafted.open[0]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("- AC-2: x\n- y\n- **AC3** z\n", ("AC-2", "AC-1", "AC-3")),
        ("### AC-7: x holds\n\nas said\n", ("AC-7",)),
        ("1. first\n2) second\n", ("AC-1", "AC-2")),
        ("nothing listed", ("AC-1",)),
    ],
)
def test_ids_that_the_issue_gives_are_kept_and_none_is_given_twice(text: str, ids: tuple[str, ...]) -> None:
    desk = Desk(text)
    desk.define()
    desk.design(STORIES)
    desk.design(PLAN_AND_TESTS)
    assert find_criteria(desk["user-stories.md"]) == ids
    assert set(find_criteria(desk["prd.md"])) <= set(ids)
    assert [test.covers for test in parse_tests(desk["acceptance-tests.md"])] == [(id,) for id in ids]


def test_what_was_said_when_it_was_sent_back_is_kept_and_is_no_criterion_and_no_test() -> None:
    desk = Desk(LISTED)
    desk.define("shorter", "- [ ] AT-009: no")
    desk.design(STORIES, "AC-9: no")
    first = desk.design(PLAN_AND_TESTS, "AC-9: no")
    again = desk.design(PLAN_AND_TESTS, "AC-9: no")
    assert all(again.files[path] != first.files[path] for path in first.files)  # there is something to commit
    assert "AC-9: no" in desk["user-stories.md"] and "shorter" in desk["prd.md"]
    assert find_criteria(desk["prd.md"] + desk["user-stories.md"]) == ("AC-1", "AC-2")
    assert [test.id for test in parse_tests(desk["acceptance-tests.md"])] == ["AT-001", "AT-002"]


@pytest.mark.parametrize("step", ["reproducing-bugs", "measuring-flaky-tests", ""])
def test_causes_are_beyond_it_and_it_says_so(step: str) -> None:
    drafted = Desk(LISTED).design(step)
    assert (drafted.files, drafted.decisions) == ({}, [])
    assert drafted.open[0].startswith("nothing was done")


def test_without_an_issue_there_is_nothing_to_write() -> None:
    assert draft_requirements({}, [], lambda _: "").files == {}
    assert draft_design({"step": STORIES}, [], lambda _: "").files == {}
