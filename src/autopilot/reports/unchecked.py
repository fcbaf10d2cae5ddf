"""What no check saw: printed in every report, so that nobody takes silence for proof."""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
from autopilot.model.criterion import Form
from autopilot.reports.criteria import criteria_of

NOT_CHECKED = (
    "whether the spec itself was read rightly",
    "branches of the code that no test and no criterion reaches",
    "design, and anything hidden on purpose",
    "services on this machine's loopback that a setup command may have used",
)
WORDS = {Form.PROSE: "no command says how to see it", Form.TRACE: "asks to trace code", Form.COMMAND: "not run"}


def unrunnable(phase: PhaseState) -> list[str]:
    """Criteria of a phase that nothing was run for."""
    known = {v.subject for v in phase.verdicts} or {o.subject for o in phase.observations or ()}
    return [f"{c.text}: {WORDS[c.form]}" for _, c in criteria_of(phase) if c.id not in known]


def unchecked_in_run(state: RunState) -> list[str]:
    of_phases = (f"phase {p.id}: {text}" for p in state.phases.values() if p.started_at for text in unrunnable(p))
    return [*of_phases, *_missing(state), *NOT_CHECKED]


def _missing(state: RunState) -> list[str]:
    lines = []
    if not state.policy.commands.checks():
        lines.append("compile, lint, build and tests: no such command is configured")
    if not state.policy.confined:
        lines.append("what commands did outside the project: they ran WITHOUT a sandbox, by your written opt-out")
    if state.audit.integration is None:
        lines.append("whether the phases fit together: no integration check was made")
    if not state.audit.started:
        lines.append("whether every requirement of the spec is met: no self-audit was made")
    unaudited = state.audit.ended.unaudited if state.audit.ended else ()
    return [*lines, *(f"requirement {name}: the auditor said nothing of it" for name in unaudited)]
