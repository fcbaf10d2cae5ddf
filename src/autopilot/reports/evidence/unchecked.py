"""What no check covered: printed in every report, so that readers do not take silence for proof."""

from __future__ import annotations

from autopilot.events.accounts import accounts_of
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.account import Account, Accounted
from autopilot.model.planning.criterion import identity
from autopilot.model.planning.promise import Source
from autopilot.model.policy import Evidence
from autopilot.reports.evidence.criterion_rows import criterion_rows
from autopilot.reports.evidence.examples import examples_of, weak_of
from autopilot.testtools.questions.example import ONE_EXAMPLE

NOT_CHECKED = (
    "whether the spec was interpreted correctly",
    "branches of the code that no test and no criterion reaches",
    "the quality of the design, and anything hidden on purpose",
    "services on this machine's loopback that a setup command may have used",
)
ANY_VALUE = "whether the value is right: it holds with other values of the same type"
NO_CHECK = "the roadmap gives no command for it, and no check of the plan has its words"
NOT_ASKED = "no check speaks of it"
NOT_PROVEN = {
    Accounted.UNSPOKEN: "its checks are green, and none of them speaks of it",
    Accounted.JUDGED: "a reviewer's opinion, no proof",
    Accounted.ACCEPTED: "a person's word, no proof",
    Accounted.PERSON: "waits for a person",
    Accounted.UNSEEN: "is for a person to look at",
}
LAYERS = {
    "control": "changes of tests, their settings and CI that no task declares",
    "tests": "single tests: whether any was lost, skipped or is newly red",
    "red": "whether a criterion failed before the work only because its command could not be parsed",
    "sabotage": "whether the new tests fail with the implementation reverted",
    "mutants": "whether the new tests fail with constants in place of the implementation",
    "canary": "whether a test that must fail does fail",
    "expectations": "whether the tests fail when they expect something else",
    "held_out": "the spec's own examples and the calls of tests, outside the tests",
    "look": "a second look at suspicious code",
    "wiring": "whether anything refers to new source files",
}


def unrunnable(phase: PhaseState) -> list[str]:
    """Criteria of a phase that nothing was run for."""
    known = {v.subject for v in phase.gate.verdicts} or {
        observation.subject for observation in phase.observed.observations or ()
    }
    rows = criterion_rows(phase)
    named = {row.criterion.identity for row in rows}
    accounts = {account.text: account for account in accounts_of(phase)}
    own = [row for row in rows if row.criterion.id not in known and row.criterion.text not in accounts]
    if accounts:
        return [
            *(row.unchecked for row in own),
            *(_unproven(a) for a in accounts.values() if not _is_reported_elsewhere(a)),
        ]
    return [
        *(row.unchecked for row in own),
        *(f"{text}: {NO_CHECK}" for text in phase.brief.prose if identity(text) not in named),
    ]


def other_inputs(phase: PhaseState) -> list[str]:
    """Of criteria that ask one question, or for any value: what the product answers to others."""
    alone = [f"{text}: {ONE_EXAMPLE}, other inputs were not compared" for text in examples_of(phase)]
    return alone + [f"{text}: {ANY_VALUE}" for text in weak_of(phase)]


def unasked_clauses(phase: PhaseState) -> list[str]:
    """What the goal and the criteria say beyond what any check speaks of."""
    return [f'"{clause}": {NOT_ASKED}' for clause in phase.observed.unasked]


def not_looked_at(phase: PhaseState) -> list[str]:
    """The visual part of a phase that passed by what was proven."""
    return [f"{text}: no person looked at it; everything that could be run holds" for text in phase.gate.unseen]


def _is_reported_elsewhere(account: Account) -> bool:
    """What failed was checked. A requirement that no row traces is a complaint of the plan's lint."""
    return account.status in (Accounted.PROVEN, Accounted.FAILED) or account.source is Source.REQUIREMENT


def _unproven(account: Account) -> str:
    word = NOT_PROVEN.get(account.status, account.status.value)
    return f"{account.name} {account.text}: {word}" + (f" ({account.because})" if account.because else "")


def unchecked_in_run(state: RunState) -> list[str]:
    begun = [phase for phase in state.phases.values() if phase.started_at]
    of_phases = (f"phase {phase.id}: {text}" for phase in begun for text in _asked(phase))
    return [*of_phases, *_missing(state), *NOT_CHECKED]


def unchecked_in_phase(state: RunState, phase: PhaseState) -> list[str]:
    return [*_asked(phase), *switched_off(state), *_out_of_reach(state), *NOT_CHECKED]


def _asked(phase: PhaseState) -> list[str]:
    return [*not_looked_at(phase), *unrunnable(phase), *unasked_clauses(phase), *other_inputs(phase)]


def switched_off(state: RunState) -> list[str]:
    """Layers of evidence this run was made without; one begun before there were any says so once."""
    asked = state.policy.evidence
    if asked == Evidence():
        return ["single tests, control files and sabotage: no layer of evidence was asked for in this run"]
    off = [f"{layer}: disabled by your settings" for name, layer in LAYERS.items() if not getattr(asked, name)]
    # These live on single tests: without them they see nothing, whatever their own switch says.
    blind = [LAYERS[name] for name in ("sabotage", "mutants", "canary", "expectations") if getattr(asked, name)]
    off += [
        f"{layer}: not possible without single tests, which your settings disable" for layer in blind if not asked.tests
    ]
    return off if asked.repeats else [*off, "whether a pass was luck: your settings disable repeated runs"]


def reach_of(state: RunState) -> str:
    """What checks may reach by the user's settings. Without a sandbox that is reported instead."""
    return state.policy.conditions.describe_reach() if state.policy.confined else ""


def _out_of_reach(state: RunState) -> list[str]:
    """What this run was given no means to check. An issue is checked by the acceptance tests of its plan."""
    lines = []
    if not state.policy.commands.checks() and state.issue is None:
        lines.append("compile, lint, build and tests: no such command is configured")
    if not state.policy.confined:
        lines.append("what commands did outside the project: they ran WITHOUT a sandbox, by your written opt-out")
    if reached := reach_of(state):
        lines.append(f"what checks asked outside of the tree, and what answered: they may reach {reached}")
    if state.policy.open_agents:
        lines.append(
            f"what {' and '.join(state.policy.open_agents)} sent elsewhere: any host may be reached, by your settings"
        )
    return lines


def _missing(state: RunState) -> list[str]:
    lines = [*switched_off(state), *_out_of_reach(state)]
    if state.completion.audit.integration is None:
        lines.append("whether the phases fit together: no integration check was run")
    if not state.completion.audit.started:
        lines.append("whether every requirement of the spec is met: no self-audit was run")
    unaudited = state.completion.audit.ended.unaudited if state.completion.audit.ended else ()
    return [*lines, *(f"requirement {name}: the auditor did not report on it" for name in unaudited)]
