"""A small world to crash: a repository of three phases, its state home, and the script its agents play.

Phase 1 is researched and planned by agents; phases 2 and 3 come with a plan. In phase 2 the executor lies once and is
mended by the debugger. Everything an interrupted run leaves behind lies below one folder, as in every scenario, so that
a copy of that folder, put back at the same path, is the crash itself.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from tests.scenario.kit.world import World

FOLDERS = {"1": "01-greeting", "2": "02-numbers", "3": "03-farewell"}
# task -> (phase, file, what it must hold)
WORK = {
    "01-01": ("1", "greeting.txt", "hello"),
    "02-01": ("2", "sum.txt", "42"),
    "02-02": ("2", "product.txt", "1764"),
    "03-01": ("3", "farewell.txt", "goodbye"),
}
LIE = "02-01"


def make_world(folder: Path, phases: int = 3) -> World:
    world = World(folder)
    for path, text in _files(phases):
        world.write(path, text)
    world.git("init", "-q", "-b", "main")
    world.commit("the beginning")
    world.script.write_text(json.dumps({"calls": list(_calls()), "default": "honest"}), encoding="utf-8")
    return world


def copy_folder(source: Path, target: Path) -> None:
    """Everything as it is, nothing shared: the journal is written in place."""
    subprocess.run(("cp", "-a", "--reflink=never", str(source), str(target)), check=True)


def fingerprint(folder: Path) -> dict[str, tuple[int, ...]]:
    """Tells a changed folder from an unchanged one: of every path its mode, of a file also inode, size and last change.

    Without SQLite's index of its write-ahead log: whoever opens it first after a crash makes it anew from the log.
    """
    found = {}
    for root, folders, files in os.walk(folder):
        for path in (f"{root}/{name}" for name in (*folders, *files) if not name.endswith("-shm")):
            seen = os.lstat(path)
            changed = (seen.st_ino, seen.st_size, seen.st_ctime_ns)
            found[path] = (seen.st_mode, *(() if S_ISDIR(seen.st_mode) else changed))
    return found


def _files(phases: int) -> Iterator[tuple[str, str]]:
    chosen = list(FOLDERS)[:phases]
    yield "README.md", "# A small project\n"
    yield ".gitignore", "deps/\n"
    yield ".planning/REQUIREMENTS.md", "# Requirements\n\n- [ ] **ALL-01**: The files are there\n"
    yield ".planning/ROADMAP.md", _roadmap(chosen)
    commands = {"setup": "mkdir -p deps && echo ready > deps/state", "test": "test -s README.md -a -s deps/state"}
    config = {"project": {"commands": commands}, "autopilot": {"self_audit": False, "version_bump": False}}
    yield ".planning/config.json", json.dumps(config, indent=2)
    for phase in chosen[1:]:
        yield f".planning/phases/{FOLDERS[phase]}/PLAN.md", _plan(phase)


def _roadmap(phases: list[str]) -> str:
    names = {phase: FOLDERS[phase][3:].capitalize() for phase in phases}
    lines = ["# Roadmap: small", "", "## Phases", ""]
    lines += [f"- [ ] **Phase {phase}: {name}** - one file or two" for phase, name in names.items()]
    lines += ["", "## Phase Details", ""]
    for phase, name in names.items():
        needs = f"Phase {int(phase) - 1}" if phase != "1" else "Nothing"
        lines += [f"### Phase {phase}: {name}", "**Goal**: The files say what they must", f"**Depends on**: {needs}"]
        lines += [
            "**Requirements**: ALL-01",
            "**Success Criteria** (what must be TRUE):",
            "  1. The files are right",
            "",
        ]
    return "\n".join(lines)


def _plan(phase: str) -> str:
    rows = [task for task, (of, _, _) in WORK.items() if of == phase]
    lines = [f"# Plan: Phase {phase}", "", "## Traceability", "", "| Requirement | Task(s) | Description |"]
    lines += ["|---|---|---|", f"| ALL-01 | {', '.join(rows)} | the files |"]
    lines += [f"| SC-1 | {', '.join(rows)} | the files |", "", "## Wave 1", ""]
    for task in rows:
        _, name, _ = WORK[task]
        lines += [f'<task id="{task}" type="auto" complexity="simple">', f"### Task {task}: Write {name}"]
        lines += [f"**Files:** {name}", "**Action:** Write it.", "**Verify:**", f"- {_criterion(task)}"]
        lines += ["**Done:** It is there.", "</task>", ""]
    return "\n".join(lines)


def _criterion(task: str) -> str:
    _, name, text = WORK[task]
    return f"{name} says {text} -- verified by: `read -r line < {name} && [[ $line == {text} ]]`"


def _calls() -> Iterator[dict[str, Any]]:
    """Those who build, by heart; reviewers answer honestly from what was seen."""
    yield _call(
        "researcher", {"key_findings": ["small"], "recommended_approach": "", "risks": [], "open_questions": []}
    )
    yield _call("planner", _planned(), do=list(_plan_actions("1")))
    yield _call("plan_checker", {"passed": True, "issues": [], "confidence": 9.0})
    for task, (_, name, text) in WORK.items():
        yield _call("executor", _executed(task), task=task, do=_write(name, "nothing" if task == LIE else text))
    fixed = {"fixed": True, "changes": [], "commits": ["HEAD"], "remaining_issues": [], "failure_categories": []}
    yield _call("debugger", fixed, task=LIE, do=_write(WORK[LIE][1], WORK[LIE][2]))


def _call(role: str, reply: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "reply": reply, "usage": {"tokens_in": 100, "tokens_out": 10}, **more}


def _plan_actions(phase: str) -> Iterator[dict[str, Any]]:
    folder = f".planning/phases/{FOLDERS[phase]}"
    yield {"write": f"{folder}/PLAN.md", "text": _plan(phase)}
    for task, (of, name, text) in WORK.items():
        if of == phase:
            check = (
                f"if read -r line < {name} && [[ $line == {text} ]]; then echo 'PASS: {name} says {text}'; exit 0; fi"
            )
            script = f"{check}\necho 'FAIL: {name} says {text}'\nexit 1\n"
            yield {"write": f"{folder}/tests/task-{task}.sh", "text": script}
    yield {"git": ["add", "-A"]}
    yield {"git": ["commit", "-q", "-m", "plan"]}


def _write(name: str, text: str) -> list[dict[str, Any]]:
    return [{"write": name, "text": f"{text}\n"}, {"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", name]}]


def _planned() -> dict[str, Any]:
    return {
        "plans_created": 1,
        "waves": 1,
        "total_tasks": 1,
        "complexity": "simple",
        "dependencies": [],
        "concerns": [],
    }


def _executed(task: str) -> dict[str, Any]:
    evidence = [{"task_id": task, "criteria_met": ["all"], "commands_run": ["the check -> 0"]}]
    claim = {"tasks_completed": "1/1", "tasks_failed": "0/1", "commit_shas": ["HEAD"], "evidence": evidence}
    return {**claim, "deviations": [], "confidence": 9.5}
