"""Reports of work that a person has judged already, while no run has acted on it. STAT-02"""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.model.run import PersonVerdict, PhaseStatus
from autopilot.reports.live.phase_row import stands
from autopilot.reports.run.batch import notes_of
from autopilot.reports.run.ending import render_ending
from autopilot.reports.run.junit import render_junit
from tests.unit.making import START, make_phase, make_state
from tests.unit.reports.ending_states import DEFERRAL, FOUR


def test_no_report_asks_for_a_verdict_that_was_given() -> None:
    for given, asked in ((PersonVerdict.NOT_YET, True), (PersonVerdict.ISSUES_FOUND, False)):
        deferral = replace(DEFERRAL, verdict=given, issues=("no receipt",))
        phase = make_phase(FOUR, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=deferral, completed_at=START)
        state = make_state(phase)
        said = (notes_of(state, phase), stands(state, phase, START), render_ending(state), render_junit(state))
        for words in said:
            assert ("your verdict: issues found, not acted on yet" in words) is not asked
