"""A phase of three tasks in the middle of its pipeline, in which everyone has said something.

Whatever an agent said of its own work, or a reviewer of it, carries the word HEARSAY: no reviewer may be told it.
"""

from __future__ import annotations

from pathlib import Path

from autopilot.events.state import OpenStep, PhaseState, RunState, StepState, TaskState
from autopilot.model.assessment import PlanCheck
from autopilot.model.complaint import Complaint
from autopilot.model.evidence import Seen
from autopilot.model.policy import Commands, Policy
from autopilot.model.run import SpecLock, Step
from autopilot.model.verdict import Outcome
from autopilot.steps.context import StepContext
from tests.unit.making import (
    START,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_rating,
    make_score,
    make_state,
    make_task,
    make_verdict,
    make_verification,
)
from tests.unit.steps.world import World

HEARSAY = "HEARSAY"
PLAN = """# Plan

## Wave 1

<task id="01-01" type="auto" complexity="simple">
### Task 01-01: the store
**Files:** shelf/store.py
**Action:** Write it.
**Verify:**
- it keeps books -- verified by: `make test` (expect EXIT:0)
**Done:** it is there
</task>
"""


def sample_phase(step: Step) -> PhaseState:
    tasks = [
        make_task(
            f"01-0{n}",
            make_criterion(f"01-0{n}.c1", f"part {n} works", command=f"make check-{n}"),
            make_criterion(f"01-0{n}.c2", f"part {n} is documented", command=f"grep -q part-{n} README.md"),
            title=f"build part {n}",
            files=(f"shelf/part_{n}.py", "README.md"),
            action=f"Write part {n} of the shelf and say so in the README.",
        )
        for n in (1, 2, 3)
    ]
    commands = [c.id for task in tasks for c in task.criteria]
    opened = OpenStep(step, 1, 1, "") if step in (Step.VERIFY, Step.JUDGE, Step.RATE) else None
    return make_phase(
        open=opened,
        steps={step.value: StepState(detail=HEARSAY, started_at=START)},
        warnings=(HEARSAY,),
        approach=HEARSAY,
        research="",
        plan_commit="plan",
        plan_check=PlanCheck(True, (), 9.0),
        plan_blockers=(HEARSAY,),
        plan_complaints=(Complaint("PLAN.md", 1, HEARSAY),),
        red=tuple(make_observation(subject, Seen.FAILED) for subject in commands),
        tasks={task.id: _done(TaskState(task)) for task in tasks},
        observations=tuple(make_observation(subject, excerpt="ok") for subject in commands),
        observed_commit="tip",
        verification=make_verification(concerns=(HEARSAY,), commands_run=(HEARSAY,)),
        judgement=make_judgement(concerns=(HEARSAY,), notes=HEARSAY),
        rating=make_rating(make_score(evidence=HEARSAY)),
        failure=HEARSAY,
    )


def _done(task: TaskState) -> TaskState:
    red = make_observation(f"{task.task.id}.c1", Seen.FAILED, excerpt="AssertionError: part is missing")
    return TaskState(
        task.task,
        "failed",
        commit="c1",
        refusal="",
        observations=(red,),
        verdicts=(make_verdict(Outcome.FAIL, f"{task.task.id}.c1", "the check failed after the change"),),
        caught=(HEARSAY,),
    )


def sample_state(phase: PhaseState) -> RunState:
    commands = Commands(compile="make", test="make test")
    spec = SpecLock(".planning/REQUIREMENTS.md", "5" * 64)
    return make_state(phase, tip="tip", spec=spec, policy=Policy(commands=commands, agents={"default": "ear"}))


def sample_context(world: World, step: Step, task: str = "") -> StepContext:
    phase = sample_phase(step)
    return world.context(sample_state(phase), phase, step, task)


def sample_world(folder: Path) -> World:
    script = b"make test && echo 'PASS: it keeps books' || { echo 'FAIL: it keeps books'; exit 1; }\n"
    plan = ".planning/phases/01-part"
    return World(folder, files={f"{plan}/PLAN.md": PLAN.encode(), f"{plan}/tests/task-01-01.sh": script})
