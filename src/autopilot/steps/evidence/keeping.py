"""What phases promised that landed while a branch was separate: it has to hold on the merged tree as well."""

from __future__ import annotations

import shlex

from msgspec.structs import replace

from autopilot.events.state import PhaseState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import parse_subject, script_subject
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.run import PhaseStatus
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import Check, list_promised_checks, script_path


def list_landed_checks(ctx: StepContext, line: PhaseState) -> list[Check]:
    """A resolver that drops the others' work, or a merge that breaks it without a conflict, is seen by nothing else."""
    return (
        [] if line.parent else [check for phase in _landed_meanwhile(ctx, line) for check in _list_checks(ctx, phase)]
    )


def judge_landed(seen: Observation) -> Verdict:
    """By what was seen alone: it held when its phase landed."""
    holds = seen.seen is Seen.PASSED
    because = f"`{seen.command}` passed when it landed and now {seen.seen.text}"
    return Verdict(seen.subject, Outcome.PASS if holds else Outcome.FAIL, "" if holds else because)


def _landed_meanwhile(ctx: StepContext, line: PhaseState) -> list[PhaseState]:
    done = [p for p in ctx.state.phases.values() if p.status is PhaseStatus.COMPLETED and p.ending.records_commit]
    return [p for p in done if not ctx.ports.vault.is_ancestor(p.ending.records_commit, line.line.tip)]


def _list_checks(ctx: StepContext, phase: PhaseState) -> list[Check]:
    held = {observation.subject for observation in phase.observed.observations or () if observation.seen is Seen.PASSED}
    checks = [check for check in list_promised_checks(ctx, phase) if check.subject in held]
    checks += [_script(ctx, phase, task.task.id) for task in phase.planned if script_subject(task.task.id) in held]
    return [replace(check, subject=str(replace(parse_subject(check.subject), of_phase=phase.id))) for check in checks]


def _script(ctx: StepContext, phase: PhaseState, task: str) -> Check:
    """Whether it is still there or not: one that is gone does not pass."""
    command = f"bash {shlex.quote(script_path(phase.brief.folder, task))}"
    timeout_s = ctx.policy.timeouts.test
    return Check(script_subject(task), command, Expectation(), Strength.SCRIPT, timeout_s, is_script=True)
