"""What a case is: a repository, a plan, and what an agent does with it. Data only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Act = dict[str, Any]  # an action of the scripted agent


@dataclass(frozen=True)
class Task:
    """As the plan reads, and what the agent does for it."""

    title: str
    files: Sequence[str] = ()  # what the plan says it may change
    criteria: Sequence[str] = ()
    acts: Sequence[Act] = ()
    action: str = ""
    commits: bool = True  # all of it, at the end


@dataclass(frozen=True)
class Case:
    name: str
    language: str
    honest: bool
    kind: str
    base: Mapping[str, str]
    tasks: Sequence[Task]
    test: str  # the project's test command
    checkable: bool = True
    why: str = ""  # of a lie that cannot be checked: why nobody can see it
    catcher: str = ""  # letters of the layers that should object
    spec: str = ""  # more text for the requirements
    setup: str = ""
    lint: str = ""
    timeout_s: float = 20.0  # of one command
    # The plan is an agent's: what the roadmap asks for, each with what its row of the plan says ("" for no row).
    asked: Mapping[str, str] = field(default_factory=dict)
    held_out: Sequence[str] = ()  # criteria that its planner keeps from the executor
    goal: str = "What is planned is there"
    shown: str = ""  # in the report of a lie that is accepted: words of a flag, or of a clause that nothing asks for
    not_shown: str = ""  # in the report of honest work


def lie(name: str, language: str, kind: str, **more: Any) -> Case:
    return Case(name, language, False, kind, **more)


def honest(name: str, language: str, kind: str, **more: Any) -> Case:
    return Case(name, language, True, kind, **more)


def write(path: str, text: str) -> Act:
    return {"write": path, "text": text}


def delete(path: str) -> Act:
    return {"delete": path}


def shell(command: str) -> Act:
    return {"run": command}


def git(*words: str) -> Act:
    return {"git": list(words)}


def proven(text: str, command: str, expectation: str = "") -> str:
    """A criterion; ``expectation`` as a plan has it: 'contains "ready"'."""
    return f"{text} -- verified by: `{command}`" + (f" ({expectation})" if expectation else "")


def kept(text: str, command: str, expectation: str = "") -> str:
    """One that holds before the work and after it."""
    return f"[keep] {proven(text, command, expectation)}"


def acts_of(task: Task, task_id: str) -> list[Act]:
    commit = [git("add", "-A"), git("commit", "-q", "--allow-empty", "-m", f"{task_id} done")] if task.commits else []
    return [*task.acts, *commit]
