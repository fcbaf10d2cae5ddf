"""The ACP dialect on recorded turns: what each agent said to the bridge, and what it meant (agents.md §5)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from autopilot.adapters.agents.acp.presets import CLAUDE, CODEX, GEMINI, GENERIC, OPENCODE, AcpPreset
from autopilot.adapters.agents.acp.reading import read
from autopilot.adapters.agents.listening import PartialReply
from autopilot.model.agent import AgentCall, Caps, Ending, Role, Usage

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts" / "acp"
PRESETS = {"codex": CODEX, "claude": CLAUDE, "opencode": OPENCODE, "gemini": GEMINI}
TEXT = '{"done":true,"summary":"made it"}'


def call(**changes: Any) -> AgentCall:
    place = PurePosixPath("/home/you/project")
    schema = {"type": "object"}
    return AgentCall(Role.EXECUTOR, "1", "Do it.", place, place, schema=schema, **changes)


def recorded(name: str, **changes: Any) -> PartialReply:
    lines = (TRANSCRIPTS / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    return list(read(lines, call(**changes), PRESETS[name.partition("-")[0]]))[-1]


def heard(*events: Any, preset: AcpPreset = GENERIC, **changes: Any) -> PartialReply:
    lines = [event if isinstance(event, bytes) else json.dumps(event).encode() for event in events]
    return list(read(lines, call(**changes), preset))[-1]


def update(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "update", "update": {"sessionUpdate": kind, **fields}}


def chunk(text: str, **fields: Any) -> dict[str, Any]:
    return update("agent_message_chunk", content={"type": "text", "text": text}, **fields)


def stop(reason: str = "end_turn", **fields: Any) -> dict[str, Any]:
    return {"type": "stop", "stopReason": reason, **fields}


@pytest.mark.parametrize(
    ("name", "usage", "keeps_session"),
    [
        # Tells only how full its context is, after each of its three steps.
        ("codex-acp-0.16-ok", Usage(tokens_in=330), True),
        ("codex-acp-2.6-ok", Usage(tokens_in=300, tokens_out=30), True),
        ("claude-agent-acp-ok", Usage(tokens_in=300, tokens_out=30, usd=0.00135), True),
        # Tells the tokens of its last step, and the money of them all.
        ("opencode-ok", Usage(tokens_in=100, tokens_out=10, usd=0.00135), True),
        ("gemini-ok", Usage(tokens_in=300, tokens_out=30), False),
    ],
)
def test_a_turn_that_went_well(name: str, usage: Usage, keeps_session: bool) -> None:
    said = recorded(name)
    assert (said.ending, said.detail) == (Ending.COMPLETED, "")
    assert json.loads(said.text)["done"] is True
    assert said.value == json.loads(said.text)
    assert said.usage == usage
    assert bool(said.session) is keeps_session


@pytest.mark.parametrize(
    ("case", "ending"),
    [
        ("codex-acp-0.16-limit", Ending.RATE_LIMITED),
        ("codex-acp-0.16-usage", Ending.RATE_LIMITED),
        ("codex-acp-0.16-over", Ending.OVERLOADED),
        ("codex-acp-0.16-drop", Ending.OVERLOADED),
        ("codex-acp-0.16-hang", Ending.OVERLOADED),
        ("codex-acp-0.16-auth", Ending.AUTH),
        ("codex-acp-0.16-context", Ending.CONTEXT_EXHAUSTED),
        # These end their turn in order, and tell of the failure in chat.
        ("codex-acp-2.6-limit", Ending.RATE_LIMITED),
        ("codex-acp-2.6-over", Ending.OVERLOADED),
        ("codex-acp-2.6-drop", Ending.OVERLOADED),
        ("codex-acp-2.6-context", Ending.CONTEXT_EXHAUSTED),
        # And these do not.
        ("codex-acp-2.6-usage", Ending.RATE_LIMITED),
        ("codex-acp-2.6-auth", Ending.AUTH),
        ("claude-agent-acp-limit", Ending.RATE_LIMITED),
        ("claude-agent-acp-over", Ending.OVERLOADED),
        ("claude-agent-acp-drop", Ending.OVERLOADED),
        ("claude-agent-acp-auth", Ending.AUTH),
        ("claude-agent-acp-context", Ending.CONTEXT_EXHAUSTED),
        ("claude-agent-acp-refusal", Ending.REFUSED),
        ("opencode-limit", Ending.RATE_LIMITED),
        ("opencode-auth", Ending.AUTH),
    ],
)
def test_a_turn_that_failed_is_known_by_its_ending(case: str, ending: Ending) -> None:
    said = recorded(case)
    assert said.ending is ending
    assert said.value is None
    assert said.detail or ending is Ending.REFUSED


def test_a_full_context_is_not_counted_as_used(tmp_path: Path) -> None:
    assert recorded("codex-acp-2.6-context").usage == Usage()
    assert recorded("codex-acp-0.16-context").usage == Usage()


def test_money_of_a_session_that_went_on_is_counted_once() -> None:
    first = recorded("opencode-ok")
    again = recorded("opencode-again", session=first.session, session_total=first.session_total)
    assert again.usage.usd == pytest.approx(0.00135)
    assert again.session_total.usd == pytest.approx(0.0027)


def test_claude_counts_money_anew_in_every_process() -> None:
    first = recorded("claude-agent-acp-ok")
    again = recorded("claude-agent-acp-ok", session=first.session, session_total=first.session_total)
    assert again.usage.usd == first.usage.usd == 0.00135


@pytest.mark.parametrize(
    ("reason", "ending"),
    [
        ("end_turn", Ending.COMPLETED),
        ("max_tokens", Ending.CONTEXT_EXHAUSTED),
        ("max_turn_requests", Ending.MAX_TURNS),
        ("refusal", Ending.REFUSED),
        ("cancelled", Ending.CANCELLED),
        ("something_new", Ending.CRASHED),
    ],
)
def test_every_stop_reason_is_an_ending(reason: str, ending: Ending) -> None:
    said = heard(chunk(TEXT), stop(reason))
    assert said.ending is ending
    assert (said.value is not None) is (ending is Ending.COMPLETED)


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        ({"code": -32000, "message": "Authentication required"}, Ending.AUTH),
        ({"code": -32002, "message": "Resource not found"}, Ending.NOT_FOUND),
        ({"during": "start", "message": "agent: No such file or directory"}, Ending.NOT_FOUND),
        ({"code": -32603, "message": "x", "data": {"statusCode": 429, "isRetryable": True}}, Ending.RATE_LIMITED),
        ({"code": -32603, "message": "x", "data": {"statusCode": 500}}, Ending.OVERLOADED),
        ({"code": -32603, "message": "x", "data": {"deep": [{"httpStatusCode": 403}]}}, Ending.AUTH),
        ({"code": -32603, "message": "x", "data": {"isRetryable": True}}, Ending.OVERLOADED),
        ({"code": -32603, "message": "x", "data": {"errorName": "ProviderAuthError"}}, Ending.AUTH),
        ({"code": 429, "message": "x"}, Ending.RATE_LIMITED),
        ({"code": 500, "message": "anything"}, Ending.CRASHED),
        ({"code": 500, "message": '{"error": {"code": 503, "status": "UNAVAILABLE"}}'}, Ending.OVERLOADED),
        ({"code": 500, "message": '{"error": {"status": "RESOURCE_EXHAUSTED"}}'}, Ending.RATE_LIMITED),
        ({"code": -32603, "message": "429 rate limit, overloaded, invalid api key"}, Ending.CRASHED),
        ({"message": "the agent has gone", "exit_code": 3}, Ending.CRASHED),
    ],
)
def test_an_agent_nobody_knows_is_judged_by_fields_and_never_by_words(error: dict[str, Any], ending: Ending) -> None:
    assert heard({"type": "error", "during": "prompt", **error}).ending is ending


def test_a_session_that_cannot_be_taken_up_is_not_found() -> None:
    error = {"type": "error", "during": "session", "code": -32603, "message": "Internal error"}
    assert heard(error, session="old").ending is Ending.NOT_FOUND
    assert heard(error).ending is Ending.CRASHED


def test_words_of_a_tool_or_in_an_answer_are_never_taken_for_a_limit() -> None:
    tool = update("tool_call_update", toolCallId="1", rawOutput="exceeded retry limit, last status: 429")
    said = heard(tool, chunk("{}"), stop(), preset=CODEX)
    assert said.ending is Ending.COMPLETED
    answered = chunk('unexpected status 429 was what the log said. {"done": true}')
    assert heard(answered, stop(), preset=CODEX).ending is Ending.COMPLETED
    quoted = chunk("The tests print: exceeded retry limit, last status: 429")
    assert heard(quoted, stop(), preset=CODEX).ending is Ending.COMPLETED


def test_a_lament_in_chat_is_a_failure_also_where_no_field_says_so() -> None:
    lament = chunk("exceeded retry limit, last status: 429 Too Many Requests\n\n")
    assert heard(lament, stop(), preset=CODEX).ending is Ending.RATE_LIMITED
    assert heard(lament, stop()).ending is Ending.COMPLETED, "another agent may say what it likes"


def test_a_codex_that_recovered_has_not_failed() -> None:
    error = {"codexErrorInfo": {"responseStreamDisconnected": {"httpStatusCode": 429}}, "willRetry": True}
    retried = update("session_info_update", _meta={"codex": {"error": error}})
    assert heard(retried, chunk(TEXT), stop(), preset=CODEX).ending is Ending.COMPLETED


def test_the_text_is_the_last_message_only() -> None:
    said = heard(
        chunk("I will "),
        chunk("look."),
        update("tool_call", toolCallId="1", title="ls"),
        chunk('{"done":'),
        chunk("true}"),
        update("tool_call", toolCallId="2", title="git commit"),
        stop(),
    )
    assert said.text == '{"done":true}'
    assert heard(chunk("one", messageId="a"), chunk("two", messageId="b"), stop()).text == "two"


def test_an_answer_that_is_cut_off_is_kept_as_far_as_it_came() -> None:
    said = heard(chunk("half an "), chunk("answer"))
    assert (said.text, said.ending) == ("half an answer", None)


def test_an_answer_that_is_more_than_json_is_left_as_text() -> None:
    said = heard(chunk(f"Here it is:\n```json\n{TEXT}\n```"), stop())
    assert (said.ending, said.value) == (Ending.COMPLETED, None)
    assert TEXT in said.text


def test_a_reply_over_its_cap_is_refused() -> None:
    said = heard(chunk(TEXT), stop(), caps=Caps(reply_bytes=10))
    assert (said.ending, said.value) == (Ending.SCHEMA_UNMET, None)


def test_what_it_is_at_is_shown_in_a_few_words() -> None:
    lines = [
        update("agent_thought_chunk", content={"type": "text", "text": "hm"}),
        update("tool_call", toolCallId="1", title="Terminal"),
        update("tool_call_update", toolCallId="1", title="git   add\n" + "x " * 250),
        chunk("done"),
    ]
    shown = [said.activity for said in read([json.dumps(line).encode() for line in lines], call(), GENERIC)]
    assert shown[:2] == ["thinking", "Terminal"]
    assert shown[2].startswith("git add x x")
    assert len(shown[2]) == 120
    assert shown[3] == "writing"


def test_usage_grows_while_it_works_so_that_a_cap_can_end_it() -> None:
    tool, used = update("tool_call", toolCallId="1", title="ls"), update("usage_update", used=1000, size=200_000)
    lines = [json.dumps(event).encode() for event in (tool, used, used, tool, used)]
    assert [said.usage.tokens for said in read(lines, call(), GENERIC)][:5] == [0, 1000, 1000, 1000, 2000]


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        ({"inputTokens": 300, "outputTokens": 30, "totalTokens": 330, "cachedReadTokens": 200}, Usage(300, 30, 200)),
        ({"inputTokens": 300, "outputTokens": 30, "totalTokens": 530, "cachedReadTokens": 200}, Usage(500, 30, 200)),
        ({"inputTokens": 300, "outputTokens": 30, "totalTokens": 330, "thoughtTokens": 20}, Usage(300, 30)),
        ({"inputTokens": 300, "outputTokens": 30, "totalTokens": 350, "thoughtTokens": 20}, Usage(300, 50)),
        ({"inputTokens": -1, "outputTokens": "many", "totalTokens": None}, Usage()),
    ],
)
def test_the_total_tells_whether_cache_and_thoughts_are_counted_apart(told: dict[str, Any], usage: Usage) -> None:
    assert heard(chunk(TEXT), stop(usage=told)).usage == usage


def test_money_in_another_currency_is_not_taken_for_dollars() -> None:
    cost = {"amount": 5, "currency": "EUR"}
    assert heard(update("usage_update", used=1, size=2, cost=cost), stop()).usage.usd == 0


def test_a_plan_that_is_used_up_tells_when_it_comes_back() -> None:
    def limit(status: str) -> dict[str, Any]:
        about = {"status": status, "resetsAt": 1_800_000_000}
        return update("usage_update", used=1, size=2, _meta={"_claude/rateLimit": about})

    assert heard(limit("rejected"), preset=CLAUDE).resets_at == datetime.fromtimestamp(1_800_000_000, UTC)
    assert heard(limit("allowed_warning"), preset=CLAUDE).resets_at is None


def test_no_line_can_do_harm() -> None:
    odd = (
        *(b"", b"not json", b"{", b"[1]", b'{"type": 7}', b'{"type": "update"}', b'{"type": "update", "update": []}'),
        *(update(kind, content=[1]) for kind in ("agent_message_chunk", "usage_update", "session_info_update")),
        update("agent_message_chunk", content={"type": "image"}),
        update("usage_update", used="much", cost={"amount": "a lot"}, _meta=[]),
        {"type": "error", "data": [1], "code": "x", "message": None},
        {"type": "stop", "stopReason": 7},
    )
    assert heard(*odd, chunk(TEXT), stop()).ending is Ending.COMPLETED
