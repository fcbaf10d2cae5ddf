"""What phases promised that landed while a line was apart from the run's: it has to hold on the merged tree as well."""

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
from autopilot.steps.looking.looking import Look, look_at_promises, script_path


def look_at_landed(ctx: StepContext, line: PhaseState) -> list[Look]:
    """A resolver that drops the others' work, or a merge that breaks it without a conflict, is seen by nothing else."""
    return [] if line.parent else [look for phase in _landed_meanwhile(ctx, line) for look in _looks(ctx, phase)]


def judge_landed(seen: Observation) -> Verdict:
    """By what was seen alone: it held when its phase landed."""
    holds = seen.seen is Seen.PASSED
    because = f"`{seen.command}` passed when it landed and now {seen.seen.text}"
    return Verdict(seen.subject, Outcome.PASS if holds else Outcome.FAIL, "" if holds else because)


def _landed_meanwhile(ctx: StepContext, line: PhaseState) -> list[PhaseState]:
    done = [p for p in ctx.state.phases.values() if p.status is PhaseStatus.COMPLETED and p.ending.records_commit]
    return [p for p in done if not ctx.ports.vault.is_ancestor(p.ending.records_commit, line.line.tip)]


def _looks(ctx: StepContext, phase: PhaseState) -> list[Look]:
    held = {o.subject for o in phase.observed.observations or () if o.seen is Seen.PASSED}
    looks = [look for look in look_at_promises(ctx, phase) if look.subject in held]
    looks += [_script(ctx, phase, task.task.id) for task in phase.planned if script_subject(task.task.id) in held]
    return [replace(look, subject=str(replace(parse_subject(look.subject), of_phase=phase.id))) for look in looks]


def _script(ctx: StepContext, phase: PhaseState, task: str) -> Look:
    """Whether it is still there or not: one that is gone does not pass."""
    command = f"bash {shlex.quote(script_path(phase.brief.folder, task))}"
    timeout_s = ctx.policy.timeouts.test
    return Look(script_subject(task), command, Expectation(), Strength.SCRIPT, timeout_s, is_script=True)
