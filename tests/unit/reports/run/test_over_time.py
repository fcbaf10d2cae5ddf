"""Many runs together show whether ratings hold, and where the money goes. covers: CMD-WEB, MTRC-01"""

from __future__ import annotations

from autopilot.events.happened import AgentReplied, PhaseStarted
from autopilot.events.pieces import Deferral
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.result import Justification
from autopilot.model.run import PersonVerdict, PhaseStatus, Step
from autopilot.reports.run.over_time import cost_of, count_failures, judge_ratings, sum_costs
from tests.unit.making import make_phase, make_state, store

ONE, TWO, THREE = PhaseId("1"), PhaseId("2"), PhaseId("3")


def replied(step: Step, usd: float, tokens: int = 10) -> AgentReplied:
    return AgentReplied(ONE, step, Role.EXECUTOR, "scripted", Ending.COMPLETED, Usage(tokens, usd=usd), 1_500)


def test_what_agents_used_is_summed_by_step_and_the_most_expensive_comes_first() -> None:
    events = (PhaseStarted(ONE, 1, "base"), replied(Step.PLAN, 0.5), replied(Step.EXECUTE, 0.4), replied(Step.PLAN, 1))
    costs = [{step: cost} for step, cost in filter(None, map(cost_of, store(*events)))]
    (first, plan), (second, execute) = sum_costs(costs)
    assert (first, plan.calls, plan.usage.usd, plan.took_ms) == ("plan", 2, 1.5, 3_000)
    assert (second, execute.calls) == ("execute", 1)


def test_steps_without_a_price_are_ordered_by_their_tokens() -> None:
    costs = [
        {step: cost}
        for step, cost in filter(None, map(cost_of, store(replied(Step.PLAN, 0, 5), replied(Step.RATE, 0, 9))))
    ]
    assert [step for step, _ in sum_costs(costs)] == ["rate", "plan"]


def test_a_rating_that_a_person_or_the_checks_contradict_is_called_too_good() -> None:
    deferral = Deferral(Justification("3", "look at it", 1, 1), (), 4.0, "branch", PersonVerdict.ISSUES_FOUND)
    state = make_state(
        make_phase(ONE, status=PhaseStatus.COMPLETED, score=9.6),
        make_phase(TWO, status=PhaseStatus.FAILED, score=7.5),
        make_phase(THREE, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, score=9.1, deferral=deferral),
        make_phase(PhaseId("4")),
    )
    high, middle = judge_ratings([state])
    assert (high.band, high.rated, high.completed, high.faulted_by_person) == ("9 and more", 2, 1, 1)
    assert (middle.band, middle.rated, middle.failed) == ("7 to 9", 1, 1)
    assert (high.is_overrated, middle.is_overrated) == (True, True)


def test_a_low_rating_of_failed_work_is_no_contradiction() -> None:
    [low] = judge_ratings([make_state(make_phase(ONE, status=PhaseStatus.FAILED, score=3.0))])
    assert (low.band, low.is_overrated) == ("below 7", False)


def test_failures_are_counted_over_all_runs() -> None:
    state = make_state(make_phase(ONE, status=PhaseStatus.FAILED, failure_category="tooling"))
    assert count_failures([state, state]) == [("tooling", 2)]
