"""Claims: what an agent says about its own work. No gate imports this module."""

from __future__ import annotations

from msgspec import Struct


class ResearchClaim(Struct, frozen=True):
    key_findings: tuple[str, ...]
    recommended_approach: str
    risks: tuple[str, ...]
    open_questions: tuple[str, ...]


class PlannerClaim(Struct, frozen=True):
    plans_created: int
    waves: int
    total_tasks: int
    complexity: str
    dependencies: tuple[str, ...]
    concerns: tuple[str, ...]


class TaskClaim(Struct, frozen=True):
    task_id: str
    criteria_met: tuple[str, ...]
    commands_run: tuple[str, ...]


class ExecutorClaim(Struct, frozen=True):
    tasks_completed: str
    tasks_failed: str
    commit_shas: tuple[str, ...]
    evidence: tuple[TaskClaim, ...]
    deviations: tuple[str, ...]
    confidence: float


class FailureCategory(Struct, frozen=True):
    failure: str
    category: str


class DebuggerClaim(Struct, frozen=True):
    fixed: bool
    changes: tuple[str, ...]
    commits: tuple[str, ...]
    remaining_issues: tuple[str, ...]
    failure_categories: tuple[FailureCategory, ...]


class DecisionClaim(Struct, frozen=True):
    """A choice its author takes for one that matters, and where it stands."""

    file: str
    line: int
    text: str


class AnalystClaim(Struct, frozen=True):
    decisions: tuple[DecisionClaim, ...]
    questions: tuple[str, ...]  # what only a person can decide


class DesignClaim(Struct, frozen=True):
    decisions: tuple[DecisionClaim, ...]
    concerns: tuple[str, ...]


class CauseClaim(Struct, frozen=True):
    kind: str
    text: str
    test: str
    files: tuple[str, ...]


class DiagnosisClaim(DesignClaim, frozen=True):
    """Of a bug or a flaky test. Who writes stories is not asked for a cause: agents have to fill in every field."""

    cause: CauseClaim | None = None


class ImplementerClaim(Struct, frozen=True):
    done: bool
    summary: str
    concerns: tuple[str, ...]


class SymptomsClaim(Struct, frozen=True):
    """Of a debug session: what the agent takes for the symptoms, and the command that shows the bug."""

    expected: str
    actual: str
    errors: str
    reproduction: str
    started: str


class HypothesisClaim(Struct, frozen=True):
    """Of a debug session: one cause that can be refuted, and the command that would."""

    hypothesis: str
    test: str
    predicts: str  # "passes" or "fails": how the test ends if the hypothesis is right
    printing: str
    category: str


class FixClaim(Struct, frozen=True):
    fixed: bool
    summary: str
    prevention_rule: str


class DraftClaim(Struct, frozen=True):
    """What the planner found left open, and how it took it."""

    concerns: tuple[str, ...]
