"""A change of documents: a document did change, nothing else did, and no check says anything new.

covers: AL-3, AL-4
"""

from __future__ import annotations

import pytest

from autopilot.gates.issue.documents import judge_documents
from autopilot.model.evidence.verdict import Outcome, Verdict
from tests.unit.making import make_verdict

DOCUMENT, CODE = ("docs/guide.md",), ("words.py",)
GREEN, RED = make_verdict(Outcome.PASS, "test"), make_verdict(Outcome.FAIL, "test")


@pytest.mark.parametrize(
    ("documents", "others", "checks", "state"),  # red, green, covered
    [
        (DOCUMENT, (), (GREEN,), (True, True, True)),
        (DOCUMENT, (), (), (True, True, True)),
        (DOCUMENT, (), (GREEN, RED), (True, False, True)),
        (DOCUMENT, CODE, (), (True, False, False)),
        ((), CODE, (), (False, False, False)),
        ((), (), (GREEN,), (False, False, True)),
    ],
)
def test_documents_alone_change_and_checks_stay(
    documents: tuple[str, ...], others: tuple[str, ...], checks: tuple[Verdict, ...], state: tuple[bool, bool, bool]
) -> None:
    oracle = judge_documents(documents, others, checks)
    assert (oracle.state.red_observed, oracle.state.at_green, oracle.state.coverage_ok) == state
    assert oracle.state.holds == (not oracle.findings) == all(state)
    assert not oracle.state.is_unverifiable
    assert oracle.state.uncovered == others
