"""The honest judge's second word: its own observations beside the verifier's report, and the graver word (VRFY-02)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.simulation.honest.comparison import compare, parse_report

# covers: VRFY-02

REPORT = """\
# Phase 1 Verification
| Check | Command | Result |
| --- | --- | --- |
| compile | `make` | passed |
| lint |  | n/a |

| Criterion | Kind | Verdict |
| --- | --- | --- |
| It says hello \\| twice | new | UNPROVEN |

## The verifier's reading
| Criterion | Reading | Evidence |
| --- | --- | --- |
| It says hello \\| twice | verified | a.py:1 -- failed before |
"""
HELLO = "It says hello | twice"


def said(seen: dict[str, bool], report: str = REPORT, own: str = "proceed") -> dict[str, Any]:
    follows = "proceed" if all(seen.values()) else "debug"
    return compare(seen, report, {"recommendation": own}, follows)


def test_the_verifiers_own_reading_is_what_its_report_says_last() -> None:
    assert parse_report(REPORT) == {"compile": "passed", HELLO: "verified"}


def test_where_both_saw_the_same_they_agree_and_it_is_named() -> None:
    word = said({HELLO: True, "compile": True})
    assert (word["recommendation"], word["verifier_agreement"]) == ("proceed", True)
    assert word["agreements"] == [f"{HELLO}: verified", "compile: passed"]
    assert word["disagreements"] == word["verifier_missed"] == word["judge_missed"] == []


def test_a_report_that_calls_a_failed_check_verified_is_contradicted() -> None:
    word = said({HELLO: False, "compile": True})
    assert (word["recommendation"], word["verifier_agreement"]) == ("debug", False)
    assert word["disagreements"] == [f"{HELLO}: the verifier says verified, I saw otherwise"]


def test_a_failure_that_the_report_does_not_name_was_missed_by_the_verifier() -> None:
    word = said({"compile": True, "test": False})
    assert [line.partition(":")[0] for line in word["verifier_missed"]] == ["test"]
    assert not word["verifier_agreement"]


def test_a_failure_that_only_the_report_names_was_missed_by_the_judge() -> None:
    word = said({"compile": True, HELLO: True}, REPORT + "| It is fast | failed | b.py:2 |\n")
    assert [line.partition(":")[0] for line in word["judge_missed"]] == ["It is fast"]
    assert (word["recommendation"], word["verifier_agreement"]) == ("debug", False)


def test_a_report_that_says_nothing_is_not_agreed_with() -> None:
    assert not said({"compile": True}, "# Nothing")["verifier_agreement"]


@pytest.mark.parametrize(("own", "recommendation"), [("halt", "halt"), ("debug", "debug"), ("merge", "proceed")])
def test_its_first_word_is_never_softened(own: str, recommendation: str) -> None:
    assert said({HELLO: True, "compile": True}, own=own)["recommendation"] == recommendation
