"""The laws of the fold, over histories of played runs: cut anywhere, losing no token, starting from nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.events import happened as h
from autopilot.events.entry import Stored
from autopilot.events.fold import fold_all
from autopilot.events.provision import AgentCutOff
from autopilot.events.recovery import Replanned
from autopilot.events.state import RunState
from autopilot.model.agent import Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import RunStatus
from tests.unit.flows.chance import stage_by_lot, stages
from tests.unit.flows.stage import Stage
from tests.unit.making import make_started, store

# covers: STATE, RES-1, MTRC-02, T7.resume


def test_an_empty_past_is_an_empty_run() -> None:
    assert fold_all([]) == RunState()
    assert not RunState().halted


@settings(max_examples=50)
@given(stages(), st.floats(0, 1))
def test_resuming_at_any_cut_reaches_the_same_state(stage: Stage, where: float) -> None:
    history = stage.play().history
    cut = round(where * len(history))
    assert fold_all(history[cut:], fold_all(history[:cut])) == fold_all(history) == stage.state


@settings(max_examples=50)
@given(stages())
def test_no_token_and_no_cent_is_lost_whatever_is_tried_again(stage: Stage) -> None:
    replies = [s.event for s in stage.play().history if isinstance(s.event, h.AgentReplied | AgentCutOff)]
    assert stage.state.totals.usage == total(replies)
    for phase in (*stage.state.phases.values(), *stage.state.parts.values()):
        assert phase.totals.usage == total([reply for reply in replies if reply.phase == phase.id])


@pytest.mark.parametrize("seed", range(0, 400, 10))
def test_the_laws_hold_on_long_walks_through_every_recovery(seed: int) -> None:
    stage = stage_by_lot(seed).play()
    history, cut = stage.history, seed % len(stage.history)
    assert fold_all(history[cut:], fold_all(history[:cut])) == stage.state
    replies = [stored.event for stored in history if isinstance(stored.event, h.AgentReplied | AgentCutOff)]
    assert stage.state.totals.usage == total(replies)
    for phase in (*stage.state.phases.values(), *stage.state.parts.values()):
        assert phase.totals.usage == total([reply for reply in replies if reply.phase == phase.id])


def total(replies: list[h.AgentReplied | AgentCutOff]) -> Usage:
    return Usage(
        tokens_in=sum(reply.usage.tokens_in for reply in replies),
        tokens_out=sum(reply.usage.tokens_out for reply in replies),
        usd=sum((reply.usage.usd for reply in replies), 0.0),
    )


@settings(max_examples=50)
@given(stages())
def test_the_present_knows_its_time_and_number_from_the_last_entry_alone(stage: Stage) -> None:
    last = stage.play().history[-1]
    assert (stage.state.now, stage.state.seq) == (last.time, last.seq)


@settings(max_examples=50)
@given(stages())
def test_folding_changes_no_earlier_state(stage: Stage) -> None:
    history = stage.play().history
    half = fold_all(history[: len(history) // 2])
    before = repr(half)
    fold_all(history[len(history) // 2 :], half)
    assert repr(half) == before


@settings(max_examples=50)
@given(stages())
def test_every_task_keeps_what_it_was_caught_with(stage: Stage) -> None:
    """A refused try is shown in every report, however well the task ends later."""
    refused: dict[tuple[PhaseId, str], int] = {}
    for stored in stage.play().history:
        match stored.event:
            case h.Planned(phase=phase):
                refused = {key: count for key, count in refused.items() if key[0] != phase}
            case h.PhaseStarted(phase=phase) | Replanned(phase=phase):
                refused = {key: count for key, count in refused.items() if not key[0].startswith(phase)}
            case h.TaskRefused(phase=phase, task=task):
                refused[phase, task] = refused.get((phase, task), 0) + 1
    for (phase, task), count in refused.items():
        state = stage.state.phase(phase)
        if task in state.tasks:  # a failed phase that a resume opened again starts with a clean sheet
            assert len(state.tasks[task].caught) >= count


def test_a_stop_and_a_resume_leave_the_phases_as_they_were() -> None:
    begun: list[Stored] = store(make_started(), h.PhaseStarted(PhaseId("1"), 1, "base"))
    stopped = store(h.RunStopped(RunStatus.PAUSED, "stopped (SIGINT)", 130), first=3)
    resumed = store(h.RunResumed("0.1.0", (), make_started().policy.budget), first=4)
    rest, again = fold_all([*begun, *stopped]), fold_all([*begun, *stopped, *resumed])
    assert rest.halted and not again.halted
    assert again.phases == fold_all(begun).phases
    assert again.totals.resumes == 1
