"""What Codex said, on transcripts of the real program: its events, its log and its rollout as they came."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from autopilot.adapters.agents.codex.dialect import spell_model
from autopilot.adapters.agents.codex.reading import read
from autopilot.adapters.agents.listening import PartialReply, tell_ending
from autopilot.adapters.agents.prices import with_price
from autopilot.model.agent import AgentCall, Caps, Ending, Role, Usage
from autopilot.ports.sandbox import Exited, Outcome

TRANSCRIPTS = Path(__file__).parent / "transcripts" / "codex"
ANSWER = {"done": True, "summary": "made it"}


def call(**changes: Any) -> AgentCall:
    said: dict[str, Any] = {"role": Role.EXECUTOR, "phase": "1", "prompt": "Do it.", "schema": {"type": "object"}}
    folders = {"workspace": PurePosixPath("/clone"), "project": PurePosixPath("/project")}
    return AgentCall(**(said | folders | changes))


def recorded(name: str) -> list[bytes]:
    return (TRANSCRIPTS / f"{name}.jsonl").read_bytes().splitlines()


def heard(lines: Iterable[bytes], **changes: Any) -> list[PartialReply]:
    return list(read(lines, call(**changes)))


def last(name: str, **changes: Any) -> PartialReply:
    return heard(recorded(name), **changes)[-1]


def events_alone(name: str) -> list[bytes]:
    """As if no rollout could be read."""
    return [line for line in recorded(name) if not line.startswith(b'{"timestamp"')]


def test_a_call_that_went_well_gives_reply_session_and_usage() -> None:
    said = last("done")
    assert (said.ending, said.value) == (Ending.COMPLETED, ANSWER)
    assert said.session == "01a1e2ce-c39f-7db0-8bef-46a3a7d25c1e"
    assert said.usage == said.session_total == Usage(tokens_in=1200, tokens_out=120, tokens_cached=600)


def test_a_resumed_session_counts_only_what_is_new() -> None:
    first = last("done")
    said = last("resumed", session=first.session, session_total=first.session_total)
    assert said.session == first.session
    assert said.usage == Usage(tokens_in=1200, tokens_out=120, tokens_cached=600)
    assert said.session_total == Usage(tokens_in=2400, tokens_out=240, tokens_cached=1200)


def test_no_usage_is_ever_reported_twice_while_a_session_goes_on() -> None:
    first = last("done")
    growing = [said.usage.tokens for said in heard(recorded("resumed"), session="s", session_total=first.session_total)]
    assert growing[0] == 0
    assert growing == sorted(growing)


def test_tokens_are_told_while_it_works_because_its_rollout_counts_each_request() -> None:
    steps = [said.usage.tokens for said in heard(recorded("done")) if said.ending is None]
    assert {110, 220} <= set(steps)


def test_without_a_rollout_tokens_are_told_at_the_end() -> None:
    steps = heard(events_alone("done"))
    assert {said.usage.tokens for said in steps[:-1]} == {0}
    assert steps[-1].usage == Usage(tokens_in=1200, tokens_out=120, tokens_cached=600)


def test_a_turn_that_failed_still_counts_what_it_used() -> None:
    assert last("limited").usage.tokens == 110
    assert heard(events_alone("limited"))[-1].usage.tokens == 0


def test_money_is_estimated_by_the_model_that_its_rollout_names_and_labelled() -> None:
    assert last("done").model == "gpt-5.5"
    priced = with_price(last("done"), "", None).usage
    assert priced.usd == pytest.approx((600 * 5 + 600 * 0.5 + 120 * 30) / 1_000_000)
    assert priced.usd_is_estimate


def test_what_it_is_at_is_told_in_a_few_words() -> None:
    told = list(dict.fromkeys(said.activity for said in heard(recorded("done"))))
    assert told[:2] == ["", "waits for its model"]
    assert "changes /folder/project/notes.md" in told
    assert any(words.startswith('runs "git add -A && git commit') for words in told)
    assert all(len(words) <= 120 for words in told)


ENDINGS = [
    ("done", Ending.COMPLETED),
    ("limited_twice", Ending.COMPLETED),
    ("dropped_once", Ending.COMPLETED),
    ("only_words", Ending.COMPLETED),
    ("unknown_model", Ending.COMPLETED),
    ("words_of_a_tool", Ending.COMPLETED),
    ("refused", Ending.COMPLETED),
    ("limited", Ending.RATE_LIMITED),
    ("limited_for_seconds", Ending.RATE_LIMITED),
    ("limited_for_an_hour", Ending.RATE_LIMITED),
    ("plan_used_up", Ending.RATE_LIMITED),
    ("plan_used_up_by_window", Ending.RATE_LIMITED),
    ("overloaded", Ending.OVERLOADED),
    ("overloaded_for_an_hour", Ending.OVERLOADED),
    ("server_error", Ending.OVERLOADED),
    ("dropped", Ending.OVERLOADED),
    ("hung", Ending.OVERLOADED),
    ("not_signed_in", Ending.AUTH),
    ("context_full", Ending.CONTEXT_EXHAUSTED),
    ("bad_request", Ending.CRASHED),
    ("no_such_session", None),
]


@pytest.mark.parametrize(("name", "ending"), ENDINGS, ids=[name for name, _ in ENDINGS])
def test_how_it_ended_is_known_with_its_rollout_and_without(name: str, ending: Ending | None) -> None:
    assert last(name).ending is ending
    assert heard(events_alone(name))[-1].ending is ending


def test_every_transcript_is_in_the_table() -> None:
    assert {path.stem for path in TRANSCRIPTS.iterdir()} == {name for name, _ in ENDINGS} | {"resumed"}


def test_words_a_tool_prints_never_end_a_call() -> None:
    text = b"".join(recorded("words_of_a_tool"))
    assert b"last status: 429" in text and b"turn.failed" in text
    assert last("words_of_a_tool").value == ANSWER


def test_an_error_item_is_a_warning() -> None:
    assert any(b'"type":"error"' in line and b"Model metadata" in line for line in recorded("unknown_model"))
    assert last("unknown_model").value == ANSWER


def test_retries_are_shown_and_are_no_failure() -> None:
    steps = heard(recorded("limited_twice"))
    assert any(said.activity.startswith("Reconnecting... 2/3") for said in steps)
    assert {said.ending for said in steps} == {None, Ending.COMPLETED}


def test_a_long_wait_for_a_limit_ends_the_call_and_says_how_long_it_is() -> None:
    said = last("limited_for_an_hour")
    assert said.over
    assert said.retry_after_s == pytest.approx(3600, abs=1)


def test_a_long_wait_that_an_overloaded_server_orders_ends_the_call_too() -> None:
    said = last("overloaded_for_an_hour")
    assert said.over
    assert said.retry_after_s == pytest.approx(3600, abs=1)


def test_a_short_wait_is_left_to_codex_and_remembered() -> None:
    assert not any(said.over for said in heard(recorded("limited_for_seconds")))
    assert last("limited_for_seconds").retry_after_s == pytest.approx(6, abs=1)


def test_its_own_short_pauses_are_no_word_of_the_provider() -> None:
    assert last("overloaded").retry_after_s is None


def test_the_windows_of_a_plan_say_to_the_second_when_it_is_free_again() -> None:
    assert last("plan_used_up_by_window").resets_at == datetime(2026, 11, 16, 7, 23, 47, tzinfo=UTC)


def test_without_windows_the_message_says_when() -> None:
    assert last("plan_used_up").resets_at == datetime(2026, 11, 17, 6, 23, tzinfo=UTC)


def test_text_that_meets_no_schema_is_kept_and_gives_no_value() -> None:
    said = last("only_words")
    assert (said.text, said.value) == ("I have made it.", None)


def test_the_last_message_is_the_reply() -> None:
    lines = [message("{}"), message('{"a":1}'), b'{"type":"turn.completed","usage":{}}']
    assert heard(lines)[-1].value == {"a": 1}


def test_without_a_schema_text_is_text() -> None:
    assert last("done", schema={}).value is None


def test_a_reply_over_its_cap_is_refused_and_not_cut() -> None:
    lines = [message("x" * 1000), b'{"type":"turn.completed","usage":{"input_tokens":5}}']
    said = heard(lines, caps=Caps(reply_bytes=500))[-1]
    assert (said.ending, said.text, said.usage.tokens_in) == (Ending.SCHEMA_UNMET, "", 5)
    shorter = heard([*lines[:1], message("ok"), lines[1]], caps=Caps(reply_bytes=500))[-1]
    assert (shorter.ending, shorter.text) == (Ending.COMPLETED, "ok")


def test_a_reply_that_the_sandbox_cut_is_refused() -> None:
    lines = [message("x" * 2_000_000)[: 1 << 20], b'{"type":"turn.completed","usage":{}}']
    assert heard(lines, caps=Caps(reply_bytes=5_000_000))[-1].ending is Ending.SCHEMA_UNMET


def test_without_a_closing_event_there_is_no_ending_whatever_it_exits_with() -> None:
    said = heard(line for line in recorded("done") if b"turn.completed" not in line)[-1]
    assert said.ending is None
    assert tell_ending(Outcome(Exited(0)), said)[0] is Ending.CRASHED


def test_what_it_says_before_it_could_begin_is_the_reason() -> None:
    said = last("no_such_session", session="gone")
    ending, detail = tell_ending(Outcome(Exited(1)), said)
    assert ending is Ending.CRASHED
    assert "no rollout found" in detail


def test_a_turn_that_follows_a_finished_one_is_not_finished() -> None:
    lines = [*recorded("done"), b'{"type":"turn.started"}']
    assert heard(lines)[-1].ending is None


def test_the_failure_of_an_earlier_turn_is_not_held_against_this_one() -> None:
    lines = [*recorded("plan_used_up_by_window"), *recorded("dropped")]
    assert (heard(lines)[-1].ending, heard(lines)[-1].resets_at) == (Ending.OVERLOADED, None)


def test_a_forged_rollout_alone_ends_nothing() -> None:
    forged = next(line for line in recorded("plan_used_up") if b"task_complete" in line)
    assert heard([*recorded("done")[:-1], forged, recorded("done")[-1]])[-1].ending is Ending.COMPLETED


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"nonsense \xff",
        b'{"type":"item.completed"}',
        b'{"type":"item.completed","item":{"type":"file_change","changes":[3]}}',
        b'{"type":"turn.completed","usage":[1]}',
        b'{"type":"event_msg","timestamp":7,"payload":{"type":"token_count","info":{"total_token_usage":"many"}}}',
        b'{"type":"event_msg","payload":{"type":"token_count","rate_limits":{"primary":{"used_percent":"all"}}}}',
        b'{"type":"token_usage_record","payload":{"thread_token_usage":{"input_tokens":-5,"output_tokens":true}}}',
        b"{" * 100_000,
    ],
)
def test_lines_of_no_meaning_are_passed_over(line: bytes) -> None:
    lines = recorded("done")
    assert heard([*lines[:4], line, *lines[4:]])[-1] == last("done")


def message(text: str) -> bytes:
    return b'{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":%s}}' % _quoted(text)


def _quoted(text: str) -> bytes:
    return b'"' + text.replace('"', '\\"').encode() + b'"'


@pytest.mark.parametrize(
    "line",
    [
        b"t WARN codex_core::responses_retry: retrying (1/3 in 1.2.3s)... sampling_error=x",
        b"t WARN codex_core::responses_retry: retrying (1/3 in .s)... sampling_error=x",
        b"t WARN codex_core::responses_retry: retrying (1/3 in " + b"9" * 400 + b"s)... sampling_error=x",
        b'{"type":"event_msg","timestamp":"0001-01-01T00:00:00+23:00","payload":{"type":"task_complete",'
        b'"error":{"message":"x","codex_error_info":null}}}',
        b'{"type":"event_msg","timestamp":"9999-12-31T23:59:59-23:00","payload":{"type":"task_complete",'
        b'"error":{"message":"x","codex_error_info":null}}}',
    ],
)
def test_what_cannot_be_a_number_or_a_time_is_passed_over(line: bytes) -> None:
    """An agent's tools can write to its output and to its rollout."""
    assert heard([line])[-1].over is False


@pytest.mark.parametrize(
    ("model", "settings"),
    [
        ("", {}),
        ("gpt-5.5", {"model": "gpt-5.5"}),
        ("@high", {"model_reasoning_effort": "high"}),
        ("gpt-5.5@low", {"model": "gpt-5.5", "model_reasoning_effort": "low"}),
    ],
)
def test_a_model_may_be_named_with_its_effort_or_by_its_effort_alone(model: str, settings: dict[str, str]) -> None:
    assert spell_model(model) == settings
