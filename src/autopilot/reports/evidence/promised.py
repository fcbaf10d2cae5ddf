"""What the owner asked of a phase, as every report shows it: one row each, and one count for all reports.

"N of M proven" counts what the roadmap asks for. Only where it asks for nothing, or the run is older than these
accounts, are the checks counted that were judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.events.accounts import accounts_of
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.account import WORDS, Account, Accounted, headline, tally
from autopilot.model.evidence.verdict import Outcome
from autopilot.reports.evidence.proofs import proofs_of
from autopilot.reports.markdown import table

STATUS_WORDS: Mapping[Accounted, str] = {
    Accounted.PROVEN: "proven",
    Accounted.UNSPOKEN: "green by checks that do not speak of it",
    Accounted.JUDGED: "judged by a reviewer (opinion)",
    Accounted.ACCEPTED: "accepted by a person",
    Accounted.PERSON: "waits for a person",
    Accounted.UNSEEN: "for a person, landed before anybody looked",
    Accounted.FAILED: "failed",
    Accounted.UNCHECKED: "not checked",
}
# Before the gate: how the plan says that it is to be shown.
PLANNED_WORDS: Mapping[str, str] = {
    "to be proven": "to be proven",
    "to be judged": "to be judged by a reviewer (opinion)",
    "to be seen": "for you to look at",
}
HEAD = ("", "What is asked for", "Account", "By", "Because")


class PromiseRow(Struct, frozen=True):
    name: str
    text: str
    source: str  # roadmap, must_haves or requirement
    status: str  # a word of ``Accounted``; before the gate see PLANNED_WORDS
    by: tuple[str, ...]  # the checks, each with how strong its evidence is
    because: str

    @property
    def status_words(self) -> str:
        return PLANNED_WORDS.get(self.status) or STATUS_WORDS[Accounted(self.status)]

    @property
    def cells(self) -> tuple[str, ...]:
        return self.name, self.text, self.status_words, ", ".join(self.by), self.because


def promise_rows(state: RunState, phase: PhaseState) -> tuple[PromiseRow, ...]:
    strengths = {proof.subject: proof.strength for proof in proofs_of(state, phase)}
    return tuple(_row(account, strengths) for account in accounts_of(phase))


def _row(account: Account, strengths: Mapping[str, str]) -> PromiseRow:
    by = tuple(f"{id} ({strengths[id]})" if strengths.get(id) else id for id in account.by)
    return PromiseRow(account.name, account.text, account.source.value, account.status.value, by, account.because)


def promise_table(state: RunState, phase: PhaseState) -> str:
    rows = [row.cells for row in promise_rows(state, phase)]
    return table(HEAD, rows) if rows else ""


def is_judged(phase: PhaseState) -> bool:
    """Before its gate nothing is known of what was asked for."""
    return bool(phase.gate.verdicts) or phase.ruling.outcome is not None


def standing_words(phase: PhaseState) -> str:
    """The first line of every report on a phase."""
    checks = f"{_passed(phase)} of {len(phase.gate.verdicts)} checks proven"
    asked = asked_words([phase])
    return f"{asked}; {checks}" if asked else checks


def asked_words(phases: Iterable[PhaseState]) -> str:
    """How what was asked for stands, of phases that came to their gate; "" where they were asked for nothing."""
    judged = [phase for phase in phases if is_judged(phase)]
    parts = headline([account for phase in judged for account in accounts_of(phase)]), unasked_words(judged)
    return "; ".join(part for part in parts if part)


def unasked_words(phases: Iterable[PhaseState]) -> str:
    """ "3 clauses of the roadmap that no check speaks of"; "" where there is none."""
    count = sum(len(phase.observed.unasked) for phase in phases)
    return f"{count} clause{'s' * (count != 1)} of the roadmap that no check speaks of" if count else ""


def ratio(phase: PhaseState) -> str:
    """ "2/5"."""
    counted = tally(accounts_of(phase))
    if counted.total and is_judged(phase):
        return f"{counted.proven}/{counted.total}"
    return f"{_passed(phase)}/{len(phase.gate.verdicts)}"


def ratio_words(phase: PhaseState) -> str:
    """ "2/5 proven, 2 judged by a reviewer (opinion), 1 waits for you"."""
    counted = tally(accounts_of(phase)) if is_judged(phase) else tally(())
    others = [(counted.of(status), forms) for status, forms in WORDS.items() if counted.of(status)]
    proven = f"{ratio(phase)} proven{counted.whose_tests}"
    left = unasked_words([phase]) if is_judged(phase) else ""
    return ", ".join([proven, *(f"{count} {forms[count != 1]}" for count, forms in others), *([left] if left else [])])


def run_standing(state: RunState) -> str:
    """The same over all phases of a run that came to their gate; "" where none of them was asked for anything."""
    return asked_words(state.phases.values())


def promised_document(state: RunState, phase: PhaseState) -> dict[str, Any]:
    """For programs: the same rows and the same line."""
    accounts, rows = (accounts_of(phase), promise_rows(state, phase)) if is_judged(phase) else ((), ())
    counted = tally(accounts)
    return {
        "line": asked_words([phase]) or None,
        "total": counted.total,
        "by_new_tests": counted.brought,
        "unasked": list(phase.observed.unasked),
        **{status.name.lower(): counted.of(status) for status in Accounted},
        "rows": [msgspec.to_builtins(row) for row in rows],
    }


def _passed(phase: PhaseState) -> int:
    return sum(verdict.outcome is Outcome.PASS for verdict in phase.gate.verdicts)
