"""What reports say of a phase that was refined, and of one that nothing came of (QUAL, GAPS, CENF-02, CENF-05).

covers: QUAL, GAPS, CENF-02, CENF-05
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.api.projections import Projections
from autopilot.engine.ledger import Recorded
from autopilot.events.happened import PhaseCompleted, PhaseStarted
from autopilot.events.pieces import Cycle, Landing
from autopilot.events.state import PhaseState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.intent import Deficiency, Earlier, Purpose
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.planning.gaps.deficiencies import read_diagnostic
from autopilot.reports.documents.diagnostic import render_diagnostic
from autopilot.reports.documents.triage import render_triage
from autopilot.reports.run.ending import render_ending
from autopilot.reports.status.scores import needs_diagnostic
from tests.unit.making import ONE, START, alter, make_brief, make_phase, make_state, store

QUICK = Deficiency("it reads every file twice", "it is quick", 8.2, "a.py", "scorecard")
VAGUE = Deficiency("improve code quality", "it sings", 9.0, "b.py", "scorecard")
DIAGNOSTIC = ".autopilot/diagnostics/phase-1-confidence.md"


def refined(**more: Any) -> PhaseState:
    earlier = Earlier("run-0", START, 8.4, deficiencies=(QUICK, VAGUE))
    cycles = (Cycle(1, 8.4, (), flag="quality", ended=True, new_score=8.4),)
    fields = {"status": PhaseStatus.COMPLETED, "score": 8.4, "cycles": cycles, "completed_at": START, **more}
    return replace(make_phase(**fields), brief=make_brief(purpose=Purpose.REFINE, earlier=earlier))


def test_a_refinement_that_changed_nothing_names_what_is_still_wanting_and_nothing_vague() -> None:
    phase = refined(exhausted=("quality",))
    text = render_diagnostic(make_state(phase), phase)
    assert "**Status:** passed, quality_exhausted" in text
    assert '1. **a.py**: it reads every file twice -- settles "it is quick", scored 8.2' in text
    assert "improve code quality" not in text
    assert [each.criterion for each in read_diagnostic(text)] == ["it is quick"]


def test_one_that_was_taken_in_is_told_by_its_own_reviews() -> None:
    phase = refined(landing=Landing("landed"), gate=Outcome.PASS, exhausted=("quality",), score=8.8)
    assert "**Status:** remediated_to_8.8, quality_exhausted" in render_diagnostic(make_state(phase), phase)


def test_a_withdrawn_one_is_worth_a_diagnostic_only_if_the_phase_was() -> None:
    low = refined(withdrawn="it is worse")
    high = alter(low, score=9.2)
    assert (needs_diagnostic(make_state(low), low), needs_diagnostic(make_state(high), high)) == (True, False)


def test_what_came_of_it_is_said_at_the_end() -> None:
    phase = refined(
        withdrawn="the score 8.1 is below the 8.4 it had before", diagnostic_branch="autopilot/diagnostic-1"
    )
    told = render_ending(make_state(phase, status=RunStatus.COMPLETED, stop_reason="every phase passed", exit_status=0))
    assert (
        "phase 1 keeps its earlier result, 8.4/10: the changes were withdrawn and are kept on autopilot/diagnostic-1"
        in told
    )
    assert "the score 8.1 is below the 8.4 it had before" in told
    idle = render_ending(make_state(refined(cycles=()), status=RunStatus.COMPLETED, exit_status=0))
    assert "phase 1 keeps its earlier result, 8.4/10: there was nothing to refine" in idle


def test_triage_says_that_it_only_refines() -> None:
    told = json.loads(render_triage(refined()))
    assert (told["routing_decision"], told["skipped_steps"]) == ("refine", ["research", "plan", "plan_check"])


def test_what_the_run_before_said_of_a_phase_stays_while_nothing_has_come_of_its_refinement(tmp_path: Path) -> None:
    path = tmp_path / DIAGNOSTIC
    path.parent.mkdir(parents=True)
    path.write_text("what I knew", encoding="utf-8")
    projections = Projections(tmp_path, MemoryJournal(SteppedClock()))
    begun = refined(status=PhaseStatus.IN_PROGRESS, cycles=())
    for phase, event in (
        (begun, PhaseStarted(ONE, 1, "base")),
        (refined(withdrawn="it is worse"), PhaseCompleted(ONE, 8.4, "")),
    ):
        projections.take(Recorded(tuple(store(event)), make_state(phase)))
        assert path.read_text(encoding="utf-8") == "what I knew"
    landed = refined(landing=Landing("landed"), gate=Outcome.PASS)
    projections.take(Recorded(tuple(store(PhaseCompleted(ONE, 8.8, "work"))), make_state(landed)))
    assert "Confidence Diagnostic" in path.read_text(encoding="utf-8")
