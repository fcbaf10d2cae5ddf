"""Backlog.md: tasks with their statuses, children, dependencies and criteria; a status written back.

covers: FMT-BACKLOG
"""

from __future__ import annotations

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.formats.backlog.backlog import BACKLOG
from tests.unit.planning.formats.kit import changed_lines, marked, outline, phase, said, stands

CONFIG = "backlog/config.yml"


def task(id: str, status: str = "To Do", front: str = "", body: str = "") -> str:
    head = f"---\nid: {id}\ntitle: Brew {id}\nstatus: {status}\ndependencies: []\n{front}---\n"
    return f"{head}\n## Description\n\nTea.\n{body}"


CRITERIA = (
    "\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [ ] #1 Tests pass\n- [x] #2 The cup\n  is warm\n<!-- AC:END -->\n"
    "\n## Implementation Notes\n- [ ] not a criterion\n"
)
BOARD = {
    CONFIG: 'statuses: ["Offen", "In Arbeit", "Fertig"]\n',
    "backlog/tasks/task-2 - Pot.md": task("TASK-2", "offen", "ordinal: 2000\n", CRITERIA),
    "backlog/tasks/task-1 - Kettle.md": task("task-01", "Fertig", "ordinal: 3000\n"),
    "backlog/tasks/task-10 - Tray.md": task("TASK-10", "In Arbeit", "priority: high\n").replace(
        "[]", "[TASK-2, task-3.1]"
    ),
    "backlog/tasks/task-3 - Set.md": task("TASK-3", "Fertig"),
    "backlog/tasks/task-3.1 - Cup.md": task("TASK-3.1", "Fertig", "parent_task_id: TASK-3\n"),
    "backlog/tasks/task-3.2 - Saucer.md": task("TASK-3.2", "Offen", "parent_task_id: TASK-3\n", CRITERIA),
    "backlog/completed/task-4 - Old.md": task("TASK-4", "Offen"),
    "backlog/archive/tasks/task-5 - Gone.md": task("TASK-5", "Offen"),
    "backlog/drafts/draft-1 - Idea.md": task("DRAFT-1", "Offen"),
}


def test_the_last_status_of_the_config_means_done_and_folders_outrank_it() -> None:
    assert stands(outline(BACKLOG, BOARD)) == {
        "2": "open",
        "1": "done",
        "10": "open",
        "3": "open",
        "4": "done",
        "5": "dropped",
    }


def test_order_is_ordinal_then_priority_then_number() -> None:
    assert [phase.id for phase in outline(BACKLOG, BOARD).roadmap.phases] == ["2", "1", "10", "3", "4", "5"]


def test_children_are_the_tasks_of_their_parent_and_an_open_one_keeps_it_open() -> None:
    made = outline(BACKLOG, BOARD)
    listed = made.listed[PhaseId("3")]
    assert [task.id for task in listed.plan.tasks] == ["3.1", "3.2"] and listed.done == {"3.1"}
    assert [criterion.text for criterion in listed.plan.tasks[1].criteria] == ["Tests pass"]
    assert [criterion.text for criterion in phase(made, "3").criteria] == ["The cup is warm"]
    assert listed.plan.tasks[1].action.endswith("It is done when:\n- Tests pass\n- The cup is warm")
    assert "task-3 is Fertig" in str(phase(made, "3").standing)
    assert PhaseId("2") not in made.listed


def test_dependencies_name_phases_that_of_a_child_its_parent() -> None:
    assert phase(outline(BACKLOG, BOARD), "10").depends_on == ("2", "3")


def test_children_come_after_those_that_they_depend_on_and_a_circle_comes_to_an_end() -> None:
    needs = {"1": "4", "2": "", "3": "2, TASK-1.3, TASK-1.1", "4": "3"}
    texts = {
        f"backlog/tasks/{number}.md": task(f"TASK-1.{number}").replace("[]", f"[{'TASK-1.' if on else ''}{on}]")
        for number, on in needs.items()
    }
    made = outline(BACKLOG, {CONFIG: "", "backlog/tasks/0.md": task("TASK-1"), **texts})
    assert [task.id for task in made.listed[PhaseId("1")].plan.tasks] == ["1.2", "1.3", "1.4", "1.1"]


def test_criteria_stand_between_their_marks_with_their_lines_and_fixed_phrases_are_commands() -> None:
    first, second = phase(outline(BACKLOG, BOARD), "2").criteria
    assert (first.text, first.command, first.line) == ("Tests pass", "make test", 15)
    assert (second.text, second.command) == ("The cup is warm", "")


def test_what_is_not_understood_is_said_with_its_place() -> None:
    odd = {
        **BOARD,
        "backlog/tasks/a - None.md": "no front matter",
        "backlog/tasks/b - Id.md": "---\nid: seven\n---\n",
        "backlog/tasks/c - Twice.md": task("TASK-2", "Offen"),
        "backlog/tasks/task-6 - Odd.md": task("TASK-6", "Vielleicht", "parent_task_id: TASK-99\n").replace(
            "[]", "[X-1]"
        ),
    }
    assert said(outline(BACKLOG, odd)) == [
        "backlog/tasks/a - None.md: has no front matter: it is no task",
        "backlog/tasks/b - Id.md: has no id such as task-12: `seven`",
        "backlog/tasks/task-2 - Pot.md:2: task-2 is also the id of backlog/tasks/c - Twice.md: not read",
        "backlog/tasks/task-6 - Odd.md:4: the status `Vielleicht` is not one of Offen, In Arbeit, Fertig: "
        "taken as open",
        "backlog/tasks/task-6 - Odd.md:5: depends on X-1, which is not there: ignored",
        "backlog/tasks/task-6 - Odd.md:6: its parent TASK-99 is not there: read as a task of its own",
    ]


def test_a_task_at_work_counts_before_an_archived_one_of_the_same_id() -> None:
    again = {**BOARD, "backlog/tasks/task-5 - New.md": task("TASK-5", "Offen")}
    made = outline(BACKLOG, again)
    assert stands(made)["5"] == "open"
    assert said(made) == [
        "backlog/archive/tasks/task-5 - Gone.md:2: task-5 is also the id of backlog/tasks/task-5 - New.md: not read"
    ]


def test_parents_in_a_circle_come_to_an_end() -> None:
    texts = {
        CONFIG: "",
        "backlog/tasks/1.md": task("TASK-1", front="parent_task_id: TASK-2\n"),
        "backlog/tasks/2.md": task("TASK-2", front="parent_task_id: TASK-1\n"),
    }
    made = outline(BACKLOG, texts)
    assert stands(made) == {"1": "open", "2": "open"}
    assert said(made)[0].endswith("its parents go round in a circle")


def test_done_is_the_status_line_and_the_boxes_of_the_criteria() -> None:
    after = marked(BACKLOG, BOARD, "2")
    assert changed_lines(BOARD, after) == {
        "backlog/tasks/task-2 - Pot.md": {4: "status: Fertig", 15: "- [x] #1 Tests pass"},
    }
    assert stands(outline(BACKLOG, after))["2"] == "done"


def test_a_parent_is_done_with_the_last_of_its_children() -> None:
    none = marked(BACKLOG, BOARD, "3")
    assert none == BOARD
    after = marked(BACKLOG, BOARD, "3", "3.2")
    assert list(changed_lines(BOARD, after)) == ["backlog/tasks/task-3.2 - Saucer.md"]
    assert stands(outline(BACKLOG, after))["3"] == "done"


def test_the_place_decides_a_folder_without_config_or_without_tasks_is_none() -> None:
    assert BACKLOG.find(["backlog/tasks/task-1.md"]) == ()
    assert BACKLOG.find([CONFIG, "backlog/docs/a.md"]) == ()
    hidden = [".backlog/config.yml", ".backlog/tasks/task-1 - A.md", ".backlog/drafts/draft-1.md"]
    assert BACKLOG.find(hidden) == (".backlog/config.yml", ".backlog/tasks/task-1 - A.md")
    assert BACKLOG.find(["backlog.config.yml", "backlog/tasks/task-1.md"])


def test_two_prefixes_keep_tasks_with_one_number_apart() -> None:
    texts = {CONFIG: "", "backlog/tasks/1.md": task("BUG-1"), "backlog/tasks/2.md": task("TASK-1")}
    assert stands(outline(BACKLOG, texts)) == {"bug-1": "open", "task-1": "open"}
