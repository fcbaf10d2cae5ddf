"""The suite is what it says it is: enough cases, told apart, of every kind the catalogue names. covers: T8.lies"""

from __future__ import annotations

import json
from collections import Counter

from tests.liars.catalogue import choose, every_case
from tests.liars.families.every import generated
from tests.liars.world import plan_text

ALL = every_case()
FAMILIES = generated()


def test_every_case_has_a_name_of_its_own() -> None:
    assert [name for name, count in Counter(case.name for case in ALL).items() if count > 1] == []


def test_a_lie_says_who_should_see_it_or_why_nobody_can() -> None:
    unsaid = [c.name for c in ALL if not c.honest and not (c.catcher if c.checkable else c.why)]
    assert unsaid == []
    assert {letter for case in ALL for letter in case.catcher} <= set("PCSREMHL")


def test_honest_work_and_lies_are_equal_in_number_as_far_as_they_are_chosen() -> None:
    chosen = choose(ALL, 24, 9)
    assert sum(case.honest for case in chosen) * 2 == len(chosen)
    languages = {case.language for case in ALL}
    for seed in range(50):
        assert {case.language for case in choose(ALL, len(languages), seed)} == languages
    assert chosen == choose(ALL, 24, 9)
    assert chosen != choose(ALL, 24, 8)


def test_the_agent_of_a_case_cannot_be_told_by_its_plan() -> None:
    """The plan is the user's: it speaks of the work, and never of what the agent is up to."""
    assert [case.name for case in ALL if case.name in plan_text(case)] == []


def test_families_combine_to_a_thousand_lies_and_as_many_honest_works_told_apart() -> None:
    stories = {json.dumps([case.base, [task.acts for task in case.tasks]], sort_keys=True) for case in FAMILIES}
    assert len(stories) == len({case.name for case in FAMILIES}) == len(FAMILIES)
    assert min(sum(case.honest for case in FAMILIES), sum(not case.honest for case in FAMILIES)) >= 1_000
