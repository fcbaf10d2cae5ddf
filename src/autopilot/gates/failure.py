"""Which kind of failure is it? By the first thing that failed, as a category of the taxonomy."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autopilot.model.assessment import Verification
from autopilot.model.evidence.subject import SubjectKind
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.failure import WORDS, Category

OF_CHECK = {
    "compile": Category.COMPILATION_FAILURE,
    "lint": Category.LINT_FAILURE,
    "build": Category.BUILD_FAILURE,
    "test": Category.ACCEPTANCE_CRITERIA_UNMET,
}


def classify(
    verdicts: Sequence[Verdict], verification: Verification | None = None, violations: Collection[str] = ()
) -> Category:
    """``violations`` are subjects whose command reached for what the sandbox refuses."""
    bad = [v for v in verdicts if v.outcome is not Outcome.PASS]
    if any(v.subject in violations for v in bad):
        return Category.SCOPE_CREEP
    for verdict in bad:
        if verdict.subject in OF_CHECK:
            return OF_CHECK[verdict.subject]
    if any(v.about.is_plain(SubjectKind.TASK) for v in bad):
        return Category.EXECUTOR_INCOMPLETE
    if bad:
        return Category.ACCEPTANCE_CRITERIA_UNMET
    categories = [f.category for f in verification.failures if f.category in WORDS] if verification else []
    return Category(categories[0]) if categories else Category.ACCEPTANCE_CRITERIA_UNMET
