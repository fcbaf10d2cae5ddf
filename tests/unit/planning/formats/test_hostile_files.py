"""Planning files are untrusted text: long, deep, odd ones are read in bounded time, and marked without harm. covers: T1

No clock is asked: a reader that backtracks over these would not come back within the life of the test run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.formats.backlog.backlog import BACKLOG
from autopilot.planning.formats.checklist.checklist import CHECKLIST, FIX_PLAN
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.kiro.kiro import KIRO
from autopilot.planning.formats.openspec.openspec import OPENSPEC
from autopilot.planning.formats.ralph.ralph import RALPH
from autopilot.planning.formats.reading import MOST_BYTES, MOST_TOGETHER, read_texts
from autopilot.planning.formats.speckit.format import SPECKIT
from autopilot.planning.formats.taskmaster.format import TASKMASTER
from tests.unit.planning.formats.kit import marked, outline, said

MANY = 30_000 if os.environ.get("AUTOPILOT_CHAOS") else 3_000
CHANGE, SPEC, TASK = "openspec/changes/a/", ".kiro/specs/a/", "backlog/tasks/task-1 - A.md"
PLACES: tuple[tuple[Format, dict[str, str]], ...] = (
    (
        OPENSPEC,
        {
            f"{CHANGE}tasks.md": "",
            f"{CHANGE}proposal.md": "## Why\n",
            f"{CHANGE}specs/a/spec.md": "## ADDED Requirements\n",
        },
    ),
    (KIRO, {f"{SPEC}tasks.md": "", f"{SPEC}requirements.md": "### Requirement 1\n#### Acceptance Criteria\n"}),
    (KIRO, {f"{SPEC}tasks.md": "- [ ] 1. a\n  - ", f"{SPEC}bugfix.md": "### Expected Behavior\n"}),
    (CHECKLIST, {"TODO.md": ""}),
    (FIX_PLAN, {"@fix_plan.md": "- [ ] a\n"}),
    (BACKLOG, {"backlog/config.yml": "statuses: ", TASK: "---\nid: TASK-1\nstatus: "}),
    (BACKLOG, {"backlog/config.yml": "", TASK: "---\nid: TASK-1\n---\n## Acceptance Criteria\n"}),
    (RALPH, {"prd.json": '[{"id": 1, "passes": false, "x": '}),
    (SPECKIT, {"specs/001-a/spec.md": "# a\n**Acceptance Scenarios**:\n", "specs/001-a/tasks.md": "## a\n"}),
    (TASKMASTER, {".taskmaster/tasks/tasks.json": '{"master": {"tasks": [{"id": 1, "x": '}),
)
TEXTS = (
    "- [ ] a\n" * MANY,
    "".join(f"{' ' * (depth % 900)}- [ ] {depth}\n" for depth in range(MANY // 10)),
    "- [ ] " + "1." * MANY + " a\n",
    "- [ ] " + "[" * MANY,
    "- [" + " " * MANY + "] a",
    "**" * MANY + "\n- [ ] a",
    "_Requirements: " + "1.1-9.9, " * MANY + "_",
    "- [ ] 1. a\n  - _Requirements: " + "1-" * MANY + "_\n",
    "  - **" + "a" * MANY + "\n" + "1. WHEN " * MANY,
    "#### Scenario: " + " " * MANY + "\n" + "- **WHEN** a\n" * MANY,
    "### Requirement: a\n" * MANY,
    "`" * MANY + "\n" + "<!--" * MANY,
    "```\n- [ ] never closed\n" * (MANY // 10),
    "depends on " * MANY + "`a`",
    "a: &x [*x, *x]\n" * MANY + "---\n",
    '"' + "\\" * MANY,
    "'" * MANY,
    "x: >-\n" + "  y\n" * MANY + "---\n",
    "- item\n" * MANY + "---\n",
    "[" * MANY,
    '{"a":' * MANY,
    "\udcff\x00\x1b[2J" * MANY,
    "\r" * MANY + "\u2028" * MANY,
)


@pytest.mark.parametrize(
    ("format", "files"), PLACES, ids=[f"{format.name}-{at}" for at, (format, _) in enumerate(PLACES)]
)
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_long_odd_text_is_read_and_marked_to_the_end(format: Format, files: dict[str, str], text: str) -> None:
    texts = {path: head + text for path, head in files.items()}
    made = outline(format, texts)
    assert len(made.roadmap.phases) <= 2_000
    for phase in made.roadmap.phases[:1]:
        listed = made.listed.get(phase.id)
        tasks = [task.id for task in listed.plan.tasks] if listed else []
        assert len(tasks) <= 1_000
        assert set(marked(format, texts, phase.id, *tasks)) == set(texts)
    for path, whole in texts.items():
        assert format.neutral(path, format.neutral(path, whole)) == format.neutral(path, whole)


def test_a_json_of_many_megabytes_is_not_parsed() -> None:
    assert read_texts(RALPH.find(["prd.json"]), lambda _: b"[" + b"[]," * 22_000_000) == ({}, ("prd.json",))
    assert not outline(RALPH, {}).roadmap.phases


def test_ten_thousand_boxes_are_bounded_and_that_is_said() -> None:
    made = outline(CHECKLIST, {"TODO.md": "".join(f"- [ ] item {number}\n" for number in range(10_000))})
    assert len(made.roadmap.phases) == 2_000
    assert said(made) == ["TODO.md: 10,000 phases: the first 2,000 are read"]
    many = outline(OPENSPEC, {f"{CHANGE}tasks.md": "- [ ] a\n" * 10_000})
    assert len(many.listed[PhaseId("a")].plan.tasks) == 1_000
    assert said(many)[-1] == f"{CHANGE}tasks.md:1: has 10000 tasks: the first 1,000 are read"


# Read in no time, or not within the life of the test run: each is small where it is looked at line by line, and what is
# made of it grows with the product of two parts.
PRODUCTS: Mapping[str, tuple[Format, dict[str, str]]] = {
    "a heading above many boxes": (
        OPENSPEC,
        {f"{CHANGE}tasks.md": "## " + "x" * 1_000_000 + "\n" + "- [ ] a\n" * 100_000},
    ),
    "a heading above many items": (CHECKLIST, {"TODO.md": "## " + "won " * 250_000 + "\n" + "- [ ] a\n" * 30_000}),
    "a box above many boxes": (
        KIRO,
        {f"{SPEC}tasks.md": "- [ ] 1. " + "x" * 1_000_000 + "\n" + "  - [ ] b\n" * 30_000},
    ),
    "a requirement of one line many times": (KIRO, {f"{SPEC}requirements.md": "## Requirement 1\n" * 100_000}),
    "a section above many tasks": (
        SPECKIT,
        {"specs/001-a/tasks.md": "## " + "x" * 2_000_000 + "\n" + "- [ ] a\n" * 30_000},
    ),
    "a task of tags": (SPECKIT, {"specs/001-a/tasks.md": "- [ ] T001 " + "[P]" * 1_000_000 + " a"}),
    "items of a spec": (SPECKIT, {"specs/001-a/spec.md": "# a\n**Acceptance Scenarios**:\n" + "- x\n" * 200_000}),
    "a row of parents": (
        BACKLOG,
        {"backlog/config.yml": ""}
        | {f"backlog/tasks/{n}.md": f"---\nid: t-{n}\nparent_task_id: t-{n + 1}\n---\n" for n in range(1, 3_000)},
    ),
    "a circle of parents": (
        BACKLOG,
        {"backlog/config.yml": ""}
        | {
            f"backlog/tasks/{n}.md": f"---\nid: t-{n}\nparent_task_id: t-{n % 2_500 + 1}\n---\n"
            for n in range(1, 3_000)
        },
    ),
    "many dependencies": (
        BACKLOG,
        {"backlog/config.yml": ""}
        | {
            f"backlog/tasks/{n}.md": f"---\nid: t-{n}\ndependencies: [{'1, 2, 3, ' * 30}]\n---\n"
            for n in range(1, 3_000)
        },
    ),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_long_part_beside_many_others_is_read_to_the_end(name: str) -> None:
    format, texts = PRODUCTS[name]
    made = outline(format, texts)
    for phase in made.roadmap.phases[:1]:
        listed = made.listed.get(phase.id)
        assert listed is None or len(listed.plan.tasks) <= 1_000


def test_parents_that_go_round_are_tasks_of_their_own_with_those_that_lead_to_them() -> None:
    rows = {"1": "2", "2": "3", "3": "2", "4": "5", "5": "", "6": "4"}
    texts = {f"backlog/tasks/{n}.md": f"---\nid: t-{n}\nparent_task_id: t-{p}\n---\n" for n, p in rows.items() if p}
    made = outline(BACKLOG, {"backlog/config.yml": "", "backlog/tasks/5.md": "---\nid: t-5\n---\n"} | texts)
    assert [phase.id for phase in made.roadmap.phases] == ["1", "2", "3", "5"]
    assert [task.id for task in made.listed[PhaseId("5")].plan.tasks] == ["4", "6"]
    assert sum("in a circle" in line for line in said(made)) == 3


def test_many_files_are_bounded_together() -> None:
    paths = [f"{number}.md" for number in range(12)]
    texts, too_large = read_texts(paths, lambda _: b"a" * MOST_BYTES)
    assert (len(texts), len(too_large)) == (MOST_TOGETHER // MOST_BYTES, 12 - MOST_TOGETHER // MOST_BYTES)
