"""What earlier runs left: the last score that counts, all scores there were, and what the phase lacks (FORCE, GAPS).

covers: FORCE, QUAL, GAPS, T7.history
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest
from msgspec.structs import replace

from autopilot.engine.earlier import find_earlier
from autopilot.engine.past import named
from autopilot.events.pieces import Landing
from autopilot.events.state import PhaseState, RunState
from autopilot.model.assessment import Failure
from autopilot.model.intent import Earlier, Purpose, Scored
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.ruling import Deduction
from autopilot.model.run import PhaseStatus
from autopilot.ports.git import Checkout
from tests.unit.making import ONE, at, make_brief, make_judgement, make_phase, make_state, make_verification

FOLDER = ".planning/phases/01-part"
SLOW = Deduction("it is quick", 8.2, 1.8, 0.9, "it reads every file twice", "a.py")
FIRST = (Scored(8.2, at(1), "initial"),)
CARD = "| Criterion | Score | Why |\n|---|---|---|\n| it sings | 7.5 | a stub |\n"
PATH = "## Path to 9/10\n1. **b.py**: it is dull -- half a point\n"


class Files:
    """A checkout that holds just these files."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def list(self, folder: str) -> tuple[str, ...]:
        return tuple(path for path in self._files if path.startswith(f"{folder}/"))

    def read(self, path: str) -> bytes | None:
        return self._files[path].encode() if path in self._files else None


def done(score: float | None = 8.2, purpose: Purpose = Purpose.BUILD, **more: Any) -> PhaseState:
    earlier = more.pop("earlier", None)
    fields = {"status": PhaseStatus.COMPLETED, "score": score, "completed_at": at(2), "history": FIRST}
    phase = make_phase(**{**fields, "landing": Landing("landed"), **more})
    return replace(phase, brief=make_brief(purpose=purpose, earlier=earlier))


def found(*phases: PhaseState, files: Mapping[str, str] | None = None, parts: tuple[PhaseState, ...] = ()) -> Earlier:
    runs = [make_state(phase, run=f"run-{n}") for n, phase in enumerate(phases, 1)]
    runs[-1] = replace(runs[-1], parts={part.id: part for part in parts})
    return find_earlier(runs, cast(Checkout, Files(files or {})))[named(make_brief())]


def test_the_last_run_that_completed_it_has_the_say() -> None:
    again = done(9.1, Purpose.REDO, history=(*FIRST, Scored(9.1, at(5), "force")), completed_at=at(5), incomplete=True)
    earlier = found(done(), again)
    assert (earlier.run, earlier.completed_at, earlier.score, earlier.incomplete) == ("run-2", at(5), 9.1, True)
    assert [each.flag for each in earlier.history] == ["initial", "force"]


def test_a_phase_that_was_never_completed_is_unknown() -> None:
    runs = [make_state(make_phase(), run="run-1"), RunState(run="run-2")]
    assert find_earlier(runs, cast(Checkout, Files({}))) == {}


def test_what_was_withdrawn_leaves_the_phase_as_it_was_and_its_score_in_the_history() -> None:
    before = Earlier("run-1", at(2), 8.2, history=FIRST)
    tried = (*FIRST, Scored(7.9, at(8), "quality", 1))
    withdrawn = done(
        8.2, Purpose.REFINE, earlier=before, history=tried, withdrawn="it is worse", landing=Landing(), deductions=()
    )
    earlier = found(done(deductions=(SLOW,), incomplete=True), withdrawn)
    assert (earlier.run, earlier.score, earlier.incomplete, earlier.history) == ("run-1", 8.2, True, tried)
    assert [each.criterion for each in earlier.deficiencies] == ["it is quick"], "by what the first run left"


def test_a_score_nobody_rated_as_a_whole_is_in_the_history_all_the_same() -> None:
    split = done(None, history=(), parts=(PhaseId("1a"), PhaseId("1b")))
    parts = tuple(make_phase(PhaseId(name), score=score, parent=ONE) for name, score in (("1a", 9.0), ("1b", 8.5)))
    earlier = found(split, parts=parts)
    assert (earlier.score, earlier.history) == (8.7, (Scored(8.7, at(2), "initial"),))
    again = done(9.1, Purpose.REDO, earlier=earlier, history=earlier.history, completed_at=at(9))
    assert found(split, again).history[-1] == Scored(9.1, at(9), "force")


def test_what_autopilot_planned_itself_is_known_over_all_runs_and_what_a_user_planned_is_not() -> None:
    first = done(plan_documents=((f"{FOLDER}/PLAN.md", "1" * 64),))
    then = done(plan_documents=((f"{FOLDER}/PLAN.md", "2" * 64),), plan_ours=True)
    users = done(plan_documents=((f"{FOLDER}/PLAN.autopilot.md", "3" * 64),), plan_ours=False)
    assert [digest[0] for _, digest in found(first, then, users).plans] == ["1", "2"]


@pytest.mark.parametrize(
    ("files", "source", "label"),
    [
        ({f"{FOLDER}/SCORECARD.md": CARD}, "scorecard", "it sings"),
        ({f"{FOLDER}/01-SCORECARD.md": CARD}, "scorecard", "it sings"),  # as other tools name it
        ({f"{FOLDER}/old/SCORECARD.md": CARD}, "scorecard", "it is quick"),  # somewhere else: by the record
        ({".autopilot/diagnostics/phase-1-confidence.md": PATH}, "diagnostic", "it is dull"),
        ({f"{FOLDER}/JUDGE-REPORT.md": "## Concerns\n- it is odd\n"}, "judge_report", "it is odd"),
        ({f"{FOLDER}/01-VERIFICATION.md": "Failures:\n- it fails\n"}, "verification", "it fails"),
        ({}, "scorecard", "it is quick"),
    ],
)
def test_what_it_lacks_is_read_in_the_checkout_and_else_in_the_record(
    files: Mapping[str, str], source: str, label: str
) -> None:
    earlier = found(done(deductions=(SLOW,)), files=files)
    assert [(each.source, each.label) for each in earlier.deficiencies] == [(source, label)]


def test_the_record_knows_deductions_worries_and_failures_of_parts_too() -> None:
    part = make_phase(
        PhaseId("1a"),
        parent=ONE,
        score=8.2,
        deductions=(SLOW, replace(SLOW, criterion="it rests", score=9.9)),
        judgement=make_judgement(concerns=("the naming is odd",)),
        verification=make_verification(failures=(Failure("b.py is missing", "tool_failure"),)),
    )
    earlier = found(done(None, parts=(part.id,), history=()), parts=(part,))
    assert [each.label for each in earlier.deficiencies] == [
        *("b.py is missing", "it is quick", "the naming is odd", "it rests")
    ]
