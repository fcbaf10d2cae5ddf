"""The honest splitter's cut: every task once, no shared file torn apart, two or three parts (SPLIT)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from autopilot.simulation.honest.split import propose

# covers: SPLIT


def task(number: int, *files: str, complexity: str = "simple") -> dict[str, Any]:
    return {"id": f"20-{number:02}", "title": f"Task {number}", "files": list(files), "complexity": complexity}


def cut(*tasks: dict[str, Any]) -> list[list[str]]:
    return [part["tasks"] for part in propose(list(tasks))["sub_phases"]]


def test_tasks_that_share_a_file_stay_together_even_through_a_third() -> None:
    tied = (task(1, "a.py"), task(2, "b.py"), task(3, "c.py"), task(4, "a.py", "c.py"))
    assert cut(*tied) == [["20-01", "20-03", "20-04"], ["20-02"]]


def test_heavy_tasks_are_spread_and_keep_the_order_of_the_plan() -> None:
    heavy = [task(number, f"{number}.py", complexity="complex") for number in (1, 2)]
    light = [task(number, f"{number}.py") for number in (3, 4, 5)]
    assert cut(*heavy, *light) == [["20-01"], ["20-02"], ["20-03", "20-04", "20-05"]]


def test_a_part_is_named_and_scoped_by_the_titles_of_its_tasks() -> None:
    first, second = propose([task(1, "a"), task(2, "b"), task(3, "b")])["sub_phases"]
    assert (first["name"], first["scope"]) == ("Task 1", "Task 1")
    assert (second["name"], second["scope"]) == ("Task 2", "Task 2; Task 3")


def test_where_there_is_nothing_to_cut_it_says_why() -> None:
    for tasks, why in (([], "one task at most"), ([task(1, "a"), task(2, "a")], "files they share")):
        proposal = propose(tasks)
        assert proposal["sub_phases"] == []
        assert why in proposal["reason"]


FILES = st.lists(st.sampled_from("abcdefgh"), max_size=3)


@given(st.lists(st.tuples(FILES, st.sampled_from(["simple", "medium", "complex", ""])), max_size=12))
def test_every_task_is_in_one_part_and_no_file_in_two(drawn: list[tuple[list[str], str]]) -> None:
    tasks = [task(number, *files, complexity=weight) for number, (files, weight) in enumerate(drawn)]
    parts = cut(*tasks)
    if not parts:
        return
    assert 2 <= len(parts) <= 3
    assert all(parts)
    assert sorted(each for part in parts for each in part) == [each["id"] for each in tasks]
    files = {each["id"]: set(each["files"]) for each in tasks}
    named = [set().union(*(files[each] for each in part)) for part in parts]
    assert sum(map(len, named)) == len(set().union(*named))
