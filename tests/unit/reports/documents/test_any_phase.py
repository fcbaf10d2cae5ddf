"""Whatever happened to a phase, its documents can be written, and none of them says more than its record."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given, settings

from autopilot.events.fold import fold_all
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import WORDS
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.documents import TRACE, phase_documents
from autopilot.reports.documents.handoff import render_handoff
from autopilot.reports.documents.path_to_nine import path_items
from autopilot.reports.documents.postmortem import render_postmortem
from autopilot.reports.documents.span_trace import render_traces
from autopilot.reports.documents.timeline import MOST
from autopilot.reports.documents.vagueness import is_vague
from autopilot.reports.status.result import build_result
from autopilot.text.frontmatter import parse_frontmatter
from tests.unit.flows.chance import stages
from tests.unit.flows.stage import Stage

# covers: RESULT, OBSV-02, OBSV-04, CENF-05, CTXE-01
LAW = settings(max_examples=40)  # a whole run each


@LAW
@given(stages())
def test_every_phase_has_documents_a_result_and_a_trace(stage: Stage) -> None:
    history = stage.play().history
    for entries in (history, history[: len(history) // 2]):
        state = fold_all(entries)
        for phase in (*state.phases.values(), *state.parts.values()):
            documents = phase_documents(state, phase)
            verified = parse_frontmatter(documents["VERIFICATION.md"]).values["status"]
            assert (verified == "passed") is (phase.ruling.outcome is Outcome.PASS)
            result = build_result(state, phase)
            assert msgspec.json.decode(msgspec.json.encode(result))["phase"] == phase.id
            done, total = map(int, result.tasks_completed.split("/"))
            assert done + int(result.tasks_failed.split("/")[0]) <= total
            assert render_handoff(state, phase).startswith(f"# Phase {phase.id} ")
            for line in render_traces(entries, phase.id)[TRACE].splitlines():
                assert len(json.loads(line)["output_summary"]) <= 200


@LAW
@given(stages())
def test_a_failed_phase_is_explained_and_a_completed_one_has_nothing_left_undone(stage: Stage) -> None:
    history = stage.play().history
    state = fold_all(history)
    for phase in state.phases.values():
        result = build_result(state, phase)
        if phase.status is PhaseStatus.COMPLETED:
            assert (result.status, result.recommendation) == ("completed", "proceed")
            # A refinement that was given back leaves the phase as it was, and its own task undone.
            assert phase.remediation.withdrawn or result.tasks_failed[0] == "0"
        if phase.status is PhaseStatus.FAILED:
            assert result.issues and result.recommendation in ("halt", "rollback")
            told = json.loads(render_postmortem(state, phase, history))
            assert told["root_cause"]["category"] in WORDS and told["root_cause"]["step"]
            assert 0 < len(told["timeline"]) <= MOST
            assert told["prevention_rule"] and not is_vague(told["prevention_rule"])
        for item in path_items(phase):
            assert item.file and item.impact and not is_vague(item.deficiency)
