"""Task Master's tasks as phases, and their statuses set by spans. covers: FMT-03"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.model.planning.outline import Outline, Proven
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.standing import Stand
from autopilot.model.policy import Commands
from autopilot.model.run import SpecLock
from autopilot.planning.formats.locking import fingerprint
from autopilot.planning.formats.marking import apply_edits
from autopilot.planning.formats.outlining import MOST_PHASES
from autopilot.planning.formats.taskmaster.format import TASKMASTER
from autopilot.planning.formats.taskmaster.places import FILE, OLDER, STATE
from autopilot.planning.roadmap.standing.holding import hold_dependents

SUBTASKS = [
    {
        "id": 2,
        "title": "Second",
        "status": "pending",
        "dependencies": ["4.1"],
        "details": "in src/two.py",
        "testStrategy": "See that two is there. All tests pass.",
    },
    {"id": 1, "title": "First", "status": "done", "dependencies": []},
    {"id": 3, "title": "Third", "status": "deferred", "dependencies": [1]},
]
TASKS: list[dict[str, Any]] = [
    {"id": 1, "title": "Set up", "status": "done", "dependencies": []},
    {
        "id": "4",
        "title": "Build it",
        "description": "All of it",
        "testStrategy": "All tests pass. Verify that it is there.",
        "status": "in-progress",
        "dependencies": [1, "77"],
        "subtasks": SUBTASKS,
    },
    {
        "id": "AUTH-2",
        "title": "Log in",
        "status": "review",
        "dependencies": ["4.2"],
        "testStrategy": "1. One thing.\n2. It works",
    },
    {"id": 9, "title": "After", "dependencies": ["AUTH-2"]},
    {"id": 10, "title": "Never", "status": "cancelled"},
    {"id": 11, "title": "Free", "status": "blocked", "dependencies": [10]},
]
TAGS = {"master": {"tasks": []}, "feat": {"tasks": TASKS, "metadata": {"taskCount": 19}}}
FOUR = PhaseId("4")


def texts(data: object = TAGS, tag: str = "feat") -> dict[str, str]:
    return {FILE: json.dumps(data, indent=2), STATE: json.dumps({"currentTag": tag})}


def read(files: dict[str, str]) -> Outline:
    return TASKMASTER.read(files, Commands(test="pytest -q"))


def test_the_tasks_of_the_current_tag_are_phases_with_their_ids_states_and_dependencies() -> None:
    roadmap = read(texts()).roadmap
    assert [(phase.id, phase.standing.stand, phase.depends_on) for phase in roadmap.phases] == [
        ("1", Stand.DONE, ()),
        ("4", Stand.OPEN, ("1",)),
        ("AUTH-2", Stand.HELD, ("4",)),
        ("9", Stand.OPEN, ("AUTH-2",)),
        ("10", Stand.DROPPED, ()),
        ("11", Stand.HELD, ()),
    ]
    assert [(c.text, c.command) for c in roadmap.phases[1].criteria] == [
        ("All tests pass.", "pytest -q"),
        ("Verify that it is there.", ""),
        ("See that two is there.", ""),
    ]
    assert [c.text for c in roadmap.phases[2].criteria] == ["One thing.", "It works"]
    said = [str(complaint) for complaint in roadmap.complaints]
    assert any("task 4 depends on 77, which is not there" in text for text in said)
    assert any("task 11 depends on 10, which is cancelled" in text for text in said)


def test_what_depends_on_a_task_that_waits_for_a_person_waits_too() -> None:
    held = {phase.id: phase for phase in hold_dependents(read(texts()).roadmap.phases)}
    assert str(held[PhaseId("9")].standing) == (
        f"it depends on phase AUTH-2: status `review` in {FILE} (waits for you)"
    )
    assert not held[FOUR].held


def test_subtasks_are_tasks_after_what_they_depend_on_and_only_open_ones_are_carried_out() -> None:
    listed = read(texts()).listed[FOUR]
    assert [task.id for task in listed.plan.tasks] == ["4.1", "4.2", "4.3"]
    assert [task.id for task in listed.to_do] == ["4.2"]
    assert listed.to_do[0].files == ("src/two.py",)
    assert [criterion.command for criterion in listed.to_do[0].criteria] == ["pytest -q"]
    assert "It is done when: See that two is there." in listed.to_do[0].action
    assert [task.id for task in read(texts()).listed[PhaseId("9")].to_do] == ["9"]


def test_a_file_without_tags_and_the_older_place_are_read() -> None:
    flat = {OLDER: json.dumps({"tasks": TASKS, "meta": {}})}
    assert [phase.id for phase in read(flat).roadmap.phases][:2] == ["1", "4"]
    assert TASKMASTER.find([OLDER, FILE, STATE, ".taskmaster/docs/prd.md", "tasks/task_001.txt"]) == (
        FILE,
        STATE,
        ".taskmaster/docs/prd.md",
    )
    assert TASKMASTER.find([STATE, "docs/prd.md"]) == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "is not valid JSON"),
        ("[]", "is not a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"tasks": [{"id": ' + "9" * 5000 + "}]}", "a number that is too long"),
        ('{"other": {"tasks": []}}', "has no tasks for the tag `master`; its tags: other"),
    ],
)
def test_a_file_that_cannot_be_read_is_complained_of(text: str, why: str) -> None:
    roadmap = read({FILE: text}).roadmap
    assert not roadmap.phases
    assert why in str(roadmap.complaints[0])
    assert TASKMASTER.mark({FILE: text}, Proven(FOUR, frozenset(), "2026-01-01")) == ()


def test_a_proven_task_is_done_with_the_subtasks_that_have_evidence_and_every_other_byte_stays() -> None:
    files = {path: text.replace("\n", "\r\n") for path, text in texts().items()}
    proven = Proven(FOUR, frozenset({"4.2"}), "2026-01-01")
    changed = apply_edits(files, TASKMASTER.mark(files, proven))
    tasks = json.loads(changed[FILE])["feat"]["tasks"]
    assert (tasks[1]["status"], [sub["status"] for sub in tasks[1]["subtasks"]]) == (
        "done",
        ["done", "done", "deferred"],
    )
    back = changed[FILE].replace('"status": "done"', '"status": ""')
    assert back == files[FILE].replace('"in-progress"', '""').replace('"pending"', '""').replace('"done"', '""')
    assert TASKMASTER.mark({**files, **changed}, proven) == ()
    assert TASKMASTER.neutral(FILE, changed[FILE]) == TASKMASTER.neutral(FILE, files[FILE])


def test_a_task_without_a_status_gets_one() -> None:
    files = texts()
    changed = apply_edits(files, TASKMASTER.mark(files, Proven(PhaseId("9"), frozenset(), "2026-01-01")))
    assert json.loads(changed[FILE])["feat"]["tasks"][3] == {**TASKS[3], "status": "done"}
    assert '{\n        "status": "done",\n        "id": 9,' in changed[FILE]
    assert TASKMASTER.neutral(FILE, changed[FILE]) == TASKMASTER.neutral(FILE, files[FILE])


def test_a_changed_word_of_a_task_is_a_changed_spec_and_a_changed_status_is_not() -> None:
    """covers: INV-4"""
    lock = SpecLock(FILE, "", ("other.md",))
    before, other = texts()[FILE], b"- [ ] a box\n"
    read_ = {FILE: before.encode(), "other.md": other}.get
    first = fingerprint(lock, "task-master", read_)
    done = {FILE: before.replace('"review"', '"done"').encode(), "other.md": b"- [x] a box\n"}.get
    assert fingerprint(lock, "task-master", done) == first
    assert (
        fingerprint(lock, "task-master", {FILE: before.replace("Build", "Burn").encode(), "other.md": other}.get)
        != first
    )
    assert fingerprint(lock, "task-master", {FILE: before.encode(), "other.md": b"- [ ] another\n"}.get) != first
    assert fingerprint(lock, "task-master", {"other.md": other}.get) == ""


WORDS = st.text(max_size=8)
STATUS = st.sampled_from(["pending", "done", "in-progress", "review", 'do"ne', ""])
SUB = st.fixed_dictionaries({"id": st.integers(1, 5), "title": WORDS}, optional={"status": STATUS, "details": WORDS})
TASK = st.fixed_dictionaries(
    {"id": st.one_of(st.integers(1, 6), st.sampled_from(["1", "2", "A-1", "x y"]))},
    optional={
        "status": STATUS,
        "title": WORDS,
        "subtasks": st.lists(SUB, max_size=4),
        "dependencies": st.lists(WORDS, max_size=2),
    },
)


@settings(max_examples=500)
@given(st.lists(TASK, max_size=5), st.sampled_from([None, 2, "\t"]), st.booleans(), st.randoms(use_true_random=False))
def test_random_marks_change_nothing_but_statuses(
    tasks: list[dict[str, Any]], indent: int | str | None, ascii: bool, chance: st.DataObject
) -> None:
    text = json.dumps({"master": {"tasks": tasks}, "other": TAGS}, indent=indent, ensure_ascii=ascii)
    outline = read({FILE: text})
    for phase in outline.roadmap.phases:
        ids = [task.id for task in outline.listed[phase.id].plan.tasks]
        chosen = frozenset(id for id in ids if chance.random() < 0.5)
        after = apply_edits({FILE: text}, TASKMASTER.mark({FILE: text}, Proven(phase.id, chosen, ""))).get(FILE, text)
        before_data, data = json.loads(text), json.loads(after)
        _blank(before_data["master"]["tasks"])
        _blank(data["master"]["tasks"])
        assert data == before_data
        again = read({FILE: after})
        assert next(p for p in again.roadmap.phases if p.id == phase.id).ticked
        assert chosen <= again.listed[phase.id].done or len(ids) == 1 or not chosen


def _blank(tasks: list[dict[str, Any]]) -> None:
    for task in tasks:
        task.pop("status", None)
        _blank(task.get("subtasks", []))


def test_of_very_many_tasks_the_first_are_read_and_the_rest_is_named() -> None:
    tasks = [{"id": number, "title": "Pour", "testStrategy": "See tea."} for number in range(1, MOST_PHASES + 3)]
    made = TASKMASTER.read({FILE: json.dumps({"master": {"tasks": tasks}}, indent=1)}, Commands())
    assert len(made.roadmap.phases) == MOST_PHASES
    assert [found.text for found in made.roadmap.complaints] == ["over 2,000 tasks: those from here on are left out"]
    assert made.roadmap.complaints[0].line > MOST_PHASES


def test_a_list_that_is_not_there_is_not_called_broken() -> None:
    assert [str(found) for found in TASKMASTER.read({}, Commands()).roadmap.complaints] == []
