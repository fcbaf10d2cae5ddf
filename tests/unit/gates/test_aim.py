"""What a phase aims at, when trying on is pointless, and what falling short of it means (QUAL, GAPS, CENF-01).

covers: QUAL, GAPS, CENF-01, CENF-03, CENF-04
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.aim import Aim, aim_of, goes_on, is_exhausted, target_of
from autopilot.gates.decision import Case, rule
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.intent import Earlier, Intent, Purpose
from autopilot.model.policy import Policy
from autopilot.model.ruling import Action, Attempts
from autopilot.model.run import PhaseBrief
from autopilot.planning.choosing.flags import aim as settle
from tests.unit.making import START, make_brief, make_judgement, make_verdict, make_verification

NONE, QUALITY, GAPS, BOTH = Intent(), Intent(quality=True), Intent(gaps=True), Intent(quality=True, gaps=True)
BUILD, REDO, REFINE, GAP = Purpose


def brief(purpose: Purpose, score: float | None = None) -> PhaseBrief:
    earlier = Earlier("run-0", START, score) if score is not None else None
    return make_brief(purpose=purpose, earlier=earlier)


def after(*cycles: tuple[str, float | None]) -> Attempts:
    return Attempts(remediations=len(cycles), aimed=tuple(cycle for cycle in cycles if cycle[0]))


def aimed(
    intent: Intent, purpose: Purpose, before: float | None, score: float, *cycles: tuple[str, float | None]
) -> Aim:
    return aim_of(brief(purpose, before), intent, settle(Policy(), intent), after(*cycles), score)


@pytest.mark.parametrize(
    ("intent", "purpose", "before", "score", "cycles", "aim"),
    [
        (NONE, BUILD, None, 8.2, (), ("", 9.0, 2)),
        (Intent(lenient=True), BUILD, None, 8.2, (), ("", 7.0, 0)),
        (Intent(force=True), REDO, 8.2, 8.2, (), ("", 9.0, 2)),
        (Intent(force=True, lenient=True), REDO, 8.2, 8.2, (), ("", 7.0, 0)),
        (QUALITY, BUILD, None, 8.2, (), ("quality", 9.5, 3)),
        (Intent(quality=True, lenient=True), BUILD, None, 8.2, (), ("quality", 9.5, 3)),  # --quality wins
        (QUALITY, REFINE, 8.2, 8.4, (), ("quality", 9.5, 3)),
        (QUALITY, REFINE, 8.2, 9.6, (), ("quality", 9.5, 3)),
        (GAPS, GAP, 8.2, 8.4, (), ("gaps", 9.5, 5)),
        (Intent(gaps=True, lenient=True), GAP, 8.2, 8.4, (), ("gaps", 9.5, 5)),
        (GAPS, GAP, 9.4, 9.6, (("gaps", 9.4),), ("gaps", 9.5, 5)),  # it got where it was sent to
        (GAPS, GAP, 9.5, 9.5, (), ("gaps", 9.8, 5)),
        (GAPS, GAP, 9.7, 9.4, (("gaps", 9.7),), ("gaps", 9.8, 5)),
        # with both: first the quality, and once it is reached the gaps, whatever they do to the score
        (BOTH, BUILD, None, 9.4, (), ("quality", 9.5, 3)),
        (BOTH, BUILD, None, 9.5, (), ("gaps", 9.8, 5)),
        (BOTH, REFINE, 8.2, 9.0, (("quality", 8.2),), ("quality", 9.5, 3)),
        (BOTH, REFINE, 8.2, 9.6, (("quality", 8.2),), ("gaps", 9.8, 5)),
        (BOTH, REFINE, 8.2, 9.3, (("quality", 8.2), ("gaps", 9.6)), ("gaps", 9.8, 5)),
        (BOTH, GAP, 9.6, 9.6, (), ("gaps", 9.8, 5)),
    ],
)
def test_what_is_aimed_at_follows_from_the_call_and_where_the_phase_stands(
    intent: Intent, purpose: Purpose, before: float | None, score: float, cycles: Any, aim: tuple[str, float, int]
) -> None:
    found = aimed(intent, purpose, before, score, *cycles)
    assert (found.flag, found.target, found.most) == aim
    assert (found.stops_when_flat, found.one_at_a_time) == (found.flag == "quality", found.flag == "gaps")


@pytest.mark.parametrize(
    ("flag", "purpose", "before", "target"),
    [("quality", REFINE, 8.2, 9.5), ("gaps", GAP, 8.2, 9.5), ("gaps", GAP, 9.6, 9.8), ("gaps", REFINE, 8.2, 9.8)],
)
def test_a_cycle_is_told_with_the_bar_it_was_made_for(
    flag: str, purpose: Purpose, before: float, target: float
) -> None:
    assert target_of(flag, brief(purpose, before), settle(Policy(), QUALITY)) == target


PLAIN, HIGH = Aim(9.0, 2), Aim(9.5, 3, "quality", stops_when_flat=True)
ONE_BY_ONE = Aim(9.5, 5, "gaps", one_at_a_time=True)
Q, G = "quality", "gaps"


@pytest.mark.parametrize(
    ("aim", "cycles", "score", "left", "expected"),
    [
        (PLAIN, (), 8.2, 0, True),
        (PLAIN, (("", 8.2),), 8.0, 0, True),  # no flag: it goes on although nothing was gained
        (PLAIN, (("", 8.2), ("", 8.2)), 8.2, 0, False),
        (HIGH, (), 8.2, 0, True),
        (HIGH, ((Q, 8.2),), 8.3, 0, True),
        (HIGH, ((Q, 8.2),), 8.2, 0, False),
        (HIGH, ((Q, 8.2),), 8.1, 0, False),
        (HIGH, ((Q, None),), 8.1, 0, True),
        (HIGH, ((Q, 8.2), (Q, 8.3)), 8.4, 0, True),
        (HIGH, ((Q, 8.2), (Q, 8.3), (Q, 8.4)), 8.5, 0, False),
        (ONE_BY_ONE, (), 8.2, 1, True),
        (ONE_BY_ONE, ((G, 8.2),), 8.0, 1, True),  # the next one may help
        (ONE_BY_ONE, ((G, 8.2),), 9.0, 0, False),
        (ONE_BY_ONE, tuple((G, 8.2) for _ in range(5)), 9.0, 9, False),
        (ONE_BY_ONE, ((Q, 8.2), (Q, 9.0), (G, 9.6)), 9.6, 1, True),  # cycles for something else do not count
    ],
)
def test_another_cycle_is_made_while_it_may_help(
    aim: Aim, cycles: Any, score: float, left: int, expected: bool
) -> None:
    assert goes_on(aim, after(*cycles), score, left) is expected


@pytest.mark.parametrize(
    ("aim", "cycles", "score", "expected"),
    [
        (HIGH, ((Q, 8.2),), 8.2, True),
        (HIGH, ((Q, 8.2),), 9.5, False),
        (HIGH, (), 8.2, False),
        (ONE_BY_ONE, ((G, 8.2),), 9.4, True),
        (ONE_BY_ONE, ((G, 8.2),), None, True),
        (PLAIN, (("", 8.2),), 8.2, False),  # that is called incomplete
    ],
)
def test_what_aimed_higher_tried_and_fell_short_is_exhausted(
    aim: Aim, cycles: Any, score: float | None, expected: bool
) -> None:
    assert is_exhausted(aim, after(*cycles), score) is expected


GOOD = Case((make_verdict(Outcome.PASS),), make_verification(), make_judgement(), 9.6)


PASSES, BACK, ON = (Action.PASS, Outcome.PASS), (Action.ROLLBACK, Outcome.FAIL), (Action.REMEDIATE, Outcome.FAIL)


@pytest.mark.parametrize(
    ("aim", "score", "cycles", "more", "ruling"),
    [
        (HIGH, 9.5, (), {}, PASSES),
        (HIGH, 9.4, (), {}, ON),
        (HIGH, 9.4, ((Q, 9.4),), {}, PASSES),  # exhausted: never incomplete, never failed
        (HIGH, 7.0, ((Q, 7.0),), {}, PASSES),
        (HIGH, 6.9, ((Q, 8.0),), {}, (Action.REPLAN, Outcome.FAIL)),  # of a phase that is being built
        (HIGH, 6.9, ((Q, 8.0),), {"before": 8.0, "can_replan": False}, BACK),
        (HIGH, 8.4, ((Q, 8.2),), {"before": 8.2}, ON),
        (HIGH, 8.2, ((Q, 8.2),), {"before": 8.2}, PASSES),
        (HIGH, 8.1, ((Q, 8.2),), {"before": 8.2}, BACK),
        (HIGH, 8.3, ((Q, 8.2), (Q, 8.4)), {"before": 8.2}, PASSES),  # still better than it was
        (ONE_BY_ONE, 8.1, ((G, 8.2),), {"before": 8.2, "left": 1}, ON),  # the next one may make up for it
        (ONE_BY_ONE, 8.1, ((G, 8.2),), {"before": 8.2, "left": 0}, BACK),
        (ONE_BY_ONE, 9.4, ((G, 8.2),), {"before": 8.2, "left": 0}, PASSES),
    ],
)
def test_falling_short_of_more_than_enough_is_a_pass_and_ending_lower_is_given_back(
    aim: Aim, score: float, cycles: Any, more: dict[str, Any], ruling: tuple[Action, Outcome]
) -> None:
    ruled = rule(replace(GOOD, score=score, attempts=after(*cycles), aim=aim, **more), Policy())
    assert (ruled.action, ruled.outcome) == ruling


SCORES = st.integers(70, 100).map(lambda tenths: tenths / 10)


@given(st.lists(SCORES, min_size=12, max_size=12), SCORES, st.sampled_from([QUALITY, GAPS, BOTH]), st.integers(0, 9))
def test_a_refinement_comes_to_an_end_and_only_a_lower_score_is_given_back(
    scores: list[float], before: float, intent: Intent, known: int
) -> None:
    """Whatever each cycle scores: three for quality, five for gaps, and the end is a pass or is taken back."""
    policy, attempts = settle(Policy(), intent), Attempts()
    subject = brief(GAP if intent == GAPS else REFINE, before)
    for score in scores:
        aim = aim_of(subject, intent, policy, attempts, score)
        left = known - sum(flag == "gaps" for flag, _ in attempts.aimed)
        ruled = rule(replace(GOOD, score=score, attempts=attempts, aim=aim, left=left, before=before), policy)
        if ruled.action is not Action.REMEDIATE:
            break
        attempts = after(*attempts.aimed, (aim.flag, score))
    assert len(attempts.aimed) <= 8
    assert ruled.action is (Action.PASS if score >= min(before, aim.target) else Action.ROLLBACK)
