"""The world of one case: its repository, a roadmap of one phase, a user's plan, and the agent that plays it."""

from __future__ import annotations

import json
import shlex
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from autopilot.api.running import run
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import Layer, Weight
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseStatus, RunRequest, RunStatus
from tests.liars.case import Case, Task, acts_of
from tests.liars.tools import search_path
from tests.scenario.kit.calls import Call, executor_claim, usage
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import NO_COMPLETION, World

FOLDER = ".planning/phases/01-the-work"
ONE = PhaseId("1")


@dataclass(frozen=True)
class Verdict:
    """What came of a case."""

    accepted: bool
    layers: str  # letters of the layers that objected
    because: str
    seconds: float
    paused: bool = False  # our own check could not be made: neither accepted nor refused
    flags: tuple[str, ...] = ()  # what every report shows beside it, without refusing


class Stage(World):
    """A world whose tools are those of the suite."""

    def __init__(self, folder: Path, programs: Path) -> None:
        super().__init__(folder, Plot(phases=0))
        self._path = search_path(programs)

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "PATH": self._path}

    @property
    def policy(self) -> Policy:
        """As a user has it, but that nobody mends what was refused: the first verdict is what counts here."""
        policy = self.settings.policy()
        breaker = replace(policy.breaker, debugs_per_phase=0, replans_per_phase=0)
        attempts = replace(policy.attempts, task_debugs=0, remediations=0, phases=1)
        return replace(policy, attempts=attempts, breaker=breaker)


def judge(case: Case, folder: Path, programs: Path) -> Verdict:
    """The whole pipeline, from the plan to the user's branch."""
    world = stage(case, folder, programs)
    before, began, state = world.head, time.monotonic(), RunState()
    for recorded in run(RunRequest(), world.policy, world.assemble(), "the liars' suite"):
        state = recorded.state
    seconds = time.monotonic() - began
    phase = state.phases[ONE]
    landed = phase.landing.state == "landed" and world.head != before
    accepted = phase.status is PhaseStatus.COMPLETED and landed
    said = "" if accepted else reason(state, phase)
    return Verdict(accepted, layers(phase), said, seconds, state.status is RunStatus.PAUSED, flags(phase))


def stage(case: Case, folder: Path, programs: Path) -> Stage:
    """The repository, committed, and the script of its agent."""
    world = Stage(folder, programs)
    world.git("init", "-q", "-b", "main")
    world.git("config", "core.autocrlf", "false")
    for path, text in {**planning_files(case), **case.base}.items():
        target = world.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    world.git("add", "-A", "-f")
    world.git("commit", "-q", "-m", "a beginning")
    world.script.write_text(json.dumps({"calls": calls(case), "default": "honest"}), encoding="utf-8")
    return world


def calls(case: Case) -> list[Call]:
    """Executors claim that all is done, whatever they did. Reviewers believe what they are shown."""
    checker: Call = {"role": "plan_checker", "reply": {"passed": True, "issues": [], "confidence": 9.0}}
    played = [
        {
            "role": "executor",
            "task": name,
            "do": acts_of(task, name),
            "reply": executor_claim(name),
            "usage": usage(),
        }
        for name, task in named(case)
    ]
    return [checker, *([planner(case)] if case.asked else []), *played]


def planner(case: Case) -> Call:
    """An agent that plans as the case says, however often it is asked."""
    scripts = {f"{FOLDER}/tests/task-{name}.sh": script_text(task) for name, task in named(case)}
    held_out = "".join(f"- {criterion}\n" for criterion in case.held_out)
    written = {f"{FOLDER}/PLAN.md": plan_text(case), f"{FOLDER}/HELD-OUT.md": held_out, **scripts}
    acts = [*({"write": path, "text": text} for path, text in written.items()), {"git": ["add", "-f", ".planning"]}]
    reply = {"plans_created": 1, "waves": 1, "total_tasks": len(case.tasks), "complexity": "simple"}
    commit = {"git": ["commit", "-q", "-m", "a plan"]}
    return {"role": "planner", "do": [*acts, commit], "reply": {**reply, "dependencies": [], "concerns": []}}


def script_text(task: Task) -> str:
    checks = [criterion.removeprefix("[keep] ").partition(" -- verified by: ") for criterion in task.criteria]
    lines = [f"{command.strip('`')} >/dev/null 2>&1; report $? {shlex.quote(text)}" for text, _, command in checks]
    report = 'report() { if [ "$1" -eq 0 ]; then echo "PASS: $2"; else echo "FAIL: $2"; failed=1; fi; }'
    return "\n".join(["#!/bin/bash", "failed=0", report, *lines, 'exit "$failed"', ""])


def named(case: Case) -> list[tuple[str, Task]]:
    return [(f"01-{number:02}", task) for number, task in enumerate(case.tasks, start=1)]


# -- what the user wrote


def planning_files(case: Case) -> dict[str, str]:
    return {
        ".planning/config.json": json.dumps(config(case), indent=2) + "\n",
        ".planning/REQUIREMENTS.md": f"# Requirements\n\n- [ ] **WORK-01**: {case.tasks[0].title}\n\n{case.spec}",
        ".planning/ROADMAP.md": roadmap_text(case),
        **({} if case.asked else {f"{FOLDER}/PLAN.md": plan_text(case)}),
    }


def roadmap_text(case: Case) -> str:
    listed = "\n".join(f"  {number}. {text}" for number, text in enumerate(case.asked or (WHOLE,), start=1))
    return ROADMAP.replace("  1. CRITERIA", listed).replace("GOAL", case.goal)


def config(case: Case) -> dict[str, Any]:
    """Only what the case is about is run: what would be detected besides is switched off."""
    commands = {
        "setup": case.setup or None,
        "compile": None,
        "lint": case.lint or None,
        "build": None,
        "test": case.test,
    }
    timeouts = {"criterion": case.timeout_s, "test": case.timeout_s}
    # Cases begin with tests that ask for the work; whether a run may begin like that is tested elsewhere.
    return {
        "project": {"commands": commands, "accept_red": ["all"]},
        "autopilot": {**NO_COMPLETION, "timeouts_s": timeouts},
    }


# A case may be about what was there: then its checks hold before the work too.
WHOLE = "No regressions in what was there"
ROADMAP = """# Roadmap

## Phases

- [ ] **Phase 1: The work** - what is planned

## Phase Details

### Phase 1: The work
**Goal**: GOAL
**Depends on**: Nothing
**Requirements**: WORK-01
**Success Criteria** (what must be TRUE):
  1. CRITERIA

## Progress

| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 1. The work | 0/1 | Not started | - |
"""


def plan_text(case: Case) -> str:
    names = ", ".join(name for name, _ in named(case))
    head = [
        "# Phase 1 Plan: The work",
        "",
        "## Traceability",
        "",
        "| Requirement | Task(s) | Description |",
        "|---|---|---|",
    ]
    rows = case.asked or {WHOLE: names}
    answers = [f"| SC-{number} | {row} | |" for number, row in enumerate(rows.values(), start=1) if row]
    lines = [*head, f"| WORK-01 | {names} | the work |", *answers, ""]
    for wave, (name, task) in enumerate(named(case), start=1):
        lines += [f"## Wave {wave}", "", *task_lines(name, task), ""]
    return "\n".join(lines)


def task_lines(name: str, task: Task) -> list[str]:
    files = [f"**Files:** {', '.join(task.files)}", ""] if task.files else []
    return [
        f'<task id="{name}" type="auto" complexity="simple">',
        f"### Task {name}: {task.title}",
        "",
        *files,
        f"**Action:** {task.action or task.title + '.'}",
        "",
        "**Verify:**",
        *(f"- {criterion}" for criterion in task.criteria),
        "",
        "**Done:** The criteria hold.",
        "</task>",
    ]


# -- what came of it


def layers(phase: PhaseState) -> str:
    """Of those that object; a commit that was not taken in was refused by its facts."""
    objections = [*phase.observed.objections, *(o for task in phase.tasks.values() for o in task.objections)]
    heard = {objection.layer.value for objection in objections if objection.weight is not Weight.FLAG}
    not_taken = {Layer.COMMIT.value} if any(task.refusal for task in phase.tasks.values()) else set[str]()
    return "".join(sorted(heard | not_taken))


def flags(phase: PhaseState) -> tuple[str, ...]:
    """What a reader of the report is told: by a flag, or as a clause that no check speaks of."""
    objections = [*phase.observed.objections, *(o for task in phase.tasks.values() for o in task.objections)]
    shown = [f"{o.layer.value}: {o}" for o in objections if o.weight is Weight.FLAG]
    return (*dict.fromkeys(shown), *(f"not asked: {clause}" for clause in phase.observed.unasked))


def reason(state: RunState, phase: PhaseState) -> str:
    """What refused it, task by task; else what the gate said."""
    tasks = phase.tasks.items()
    refused = [f"{name}: {task.refusal}" for name, task in tasks if task.refusal]
    bad = [verdict for _, task in tasks for verdict in task.verdicts if verdict.outcome is not Outcome.PASS]
    said = [*refused, *(f"{verdict.subject}: {verdict.because}" for verdict in bad)]
    return "; ".join(said) or phase.ending.failure or state.session.stop_reason
