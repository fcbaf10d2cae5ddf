"""JUnit XML: what CI systems read, whatever agents wrote."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from autopilot.events.state import RunState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PhaseStatus
from autopilot.reports.run.junit import render_junit
from tests.unit.making import ONE, make_phase, make_state, make_verdict
from tests.unit.reports.ending_states import broken_state, closed_state, done_phase

# covers: DONE-1
NUMBER = re.compile(r"\d+(\.\d+)?")


def suites(state: RunState) -> list[ET.Element]:
    whole = ET.fromstring(render_junit(state).encode())
    assert whole.tag == "testsuites"
    return list(whole)


@pytest.mark.parametrize("state", [broken_state(), closed_state(), make_state(make_phase())])
def test_every_suite_and_case_has_what_ci_systems_ask_for(state: RunState) -> None:
    whole = ET.fromstring(render_junit(state).encode())
    for element in (whole, *whole):
        for name in ("tests", "failures", "errors", "skipped"):
            assert element.attrib[name].isdecimal()
        assert NUMBER.fullmatch(element.attrib["time"]) and element.attrib["name"]
    for suite in whole:
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        for count, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[count]) == len(suite.findall(f"testcase/{child}"))
        for case in cases:
            assert case.attrib["name"] and case.attrib["classname"] and NUMBER.fullmatch(case.attrib["time"])
            assert all(child.attrib["message"] for child in case)
            assert len(case) <= 1
        assert len({case.attrib["name"] for case in cases}) == len(cases)
    assert int(whole.attrib["tests"]) == sum(int(suite.attrib["tests"]) for suite in whole)


def test_there_is_a_suite_for_each_phase_with_its_checks_and_promises() -> None:
    passed, failed, blocked, waiting = suites(broken_state())
    assert [case.attrib["name"] for case in passed.findall("testcase")] == [
        "the phase passes its gate",
        "criterion: it counts",
        "check: test",
    ]
    assert [case.attrib["time"] for case in passed.findall("testcase")][1:] == ["1.5", "0.02"]
    failure = failed.findall("testcase/failure")[1]
    assert (failure.attrib["message"], failure.attrib["type"]) == ("exit 1", "FAIL")
    assert "$ check 02-01.c1" in (failure.text or "") and "2 + 2 = 5" in (failure.text or "")
    reasons = [suite.find("testcase/skipped") for suite in (blocked, waiting)]
    assert [reason.attrib["message"] for reason in reasons if reason is not None] == [
        "blocked_by_phase_2",
        "waits for a verdict: autopilot verdict 4 pass",
    ]


def test_what_could_not_be_proven_is_an_error_and_what_nothing_was_run_for_is_skipped() -> None:
    phase = done_phase(verdicts=(make_verdict(Outcome.UNPROVEN, "test", "no sandbox"),), status=PhaseStatus.IN_PROGRESS)
    (suite,) = suites(make_state(phase))
    assert [child.attrib["message"] for child in suite.findall("testcase/error")] == ["no sandbox"]
    assert "not checked: not run" in [child.attrib["message"] for child in suite.findall("testcase/skipped")]


def test_the_audit_is_a_suite_of_its_own() -> None:
    completion = suites(closed_state())[-1]
    assert completion.attrib["name"] == "completion"
    failures = {c.attrib["name"]: c.find("failure") for c in completion.findall("testcase")}
    assert [name for name, failure in failures.items() if failure is not None] == [
        "requirement REQ-3: there is a limit"
    ]


@pytest.mark.parametrize("words", ["</failure><script>", "a\x00b\x1b[31mc\ufffe", "]]>", 'say "no" & <go>', "x" * 9000])
def test_no_words_break_the_document(words: str) -> None:
    hostile = done_phase(
        verdicts=(make_verdict(Outcome.FAIL, "01-01.c1", words),), failure=words, status=PhaseStatus.FAILED
    )
    state = replace(broken_state(), phases={ONE: replace(hostile, brief=replace(hostile.brief, name=words))})
    (suite,) = suites(state)
    assert len(suite.findall("testcase/failure")) == 2
    assert not re.search("[\x00-\x08\x1b\ufffe]", render_junit(state))
    assert suite.find(".//script") is None
