"""When to split, and whether a cut is sound.

covers: SPLIT
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.assessment import SplitProposal, SubPhase
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.plan.split import check_proposal, should_split, should_split_feedback, sub_phase_id


def task(id: str, *files: str, complexity: str = "simple") -> Task:
    return Task(id, "T", complexity=complexity, files=files)


def proposal(*parts: tuple[str, ...], name: str = "part") -> SplitProposal:
    return SplitProposal("too much", tuple(SubPhase(name, "all of it", tasks) for tasks in parts))


def test_six_complex_tasks_are_too_many_and_five_are_not() -> None:
    six = [task(str(n), "a.py", complexity="complex") for n in range(6)]
    assert should_split(six) == "the plan has 6 complex tasks, more than 5"
    assert should_split([*six[:5], task("s", complexity="medium")]) == ""


def test_eleven_files_are_too_many_and_ten_are_not() -> None:
    wide = task("1", *(f"f{n}.py" for n in range(10)))
    assert should_split([wide, task("2", "./f3.py", " f4.py ")]) == ""
    assert should_split([wide, task("2", "g.py")]) == "the plan touches 11 files, more than 10"


@pytest.mark.parametrize(
    ("files", "splits"),
    [
        (("a", "b", "c", "d"), True),
        (("a", "b", "c"), False),
        (("a", "a", "b", "c"), False),
        (("a", "b", "c", "d", "a"), True),
        (("a", "b", "c", "./c"), False),
        (("a", "b", "c", ""), False),
    ],
)
def test_feedback_splits_with_more_than_three_issues_over_four_files(files: tuple[str, ...], splits: bool) -> None:
    assert bool(should_split_feedback([("wrong", file) for file in files])) is splits


TASKS = [task("1", "a.py"), task("2", "b.py"), task("3", "b.py")]


@pytest.mark.parametrize(
    ("cut", "problems"),
    [
        (proposal(("1",), ("2", "3")), ()),
        (proposal(("1", "2", "3")), ("a split needs at least two parts, not 1",)),
        (
            SplitProposal("", ()),
            ("a split needs at least two parts, not 0", *(f"task {n} is in no part" for n in "123")),
        ),
        (proposal(("1",), ("2",)), ("task 3 is in no part",)),
        (proposal(("1", "2"), ("2", "3")), ("task 2 appears 2 times",)),
        (proposal(("1", "1"), ("2", "3")), ("task 1 appears 2 times",)),
        (proposal(("1", "9"), ("2", "3")), ("the plan has no task 9",)),
        (proposal(("1",), ("2", "3"), name=" "), ("part 1 has no name", "part 2 has no name")),
        (proposal(("1",), ("2", "3"), ()), ("part 3 has no task",)),
    ],
)
def test_an_unsound_cut_is_refused_with_its_reasons(cut: SplitProposal, problems: tuple[str, ...]) -> None:
    assert check_proposal(cut, TASKS).problems == problems


def test_a_file_in_two_parts_is_warned_of_and_no_problem() -> None:
    checked = check_proposal(proposal(("1", "2"), ("3",)), TASKS)
    assert checked.problems == () and checked.warnings == ("b.py is changed by parts 1, 2",)


def test_more_parts_than_letters_are_refused() -> None:
    many = [task(str(n)) for n in range(27)]
    assert check_proposal(proposal(*((one.id,) for one in many)), many).problems == ("27 parts are more than 26",)
    assert check_proposal(proposal(*((one.id,) for one in many[:26])), many[:26]).problems == ()


def test_parts_are_lettered() -> None:
    assert [sub_phase_id(PhaseId("20"), index) for index in (0, 1, 25)] == ["20a", "20b", "20z"]
    assert sub_phase_id(PhaseId("6.1"), 2) == "6.1c"


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12))
def test_every_division_of_the_tasks_into_two_or_more_parts_is_sound(places: list[int]) -> None:
    tasks = [task(str(n), "a.py") for n in range(len(places))]
    parts: dict[int, list[str]] = {}
    for one, place in zip(tasks, places, strict=True):
        parts.setdefault(place, []).append(one.id)
    cut = proposal(*(tuple(ids) for ids in parts.values()))
    checked = check_proposal(cut, tasks)
    assert (checked.problems == ()) is (len(parts) > 1)
    assert bool(checked.warnings) is (len(parts) > 1)
