"""What the repository of a scenario holds: requirements, a roadmap, plans with their test scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Plot:
    """What the roadmap is about: how many phases, how many tasks in each, and what depends on what."""

    phases: int = 1
    tasks: int = 1
    depends: Mapping[int, Sequence[int]] = field(default_factory=dict)
    planned: bool = False  # the plans are in the repository already, as a user's own
    criteria: bool = False  # the roadmap's criteria carry commands, so triage can look
    checkpoints: Mapping[int, str] = field(default_factory=dict)  # by phase: what its plan leaves to a person
    first: int = 1  # number of the first phase
    files: Sequence[str] = ()  # what each task may touch besides its part; {task} stands for its id

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + self.phases)

    def folder(self, phase: int) -> str:
        return f".planning/phases/{phase:02}-part-{phase}"

    def task_ids(self, phase: int) -> list[str]:
        return [f"{phase:02}-{number:02}" for number in range(1, self.tasks + 1)]

    def checkpoint_id(self, phase: int) -> str:
        return f"{phase:02}-{self.tasks + 1:02}"


def requirements_text(plot: Plot) -> str:
    lines = [f"- [ ] **PART-{phase:02}**: There is a part {phase}" for phase in plot.numbers]
    return "\n".join(["# Requirements", "", *lines, ""])


def roadmap_text(plot: Plot) -> str:
    numbers = plot.numbers
    boxes = [f"- [ ] **Phase {n}: Part {n}** - the part with number {n}" for n in numbers]
    rows = [f"| {n}. Part {n} | 0/1 | Not started | - |" for n in numbers]
    table = [
        "| Phase | Plans Complete | Status | Completed |",
        "|-------|----------------|--------|-----------|",
        *rows,
    ]
    sections = [line for n in numbers for line in _section(plot, n)]
    head = ["# Roadmap: parts", "", "Some words of the user's own.", "", "## Phases", ""]
    return "\n".join([*head, *boxes, "", "## Phase Details", "", *sections, "## Progress", "", *table, ""])


def _section(plot: Plot, phase: int) -> list[str]:
    needed = ", ".join(f"Phase {n}" for n in plot.depends.get(phase, ())) or "Nothing"
    task = f"{phase:02}-01"
    proof = f' -- verified by: `sh part-{task}.sh` (contains "part {task}")' if plot.criteria else ""
    return [
        f"### Phase {phase}: Part {phase}",
        f"**Goal**: Part {phase} says its name",
        f"**Depends on**: {needed}",
        f"**Requirements**: PART-{phase:02}",
        "**Success Criteria** (what must be TRUE):",
        f"  1. Part {phase} says its name{proof}",
        "",
    ]


def plan_files(plot: Plot, phase: int) -> dict[str, str]:
    """PLAN.md and its test scripts, by path."""
    folder, tasks = plot.folder(phase), plot.task_ids(phase)
    parts = [
        f"# Phase {phase} Plan: Part {phase}",
        "",
        "## Traceability",
        "",
        "| Requirement | Task(s) | Description |",
    ]
    asking = plot.checkpoints.get(phase, "")
    named = [*tasks, plot.checkpoint_id(phase)] if asking else tasks
    parts += ["|---|---|---|", f"| PART-{phase:02} | {', '.join(named)} | part {phase} |"]
    parts += [f"| SC-1 | {', '.join(tasks)} | part {phase} |"] if tasks else []
    parts += [""]
    for wave, task in enumerate(tasks, start=1):
        parts += [f"## Wave {wave}", "", *_task_lines(task, [file.format(task=task) for file in plot.files]), ""]
    if asking:
        parts += ["## Wave 9", "", *checkpoint_lines(plot.checkpoint_id(phase), asking), ""]
    files = {f"{folder}/PLAN.md": "\n".join(parts)}
    return files | {f"{folder}/tests/task-{task}.sh": test_script(task) for task in tasks}


def _task_lines(task: str, more: Sequence[str] = ()) -> list[str]:
    return [
        f'<task id="{task}" type="auto" complexity="simple">',
        f"### Task {task}: Part {task} speaks",
        "",
        f"**Files:** {', '.join((f'part-{task}.sh', *more))}",
        "",
        f"**Action:** Add part-{task}.sh, which prints its name.",
        "",
        "**Verify:**",
        f'- Part {task} says its name -- verified by: `sh part-{task}.sh` (contains "part {task}")',
        "",
        "**Done:** It speaks.",
        "</task>",
    ]


def checkpoint_lines(task: str, asking: str) -> list[str]:
    return [
        f'<task id="{task}" type="checkpoint:human-verify" gate="blocking">',
        f"### Task {task}: {asking}",
        "",
        "**Action:** Try it as its user would.",
        "</task>",
    ]


def test_script(task: str) -> str:
    return (
        "#!/bin/bash\n"
        f'if [ "$(sh part-{task}.sh 2>&1)" = "part {task}" ]; then echo "PASS: Part {task} says its name"; exit 0; fi\n'
        f'echo "FAIL: Part {task} says its name"\nexit 1\n'
    )


def part_text(task: str) -> str:
    """The honest work of a task."""
    return f"echo part {task}\n"
