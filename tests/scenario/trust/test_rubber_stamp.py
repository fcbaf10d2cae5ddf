"""Scores that are all alike are noticed in three tiers, and the phases after them are looked at harder. CHK-5"""

from __future__ import annotations

import pytest

from autopilot.events.happened import StepEnded
from autopilot.events.recovery import ScoresUniform
from tests.scenario.kit.aftermath import happened, log_of, state_of
from tests.scenario.kit.hearing import heard
from tests.scenario.kit.telling import Told, tell
from tests.scenario.stories.recovery import STORIES

HARDER = "The last phases were all scored alike, so review this one more strictly: begin every score at 5.0"


@pytest.fixture(scope="module")
def stamped(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "rubber_stamp", tmp_path_factory.mktemp("rubber_stamp"))


def test_three_five_and_seven_equal_scores_are_told_as_three_tiers(stamped: Told) -> None:
    found = {event.phase: event.tier for event in happened(stamped.world, ScoresUniform)}
    assert found == {"3": 1, "4": 1, "5": 2, "6": 2, "7": 3}
    kinds = ("rubber_stamp_warning", "rubber_stamp_enhanced", "rubber_stamp_critical")
    assert [len(log_of(stamped.world, kind)) for kind in kinds] == [2, 2, 1]
    (critical,) = log_of(stamped.world, "rubber_stamp_critical")
    assert critical["details"] == {"phases": list("1234567"), "count": 7, "min": 9.6, "max": 9.6}
    told = {
        "3": "the reviewers may not have checked the work",
        "5": "the next phase is reviewed more strictly",
        "7": "CRITICAL",
    }
    for phase, words in told.items():
        (line,) = (line for line in stamped.ran.err.splitlines() if line.startswith(f"[Phase {phase}] warning: "))
        assert words in line


def test_every_phase_of_the_longest_row_is_marked_as_suspect(stamped: Told) -> None:
    phases = state_of(stamped.world)["phases"]
    assert [name for name, phase in phases.items() if phase["rubber_stamp_suspect"]] == list("1234567")


@pytest.mark.parametrize("role", ["verifier", "rater"])
def test_reviewers_of_the_next_phase_are_told_to_look_harder(stamped: Told, role: str) -> None:
    (before,), (after,) = heard(stamped.world, role, 5), heard(stamped.world, role, 6)
    assert "You must:" in before, "the control: the whole prompt is seen"
    assert HARDER not in before
    assert HARDER in after


def test_a_judge_has_to_name_two_concerns_then(stamped: Told) -> None:
    refused = [e for e in happened(stamped.world, StepEnded) if e.step == "judge" and e.status == "error"]
    reason = "the judgement was refused: the judge names 1 of 2 required concerns"
    assert [(event.phase, event.detail) for event in refused] == [("6", reason)]
    told = heard(stamped.world, "judge", 6)[2]
    assert HARDER in told
    assert f"Your last report was refused: {reason}" in told


def test_the_completion_report_names_the_phases_and_their_scores(stamped: Told) -> None:
    (report,) = (stamped.world.project / ".autopilot").glob("completion-*.md")
    text = report.read_text(encoding="utf-8")
    section = text[text.index("## Rubber-Stamp Alert") :].split("\n## ", 1)[0]
    assert [f"| {n} | Part {n} | 9.6" in section for n in range(1, 8)] == [True] * 7
