"""One question and its answer: taken when it fits, asked for again by rule, paid once and within its caps (agents)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.agent import AgentCall, AgentReply, Caps, Ending, Role, Usage
from autopilot.model.claim import ResearchClaim
from autopilot.model.errors import Unavailable
from autopilot.ports.reply import wire_schema
from autopilot.steps.asking.exchange import EXTRACTED_CHARS, Exchange, exchange_messages

# covers: RES, T7.redaction
FITS = {"key_findings": ["it is there"], "recommended_approach": "extend it", "risks": [], "open_questions": []}
CAPS = Caps(wall_s=100.0, stall_s=50.0, tokens=10_000, usd=1.0)
CALL = AgentCall(
    role=Role.RESEARCHER,
    phase="1",
    prompt="Read it.",
    workspace=PurePosixPath("/clone"),
    project=PurePosixPath("/project"),
    schema=wire_schema(ResearchClaim),
    home=PurePosixPath("/home"),
    caps=CAPS,
    label="run-1/1/research",
)
USED = Usage(tokens_in=900, tokens_out=100, tokens_cached=50, usd=0.125)


class Teller:
    """An agent with its answers ready; what it was asked can be read after."""

    name = "teller"

    def __init__(self, *replies: AgentReply) -> None:
        self.replies = list(replies)
        self.calls: list[AgentCall] = []

    def version(self) -> str:
        return "1"

    def trouble(self) -> None:
        return None

    def call(self, call: AgentCall) -> AgentReply:
        self.calls.append(call)
        return self.replies.pop(0)


def answer(text: str = "", value: Any = None, nth: int = 1, **more: Any) -> AgentReply:
    fields: dict[str, Any] = {"usage": USED, "duration_ms": 20_000, "session": f"s{nth}", "transcript": f"t{nth}"}
    fields |= {"session_total": Usage(tokens_in=900 * nth), **more}
    return AgentReply(fields.pop("ending", Ending.COMPLETED), text, value, **fields)


MISSES = answer("I read it all.")


def talk(*replies: AgentReply, clean: Callable[[str], str] = str) -> tuple[Exchange, list[AgentCall]]:
    agent = Teller(*replies)
    result = exchange_messages(agent, CALL, ResearchClaim, clean)
    assert agent.replies == [], "it was asked less often than it was ready for"
    return result, agent.calls


@pytest.mark.parametrize(
    "fitting",
    [
        answer(value=FITS),
        answer(text='so: {"key_findings": [], "recommended_approach": "x", "risks": [], "open_questions": []}'),
    ],
)
def test_an_answer_that_fits_is_taken_as_it_is(fitting: AgentReply) -> None:
    told, calls = talk(fitting)
    assert told == Exchange(fitting) and calls == [CALL]


@pytest.mark.parametrize("ending", [e for e in Ending if e not in (Ending.COMPLETED, Ending.SCHEMA_UNMET)])
def test_who_did_not_end_well_is_not_asked_again(ending: Ending) -> None:
    broken = answer("half", ending=ending)
    assert talk(broken)[0] == Exchange(broken)


def test_an_agent_that_says_itself_that_its_answer_does_not_fit_is_asked_again() -> None:
    told, calls = talk(answer("half", ending=Ending.SCHEMA_UNMET), answer(value=FITS))
    assert told.reply.ending is Ending.COMPLETED and len(calls) == 2


def test_an_agent_that_keeps_no_session_is_asked_once() -> None:
    told, _ = talk(answer("I read it all.", session=""))
    assert told.reply.ending is Ending.COMPLETED and told.earlier == ()


def test_an_answer_that_does_not_fit_is_asked_for_again_in_the_same_session() -> None:
    told, [first, again] = talk(MISSES, answer(value=FITS, nth=2))
    assert (again.session, again.session_total) == ("s1", Usage(tokens_in=900))
    assert (first.earlier, again.earlier) == (Usage(), MISSES.usage), (
        "should we be killed now, it is known nowhere else"
    )
    assert "JSON is malformed" in again.prompt and '"key_findings"' in again.prompt
    same = ("role", "phase", "workspace", "project", "schema", "home", "label", "model", "attempt", "nth")
    assert all(getattr(first, name) == getattr(again, name) for name in same)
    assert (told.reply.value, told.earlier, told.reply.transcript) == (FITS, ("t1",), "t2")


def test_after_two_misses_its_words_are_put_into_the_form_in_a_session_of_their_own() -> None:
    told, [_, _, third] = talk(MISSES, answer("Nothing but ${words}.", nth=2), answer(value=FITS, nth=3))
    assert (third.session, third.session_total) == ("", Usage())
    assert "Nothing but ${words}." in third.prompt and "I read it all." not in third.prompt
    assert (told.reply.value, told.earlier) == (FITS, ("t1", "t2"))


def test_an_answer_that_never_fits_is_given_up_after_three() -> None:
    told, _ = talk(MISSES, MISSES, MISSES)
    assert told.reply.ending is Ending.SCHEMA_UNMET
    assert "malformed" in told.reply.detail
    assert told.reply.text == "I read it all.", "what it said is kept for the record"


def test_of_an_answer_that_is_a_value_its_text_is_extracted_and_what_it_said_besides() -> None:
    only_value = answer(value={"key_findings": "WRONG KIND"}, nth=2)
    _, calls = talk(answer(value={"a": 1}), only_value, answer(value=FITS, nth=3))
    assert '{"key_findings":"WRONG KIND"}' in calls[2].prompt
    _, calls = talk(MISSES, answer("All set.", value={"key_findings": "WRONG KIND"}), answer(value=FITS, nth=3))
    assert "All set." in calls[2].prompt and '{"key_findings":"WRONG KIND"}' in calls[2].prompt


@pytest.mark.parametrize("said", ["", " ", "FAILED: the first of many. " + "a" * EXTRACTED_CHARS])
def test_nothing_is_made_up_of_silence_and_nothing_left_out_of_a_long_answer(said: str) -> None:
    told, calls = talk(answer(said), answer(said, nth=2))
    assert told.reply.ending is Ending.SCHEMA_UNMET and len(calls) == 2


class Breaking(Teller):
    """Can be asked once; then nothing can be started any more."""

    def call(self, call: AgentCall) -> AgentReply:
        if not self.replies:
            raise Unavailable("it could not be started", "")
        return super().call(call)


def test_what_was_done_and_paid_for_counts_when_it_cannot_be_asked_again() -> None:
    told = exchange_messages(Breaking(MISSES), CALL, ResearchClaim, str)
    assert (told.reply.ending, told.reply.usage) == (Ending.SCHEMA_UNMET, USED)
    with pytest.raises(Unavailable):
        exchange_messages(Breaking(), CALL, ResearchClaim, str)


@pytest.mark.parametrize("ending", [Ending.RATE_LIMITED, Ending.BUDGET, Ending.CRASHED, Ending.CANCELLED])
@pytest.mark.parametrize("before", [(MISSES,), (MISSES, MISSES)])
def test_who_breaks_off_when_asked_again_ended_so_and_all_it_used_was_used(
    before: tuple[AgentReply, ...], ending: Ending
) -> None:
    told, _ = talk(*before, answer(ending=ending, nth=9, retry_after_s=7.0))
    assert (told.reply.ending, told.reply.retry_after_s) == (ending, 7.0)
    assert told.reply.usage.tokens == 1_000 * (len(before) + 1)
    assert told.reply.text == "I read it all."


def test_every_further_question_has_what_is_left_of_the_caps() -> None:
    _, calls = talk(MISSES, MISSES, MISSES)
    left = [(call.caps.wall_s, call.caps.tokens, call.caps.usd) for call in calls]
    assert left == [(100.0, 10_000, 1.0), (80.0, 9_000, 0.875), (60.0, 8_000, 0.75)]
    assert {call.caps.stall_s for call in calls} == {50.0}


def test_caps_that_are_used_up_are_no_caps_below_zero() -> None:
    dear = answer("no", usage=Usage(tokens_in=99_999, usd=9.0), duration_ms=999_000)
    _, calls = talk(dear, answer(value=FITS, nth=2))
    assert (calls[1].caps.wall_s, calls[1].caps.tokens, calls[1].caps.usd) == (1.0, 0, 0.0)


USAGES = st.builds(Usage, st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), st.just(0.25))


@given(st.lists(st.tuples(USAGES, st.integers(0, 10**6)), min_size=1, max_size=3), st.booleans())
def test_all_that_was_used_is_told_once(spent: list[tuple[Usage, int]], fits: bool) -> None:
    replies = [answer("no", usage=usage, duration_ms=ms, nth=n) for n, (usage, ms) in enumerate(spent, 1)]
    last_usage, last_ms = spent[-1]
    if fits or len(replies) < 3:
        replies[-1] = answer(value=FITS, usage=last_usage, duration_ms=last_ms, nth=len(spent))
    told, _ = talk(*replies)
    total = Usage()
    for usage, _ in spent:
        total += usage
    assert told.reply.usage == total
    assert told.reply.duration_ms == sum(ms for _, ms in spent)
    assert told.earlier == tuple(f"t{n}" for n in range(1, len(spent)))


def test_a_secret_that_an_agent_said_is_not_told_to_it_again() -> None:
    said = answer("the key is hunter2, as is written there")
    _, calls = talk(said, said, answer(value=FITS), clean=lambda text: text.replace("hunter2", "[secret]"))
    assert not any("hunter2" in call.prompt for call in calls)
    assert "the key is [secret]" in calls[2].prompt
