"""What `init` tells of another tool's planning files. covers: FMT-01"""

from __future__ import annotations

from autopilot.model.policy import Commands
from autopilot.planning.formats.speckit.format import SPECKIT
from autopilot.planning.formats.taskmaster.format import TASKMASTER
from autopilot.planning.formats.taskmaster.places import FILE
from autopilot.reports.phases.understood import describe_outline


def test_features_states_tasks_and_what_is_to_be_settled_are_told() -> None:
    texts = {
        "specs/001-a/spec.md": "# Feature Specification: A\n\n- **FR-001**: by [NEEDS CLARIFICATION: which?]\n",
        "specs/002-b/tasks.md": "- [x] T001 Done\n",
        "specs/003-c/tasks.md": "- [x] T001 Done\n- [ ] T002 Open\n",
    }
    outline = SPECKIT.read(texts, Commands())
    lines = list(describe_outline(outline, SPECKIT.title, "why this one"))
    assert lines[:2] == [
        "planned with spec-kit (specs/NNN-name/): 3 phases in specs; no roadmap is needed",
        "  why this one",
    ]
    states, _, rest = lines[2].partition("; ")
    assert states == "  1 open, 1 done, unproven, 1 waiting for you"
    assert rest == "3 tasks, 2 of them done by the files; criteria: 1, of them 0 with a command"
    assert "    specs/001-a/spec.md:3: needs clarification: which?" in lines


def test_dependencies_are_told_and_long_lists_are_cut() -> None:
    tasks = ", ".join(f'{{"id": {n}, "title": "t", "dependencies": [{n - 1}]}}' for n in range(1, 12))
    outline = TASKMASTER.read({FILE: f'{{"tasks": [{tasks}]}}'}, Commands())
    lines = list(describe_outline(outline, TASKMASTER.title, ""))
    assert any(
        line.startswith("  dependencies: 2 after 1; 3 after 2") and line.endswith("and 2 more") for line in lines
    )
    assert f"    {FILE}:1: task 1 depends on 0, which is not there: ignored" in lines
