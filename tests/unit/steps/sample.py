"""A phase of three tasks in the middle of its pipeline, in which everyone has said something.

What an agent said of its own work carries the word HEARSAY: no reviewer may be told it. What one reviewer concluded
carries OPINION: no other may be told it, but for the judge, and only after its own findings are on record.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autopilot.events.people import HumanAsked
from autopilot.events.pieces import Conflict, Cycle, OpenStep, PhaseDebug, StepState, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import Answered, Discussion, HumanGate
from autopilot.model.assessment import (
    CriterionReading,
    Failure,
    JudgeFindings,
    MiniVerification,
    PlanCheck,
    Recommendation,
)
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.plan import FIX, REMEDIATION, Task
from autopilot.model.policy import Commands
from autopilot.model.proposal import GrayArea
from autopilot.model.ruling import Deduction, Finding
from autopilot.model.run import SpecLock, Step
from autopilot.steps.context import StepContext
from tests.unit.making import (
    ONE,
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
    policy_of,
)
from tests.unit.steps.world import Answering, World

HEARSAY, OPINION = "HEARSAY", "OPINION"
PLAN = """# Plan

## Traceability

| Requirement | Task |
|---|---|
| REQ-1 | 01-01 |

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
RULES = b"Bump the minor version when a phase adds a command, otherwise the patch.\n"
PART = b"class Part:\n    def add(self, book: str) -> None: ...\n\ndef open_part(name): ...\n"
MEND = make_task(
    "01-r1",
    make_criterion("01-r1.k1", "part 1 works", command="make check-1"),
    type=REMEDIATION,
    title="mend 1 deficiency of phase 1",
    files=("shelf/part_1.py",),
    action="- part 1 works: no test covers it (scored 8.0)",
)
GAP_FIX = make_task(
    "fix-1-1",
    make_criterion("fix-1-1.c1", "REQ-1 holds", command="grep -q shelf README.md"),
    type=FIX,
    title="close REQ-1 gap -- the readme does not name it",
    files=("README.md",),
    action="REQ-1 (phase 1): the readme does not name it",
)
ASKED = HumanAsked(
    "discuss-1-0",
    GateKind.DISCUSS,
    "Phase 1, Part 1: before it is built",
    tuple(
        HumanQuestion(f"1.{n}", text, ONE, area="Order of the shelf") for n, text in enumerate(("By what?", "Why?"), 1)
    ),
    ONE,
)
TALK = Discussion(
    "RUN",
    "It lists books",
    (GrayArea("Order of the shelf", "by what it is sorted", ("By what?", "Why?")),),
    START,
    picked=("Order of the shelf",),
    answers=(Answered(ASKED.questions[0], "by date,\nnewest first", START),),
    more=("Order of the shelf",),
)
CONFLICT = Conflict(ONE, "merge", ("shelf/part_1.py",), "it conflicts in shelf/part_1.py")


def sample_tasks() -> list[Task]:
    return [
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


def sample_phase(step: Step, **fields: Any) -> PhaseState:
    tasks = sample_tasks()
    commands = [c.id for task in tasks for c in task.criteria]
    opened = OpenStep(step, 1, 1, "") if step in (Step.VERIFY, Step.JUDGE, Step.RATE) else None
    steps = {name: StepState(detail=HEARSAY, started_at=START) for name in (step.value, f"{step.value}.01-01")}
    said = {
        **{"warnings": (HEARSAY,), "approach": HEARSAY, "plan_blockers": (HEARSAY,), "failure": HEARSAY},
        **{"plan_complaints": (Complaint("PLAN.md", 1, HEARSAY),), "gate_reason": OPINION, "enforced": (OPINION,)},
        **{
            "verification": _verification(),
            "findings": _findings(),
            "rating": make_rating(make_score(evidence=OPINION)),
        },
        **{"judgement": make_judgement(concerns=(OPINION,), notes=OPINION), "replan_issues": (OPINION,)},
        **{"integrity": (Finding(8, True, Step.VERIFY, OPINION),), "cycles": (Cycle(1, 8.2, ("01-r1",), ended=True),)},
        **{"deductions": (Deduction(OPINION, 8.0, 2.0, 0.5, OPINION, OPINION),), "score": 8.2, "band": OPINION},
        **{"debug_rounds": (PhaseDebug(1, (OPINION,), "c1", (HEARSAY,), (HEARSAY,), ("scope_creep",), HEARSAY),)},
    }
    more = {
        **{"research": "", "plan_commit": "plan", "plan_check": PlanCheck(True, (), 9.0), "observed_commit": "tip"},
        "red": tuple(make_observation(subject, Seen.FAILED) for subject in commands),
        "tasks": {task.id: _done(task) for task in tasks},
        "observations": tuple(make_observation(subject, excerpt="ok") for subject in commands),
    }
    return make_phase(**{"open": opened, "steps": steps, **said, **more, **fields})


def _done(task: Task) -> TaskState:
    red = make_observation(f"{task.id}.c1", Seen.FAILED, excerpt="AssertionError: part is missing")
    readings = (CriterionReading("it works", "verified", OPINION),)
    return TaskState(
        task,
        "failed",
        commit="c1",
        parent="c0",
        files=task.files,
        observations=(red,),
        verdicts=(make_verdict(Outcome.FAIL, f"{task.id}.c1", "the check failed after the change"),),
        confidence=4.25,
        reading=MiniVerification(True, readings, (OPINION,), (OPINION,)),
        reading_problem=OPINION,
        handovers=(HEARSAY,),
        caught=(HEARSAY,),
    )


def _verification() -> Any:
    said: dict[str, Any] = {"concerns": (OPINION,), "commands_run": (OPINION,), "scope_creep": (OPINION,)}
    readings = (CriterionReading("part 1 works", "verified", OPINION),)
    return make_verification(**said, failures=(Failure(OPINION, "scope_creep"),), criteria_results=readings)


def _findings() -> JudgeFindings:
    return JudgeFindings(Recommendation.PROCEED, (OPINION,), (OPINION,), (), (), notes=OPINION)


def sample_state(phase: PhaseState) -> RunState:
    commands = Commands(compile="make", test="make test")
    spec = SpecLock(".planning/REQUIREMENTS.md", "5" * 64)
    policy = policy_of(commands=commands, agents={"default": "ear"}, map_tokens=200)
    talk = {"discussions": {ONE: TALK}, "gates": {"discuss-1-0": HumanGate(ASKED, START)}}
    return make_state(phase, tip="tip", spec=spec, policy=policy, **talk)


def sample_context(world: World, step: Step, task: str = "", **fields: Any) -> StepContext:
    phase = sample_phase(step, **fields)
    return world.context(sample_state(phase), phase, step, task)


def sample_world(folder: Path, papers: Sequence[str] = ()) -> World:
    script = b"make test && echo 'PASS: it keeps books' || { echo 'FAIL: it keeps books'; exit 1; }\n"
    plan = ".planning/phases/01-part"
    files = {f"{plan}/PLAN.md": PLAN.encode(), f"{plan}/tests/task-01-01.sh": script}
    files |= {f"{plan}/{name}": b"a report\n" for name in papers}
    files |= {"CLAUDE.md": RULES, "package.json": b'{"version": "1.2.0"}\n', "shelf/part_1.py": PART}
    return World(folder, files=files, sandbox=Answering({}))
