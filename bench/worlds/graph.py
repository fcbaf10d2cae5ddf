"""A repository whose phases depend on each other as one likes; each adds one small file, by a plan that is there."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Graph = Mapping[int, Sequence[int]]
IDENTITY = ("-c", "user.name=Bench", "-c", "user.email=bench@localhost")
REVIEWS = (("plan_checker", 1), ("mini_verifier", 1), ("verifier", 1), ("judge", 1), ("judge", 2), ("rater", 1))
EVERYBODY = ("executor", *(role for role, _ in REVIEWS))


def make_project(folder: Path, graph: Graph) -> Path:
    project = folder / "project"
    for path, text in _files(graph):
        target = project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*IDENTITY, "commit", "-q", "-m", "a beginning")):
        subprocess.run(("git", *words), cwd=project, check=True)
    return project


def make_script(folder: Path, graph: Graph, call_s: float, waiting: Sequence[str] = EVERYBODY) -> Path:
    """Executors write their file, reviewers report what was seen; each of those in ``waiting`` takes so long."""
    pause: dict[str, Any] = {"sleep": call_s}
    usage = {"tokens_in": 900, "tokens_out": 100}
    calls: list[dict[str, Any]] = [
        {"role": role, "call": nth, "do": [pause]} for role, nth in REVIEWS if role in waiting
    ]
    for phase in graph:
        work = [{"write": f"part-{phase}.sh", "text": f"echo part {phase}\n"}, {"git": ["add", "-A"]}]
        work += [{"git": ["commit", "-q", "-m", f"part {phase}"]}, *([pause] if "executor" in waiting else [])]
        calls.append({"role": "executor", "phase": str(phase), "do": work, "usage": usage})
    script = folder / "script.json"
    script.write_text(json.dumps({"calls": calls, "default": "honest"}), encoding="utf-8")
    return script


def longest_path(graph: Graph) -> int:
    def depth(phase: int) -> int:
        return 1 + max((depth(needed) for needed in graph[phase]), default=0)

    return max(depth(phase) for phase in graph)


def _files(graph: Graph) -> Iterator[tuple[str, str]]:
    yield "README.md", "# parts\n"
    yield "check.sh", 'for part in part-*.sh; do [ ! -e "$part" ] || sh -n "$part" || exit 1; done\n'
    yield ".planning/config.json", json.dumps({"project": {"commands": {"test": "sh check.sh"}}})
    wanted = "".join(f"- [ ] **PART-{phase:02}**: There is a part {phase}\n" for phase in graph)
    yield ".planning/REQUIREMENTS.md", f"# Requirements\n\n{wanted}"
    boxes = "".join(f"- [ ] **Phase {phase}: Part {phase}** - one file\n" for phase in graph)
    details = "".join(_section(phase, needs) for phase, needs in graph.items())
    yield ".planning/ROADMAP.md", f"# Roadmap: parts\n\n## Phases\n\n{boxes}\n## Phase Details\n\n{details}"
    for phase in graph:
        folder = f".planning/phases/{phase:02}-part-{phase}"
        yield f"{folder}/PLAN.md", _plan(phase)
        yield f"{folder}/tests/task-{phase:02}-01.sh", _test(phase)


def _section(phase: int, needs: Sequence[int]) -> str:
    return (
        f"### Phase {phase}: Part {phase}\n**Goal**: Part {phase} says its name\n"
        f"**Depends on**: {', '.join(f'Phase {needed}' for needed in needs) or 'Nothing'}\n"
        f"**Requirements**: PART-{phase:02}\n"
        f"**Success Criteria** (what must be TRUE):\n  1. Part {phase} says its name\n\n"
    )


def _plan(phase: int) -> str:
    task = f"{phase:02}-01"
    return (
        f"# Phase {phase} Plan\n\n## Traceability\n\n| Requirement | Task(s) | Description |\n|---|---|---|\n"
        f"| PART-{phase:02} | {task} | part {phase} |\n\n## Wave 1\n\n"
        f'<task id="{task}" type="auto" complexity="simple">\n### Task {task}: Part {phase} speaks\n\n'
        f"**Files:** part-{phase}.sh\n\n**Action:** Add part-{phase}.sh, which prints its name.\n\n**Verify:**\n"
        f'- Part {phase} says its name -- verified by: `sh part-{phase}.sh` (contains "part {phase}")\n\n'
        "**Done:** It speaks.\n</task>\n"
    )


def _test(phase: int) -> str:
    says = f"Part {phase} says its name"
    held = f'if [ "$(sh part-{phase}.sh 2>&1)" = "part {phase}" ]; then echo "PASS: {says}"; exit 0; fi'
    return f'#!/bin/bash\n{held}\necho "FAIL: {says}"\nexit 1\n'
