"""Limits of providers as the record makes them: how long is waited, what ends it, and what a resume makes of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.events import happened as h
from autopilot.events import provision as p
from autopilot.events.entry import Stored
from autopilot.events.fold import fold_all
from autopilot.events.fold_provision import FURTHEST_S, JITTER, LEAST_WAIT_S, LONGEST_WAIT_S
from autopilot.events.recovery import HandedOver
from autopilot.events.state import RunState
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import AgentSettings, Budget, Choice, Policy
from autopilot.model.run import RunStatus, Step
from autopilot.rails.budget import first_tripped, phase_tripped, time_at_work, time_in_phase
from tests.unit.making import ONE, START, alter, make_policy, make_started, make_task

FIRST_WAIT_S = Policy().assignments.first_wait_s

# covers: CB, T7.resume
LIMITED = (Ending.RATE_LIMITED, Ending.OVERLOADED, Ending.OFFLINE)
POLICY = make_policy(
    agents={"default": ("claude", "claude-api", "codex")},
    providers={"claude": "anthropic", "claude-api": "anthropic", "codex": "openai"},
)
REST = h.RunStopped(RunStatus.PAUSED, "stopped (SIGINT)", 130)
RESUMED = h.RunResumed("0.1.0", (), Budget())


def after(*events: tuple[float, h.Event], begun: float = 0.0) -> RunState:
    """The state after these, each recorded so many seconds after the run began."""
    told = ((0.0, make_started(policy=POLICY)), (begun, h.PhaseStarted(ONE, 1, "base")), *events)
    return fold_all(Stored(n, moment(s), "run-1", f"run-1/{n}", event) for n, (s, event) in enumerate(told, 1))


def moment(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def said(ending: Ending = Ending.RATE_LIMITED, agent: str = "claude", **more: object) -> h.AgentReplied:
    fields = {"usage": Usage(), "duration_ms": 5, **more}
    return h.AgentReplied(ONE, Step.RESEARCH, Role.RESEARCHER, agent, ending, **fields)  # type: ignore[arg-type]


def wait_of(state: RunState, provider: str = "anthropic") -> float:
    return (state.provision.limits[provider].until - state.now).total_seconds()


@pytest.mark.parametrize("ending", LIMITED)
@pytest.mark.parametrize(
    ("told", "wait_s"),
    [
        ({}, FIRST_WAIT_S),
        ({"retry_after_s": 7.0}, 7.0),
        ({"retry_after_s": 7_200.0}, 7_200.0),
        ({"resets_at": moment(3_600)}, 3_590.0),  # it is said ten seconds after the beginning
        ({"resets_at": moment(3_600), "retry_after_s": 7.0}, 3_590.0),  # a time says more than a number of seconds
        ({"resets_at": moment(3_600).replace(tzinfo=None)}, 3_590.0),  # without a zone it means UTC
        ({"resets_at": moment(9)}, FIRST_WAIT_S),  # the past is no answer
        ({"resets_at": moment(9), "retry_after_s": 7.0}, 7.0),
        ({"resets_at": moment(10)}, FIRST_WAIT_S),
        ({"resets_at": datetime.min.replace(tzinfo=UTC)}, FIRST_WAIT_S),
        ({"resets_at": datetime.max.replace(tzinfo=UTC)}, FURTHEST_S),
        ({"retry_after_s": 0.0}, FIRST_WAIT_S),
        ({"retry_after_s": -5.0}, FIRST_WAIT_S),
        ({"retry_after_s": 1e-300}, LEAST_WAIT_S),
        ({"retry_after_s": 1e300}, FURTHEST_S),
        ({"retry_after_s": float("inf")}, FURTHEST_S),
        ({"retry_after_s": float("nan")}, FIRST_WAIT_S),
    ],
)
def test_it_is_waited_as_long_as_was_told_or_by_rule(ending: Ending, told: dict[str, object], wait_s: float) -> None:
    limited = after((10, said(ending, **told)))
    assert wait_s <= wait_of(limited) <= wait_s * (1 + JITTER)
    limit = limited.provision.limits["anthropic"]
    assert (limit.since, limit.strikes) == (moment(10), 1)
    assert limit.because == f"claude {ending.in_words}"


def test_who_is_told_nothing_waits_twice_as_long_each_time_and_never_longer_than_the_bound() -> None:
    waits, events, now = [], [], 0.0
    for _ in range(12):
        events.append((now, said()))
        state = after(*events)
        waits.append(wait_of(state))
        now = (state.provision.limits["anthropic"].until - START).total_seconds()
    assert state.provision.limits["anthropic"].strikes == 12
    for number, wait_s in enumerate(waits):
        expected = min(FIRST_WAIT_S * 2**number, LONGEST_WAIT_S)
        assert expected <= wait_s <= expected * (1 + JITTER)


def test_who_comes_back_when_told_and_is_sent_away_again_waits_longer_but_never_less_than_told() -> None:
    """A provider that always says "in a moment" would be asked without end: nobody's attempt is counted."""
    waits, events, now = [], [], 0.0
    for _ in range(40):
        events.append((now, said(retry_after_s=0.001)))
        state = after(*events)
        waits.append(wait_of(state))
        now = (state.provision.limits["anthropic"].until - START).total_seconds()
    assert waits[0] < 0.01
    assert LONGEST_WAIT_S <= waits[-1] <= LONGEST_WAIT_S * (1 + JITTER)
    hours = after((0, said(retry_after_s=7_200.0)), (7_920, said(retry_after_s=7_200.0)))
    assert 7_200 <= wait_of(hours) <= 7_200 * (1 + JITTER)


def test_calls_that_were_under_way_together_are_one_strike_and_the_longest_wait_counts() -> None:
    state = after((0, said(retry_after_s=600.0)), (1, said()), (2, said(agent="claude-api", retry_after_s=60.0)))
    assert state.provision.limits["anthropic"] == after((0, said(retry_after_s=600.0))).provision.limits["anthropic"]
    longer = after((0, said()), (1, said(Ending.OVERLOADED, retry_after_s=600.0)))
    assert wait_of(longer) >= 600 and longer.provision.limits["anthropic"].strikes == 1


def test_agents_of_one_provider_share_its_limits_and_another_provider_has_its_own() -> None:
    state = after((0, said(agent="claude-api")), (1, said(agent="codex", retry_after_s=5.0)))
    assert set(state.provision.limits) == {"anthropic", "openai"}
    assert after((0, said(agent="unheard-of"))).provision.limits.keys() == {"unheard-of"}, "its own where none is named"


def step(at: float, *replies: h.AgentReplied, status: str = "completed") -> tuple[tuple[float, h.Event], ...]:
    """A step in which all of these were said, and its end."""
    begun, ended = h.StepStarted(ONE, Step.RESEARCH, 1, 1), h.StepEnded(ONE, Step.RESEARCH, 1, status)
    return ((at, begun), *((at, reply) for reply in replies), (at, ended))


def test_a_step_that_comes_to_its_end_after_the_wait_ends_the_limit_and_the_next_one_begins_anew() -> None:
    limited = ((0, said()), (40, said()), *step(110, said(Ending.COMPLETED, agent="claude-api")))
    assert after(*limited).provision.limits == {}
    again = after(*limited, (120, said()))
    assert again.provision.limits["anthropic"].strikes == 1
    assert again.provision.limits["anthropic"].since == moment(120)


def test_a_step_that_is_limited_in_its_second_question_every_time_waits_longer_each_time() -> None:
    events: list[tuple[float, h.Event]] = []
    now, waits = 0.0, []
    for _ in range(6):
        events += step(now, said(Ending.COMPLETED), said(retry_after_s=1.0), status="put_off")
        state = after(*events)
        waits.append(wait_of(state))
        now = (state.provision.limits["anthropic"].until - START).total_seconds()
    assert state.provision.limits["anthropic"].since == START
    assert all(wait_s >= 2**number for number, wait_s in enumerate(waits))


@pytest.mark.parametrize("ending", [e for e in Ending if e not in (*LIMITED, Ending.COMPLETED)])
def test_nothing_but_an_answer_ends_a_limit(ending: Ending) -> None:
    before = after((0, said()))
    assert after((0, said()), *step(40, said(ending))).provision.limits == before.provision.limits


def test_an_answer_of_one_that_was_at_work_before_the_limit_came_does_not_lift_it() -> None:
    before = after((0, said(retry_after_s=600.0)))
    assert (
        after((0, said(retry_after_s=600.0)), *step(1, said(Ending.COMPLETED))).provision.limits
        == before.provision.limits
    )


@pytest.mark.parametrize("first_wait_s", [1e300, 0.0, -5.0])
def test_a_first_wait_that_nobody_can_mean_does_not_break_the_record(first_wait_s: float) -> None:
    started = make_started(policy=alter(POLICY, first_wait_s=first_wait_s))
    told = (started, h.PhaseStarted(ONE, 1, "base"), said())
    state = fold_all(Stored(n, START, "run-1", f"run-1/{n}", event) for n, event in enumerate(told, 1))
    assert 0 < wait_of(state) <= FURTHEST_S * (1 + JITTER)


def test_a_limit_that_had_long_been_over_when_the_call_began_is_another_story() -> None:
    """Between them others were asked: time in which nobody waited is no part of the wait."""
    later = 40 + LONGEST_WAIT_S + 10
    anew = after((0, said()), (later, said()))
    assert (anew.provision.limits["anthropic"].since, anew.provision.limits["anthropic"].strikes) == (moment(later), 1)
    long_call = after((0, said()), (later, said(duration_ms=60_000)))
    assert (long_call.provision.limits["anthropic"].since, long_call.provision.limits["anthropic"].strikes) == (
        START,
        2,
    )


@given(
    st.sampled_from(LIMITED),
    st.one_of(st.none(), st.datetimes(timezones=st.sampled_from([UTC, None]))),
    st.one_of(st.none(), st.floats()),
    st.integers(0, 10**9),
)
def test_whatever_a_provider_says_the_wait_is_bounded_and_the_same_in_every_replay(
    ending: Ending, resets_at: datetime | None, retry_after_s: float | None, at_s: int
) -> None:
    reply = said(ending, resets_at=resets_at, retry_after_s=retry_after_s)
    state = after((at_s, reply))
    assert state == after((at_s, reply))
    assert 0 <= wait_of(state) <= FURTHEST_S * (1 + JITTER)


def test_runs_that_were_limited_together_do_not_come_back_together() -> None:
    waits = {wait_of(after(*[(0, said(Ending.CRASHED))] * n, (0, said()))) for n in range(20)}
    assert len(waits) > 10


# -- agents that are gone


@pytest.mark.parametrize(
    ("ending", "detail", "words"),
    [
        (Ending.AUTH, "invalid key", "invalid key; autopilot agents login claude"),
        (Ending.AUTH, "", "it is not signed in; autopilot agents login claude"),
        (Ending.NOT_FOUND, "claude is not on your PATH; install it", "claude is not on your PATH; install it"),
        (Ending.NOT_FOUND, "", "it could not be started: its program was not found"),
    ],
)
def test_an_agent_that_cannot_be_asked_at_all_is_out_and_it_is_known_why(
    ending: Ending, detail: str, words: str
) -> None:
    state = after((0, said(ending, detail=detail)))
    assert {name: str(outage) for name, outage in state.availability.out.items()} == {"claude": words}
    assert state.provision.limits == {}, "another agent of its provider may be signed in"


# -- resuming


def test_after_a_kill_everything_is_as_it_was() -> None:
    switched = p.AgentSwitched(Role.RESEARCHER, "claude", "codex", "limited")
    past = (
        (0, said()),
        (1, said(Ending.AUTH, agent="codex")),
        (2, switched),
        (3, p.WaitStarted(moment(33), "limited")),
    )
    killed, before = after(*past, (9, RESUMED)), after(*past)
    assert before.availability.wait is not None and before.provision.limits
    assert (killed.availability, killed.provision) == (before.availability, before.provision)


def test_after_a_rest_those_who_were_out_get_another_chance_and_the_wait_cap_is_counted_from_here() -> None:
    switched = p.AgentSwitched(Role.RESEARCHER, "claude", "codex", "limited")
    past = (
        (0, said()),
        (1, said(Ending.AUTH, agent="codex")),
        (2, switched),
        (3, p.WaitStarted(moment(33), "limited")),
    )
    before, rested = after(*past), after(*past, (8, REST), (9, RESUMED))
    assert (rested.availability.out, rested.availability.serving, rested.availability.wait) == ({}, {}, None)
    limit, known = rested.provision.limits["anthropic"], before.provision.limits["anthropic"]
    assert (limit.until, limit.strikes, limit.because) == (known.until, known.strikes, known.because)
    assert (known.since, limit.since) == (moment(0), moment(9))
    assert (rested.provision.waits, rested.provision.switches) == (1, 1), "keys must not come twice"


@pytest.mark.parametrize("rest", [(), ((8, REST),)])
def test_a_limit_that_the_user_says_is_over_is_over(rest: tuple[tuple[float, h.Event], ...]) -> None:
    past = ((0, said()), (3, p.WaitStarted(moment(33), "limited")))
    over = h.RunResumed("0.1.0", (), Budget(), limits_over=True)
    resumed = after(*past, *rest, (9, over))
    assert (resumed.provision.limits, resumed.availability.wait) == ({}, None)


def test_other_agents_chosen_before_a_resume_take_the_work_up_and_nobody_stands_in_for_them() -> None:
    chosen: dict[str, Choice] = {"default": "codex"}
    seating = AgentSettings(chosen, {"speed": {"judge": "codex:small"}}, {"codex": "openai"}, 30.0)
    switched = p.AgentSwitched(Role.RESEARCHER, "claude", "claude-api", "not signed in")
    past = ((0, said()), (1, switched), (3, p.WaitStarted(moment(33), "limited")))
    resumed = after(*past, (9, h.RunResumed("0.1.0", (), Budget(), assignments=seating)))
    policy = resumed.policy
    assert (policy.assignments.agents, policy.assignments.profiles) == (seating.agents, seating.profiles)
    assert (policy.assignments.providers, policy.assignments.max_wait_minutes) == (seating.providers, 30.0)
    assert (resumed.availability.serving, resumed.availability.wait) == ({}, None)
    assert set(resumed.provision.limits) == {"anthropic"}, "the provider is as busy as before"


# -- time that was waited


def test_time_that_was_waited_counts_towards_no_cap() -> None:
    waited = ((0, said()), (1, p.WaitStarted(moment(7_201), "limited")), (7_201, p.Woken(7_200.0)))
    state = after(*waited, begun=0.5)
    assert time_at_work(state, moment(7_211)).total_seconds() == 11
    assert time_in_phase(state, state.phases[ONE], moment(7_211)).total_seconds() == 10.5
    tight = make_policy(budget=Budget(minutes=1, minutes_per_phase=1))
    assert first_tripped(state, tight, state.now) is phase_tripped(state, tight, state.now) is None
    assert first_tripped(state, tight, moment(7_261)) and phase_tripped(state, tight, moment(7_261))


def test_what_is_recorded_in_the_middle_of_a_wait_trips_no_cap() -> None:
    tight = make_policy(budget=Budget(minutes=1, minutes_per_phase=1))
    state = after((0, said()), (1, p.WaitStarted(moment(7_201), "limited")), (7_000, h.Warned("a message came")))
    assert first_tripped(state, tight, state.now) is phase_tripped(state, tight, state.now) is None


def test_a_resume_counts_time_anew_and_with_it_the_waits() -> None:
    waited = ((0, said()), (1, p.WaitStarted(moment(101), "limited")), (101, p.Woken(100.0)))
    resumed = after(*waited, (200, RESUMED))
    assert time_at_work(resumed, moment(210)).total_seconds() == 10
    assert time_in_phase(resumed, resumed.phases[ONE], moment(210)).total_seconds() == 10
    in_mid_wait = after(*waited[:2], (50, RESUMED), (101, p.Woken(51.0)))
    assert time_at_work(in_mid_wait, moment(111)).total_seconds() == 10


@given(st.lists(st.tuples(st.sampled_from(["work", "wait", "kill"]), st.integers(1, 5_000)), max_size=12))
def test_time_at_work_is_what_was_neither_waited_nor_before_the_last_resume(spans: list[tuple[str, int]]) -> None:
    now, worked, events = 0.0, 0.0, []
    for kind, length in spans:
        if kind == "wait":
            events.append((now, p.WaitStarted(moment(now + length), "limited")))
            events.append((now + length, p.Woken(float(length))))
        elif kind == "kill":
            events.append((now + length, RESUMED))
        else:
            events.append((now + length, h.Warned("at work")))
        now += length
        worked = 0.0 if kind == "kill" else worked + length * (kind == "work")
    state = after(*events)
    assert time_at_work(state, state.now).total_seconds() == pytest.approx(worked)
    assert time_in_phase(state, state.phases[ONE], state.now).total_seconds() == pytest.approx(worked)


# -- steps that are put off, work that is handed over


def put_off(step: Step, attempt: int, task: str = "") -> tuple[h.Event, ...]:
    return h.StepStarted(ONE, step, attempt, 1, task), h.StepEnded(ONE, step, attempt, "put_off", task, "limited")


def ticking(*events: h.Event) -> RunState:
    return after(*((float(n), event) for n, event in enumerate(events, 1)))


def test_a_step_that_is_put_off_is_as_if_it_had_not_been_begun_but_for_its_number() -> None:
    before, state = ticking(), ticking(*put_off(Step.RESEARCH, 1), *put_off(Step.RESEARCH, 2))
    phase = state.phases[ONE]
    assert (phase.steps, phase.open) == (before.phases[ONE].steps, None)
    assert phase.totals.attempts == {"research": 2}
    assert state.breaker == before.breaker


def test_a_step_that_was_refused_before_it_was_put_off_keeps_the_reproach() -> None:
    refused = (h.StepStarted(ONE, Step.VERIFY, 1), h.StepEnded(ONE, Step.VERIFY, 1, "error", detail="ran no command"))
    once = ticking(*refused, *put_off(Step.VERIFY, 2), *put_off(Step.VERIFY, 3))
    step = once.phases[ONE].step(Step.VERIFY)
    assert step is not None
    assert (step.status, step.errors, step.detail) == ("error", 1, "ran no command")
    again = ticking(*refused, *put_off(Step.VERIFY, 2), h.StepStarted(ONE, Step.VERIFY, 3)).phases[ONE]
    begun = again.step(Step.VERIFY)
    assert begun is not None and begun.notice == "ran no command"


def test_what_an_agent_used_before_it_was_cut_off_is_used_in_phase_and_run() -> None:
    spent = Usage(tokens_in=900, tokens_out=100, usd=0.25)
    cut = p.AgentCutOff(ONE, Step.RESEARCH, Role.RESEARCHER, "claude", spent)
    state = ticking(h.StepStarted(ONE, Step.RESEARCH, 1), cut)
    phase = state.phases[ONE]
    assert state.totals.usage == phase.totals.usage == phase.agents.usage == spent
    assert phase.open is not None and phase.open.replies == (), "it gave no reply: the step is tried again"


COMMITTED = h.TaskCommitted(ONE, "01-01", "c1", ("a.py",), ())


@pytest.mark.parametrize(
    ("brought", "counted", "debugs"),
    [
        ((), True, 1),  # out of context with nothing to show for it
        ((COMMITTED,), True, 1),
        ((), False, 0),
        ((COMMITTED,), False, 0),
    ],
)
def test_a_debugger_that_a_limit_stopped_used_up_no_round(
    brought: tuple[h.Event, ...], counted: bool, debugs: int
) -> None:
    over = HandedOver(ONE, "01-01", "the debugger ended so", counted)
    planned = h.Planned(ONE, "plan", (make_task("01-01"),), ())
    ended = h.StepEnded(ONE, Step.DEBUG, 1, "handed_over", "01-01", "it ended so")
    state = ticking(planned, h.StepStarted(ONE, Step.DEBUG, 1, 1, "01-01"), *brought, over, ended)
    task = state.phases[PhaseId("1")].tasks["01-01"]
    assert (task.status, task.debugs, task.uncounted) == ("handed_over", debugs, int(not counted))
