"""One criterion: decided by its kind and by what was seen, the stronger observation first (CRIT)."""

from __future__ import annotations

import pytest

from autopilot.gates.criterion import judge_criterion
from autopilot.model.evidence.deciding import deciding
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Form, Kind, Strength
from tests.unit.making import make_criterion, make_observation

# covers: CRIT, T8.E
NEW, KEEP, ALREADY = Kind.NEW, Kind.KEEP, Kind.ALREADY
PASSED, FAILED, TIMED_OUT, NOTHING = Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT, Seen.NOTHING
PASS, FAIL, UNPROVEN = Outcome.PASS, Outcome.FAIL, Outcome.UNPROVEN


@pytest.mark.parametrize(
    ("kind", "base", "after", "outcome", "because"),
    [
        (NEW, FAILED, PASSED, PASS, "red at the base, green after"),
        (NEW, PASSED, PASSED, UNPROVEN, "already passed at the base"),
        (NEW, TIMED_OUT, PASSED, UNPROVEN, "no red evidence"),
        (NEW, NOTHING, PASSED, UNPROVEN, "no red evidence"),
        (NEW, None, PASSED, UNPROVEN, "no red evidence"),
        (NEW, FAILED, FAILED, FAIL, "failed after the change"),
        (NEW, FAILED, TIMED_OUT, FAIL, "timed out after the change"),
        (NEW, FAILED, NOTHING, UNPROVEN, "could not be run"),
        (KEEP, PASSED, PASSED, PASS, "before and after"),
        (KEEP, FAILED, PASSED, PASS, "it was not green before"),
        (KEEP, None, PASSED, PASS, "it was not green before"),
        (KEEP, PASSED, FAILED, FAIL, "failed after the change"),
        (KEEP, PASSED, TIMED_OUT, FAIL, "timed out after the change"),
        (KEEP, PASSED, NOTHING, UNPROVEN, "could not be run"),
        (ALREADY, PASSED, PASSED, PASS, "before and after"),
        (ALREADY, FAILED, PASSED, PASS, "it was not green before"),
        (ALREADY, PASSED, FAILED, FAIL, "failed after the change"),
    ],
)
def test_a_criterion_is_decided_by_its_kind_and_what_was_seen(
    kind: Kind, base: Seen | None, after: Seen, outcome: Outcome, because: str
) -> None:
    verdict = judge_criterion(make_criterion(kind=kind), base, after)
    assert (verdict.subject, verdict.outcome) == ("01-01.c1", outcome)
    assert because in verdict.because


@pytest.mark.parametrize(
    ("base", "after", "ours"),
    [
        (FAILED, NOTHING, True),  # our sandbox failed after the change
        (NOTHING, PASSED, True),  # our sandbox failed before it
        (None, PASSED, False),  # nobody looked: the plan did not ask for it
        (TIMED_OUT, PASSED, False),
        (PASSED, PASSED, False),  # a check that proves nothing is the work's own fault
    ],
)
def test_unproven_is_ours_only_where_our_own_sandbox_failed(base: Seen | None, after: Seen, ours: bool) -> None:
    verdict = judge_criterion(make_criterion(), base, after)
    assert (verdict.outcome, verdict.ours) == (UNPROVEN, ours)


def script(*lines: tuple[str, bool], seen: Seen = PASSED) -> Observation:
    return make_observation("script:01-01", seen, strength=Strength.SCRIPT, lines=lines)


@pytest.mark.parametrize(
    ("own", "line", "seen", "strength"),
    [
        (make_observation("01-01.c1", FAILED), ("it works", True), PASSED, Strength.SCRIPT),
        (make_observation("01-01.c1", PASSED), ("it works", False), FAILED, Strength.SCRIPT),
        (make_observation("01-01.c1", FAILED, strength=Strength.GREP), ("it works", True), PASSED, Strength.SCRIPT),
        (None, ("it works", True), PASSED, Strength.SCRIPT),
        (make_observation("01-01.c1", FAILED), ("something else", True), FAILED, Strength.COMMAND),
        (make_observation("01-01.c1", PASSED, strength=Strength.GREP), ("else", False), PASSED, Strength.GREP),
        (None, ("something else", True), None, None),
    ],
)
def test_a_line_of_the_test_script_outranks_the_criterions_own_command(
    own: Observation | None, line: tuple[str, bool], seen: Seen | None, strength: Strength | None
) -> None:
    decided = deciding(make_criterion(), [own] if own else [], script(line))
    assert (decided.seen, decided.strength) == (seen, strength)


def test_a_weaker_observation_that_disagrees_is_reported() -> None:
    decided = deciding(make_criterion(), [make_observation("01-01.c1", FAILED)], script(("it works", True)))
    assert decided.disagreement == "the test script passed, its command failed"


def test_observations_that_agree_are_no_disagreement() -> None:
    decided = deciding(make_criterion(), [make_observation("01-01.c1")], script(("it works", True)))
    assert decided.disagreement == ""


@pytest.mark.parametrize("said", ["it works", "  It   WORKS ", "IT\tworks"])
def test_a_line_names_its_criterion_whatever_its_spacing_and_case(said: str) -> None:
    assert deciding(make_criterion(), [], script((said, False))).seen is FAILED


@pytest.mark.parametrize("ended", [NOTHING, TIMED_OUT])
def test_a_script_that_did_not_end_decides_only_what_has_no_command_of_its_own(ended: Seen) -> None:
    unfinished = script(("it works", True), seen=ended)
    runnable, prose = make_criterion(), make_criterion(form=Form.PROSE, command="")
    assert deciding(runnable, [make_observation("01-01.c1", FAILED)], unfinished).seen is FAILED
    assert deciding(prose, [], unfinished).seen is ended


def test_without_any_observation_nothing_was_seen() -> None:
    assert deciding(make_criterion(), [make_observation("01-01.c2")], None).seen is None
