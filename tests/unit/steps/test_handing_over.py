"""An agent that a limit stopped in mid-work: what it committed is kept, the rest is another's, no attempt is spent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.happened import AgentReplied, TaskCommitted, TaskRefused
from autopilot.events.pieces import TaskState
from autopilot.events.recovery import HandedOver, PhaseMended, Resolved, TaskAlreadyThere
from autopilot.model.agent import AgentReply, Ending, Role, Usage
from autopilot.model.evidence.observation import Seen
from autopilot.model.git import Change, LogEntry
from autopilot.model.planning.criterion import Form
from autopilot.model.run import Step, TaskStatus
from autopilot.steps.accepting import take_work
from autopilot.steps.asking.asking import Answer
from autopilot.steps.context import Result
from tests.unit.making import ONE, make_criterion, make_observation, make_phase, make_state, make_task
from tests.unit.steps.asking.test_asking import perform
from tests.unit.steps.sample import CONFLICT, sample_context, sample_world
from tests.unit.steps.snapshots import PENDING
from tests.unit.steps.world import Tree, World

# covers: EXEC, DBG, CTXE-01
POSTPONED = (Ending.RATE_LIMITED, Ending.OVERLOADED, Ending.AUTH, Ending.NOT_FOUND)
NINE = {f"01-{n:02}": TaskState(make_task(f"01-{n:02}")) for n in range(1, 10)}


class Worked(Tree):
    """A vault in which an agent committed on top of the tip; with ``bad`` what it must not touch."""

    def __init__(self, bad: bool, subjects: Sequence[str], files: dict[str, bytes]) -> None:
        super().__init__(files)
        self._bad, self._subjects = bad, subjects

    def changes(self, base: str, head: str, most: int | None = None) -> tuple[Change, ...]:
        return (Change(".planning/config.json" if self._bad else "shelf/part_1.py", "M", "100644", "100644"),)

    def is_ancestor(self, ancestor: str, commit: str) -> bool:
        return True

    def tree_of(self, commit: str) -> str:
        return f"tree-{commit}"

    def commit(self, tree: str, parents: Sequence[str], subject: str, at: datetime, author: object) -> str:
        return f"made-of-{tree}"

    def log(self, base: str, head: str, most: int = 500) -> tuple[LogEntry, ...]:
        return tuple(LogEntry(f"c{n}", subject, f"t{n}") for n, subject in enumerate(self._subjects))


def worked(
    folder: Path, step: Step, ending: Ending, task: str = "", bad: bool = False, **fields: Any
) -> tuple[World, Result]:
    world = sample_world(folder)
    world.ear.reply = AgentReply(ending, detail="it was told so")
    files = {"shelf/part_1.py": b"<<<<<<< ours\n"} if fields.pop("markers", False) else {}
    subjects = fields.pop("subjects", ())
    world.ports = replace(world.ports, vault=Worked(bad, subjects, files))
    _, result = perform(sample_context(world, step, task, **fields))
    return world, result


@pytest.mark.parametrize("step", [Step.EXECUTE, Step.DEBUG])
@pytest.mark.parametrize(("ending", "counted"), [*((e, False) for e in POSTPONED), (Ending.CONTEXT_EXHAUSTED, True)])
def test_who_was_stopped_in_mid_work_hands_over_what_is_committed(
    tmp_path: Path, step: Step, ending: Ending, counted: bool
) -> None:
    _, result = worked(tmp_path, step, ending, "01-01")
    committed, over = result.events
    assert isinstance(committed, TaskCommitted) and isinstance(over, HandedOver)
    assert (result.status, over.counted) == ("handed_over", counted)
    assert over.reason.endswith(f"{ending.in_words}: it was told so")


@pytest.mark.parametrize("step", [Step.EXECUTE, Step.DEBUG])
@pytest.mark.parametrize("ending", POSTPONED)
def test_what_a_stopped_agent_left_and_cannot_be_taken_in_is_nobodys_refusal(
    tmp_path: Path, step: Step, ending: Ending
) -> None:
    _, result = worked(tmp_path, step, ending, "01-01", bad=True)
    assert (result.status, result.events) == ("put_off", ())


def test_the_same_of_one_that_ended_well_is_refused(tmp_path: Path) -> None:
    _, result = worked(tmp_path, Step.EXECUTE, Ending.CRASHED, "01-01", bad=True)
    assert result.status == "refused" and isinstance(result.events[0], TaskRefused)


def taken_over(folder: Path, ending: Ending, head: str = "tip", commit: str = "tip") -> Result:
    """The task was handed over with a commit; whoever goes on adds nothing to it."""
    world = sample_world(folder)
    world.ear.reply = AgentReply(ending, detail="it was told so")
    world.ports = replace(world.ports, vault=Idle(head))
    before = TaskState(make_task(), "handed_over", commit, "base", handovers=("limited",), uncounted=1)
    return perform(sample_context(world, Step.EXECUTE, "01-01", line="tip", tasks={"01-01": before}))[1]


class Idle(Worked):
    def __init__(self, head: str) -> None:
        super().__init__(False, (), {})
        self._head = head

    def take(self, clone: Path, keep_as: str) -> str:
        return self._head


@pytest.mark.parametrize("head", ["tip", ""])
def test_who_takes_over_and_finds_all_of_it_done_is_looked_at_and_not_refused(tmp_path: Path, head: str) -> None:
    """A limit may come with the very last word, after all the work was committed."""
    result = taken_over(tmp_path, Ending.COMPLETED, head)
    [committed] = result.events
    assert isinstance(committed, TaskCommitted) and result.status == "completed"
    assert (committed.parent, committed.commit) == ("base", "made-of-tree-tip")


def test_nothing_done_is_refused_where_nothing_was_handed_over_or_the_agent_broke_down(tmp_path: Path) -> None:
    assert taken_over(tmp_path, Ending.CRASHED).status == "refused"
    assert taken_over(tmp_path, Ending.COMPLETED, commit="").status == "refused"
    assert taken_over(tmp_path, Ending.RATE_LIMITED).status == "put_off"


@pytest.mark.parametrize("ending", POSTPONED)
def test_a_batch_that_was_broken_off_leaves_the_rest_to_do(tmp_path: Path, ending: Ending) -> None:
    _, result = worked(tmp_path, Step.EXECUTE, ending, tasks=NINE, subjects=["01-01: done", "01-02: done"])
    assert [(type(event), event.task) for event in result.events] == [
        (TaskCommitted, "01-01"),
        (TaskCommitted, "01-02"),
    ]
    assert result.status == "completed"
    assert result.detail.startswith("2 of 9 tasks committed; the executor ")


def test_a_batch_that_came_to_its_end_is_refused_what_it_left_out(tmp_path: Path) -> None:
    _, result = worked(tmp_path, Step.EXECUTE, Ending.CRASHED, tasks=NINE, subjects=["01-01: done"])
    assert [type(event) for event in result.events] == [TaskCommitted, *[TaskRefused] * 8]


@pytest.mark.parametrize("ending", POSTPONED)
def test_a_phase_is_not_counted_as_mended_in_vain_by_one_that_was_stopped(tmp_path: Path, ending: Ending) -> None:
    _, result = worked(tmp_path, Step.DEBUG, ending, bad=True)
    assert (result.status, result.events) == ("put_off", ())
    _, refused = worked(tmp_path, Step.DEBUG, Ending.CRASHED, bad=True)
    assert isinstance(refused.events[0], PhaseMended) and refused.events[0].refusal


@pytest.mark.parametrize("ending", POSTPONED)
def test_conflict_markers_left_by_one_that_was_stopped_are_not_its_answer(tmp_path: Path, ending: Ending) -> None:
    fields = {"conflict": CONFLICT, "line": "line", "tasks": PENDING, "markers": True}
    _, result = worked(tmp_path, Step.RESOLVE, ending, ONE, **fields)
    assert (result.status, result.events) == ("put_off", ())
    _, refused = worked(tmp_path, Step.RESOLVE, Ending.CRASHED, ONE, **fields)
    assert isinstance(refused.events[0], Resolved) and "markers" in refused.events[0].refusal


@pytest.mark.parametrize(
    ("ending", "before", "red", "unshown"),
    [
        (Ending.COMPLETED, {"untouched": True}, (), True),  # two agents found nothing to do, and nothing is red
        (Ending.COMPLETED, {"untouched": True}, ("01-01.c1",), False),  # it is seen to be missing
        (Ending.COMPLETED, {}, (), False),  # the agent before left something that was refused
        (Ending.COMPLETED, {"untouched": True, "commit": "work"}, (), False),
        (Ending.CRASHED, {"untouched": True}, (), False),
        (Ending.COMPLETED, {"untouched": True, "parent": ONE}, (), False),  # a part cannot wait for a person
        (Ending.COMPLETED, {"untouched": True, "type": "fix"}, (), False),  # of an audit: the run is finished anyway
    ],
)
def test_a_task_that_two_agents_leave_as_it_is_is_not_refused_but_not_shown_either(
    tmp_path: Path, ending: Ending, before: dict[str, Any], red: tuple[str, ...], unshown: bool
) -> None:
    """covers: ALREADY"""
    prose = make_criterion("01-01.c2", form=Form.PROSE, command="")
    task = make_task("01-01", make_criterion("01-01.c1"), prose, type=before.get("type", "auto"))
    seen = make_observation("01-01.c1", Seen.FAILED if red else Seen.PASSED)
    parent = before.get("parent")
    fields = {name: value for name, value in before.items() if name not in ("parent", "type")}
    tasks = {"01-01": replace(TaskState(task, TaskStatus.REFUSED), **fields)}
    phase = make_phase(red=(seen,), parent=parent, tasks=tasks)
    ctx = World(tmp_path).context(make_state(phase), phase, Step.DEBUG, "01-01")
    event = AgentReplied(ONE, Step.DEBUG, Role.DEBUGGER, "ear", ending, Usage(), 5, "01-01")
    result = take_work(ctx, task, Answer(None, "", event), claimed=True)
    there = [event for event in result.events if isinstance(event, TaskAlreadyThere)]
    refused = [event for event in result.events if isinstance(event, TaskRefused)]
    assert [event.unshown for event in there] == ([True] if unshown else [])
    assert [event.untouched for event in refused] == ([] if unshown else [ending is Ending.COMPLETED])
