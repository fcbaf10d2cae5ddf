"""The demo: a small project, and a script in which an agent first makes a false claim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from autopilot.adapters.git.command import git_program

SAMPLE = Path(__file__).parent / "sample"
LYING_TASK = "02-01"


def make_sample(folder: Path) -> tuple[Path, Path]:
    """Create the sample repository and the script of its agents; return both paths."""
    project, script = folder / "shelf", folder / "script.json"
    for path, text in _files(SAMPLE / "project"):
        target = project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    _commit(project)
    script.write_text(json.dumps(make_script(), indent=1, ensure_ascii=False), encoding="utf-8")
    return project, script


def make_script() -> dict[str, Any]:
    """Planners write the prepared plans, executors the prepared work; reviewers report what was observed."""
    plans = sorted(folder.name for folder in (SAMPLE / "plans").iterdir())
    tasks = sorted(folder.name for folder in (SAMPLE / "work").iterdir() if not folder.name.endswith("-lie"))
    calls = [_plan_call(name) for name in plans]
    calls += [_work_call("executor", task, f"{task}-lie" if task == LYING_TASK else task) for task in tasks]
    calls.append(_work_call("debugger", LYING_TASK, LYING_TASK))
    rating = json.loads((SAMPLE / "reviews" / "02-rater.json").read_text(encoding="utf-8"))
    calls.append({"role": "rater", "phase": "2", "reply": rating})
    return {"calls": calls, "default": "honest"}


def _plan_call(number: str) -> dict[str, Any]:
    phase = str(int(number))
    folder = {"1": "01-store", "2": "02-find", "3": "03-command-line"}[phase]
    source = SAMPLE / "plans" / number
    actions = _writes(source, f".planning/phases/{folder}/")
    actions += [{"git": ["add", "-f", ".planning"]}, {"git": ["commit", "-q", "-m", f"plan phase {phase}"]}]
    tasks = len(list((source / "tests").iterdir()))
    reply = {"plans_created": 1, "waves": tasks, "total_tasks": tasks, "complexity": "simple"}
    return {
        "role": "planner",
        "phase": phase,
        "do": actions,
        "reply": {**reply, "dependencies": [], "concerns": []},
        "usage": {"tokens_in": 9000, "tokens_out": 1500},
    }


def _work_call(role: str, task: str, source: str) -> dict[str, Any]:
    actions = _writes(SAMPLE / "work" / source, "")
    actions += [{"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", f"{task} done"]}]
    return {
        "role": role,
        "phase": str(int(task.split("-")[0])),
        "task": task,
        "do": actions,
        "reply": _executor_claim(task) if role == "executor" else _debugger_claim(),
        "usage": {"tokens_in": 12000, "tokens_out": 2500},
    }


def _executor_claim(task: str) -> dict[str, Any]:
    """The same claim whether it is true or false: that is the point of the demo."""
    evidence = {"task_id": task, "criteria_met": ["all of them"], "commands_run": ["tests -> OK"]}
    return {
        "tasks_completed": "1/1",
        "tasks_failed": "0/1",
        "commit_shas": ["HEAD"],
        "evidence": [evidence],
        "deviations": [],
        "confidence": 9.5,
    }


def _debugger_claim() -> dict[str, Any]:
    return {
        "fixed": True,
        "changes": ["the search looks at title and author, case ignored"],
        "commits": ["HEAD"],
        "remaining_issues": [],
        "failure_categories": [{"failure": "the search was a stub", "category": "executor_incomplete"}],
    }


def _writes(source: Path, prefix: str) -> list[dict[str, Any]]:
    return [{"write": f"{prefix}{path}", "text": text} for path, text in _files(source)]


def _files(source: Path) -> list[tuple[str, str]]:
    """Python files have the additional suffix .txt, so that no tool takes them for our code."""
    files = sorted(path for path in source.rglob("*") if path.is_file())
    names = [path.relative_to(source).as_posix().removesuffix(".txt") for path in files]
    return [(name, path.read_text(encoding="utf-8")) for name, path in zip(names, files, strict=True)]


def _commit(project: Path) -> None:
    identity = ("-c", "user.name=Demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), (*identity, "commit", "-q", "-m", "shelf")):
        subprocess.run((git_program(), *arguments), cwd=project, check=True, stdin=subprocess.DEVNULL)
