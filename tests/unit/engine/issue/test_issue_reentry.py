"""What is recorded when an issue is taken up again. covers: AL-1, AL-2, ISSUE-PREAPPROVED"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from autopilot.engine.issue.reentry import last_asked, print_of, take_up
from autopilot.events.issue.happened import AnchorPinned
from autopilot.model.issue.issue import DESIGN, IssueOptions, SeedFinding
from tests.unit import issue_runs as runs
from tests.unit.steps.issue_sample import PRD, make_issue
from tests.unit.steps.sample import sample_world
from tests.unit.steps.world import Checkout

PINS = {"autopilot-prd.pin": AnchorPinned(DESIGN, "autopilot-prd.pin", (PRD,), "f" * 64, "pin", 0)}


class Edited(Checkout):
    def read(self, path: str) -> bytes | None:
        return b"# Other\n" if path == PRD else None


def test_a_call_that_says_nothing_of_the_gates_leaves_them_to_the_user(tmp_path: Path) -> None:
    ports = replace(sample_world(tmp_path).ports, checkout=Edited())
    issue = make_issue(pins=PINS, options=IssueOptions(hand_off=True, at_command="sh at.sh"))
    taken = take_up(issue, ports)
    assert taken.options == IssueOptions(at_command="sh at.sh")
    assert taken.anchors == {PRD: print_of(b"# Other\n")}


def test_what_a_call_says_is_recorded_as_it_says_it(tmp_path: Path) -> None:
    ports = replace(sample_world(tmp_path).ports, checkout=Checkout())
    options, said = IssueOptions(hand_off=True), (SeedFinding("more"),)
    taken = take_up(make_issue(), ports, options, said)
    assert (taken.options, taken.findings, taken.anchors) == (options, said, {})


def test_the_gates_of_a_later_run_are_counted_on_from_those_of_the_earlier_ones() -> None:
    again = replace(runs.DESIGN_ASKED, gate="design-24-2")
    earlier = (runs.state_of(*runs.AT_DESIGN, again), runs.state_of(*runs.EVERY["route"]))
    assert last_asked(24, earlier) == 2
    assert last_asked(24, earlier[1:]) == 0
    assert last_asked(25, earlier) == 0
