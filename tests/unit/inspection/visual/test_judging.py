"""Findings follow from facts by rule; what the baseline has is known. VIS"""

from __future__ import annotations

import pytest

from autopilot.gates.visual import describe_left, object_to_look
from autopilot.inspection.visual.baseline import Pin, Pins, parse_pins, render_pins
from autopilot.inspection.visual.boxes import compare_boxes
from autopilot.inspection.visual.difference import Difference
from autopilot.inspection.visual.judging import judge_change, judge_facts
from autopilot.model.errors import UsageError
from autopilot.model.evidence.objection import Weight
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.facts import Box, Facts, Request, Violation
from autopilot.model.visual.finding import Cause, Compared, Severity, State

SHOT = "home-390x844-light"


@pytest.mark.parametrize(
    ("facts", "cause", "severity"),
    [
        (Facts(unreached="refused"), Cause.UNREACHED, Severity.CRITICAL),
        (Facts(status=500), Cause.STATUS, Severity.CRITICAL),
        (Facts(status=200, is_blank=True), Cause.BLANK, Severity.CRITICAL),
        (Facts(errors=("x is not defined",)), Cause.EXCEPTION, Severity.MAJOR),
        (Facts(console=("boom",)), Cause.CONSOLE, Severity.MAJOR),
        (Facts(failed=(Request("/a.css", "404", "stylesheet"),)), Cause.REQUEST, Severity.MAJOR),
        (Facts(failed=(Request("/beat", "404", "ping"),)), Cause.REQUEST, Severity.MINOR),
        (Facts(images=("img",)), Cause.IMAGE, Severity.MAJOR),
        (Facts(overflow=("div",)), Cause.OVERFLOW, Severity.MAJOR),
        (Facts(links=(Request("/gone", "404"),)), Cause.LINK, Severity.MAJOR),
        (Facts(violations=(Violation("color-contrast", "serious", "contrast", ("p",)),)), Cause.AXE, Severity.MAJOR),
        (Facts(violations=(Violation("region", "moderate", "region", ("p",)),)), Cause.AXE, Severity.MINOR),
        (Facts(status=3, text=("error",)), Cause.EXIT, Severity.MAJOR),
        (Facts(text=("", "")), Cause.BLANK, Severity.CRITICAL),
    ],
)
def test_each_fact_is_found_with_its_severity_and_is_known_where_the_baseline_has_it(
    facts: Facts, cause: Cause, severity: Severity
) -> None:
    (found,) = judge_facts(SHOT, facts, Facts())
    assert (found.cause, found.severity, found.is_known) == (cause, severity, False)
    (known,) = judge_facts(SHOT, facts, facts)
    assert known.is_known


def test_a_page_without_a_fault_has_no_finding() -> None:
    assert judge_facts(SHOT, Facts(status=200, blocked=("fonts.example",)), None) == ()


def test_a_shift_is_found_by_the_boxes_of_elements_and_a_fraction_of_a_pixel_is_none() -> None:
    before = (Box("main", 0, 0, 100, 50), Box("p", 0, 10, 100, 20, "words"))
    near = (Box("main", 1, 0, 100, 50), Box("p", 0, 10, 100, 20, "words"))
    far = (Box("main", 0, 0, 100, 50), Box("p", 0, 30, 100, 20, "words"))
    assert not compare_boxes(before, near).moved
    assert compare_boxes(before, far).farthest == 20
    (found,) = judge_change(SHOT, Difference(), Facts(boxes=far), Facts(boxes=before))
    assert (found.cause, found.severity) == (Cause.BOXES, Severity.MAJOR)
    (gone,) = judge_change(SHOT, Difference(), Facts(boxes=before[:1]), Facts(boxes=before))
    assert "gone: p ('words')" in gone.text


def check_of(facts: Facts, *compared: Compared) -> VisualCheck:
    return VisualCheck("c" * 40, findings=judge_facts(SHOT, facts, None), compared=compared)


def test_a_measured_defect_refuses_while_a_debugger_may_try_and_waits_for_a_person_then() -> None:
    check = check_of(Facts(images=("img",)))
    assert [one.weight for one in object_to_look(check, can_debug=True)] == [Weight.REFUSE]
    assert [one.weight for one in object_to_look(check, can_debug=False)] == [Weight.FLAG]
    assert "an image is missing" in describe_left(check)


def test_a_change_refuses_nothing_and_what_was_not_compared_is_said() -> None:
    changes = tuple(judge_change(SHOT, Difference(9, 0.5), Facts(), Facts()))
    check = VisualCheck("c", findings=changes, compared=(Compared(SHOT, "", State.UNSTEADY, moving=3),))
    objections = list(object_to_look(check, can_debug=True))
    assert [one.weight for one in objections] == [Weight.FLAG, Weight.FLAG]
    assert "not compared" in objections[1].description
    assert describe_left(check) == ""


def test_a_machine_without_a_browser_fails_no_phase_but_an_app_that_the_work_broke_does() -> None:
    missing = VisualCheck("c", problem="Chromium is not installed")
    broken = VisualCheck("c", problem="the service app ended", is_broken=True)
    assert [one.weight for one in object_to_look(missing, can_debug=True)] == [Weight.FLAG]
    assert [one.weight for one in object_to_look(broken, can_debug=True)] == [Weight.REFUSE]
    assert describe_left(missing) == ""
    assert describe_left(broken)


def test_pins_are_read_as_they_are_written_and_anything_else_is_refused_with_a_remedy() -> None:
    pins = Pins(shots={"b": Pin("1", "2", "3", "4"), "a": Pin("1", "2", "3")})
    assert parse_pins(render_pins(pins)) == pins
    assert parse_pins(None) == Pins()
    for content in (b"{", b'{"version": 2}'):
        with pytest.raises(UsageError):
            parse_pins(content)
