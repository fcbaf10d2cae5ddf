"""Waves without a file in two tasks of one. covers: PVRF-01, PLAN"""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.plan import Task
from autopilot.planning.plan.waves import overlap, split_waves


def task(id: str, *files: str, wave: int = 1) -> Task:
    return Task(id, id, files=files, wave=wave)


def waves(*tasks: Task) -> list[tuple[str, int]]:
    return [(each.id, each.wave) for each in split_waves(tasks)]


def test_tasks_that_share_nothing_stay_together() -> None:
    assert waves(task("a", "x"), task("b", "y"), task("c")) == [("a", 1), ("b", 1), ("c", 1)]


def test_a_shared_file_opens_the_next_wave_and_the_order_stays() -> None:
    assert waves(task("a", "x"), task("b", "x", "y"), task("c", "z")) == [("a", 1), ("b", 2), ("c", 2)]


def test_earlier_waves_come_first_and_numbers_start_at_one() -> None:
    assert waves(task("a", wave=7), task("b", wave=3), task("c", wave=7)) == [("b", 1), ("a", 2), ("c", 2)]


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("src/a.py", "src/a.py", True),
        ("./src/a.py", "src/a.py", True),
        ("src", "src/a.py", True),
        ("src/", "src/deep/a.py", True),
        ("src/a", "src/ab", False),
        ("src/a.py", "lib/a.py", False),
        ("src/**/*.ts", "src/x/y.ts", True),
        ("src/*.ts", "lib/y.ts", False),
        (".", "anything", True),
    ],
)
def test_a_folder_covers_what_is_below_it(one: str, other: str, shared: bool) -> None:
    first, second = task("a", one), task("b", other)
    assert overlap(first, second) is overlap(second, first) is shared


NAMES = st.sampled_from(["a", "b", "a/x", "a/y", "a/x/z", "b/*.py", "./a/x", "a/"])
TASKS = st.lists(st.tuples(st.lists(NAMES, max_size=3), st.integers(1, 4)), max_size=8).map(
    lambda drawn: [task(str(n), *files, wave=wave) for n, (files, wave) in enumerate(drawn)]
)


@given(TASKS)
def test_no_file_is_in_two_tasks_of_a_wave(tasks: list[Task]) -> None:
    for one, other in combinations(split_waves(tasks), 2):
        assert one.wave != other.wave or not overlap(one, other)


@given(TASKS)
def test_every_task_is_there_once_in_the_order_of_its_given_wave_and_its_plan(tasks: list[Task]) -> None:
    given_order = [each.id for each in sorted(tasks, key=lambda each: each.wave)]
    split = split_waves(tasks)
    assert [each.id for each in split] == given_order
    assert all(0 <= after.wave - before.wave <= 1 for before, after in pairwise(split))
    assert not split or split[0].wave == 1
    by_id = {each.id: each for each in tasks}
    assert all(
        after.wave > before.wave
        for before, after in combinations(split, 2)
        if by_id[before.id].wave < by_id[after.id].wave
    )


@given(TASKS)
def test_splitting_what_is_split_changes_nothing(tasks: list[Task]) -> None:
    assert split_waves(split_waves(tasks)) == split_waves(tasks)
