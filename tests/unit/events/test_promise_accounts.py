"""The accounts of a phase, from its state. T8"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.accounts import accounts_of, promises_to_read, reviewed_in_parts
from autopilot.events.happened import Planned
from autopilot.events.pieces import Cycle, Deferral, TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CriterionReading, Trace, Traced
from autopilot.model.evidence.account import Accounted
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.intent import Purpose
from autopilot.model.planning.criterion import Form, Kind
from autopilot.model.planning.promise import Answer
from autopilot.model.result import Justification
from autopilot.model.run import PersonVerdict
from tests.unit.making import (
    ONE,
    make_brief,
    make_criterion,
    make_observation,
    make_phase,
    make_task,
    make_verdict,
    make_verification,
)

# covers: T8.accounts
NEW, KEEP = make_criterion("01-01.c1", "It greets"), make_criterion("01-01.c2", "It compiles", Kind.KEEP)
RUNS = make_criterion("phase.c1", "It runs")
KIND = make_criterion("phase.c2", "It is kind", form=Form.PROSE, command="")
PASSED = tuple(make_verdict(Outcome.PASS, id) for id in ("01-01.c1", "01-01.c2", "phase.c1"))
RED = (make_observation("01-01.c1", Seen.FAILED), make_observation("01-01.c2"))


def phase_with(*answers: Answer, purpose: Purpose = Purpose.BUILD, accounted: bool = True, **more: Any) -> PhaseState:
    brief = make_brief(ONE, criteria=(RUNS, KIND), accounted=accounted, purpose=purpose)
    fields = {"verdicts": PASSED, "red": RED, "answers": answers, "must_haves": (), **more}
    return replace(make_phase(tasks={"01-01": TaskState(make_task("01-01", NEW, KEEP))}, **fields), brief=brief)


def statuses(phase: PhaseState) -> dict[str, Accounted]:
    return {account.name: account.status for account in accounts_of(phase)}


def test_every_criterion_of_the_roadmap_and_every_requirement_has_an_account() -> None:
    phase = phase_with(Answer("SC-2", ("01-01.c1",)), Answer("REQ-1", ("01-01.c1", "01-01.c2")))
    assert statuses(phase) == {"SC-1": Accounted.PROVEN, "SC-2": Accounted.PROVEN, "REQ-1": Accounted.PROVEN}
    assert promises_to_read(phase, PASSED) == ()


def test_a_check_that_held_before_the_work_proves_nothing_that_a_plan_maps_to_it() -> None:
    phase = phase_with(Answer("SC-2", ("01-01.c2",)))
    assert statuses(phase)["SC-2"] is Accounted.UNCHECKED
    assert [promise.name for promise in promises_to_read(phase, PASSED)] == ["SC-2"]


def test_nor_does_it_where_the_plan_has_the_words_of_the_promise_without_a_command() -> None:
    prose = make_criterion("01-01.c3", "it is KIND", form=Form.PROSE, command="")
    phase = phase_with(Answer("SC-2", ("01-01.c2",)))
    phase = replace(phase, tasks={"01-01": TaskState(make_task("01-01", NEW, KEEP, prose))})
    assert statuses(phase)["SC-2"] is Accounted.UNCHECKED


def test_it_does_prove_what_must_merely_stay_and_what_an_earlier_run_built() -> None:
    row = Answer("SC-2", ("01-01.c2",))
    assert statuses(phase_with(replace(row, kept=True)))["SC-2"] is Accounted.PROVEN
    built = phase_with(Answer("SC-2", ("01-01.c1",)), purpose=Purpose.REDO, red=(make_observation("01-01.c1"),))
    assert statuses(built)["SC-2"] is Accounted.PROVEN
    assert statuses(phase_with(row, purpose=Purpose.REDO))["SC-2"] is Accounted.UNCHECKED, "it only keeps the old"


def test_what_is_mapped_to_nothing_is_read_and_what_is_left_to_a_person_is_not() -> None:
    read = make_verification(criteria_results=(CriterionReading("SC-2", "verified", "a.py:3 -- kind"),))
    assert statuses(phase_with(verification=read))["SC-2"] is Accounted.JUDGED
    asked = phase_with(Answer("SC-2", person="by eye"), verification=read)
    assert statuses(asked)["SC-2"] is Accounted.PERSON
    assert promises_to_read(asked, PASSED) == ()


def test_must_haves_of_the_plan_are_read_too() -> None:
    phase = phase_with(Answer("SC-2", ("01-01.c1",)), must_haves=("It is fast", "it GREETS"))
    assert [promise.name for promise in promises_to_read(phase, PASSED)] == ["MH-1"]
    assert statuses(phase)["MH-2"] is Accounted.PROVEN, "in the words of a criterion of the plan"


def test_a_persons_verdict_settles_what_was_left_to_a_person() -> None:
    waits = Deferral(Justification("SC-2", "It is kind", 1, 1), (), 9.0, "branch")
    for verdict, status in (
        (PersonVerdict.NOT_YET, Accounted.PERSON),
        (PersonVerdict.PASS, Accounted.ACCEPTED),
        (PersonVerdict.ISSUES_FOUND, Accounted.FAILED),
        (PersonVerdict.FAIL, Accounted.FAILED),
    ):
        deferral = replace(waits, verdict=verdict)
        phase = phase_with(Answer("SC-2", person="by eye"), verification=make_verification(), deferral=deferral)
        assert statuses(phase)["SC-2"] is status


def test_issues_of_a_person_count_as_fixed_by_a_report_on_what_was_changed_for_them_alone() -> None:
    found = Deferral(Justification("SC-2", "It is kind", 1, 1), (), 9.0, "b", PersonVerdict.ISSUES_FOUND, ("rude",))
    told = phase_with(Answer("SC-2", person="by eye"), verification=make_verification(), deferral=found)
    begun = replace(told, remediation=replace(told.remediation, cycles=(Cycle(1, 9.0, ("01-r1",), by_person=True),)))
    tasks = {name: TaskState(make_task("01-r1"), commit=name) for name in ("", "abc")}
    undone, done = (replace(begun, tasks={**begun.tasks, "01-r1": task}) for task in tasks.values())
    seen = [statuses(phase)["SC-2"] for phase in (told, begun, undone, done)]
    assert seen == [Accounted.FAILED, Accounted.FAILED, Accounted.FAILED, Accounted.JUDGED]


def test_a_phase_of_an_older_run_has_no_accounts_and_is_reviewed_in_parts_as_before() -> None:
    older, newer = (phase_with(accounted=accounted, parts=("1a", "1b")) for accounted in (False, True))
    assert (accounts_of(older), promises_to_read(older, PASSED)) == ((), ())
    assert reviewed_in_parts(older)
    assert not reviewed_in_parts(newer), "no part promises what only a reading of the whole can account for"
    assert reviewed_in_parts(phase_with(Answer("SC-2", ("01-01.c1",)), parts=("1a", "1b")))


def test_a_reading_in_the_words_of_a_promise_is_of_no_other_whose_name_these_begin_with() -> None:
    texts = ("SC-1: It loads", "SC-1: It saves")
    asked = tuple(
        make_criterion(f"phase.c{n}", text, form=Form.PROSE, command="") for n, text in enumerate(texts, start=1)
    )
    read = make_verification(criteria_results=(CriterionReading("sc-1: it  SAVES", "verified", "a.py:3 -- saved"),))
    phase = phase_with(verification=read)
    phase = replace(phase, brief=replace(phase.brief, criteria=asked, requirements=()))
    assert statuses(phase) == {"SC-1": Accounted.UNCHECKED, "SC-2": Accounted.JUDGED}


@pytest.mark.parametrize(
    "row",
    [
        Answer("SC-2", ("01-01.c2",)),  # held before the work
        Answer("SC-2", ("01-02.c1",)),  # prose that no program looks at
        Answer("SC-2", ("01-01.c1",), person="by eye"),
    ],
)
def test_a_split_phase_is_reviewed_as_a_whole_where_its_checks_leave_something_open(row: Answer) -> None:
    prose = make_criterion("01-02.c1", "It reads well", form=Form.PROSE, command="")
    tasks = {"01-01": make_task("01-01", NEW, KEEP), "01-02": make_task("01-02", prose)}
    phase = phase_with(row, parts=("1a", "1b"))
    phase = replace(phase, tasks={name: TaskState(task) for name, task in tasks.items()})
    assert not reviewed_in_parts(phase)
    assert not reviewed_in_parts(replace(phase, brief=replace(phase.brief, purpose=Purpose.REDO)))


def test_a_plan_of_an_older_journal_maps_nothing() -> None:
    planned = Planned(ONE, "c1", (), ())
    assert (planned.answers, planned.must_haves, make_brief().accounted) == ((), (), False)


def test_a_trace_is_a_reading_of_what_the_verifier_says_nothing_else_about() -> None:
    for status, expected in (
        (Traced.VERIFIED, Accounted.JUDGED),
        (Traced.CONTRADICTED, Accounted.FAILED),
        (Traced.UNVERIFIABLE, Accounted.PERSON),
    ):
        trace = Trace("it is KIND", "a.py:3 -- greet", (), "a.py:9 -- smile", status)
        assert statuses(phase_with(verification=make_verification(traces=(trace,))))["SC-2"] is expected
    read = (CriterionReading("It is kind", "verified", "a.py:3 -- kind"),)
    lost = Trace("it is kind", "not found", (), "not found", Traced.UNVERIFIABLE)
    both = phase_with(verification=make_verification(criteria_results=read, traces=(lost,)))
    assert statuses(both)["SC-2"] is Accounted.JUDGED
