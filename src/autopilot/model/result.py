"""The one result a phase ends in, in the shape other tools of this kind return."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from autopilot.model.run import PhaseStatus


class ResultEvidence(Struct, frozen=True):
    files_checked: tuple[str, ...] = ()  # "path:line -- what was found"
    commands_run: tuple[str, ...] = ()  # "command -> result"
    git_diff_summary: str = ""


class Justification(Struct, frozen=True):
    """Which task, or which criteria of the roadmap, ask for a person, and how the tasks did."""

    checkpoint_task_id: str
    task_description: str
    auto_tasks_passed: int
    auto_tasks_total: int

    @property
    def label(self) -> str:
        """What is to be checked: a task of the plan, or criteria by their names."""
        is_promise = self.checkpoint_task_id.startswith(("SC-", "MH-"))
        return self.checkpoint_task_id if is_promise else f"task {self.checkpoint_task_id}"


class PhaseResult(Struct, frozen=True):
    phase: str
    status: PhaseStatus | Literal["split_request"]
    alignment_score: float | None
    tasks_completed: str  # "2/3"
    tasks_failed: str
    commit_shas: tuple[str, ...]
    automated_checks: Mapping[str, bool | str | None]  # true, false, "n/a"; None: could not be run
    issues: tuple[str, ...]
    debug_attempts: int
    replan_attempts: int
    recommendation: str
    summary: str
    checkpoint_sha: str | None
    verification_duration_seconds: float | None
    evidence: ResultEvidence
    phase_type: str
    pipeline_steps: Mapping[str, Mapping[str, Any]]
    human_verify_justification: Justification | None = None
    deferral_evidence: tuple[Mapping[str, Any], ...] = ()
    autonomous_confidence: float | None = None
    split_details: Mapping[str, Any] | None = None
    diagnostic_branch: str | None = None
    rollback_performed: bool = False
    rollback_from: str | None = None
    rollback_to: str | None = None
    remediation_cycles: int = 0
    force_incomplete: bool = False
    already_implemented: bool = False
