"""Every step there is, one row each, and who can be asked. Every other list of steps is derived from this table."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Self


class Role(StrEnum):
    RESEARCHER = "researcher"
    PLANNER = "planner"
    PLAN_CHECKER = "plan_checker"
    EXECUTOR = "executor"
    MINI_VERIFIER = "mini_verifier"
    DEBUGGER = "debugger"
    VERIFIER = "verifier"
    JUDGE = "judge"
    RATER = "rater"
    SPLITTER = "splitter"
    QUESTIONER = "questioner"
    DISCUSSER = "discusser"
    AUDITOR = "auditor"
    ANALYST = "analyst"  # of an issue: what is wanted
    DESIGNER = "designer"  # stories, plan and tests; the cause of a bug
    IMPLEMENTER = "implementer"


class StepKind(StrEnum):
    """What a step is for. How long its result lasts, who shows it and what else it joins follow from that."""

    INTAKE = "intake"  # is there anything to do? Lasts until the phase is begun anew
    PLANNING = "planning"  # lasts until the phase is planned anew, as whatever is not named here
    WORK = "work"  # changes the tree, or looks at one task
    REVIEW = "review"  # an opinion of the whole tree: ends with the tree it read
    RULING = "ruling"  # what happens now: ends when it is asked again
    ENDING = "ending"
    SPLITTING = "splitting"
    PREPARING = "preparing"  # before the first phase
    CLOSING = "closing"  # after the last one
    ISSUE = "issue"
    DEBUGGING = "debugging"  # of a debug session
    DRAFTING = "drafting"  # of a draft of a roadmap


class Shown(StrEnum):
    """How progress shows a step."""

    COUNTED = "counted"  # every phase has it: "Step: PLAN (4/9)"
    NAMED = "named"  # not every phase has it: "Step: DEBUG"
    BY_RESULT = "by_result"  # only by what it leaves: a commit, a verdict, a landing
    BY_ISSUE = "by_issue"  # a step of an issue: its place is described as text, because an issue iterates


class Step(StrEnum):
    """Every step in order: name, kind, how it is shown, and the role of the agent it calls."""

    PREFLIGHT = "preflight", StepKind.INTAKE, Shown.COUNTED
    TRIAGE = "triage", StepKind.INTAKE, Shown.COUNTED
    RESEARCH = "research", StepKind.PLANNING, Shown.COUNTED, Role.RESEARCHER
    PLAN = "plan", StepKind.PLANNING, Shown.COUNTED, Role.PLANNER
    PLAN_CHECK = "plan_check", StepKind.PLANNING, Shown.COUNTED, Role.PLAN_CHECKER
    EXECUTE = "execute", StepKind.WORK, Shown.COUNTED, Role.EXECUTOR
    MINI_VERIFY = "mini_verify", StepKind.WORK, Shown.BY_RESULT, Role.MINI_VERIFIER
    DEBUG = "debug", StepKind.WORK, Shown.NAMED, Role.DEBUGGER
    VERIFY = "verify", StepKind.REVIEW, Shown.COUNTED, Role.VERIFIER
    JUDGE = "judge", StepKind.REVIEW, Shown.COUNTED, Role.JUDGE
    RATE = "rate", StepKind.REVIEW, Shown.COUNTED, Role.RATER
    GATE = "gate", StepKind.RULING, Shown.BY_RESULT
    ROLLBACK = "rollback", StepKind.ENDING, Shown.BY_RESULT
    LAND = "land", StepKind.ENDING, Shown.BY_RESULT
    SPLIT = "split", StepKind.SPLITTING, Shown.NAMED, Role.SPLITTER
    INTEGRATE = "integrate", StepKind.SPLITTING, Shown.NAMED
    RESOLVE = "resolve", StepKind.SPLITTING, Shown.NAMED, Role.EXECUTOR
    MAP = "map", StepKind.PREPARING, Shown.NAMED, Role.QUESTIONER
    DISCUSS = "discuss", StepKind.PREPARING, Shown.NAMED, Role.DISCUSSER
    AUDIT = "audit", StepKind.CLOSING, Shown.NAMED, Role.AUDITOR
    BUMP = "bump", StepKind.CLOSING, Shown.NAMED
    DEFINE = "define", StepKind.ISSUE, Shown.BY_ISSUE, Role.ANALYST
    FREEZE = "freeze", StepKind.ISSUE, Shown.BY_ISSUE
    DESIGN = "design", StepKind.ISSUE, Shown.BY_ISSUE, Role.DESIGNER
    IMPLEMENT = "implement", StepKind.ISSUE, Shown.BY_ISSUE, Role.IMPLEMENTER
    ORACLE = "oracle", StepKind.ISSUE, Shown.BY_ISSUE
    RECORD = "record", StepKind.ISSUE, Shown.BY_ISSUE
    HALT = "halt", StepKind.ISSUE, Shown.BY_ISSUE
    PRESENT = "present", StepKind.ISSUE, Shown.BY_ISSUE
    HAND_OFF = "hand_off", StepKind.ISSUE, Shown.BY_ISSUE
    GATHER = "gather", StepKind.DEBUGGING, Shown.NAMED, Role.DEBUGGER
    REPRODUCE = "reproduce", StepKind.DEBUGGING, Shown.NAMED
    BISECT = "bisect", StepKind.DEBUGGING, Shown.NAMED
    HYPOTHESIZE = "hypothesize", StepKind.DEBUGGING, Shown.NAMED, Role.DEBUGGER
    REFUTE = "refute", StepKind.DEBUGGING, Shown.NAMED
    FIX = "fix", StepKind.DEBUGGING, Shown.NAMED, Role.DEBUGGER
    PROVE = "prove", StepKind.DEBUGGING, Shown.NAMED
    ARCHIVE = "archive", StepKind.DEBUGGING, Shown.NAMED
    DRAFT = "draft", StepKind.DRAFTING, Shown.NAMED, Role.PLANNER

    _value_: str
    kind: StepKind
    shown: Shown
    role: Role | None  # who is asked; a step without a role asks nobody and costs nothing

    # The defaults are for `Step("plan")`, which looks a row up.
    def __new__(
        cls, name: str, kind: StepKind = StepKind.WORK, shown: Shown = Shown.BY_RESULT, role: Role | None = None
    ) -> Self:
        step = str.__new__(cls, name)
        step._value_, step.kind, step.shown, step.role = name, kind, shown, role
        return step

    @property
    def label(self) -> str:
        return self.value.upper().replace("_", "-")


def steps_of(*kinds: StepKind) -> tuple[Step, ...]:
    return tuple(step for step in Step if step.kind in kinds)


def that_ask(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Those of the steps that call an agent."""
    return tuple(step for step in steps if step.role is not None)


COUNTED_STEPS = tuple(step for step in Step if step.shown is Shown.COUNTED)
ISSUE_STEPS = steps_of(StepKind.ISSUE)
DEBUG_STEPS = steps_of(StepKind.DEBUGGING)
PLANNING_STEPS = steps_of(StepKind.PLANNING)
REVIEWS = steps_of(StepKind.REVIEW)

# Who works on an issue; all others work on a roadmap.
ISSUE_ROLES = tuple(step.role for step in ISSUE_STEPS if step.role is not None)
DEBUG_ROLES = (Role.DEBUGGER,)
DRAFT_ROLES = (Role.PLANNER,)
ROADMAP_ROLES = tuple(role for role in Role if role not in ISSUE_ROLES)
