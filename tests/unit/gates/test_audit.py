"""An auditor's word: a pass needs a place that is there, a gap is believed, silence is nothing.

covers: DONE-1
"""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.gates.audit import by_name, gap_of, is_shown, refuse_integration, refuse_result, wiring_gaps
from autopilot.model.audit import IntegrationReport, RequirementAudit, WiringIssue
from autopilot.model.evidence.place import MOST_FOLDERS, MOST_PLACES, MOST_STARTS, names_place

FILES = {"src/a.py": 10, "Makefile": 3, ".planning/REQUIREMENTS.md": 50}


def lines(path: str) -> int:
    return FILES.get(path, 0)


def said(status: str = "pass", evidence: str = "src/a.py:3 -- it is there", **more: Any) -> RequirementAudit:
    return RequirementAudit("REQ-1", "1", "it works", more.pop("found", "it does"), evidence, status, **more)


@pytest.mark.parametrize(
    ("evidence", "shown"),
    [
        ("src/a.py:3 -- it is there", True),
        ("./src/a.py:10", True),
        ("see src/b.py:1 and src/a.py:1", True),
        ("Makefile:3", True),
        ("src/a.py:11", False),
        ("src/a.py:" + "9" * 5_000, False),
        ("src/a.py:0", False),
        ("src/b.py:1", False),
        ("src/a.py", False),
        (".planning/REQUIREMENTS.md:4", False),
        ("./.planning/REQUIREMENTS.md:4", False),
        ("", False),
        ("it works, trust me", False),
    ],
)
def test_a_place_is_shown_when_the_tree_has_it_and_the_product_is_there(evidence: str, shown: bool) -> None:
    assert is_shown(evidence, lines) is shown


ODD = (
    "src/routes/+page.svelte",
    "app/[slug]/page.tsx",
    "app/[...all]/page.tsx",
    "app/(auth)/page.tsx",
    "app/routes/$id.tsx",
    "app/@modal/page.tsx",
    "docs/my long file.md",
    "src/a,b.ts",
    "Makefile",
)
FORMS = ("{}:3", "see `{}:3-5`, there", "**{}**:3", "({}:3:7)", "{}#L3", "{}:L3", "{}, line 3", "`{}` (lines 3-9)")


@pytest.mark.parametrize("path", ODD)
@pytest.mark.parametrize("form", [*FORMS, "it is in /builds/project/{}:3"])
def test_a_place_is_found_however_its_file_is_called_and_its_line_is_written(path: str, form: str) -> None:
    evidence = form.format(path)
    assert is_shown(evidence, lambda asked: 3 if asked == path else 0)
    assert not is_shown(evidence, lambda asked: 2 if asked == path else 0)
    assert names_place(evidence)


@pytest.mark.parametrize(
    "evidence", ["https://example.org/src/a.py:3", "the output, line 3", "src/a.py, 3 times", "src/a.py", "EXIT:0"]
)
def test_what_names_no_file_of_the_tree_with_a_line_shows_nothing(evidence: str) -> None:
    assert not is_shown(evidence, lines)


def test_few_files_are_asked_for_whatever_a_text_holds() -> None:
    asked: list[str] = []
    assert not is_shown("/a b:1 " * 50_000, lambda path: asked.append(path) or 0)
    assert len(asked) <= MOST_PLACES * MOST_STARTS * (MOST_FOLDERS + 1)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (said(), ""),
        (said("gap", "", gap_description="it is missing"), ""),
        (said("gap", "", found="only half of it"), ""),
        (None, "your report does not mention it"),
        (said("partial"), "'partial' is not a valid status: use pass or gap"),
        (said("gap", "", found=" "), "gap_description is empty: say what is missing"),
        (said(evidence="src/gone.py:1"), "file_line_evidence names no place that exists: src/gone.py:1"),
        (said(evidence=""), "file_line_evidence names no place that exists: none is named"),
    ],
)
def test_what_cannot_be_taken_is_asked_for_again_with_the_reason(result: RequirementAudit | None, reason: str) -> None:
    assert refuse_result(result, lines) == reason


@pytest.mark.parametrize(
    ("report", "refused"),
    [
        (IntegrationReport(True, (), ("src/a.py:1 -- read",)), False),
        (IntegrationReport(True, (), ()), True),
        (IntegrationReport(True, (), ("src/gone.py:1",)), True),
        (IntegrationReport(False, (), ("src/a.py:1",)), True),
        (IntegrationReport(False, (WiringIssue("the route is not mounted"),)), False),
        (IntegrationReport(False, (WiringIssue(" "),)), True),
    ],
)
def test_a_report_on_the_wiring_shows_what_was_read_or_says_what_does_not_fit(
    report: IntegrationReport, refused: bool
) -> None:
    assert bool(refuse_integration(report, lines)) is refused


def test_every_issue_of_the_wiring_is_a_large_gap_even_beside_a_pass() -> None:
    issues = (WiringIssue("not mounted", "src/a.py:3", check="make run"), WiringIssue("two names"))
    first, second = wiring_gaps(IntegrationReport(True, issues))
    assert (first.requirement, second.requirement) == ("INTEGRATION", "INTEGRATION-2")
    assert first.complexity == second.complexity == "large"
    assert (first.file, first.check) == ("src/a.py", "make run")


def test_a_gap_is_small_only_when_it_is_said_to_be() -> None:
    assert gap_of(said("gap", fix_complexity="small"), "1").complexity == "small"
    assert gap_of(said("gap", fix_complexity=""), "1").complexity == "large"


def test_of_two_words_on_one_requirement_the_gap_counts_and_of_others_none() -> None:
    other = RequirementAudit("REQ-9", "1", "", "", "", "pass")
    lower = RequirementAudit("req-1 ", "1", "", "", "", "gap")
    assert by_name((said(), lower, said(), other), ["REQ-1"]) == {"REQ-1": lower}
