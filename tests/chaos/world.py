"""A small world to crash: a repository of three phases, its state home, and the script its agents play.

Phase 1 is researched and planned by agents; phases 2 and 3 come with a plan. In phase 2 the executor lies once and is
mended by the debugger. Everything an interrupted run leaves behind lies below one folder, so that a copy of that
folder, put back at the same path, is the crash itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from autopilot.api.assembly import Assembly, Repository, assemble, find_repository
from autopilot.settings.reading import Settings

IDENTITY = ("-c", "user.name=You", "-c", "user.email=you@localhost", "-c", "commit.gpgsign=false")
FOLDERS = {"1": "01-greeting", "2": "02-numbers", "3": "03-farewell"}
# task -> (phase, file, what it must hold)
WORK = {
    "01-01": ("1", "greeting.txt", "hello"),
    "02-01": ("2", "sum.txt", "42"),
    "02-02": ("2", "product.txt", "1764"),
    "03-01": ("3", "farewell.txt", "goodbye"),
}
LIE = "02-01"


class World(NamedTuple):
    root: Path

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def script(self) -> Path:
        return self.root / "script.json"

    @property
    def environment(self) -> dict[str, str]:
        home = str(self.root / "home")
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
        return {**kept, "HOME": home, "AUTOPILOT_STATE_HOME": str(self.root / "state"), "NO_COLOR": "1"}

    @property
    def settings(self) -> Settings:
        agents = {"default": "scripted"}
        return Settings(self.root / "state", self.environment, agents=agents, script=self.script)

    @property
    def repository(self) -> Repository:
        return find_repository(self.project, self.settings)

    def assemble(self) -> Assembly:
        return assemble(self.repository, self.settings)

    def command(self, *words: str) -> tuple[str, ...]:
        return (sys.executable, "-m", "autopilot", *words)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ("git", *arguments), cwd=self.project, env=self.environment, check=True, capture_output=True, text=True
        )
        return done.stdout


def make_world(root: Path, phases: int = 3) -> World:
    world = World(root)
    (root / "home").mkdir(parents=True)
    for path, text in _files(phases):
        target = world.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    world.git("init", "-q", "-b", "main")
    world.git("add", "-A")
    world.git(*IDENTITY, "commit", "-q", "-m", "the beginning")
    world.script.write_text(json.dumps({"calls": list(_calls()), "default": "fail"}), encoding="utf-8")
    return world


def copy_folder(source: Path, target: Path) -> None:
    """Everything as it is, nothing shared: the journal is written in place."""
    subprocess.run(("cp", "-a", "--reflink=never", str(source), str(target)), check=True)


def _files(phases: int) -> Iterator[tuple[str, str]]:
    chosen = list(FOLDERS)[:phases]
    yield "README.md", "# A small project\n"
    yield ".gitignore", "deps/\n"
    yield ".planning/REQUIREMENTS.md", "# Requirements\n\n- [ ] **ALL-01**: The files are there\n"
    yield ".planning/ROADMAP.md", _roadmap(chosen)
    commands = {"setup": "mkdir -p deps && echo ready > deps/state", "test": "test -s README.md -a -s deps/state"}
    yield ".planning/config.json", json.dumps({"project": {"commands": commands}}, indent=2)
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
    lines += ["|---|---|---|", f"| ALL-01 | {', '.join(rows)} | the files |", "", "## Wave 1", ""]
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
    """Every role by heart, so that an agent's call costs as little as a call can."""
    yield _call(
        "researcher", {"key_findings": ["small"], "recommended_approach": "", "risks": [], "open_questions": []}
    )
    yield _call("planner", _planned(), do=list(_plan_actions("1")))
    yield _call("plan_checker", {"passed": True, "issues": [], "confidence": 9.0})
    for task, (_, name, text) in WORK.items():
        yield _call("executor", _executed(task), task=task, do=_write(name, "nothing" if task == LIE else text))
    fixed = {"fixed": True, "changes": [], "commits": ["HEAD"], "remaining_issues": [], "failure_categories": []}
    yield _call("debugger", fixed, task=LIE, do=_write(WORK[LIE][1], WORK[LIE][2]))
    for phase in FOLDERS:
        yield _call("verifier", _verified(phase), phase=phase)
        yield _call("rater", _rated(phase), phase=phase)
    yield _call("judge", _judged())


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


def _verified(phase: str) -> dict[str, Any]:
    results = [
        {"criterion": f"{name} says {text}", "status": "verified", "evidence": f"{name}:1 -- it does"}
        for of, name, text in WORK.values()
        if of == phase
    ]
    card = {"passed": True, "criteria_results": results, "commands_run": ["cat -> read"], "failures": []}
    return {**card, "scope_creep": [], "concerns": [], "autonomous_confidence": 9.0}


def _rated(phase: str) -> dict[str, Any]:
    scores = [
        {
            "criterion": f"{name} says {text}",
            "score": 9.6,
            "verification_command": f"cat {name}",
            "command_output": text,
            "evidence": f"{name}:1 -- it does",
            "justification": "read",
        }
        for of, name, text in WORK.values()
        if of == phase
    ]
    card = {"scorecard": scores, "side_effects": [], "commands_run": ["cat -> read"]}
    return {**card, "aggregate_justification": "read"}


def _judged() -> dict[str, Any]:
    empty = {name: list[str]() for name in ("concerns", "verifier_missed", "scope_creep", "missing_requirements")}
    return {**empty, "recommendation": "proceed", "independent_evidence": ["README.md:1 -- read"], "notes": "read"}
