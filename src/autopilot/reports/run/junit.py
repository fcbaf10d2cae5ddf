"""JUnit XML for CI systems: a suite for each phase, a case for each promise, check and gate."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import parse_subject
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PhaseStatus
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.documents.objections import flags_of
from autopilot.reports.documents.shortfalls import describe_result
from autopilot.reports.evidence.promised import standing_words
from autopilot.reports.evidence.proofs import Proof, proofs_of, strengths_words
from autopilot.reports.evidence.strength import tests_words
from autopilot.reports.evidence.unchecked import unchecked_in_phase
from autopilot.reports.issue.cases import issue_cases, issue_facts, issue_home
from autopilot.reports.markdown import seconds
from autopilot.reports.run.audit import integration_words
from autopilot.reports.status.gates import verdict_words
from autopilot.reports.status.scores import in_words, score_of
from autopilot.text.lazy_regex import lazy_regex

# What XML 1.0 has no way to write, not even escaped.
UNWRITABLE = lazy_regex("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}
LONGEST = 2000


def render_junit(state: RunState) -> str:
    suites = [_issue_suite(state)] if state.issue else []
    suites += [_phase_suite(state, phase) for phase in state.phases.values() if not state.issue]
    if state.completion.closing or state.completion.audit.integration is not None:
        suites.append(_audit_suite(state))
    took = seconds(state.started_at, state.now)
    whole = ET.Element("testsuites", {"name": f"autopilot {state.run}", **_counts(suites), "time": f"{took}"})
    whole.extend(suites)
    ET.indent(whole)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(whole, encoding="unicode")}\n'


def _phase_suite(state: RunState, phase: PhaseState) -> ET.Element:
    home = _words(f"phase {phase.id}: {phase.brief.name}")
    cases = [_gate_case(state, phase, home), *(_proof_case(proof, home) for proof in proofs_of(state, phase))]
    took = seconds(phase.started_at, phase.ending.completed_at or state.now)
    suite = _suite(home, cases, took)
    if phase.started_at:
        suite.set("timestamp", f"{phase.started_at:%Y-%m-%dT%H:%M:%S}")
    facts = {
        "status": phase.status.value,
        "score": in_words(score_of(state, phase)),
        "tokens": str(phase.totals.usage.tokens),
    }
    facts["asked for"] = standing_words(phase)
    facts["evidence"] = strengths_words(proofs_of(state, phase))
    facts["not checked"] = "; ".join(unchecked_in_phase(state, phase))
    facts["flags"] = str(len(flags_of(state, phase)))
    suite.insert(0, _properties(facts))
    return suite


def _issue_suite(state: RunState) -> ET.Element:
    assert state.issue is not None, "a run with phases has a suite for each"
    home = _words(issue_home(state.issue))
    cases = []
    for issue_case in issue_cases(state, state.issue):
        case = _case(issue_case.name, home, 0)
        if issue_case.outcome:
            _add(case, issue_case.outcome, issue_case.message, kind=issue_case.kind)
        cases.append(case)
    suite = _suite(home, cases, seconds(state.started_at, state.now))
    suite.insert(0, _properties(issue_facts(state, state.issue)))
    return suite


def _properties(facts: Mapping[str, str]) -> ET.Element:
    properties = ET.Element("properties")
    properties.extend(ET.Element("property", {"name": name, "value": _words(text)}) for name, text in facts.items())
    return properties


def _gate_case(state: RunState, phase: PhaseState, home: str) -> ET.Element:
    """Whether the phase as a whole was let through: CI sees a failed one even where every promise holds."""
    case = _case("the phase passes its gate", home, seconds(phase.started_at, phase.ending.completed_at))
    match phase.status:
        case PhaseStatus.COMPLETED:
            pass
        case PhaseStatus.FAILED:
            _add(case, "failure", phase.ending.failure, kind=phase.ending.failure_category or "failed")
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION if phase.deferral is not None and phase.is_answered:
            _add(case, "skipped", verdict_words(phase.deferral))
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION:
            _add(case, "skipped", f"waits for a verdict: autopilot verdict {phase.id} pass")
        case PhaseStatus.SKIPPED:
            _add(case, "skipped", phase.ending.failure or "skipped")
        case _:
            _add(case, "skipped", f"{phase.status.value}: {state.session.stop_reason}".rstrip(": "))
    return case


def _proof_case(proof: Proof, home: str) -> ET.Element:
    seen = proof.observation
    objected = parse_subject(proof.subject).is_objection  # of which one subject may have several
    name = f"objection {proof.subject}: {proof.because}" if objected else f"{proof.kind}: {proof.text}"
    case = _case(name, home, seen.duration_ms / 1000 if seen else 0)
    match proof.outcome:
        case None:
            _add(case, "skipped", proof.because)
        case Outcome.FAIL:
            _add(case, "failure", proof.because, _details(seen), "FAIL")
        case Outcome.UNPROVEN:
            _add(case, "error", proof.because, _details(seen), "UNPROVEN")
        case Outcome.PASS:
            pass
    return case


def _audit_suite(state: RunState) -> ET.Element:
    home = "completion"
    cases = []
    if state.completion.audit.integration is not None:
        case = _case("the phases fit together", home, 0)
        if not state.completion.audit.integration.passed:
            _add(case, "failure", integration_words(state), kind="integration")
        cases.append(case)
    for result in state.completion.audit.results:
        case = _case(f"requirement {result.requirement_id}: {result.expected}", home, 0)
        if result.status != "pass":
            _add(case, "failure", result.gap_description, result.actual_found, "gap")
        cases.append(case)
    cases += [_gate_case(state, phase, home) for phase in state.completion.closing.values() if phase.tasks]
    return _suite(home, cases, 0)


def _suite(name: str, cases: list[ET.Element], took: float) -> ET.Element:
    counts = {key: str(sum(case.find(child) is not None for case in cases)) for key, child in COUNTED.items()}
    suite = ET.Element("testsuite", {"name": name, "tests": str(len(cases)), **counts, "time": f"{took:g}"})
    suite.extend(cases)
    return suite


def _counts(suites: Iterable[ET.Element]) -> dict[str, str]:
    return {key: str(sum(int(suite.get(key, "0")) for suite in suites)) for key in ("tests", *COUNTED)}


def _case(name: str, home: str, took_s: float) -> ET.Element:
    return ET.Element("testcase", {"classname": home, "name": _words(name), "time": f"{took_s:g}"})


def _add(case: ET.Element, outcome: str, message: str, details: str = "", kind: str = "") -> None:
    child = ET.SubElement(case, outcome, {"message": _words(message), **({"type": kind} if kind else {})})
    if details:
        child.text = _words(details)


def _details(seen: Observation | None) -> str:
    if seen is None:
        return ""
    tests = f"{tests_words(seen.tests)}\n" if seen.tests else ""
    return f"$ {seen.command}\n{describe_result(seen)}\nat commit {seen.commit[:12]}\n{tests}{seen.excerpt}"


def _words(text: str) -> str:
    return UNWRITABLE.sub("\ufffd", strip_controls(text))[:LONGEST]
