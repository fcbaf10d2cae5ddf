"""VERIFICATION.md: what was run, what was seen, and what the verifier adds."""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
from autopilot.model.criterion import Criterion, Form
from autopilot.model.evidence import Observation
from autopilot.model.policy import CHECKS
from autopilot.model.verdict import Outcome
from autopilot.reports.markdown import bullets, stamp, table

NOT_CHECKED = (
    "whether the spec itself was read rightly",
    "branches of the code that no test and no criterion reaches",
    "design, and anything hidden on purpose",
)


def render_verification(state: RunState, phase: PhaseState) -> str:
    proven = sum(v.outcome is Outcome.PASS for v in phase.verdicts)
    passed = phase.gate is Outcome.PASS
    step = phase.steps.get("verify")
    parts = [
        f"---\nphase: {phase.id}\nverified: {stamp(step.ended_at if step else None)}\n"
        f"status: {'passed' if passed else 'gaps_found'}\n"
        f"score: {proven}/{len(phase.verdicts)} must-haves verified\n---\n",
        f"# Phase {phase.id} Verification: {phase.brief.name}\n",
        f"Observed by Autopilot at commit `{phase.observed_commit[:12]}`, on a clean checkout"
        f"{'' if state.policy.confined else ' (WITHOUT a sandbox, by your written opt-out)'}.\n",
        "## Automated checks\n",
        _checks(phase, state),
        "## Criteria\n",
        _criteria(phase),
        "## The verifier's reading\n",
        _reading(phase),
        "## Not checked\n",
        bullets([*_unrunnable(phase), *NOT_CHECKED]) + "\n",
    ]
    return "\n".join(parts)


def _checks(phase: PhaseState, state: RunState) -> str:
    seen = {o.subject: o for o in phase.observations or ()}
    if not state.policy.commands.checks():
        return "No compile, lint, build or test command is configured: nothing but the criteria was run.\n"
    rows = [(name, _command(seen.get(name)), _word(seen.get(name))) for name in CHECKS]
    return table(("Check", "Command", "Result"), rows)


def _command(observation: Observation | None) -> str:
    return f"`{observation.command}`" if observation else ""


def _word(observation: Observation | None) -> str:
    return observation.seen.words if observation else "n/a"


def _criteria(phase: PhaseState) -> str:
    verdicts = {v.subject: v for v in phase.verdicts}
    after = {o.subject: o for o in phase.observations or ()}
    rows = []
    for criterion in criteria_of(phase):
        verdict = verdicts.get(criterion.id)
        if verdict is not None:
            seen = after.get(criterion.id)
            shown = f"`{criterion.command}` {('exit ' + str(seen.exit_code)) if seen else ''}"
            kind, strength = criterion.kind.value, criterion.strength.value
            rows.append((criterion.text, kind, strength, verdict.outcome.value, verdict.because, shown))
    for subject, verdict in verdicts.items():
        if subject.startswith(("script:", "task ")):
            rows.append((subject, "new", "script", verdict.outcome.value, verdict.because, ""))
    return table(("Criterion", "Kind", "Strength", "Verdict", "Because", "Command"), rows)


def criteria_of(phase: PhaseState) -> tuple[Criterion, ...]:
    planned = tuple(c for task in phase.tasks.values() for c in task.task.criteria)
    return planned or phase.criteria


def _unrunnable(phase: PhaseState) -> list[str]:
    judged = {v.subject for v in phase.verdicts}
    words = {Form.PROSE: "no command says how to see it", Form.TRACE: "asks to trace code", Form.COMMAND: "not run"}
    return [f"{c.text}: {words[c.form]}" for c in criteria_of(phase) if c.id not in judged]


def _reading(phase: PhaseState) -> str:
    if phase.verification is None:
        return "No verifier was asked: what was observed already decides against the phase.\n"
    rows = [(r.criterion, r.status, r.evidence) for r in phase.verification.criteria_results]
    parts = [table(("Criterion", "Reading", "Evidence"), rows)]
    parts.append("Commands it ran:\n\n" + bullets(phase.verification.commands_run) + "\n")
    if phase.verification.concerns or phase.verification.scope_creep:
        parts.append("Concerns:\n\n" + bullets([*phase.verification.concerns, *phase.verification.scope_creep]) + "\n")
    return "\n".join(parts)
