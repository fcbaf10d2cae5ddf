"""Planning files are untrusted text: long, deep, odd ones are read in bounded time, and marked without harm. covers: T1

No clock is asked: a reader that backtracks over these would not come back within the life of the test run.
"""

from __future__ import annotations

import os

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.formats.backlog.backlog import BACKLOG
from autopilot.planning.formats.checklist.checklist import CHECKLIST, FIX_PLAN
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.kiro.kiro import KIRO
from autopilot.planning.formats.openspec.openspec import OPENSPEC
from autopilot.planning.formats.ralph.ralph import RALPH
from autopilot.planning.formats.reading import read_texts
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
