"""Did a change touch documents alone, and does every check give the same result as before?"""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.issue.oracle import Oracle, red_checks, refusing
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.verdict import Verdict
from autopilot.model.issue.issue import OracleState, SeedFinding


def judge_documents(
    documents: Sequence[str], others: Sequence[str], checks: Sequence[Verdict], objections: Sequence[Objection] = ()
) -> Oracle:
    """The three terms, as they are for a change that no test can be red without.

    ``red_observed``: a document did change. ``coverage_ok``: nothing but documents did. ``at_green``: the configured
    checks say the same before and after; where none is configured, what they would run is the same to the byte.
    """
    wrong = [
        SeedFinding(path, "not a document: this route changes only documents; restore the file") for path in others
    ]
    broken = [*red_checks(checks), *refusing(objections)]
    missing = [] if documents else [SeedFinding("documents", "no document was changed")]
    findings = (*wrong, *broken, *missing)
    state = OracleState(
        red_observed=bool(documents),
        at_green=not findings,
        coverage_ok=not others,
        uncovered=tuple(sorted(others)),
        failing=tuple(sorted({finding.evidence_ref for finding in findings})),
    )
    return Oracle(state, findings)
