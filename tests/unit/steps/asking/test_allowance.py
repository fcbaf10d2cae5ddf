"""What a call may use while others are at work beside it: all of them together never more than is left.

covers: LOOP-4
"""

from __future__ import annotations

from typing import Any, cast

from msgspec.structs import replace

from autopilot.events.pieces import Deferral
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget
from autopilot.model.result import Justification
from autopilot.model.run import PhaseStatus, Step
from autopilot.steps.asking.allowance import allow
from autopilot.steps.context import StepContext
from tests.unit.making import ONE, THREE, TWO, make_phase, make_policy, make_state

LEFT = 900


def at_work(id: PhaseId, used: int = 0, **more: Any) -> PhaseState:
    return make_phase(id, **{"on_own_branch": True, "line": "line", "attempt_usage": Usage(tokens_in=used), **more})


def to_come(id: PhaseId, *needs: PhaseId) -> PhaseState:
    return make_phase(id, *needs, status=PhaseStatus.NOT_STARTED, attempt=0)


def tokens(state: RunState, phase: PhaseId) -> int | None:
    ctx = StepContext(state, state.phases[phase], Step.EXECUTE, 1, "", cast(Any, None))
    return allow(ctx, Usage()).tokens


def beside(*phases: PhaseState, at_once: int = 3) -> RunState:
    used = sum(phase.agents.usage.tokens for phase in phases)
    budget = Budget(tokens=LEFT + used, tokens_per_phase=10_000)
    return make_state(*phases, policy=make_policy(parallel_phases=at_once, budget=budget), usage=Usage(tokens_in=used))


def test_those_at_work_have_equal_shares_less_what_each_has_used() -> None:
    state = beside(at_work(ONE, 300), at_work(TWO))
    assert (tokens(state, ONE), tokens(state, TWO)) == (300, 600)


def test_whoever_may_begin_while_a_call_is_under_way_has_a_share_kept_for_it() -> None:
    """A call is given its cap once: what it was given cannot be given to the next as well."""
    alone = beside(at_work(ONE), to_come(TWO))
    before = tokens(alone, ONE) or 0
    joined = replace(alone, phases={**alone.phases, TWO: at_work(TWO)})
    assert before + (tokens(joined, TWO) or 0) <= LEFT
    assert tokens(beside(at_work(ONE), to_come(TWO, ONE)), ONE) == LEFT, "it cannot begin before this one is done"
    assert tokens(beside(at_work(ONE), to_come(TWO), at_once=1), ONE) == LEFT, "nothing begins beside it"
    assert tokens(beside(at_work(ONE), to_come(TWO), to_come(THREE), at_once=2), ONE) == LEFT // 2


def test_work_that_waited_for_a_person_shares_as_all_others_do() -> None:
    deferral = Deferral(Justification("01-01", "look at it", 0, 1), (), 0.5, "branch", verdict="issues_found")
    waited = at_work(TWO, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=deferral)
    state = beside(at_work(ONE), waited)
    assert (tokens(state, ONE) or 0) + (tokens(state, TWO) or 0) <= LEFT
