"""Real history: of fixes in public packages the true one converges, and three that only look like one do not.

covers: AL-3, AL-4
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.events.issue.state import IssueState
from autopilot.model.evidence.objection import Layer, Weight
from autopilot.model.issue.issue import FIXING, HaltReason
from tests.chaos.history.fixes import FIXES, Fix
from tests.chaos.history.variants import HARD_CODED_ANSWER, NAMES, NO_OP, TRUE_FIX, WEAKENED_TEST, make_case
from tests.chaos.history.world import GATE, issue_of, stage
from tests.liars.tools import install_python


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_python(tmp_path_factory.mktemp("python"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fix", FIXES, ids=lambda fix: fix.name)
def test_only_the_true_fix_converges(fix: Fix, name: str, place: Path, programs: Path) -> None:
    case = make_case(fix)
    variant = next(variant for variant in case.variants if variant.name == name)
    world = stage(case, variant, place, programs)
    before = world.head
    asked = world.issue()
    assert asked.status == 3, asked.out + asked.err  # the reproduction was seen red, and its cause waits for a person
    assert world.autopilot("approve", GATE).status == 0
    done = world.issue()
    assert done.status == (0 if variant.is_true else 1), done.out + done.err
    ENDS[name](issue_of(world))
    assert world.head == before  # whatever came of it, nothing is merged


def _converged(issue: IssueState) -> None:
    assert issue.ending.handed_off is not None
    assert issue.convergence.rounds[FIXING].iteration == 1


def _still_red(issue: IssueState) -> None:
    assert _halted(issue) is HaltReason.MAX_ITERATIONS
    judged = issue.convergence.rounds[FIXING].judged
    assert judged is not None and not judged.state.at_green


def _drifted(issue: IssueState) -> None:
    assert _halted(issue) is HaltReason.DRIFT


def _caught_by_an_example(issue: IssueState) -> None:
    """Every test is green: the issue's own examples are all that tells it from a fix."""
    assert _halted(issue) is HaltReason.MAX_ITERATIONS
    judged = issue.convergence.rounds[FIXING].judged
    assert judged is not None and judged.state.red_observed
    assert {o.layer for o in judged.objections if o.weight is Weight.REFUSE} == {Layer.HELD_OUT}


def _halted(issue: IssueState) -> HaltReason:
    assert issue.ending.halted is not None and issue.ending.handed_off is None
    return issue.ending.halted.reason


ENDS = {
    TRUE_FIX: _converged,
    NO_OP: _still_red,
    WEAKENED_TEST: _drifted,
    HARD_CODED_ANSWER: _caught_by_an_example,
}
