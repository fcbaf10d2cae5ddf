"""Claude Code's dialect on recorded transcripts: every trap its stream has laid so far (agents.md §3)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.adapters.agents.claude.dialect import ClaudeDialect
from autopilot.adapters.agents.dialect import Desk, Program, Spelling
from autopilot.adapters.agents.listening import PartialReply, find_overrun
from autopilot.model.agent import AgentCall, Caps, Ending, Role, Usage
from autopilot.model.agent_config import AgentConfig

TRANSCRIPTS = Path(__file__).parent / "transcripts" / "claude"
SESSION = "00000000-0000-4000-8000-000000000001"
DIALECT = ClaudeDialect()


def make_call(**changes: Any) -> AgentCall:
    project = PurePosixPath("/home/you/project")
    return AgentCall(Role.EXECUTOR, "1", "Do the task.", PurePosixPath("/clone"), project, **changes)


def make_desk(key: str = "", **config: Any) -> Desk:
    program = Program(PurePosixPath("/opt/claude"))
    return Desk(program, AgentConfig(**config), PurePosixPath("/private"), PurePosixPath("/private/home"), key)


def recorded(name: str) -> list[bytes]:
    return (TRANSCRIPTS / f"{name}.jsonl").read_bytes().splitlines()


def hear(lines: list[bytes], call: AgentCall | None = None) -> list[PartialReply]:
    return list(DIALECT.read(lines, call or make_call(), make_desk()))


def hear_last(name: str, call: AgentCall | None = None) -> PartialReply:
    return hear(recorded(name), call)[-1]


def rounded(usage: Usage) -> Usage:
    return replace(usage, usd=round(usage.usd, 9))


def event(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


@pytest.mark.parametrize(
    ("transcript", "ending", "detail"),
    [
        ("completed", Ending.COMPLETED, ""),
        ("resumed", Ending.COMPLETED, ""),
        ("retried", Ending.COMPLETED, ""),
        ("hung_once", Ending.COMPLETED, ""),
        ("unmet", Ending.COMPLETED, ""),  # the form is judged by whoever asked
        ("misshapen", Ending.SCHEMA_UNMET, "must have required property"),
        ("max_turns", Ending.MAX_TURNS, "number of turns"),
        ("budget", Ending.BUDGET, "maximum budget"),
        ("context", Ending.CONTEXT_EXHAUSTED, "too long"),
        ("limited", Ending.RATE_LIMITED, "429"),
        ("limited_plan", Ending.RATE_LIMITED, "5-hour limit"),
        ("overloaded", Ending.OVERLOADED, "Overloaded"),
        ("server_error", Ending.OVERLOADED, "500"),
        ("dropped", Ending.OVERLOADED, "Connection"),
        ("auth", Ending.AUTH, "Invalid API key"),
        ("signed_out", Ending.AUTH, "Not logged in"),
        ("refused", Ending.REFUSED, "can't help"),
        ("unknown_model", Ending.NOT_FOUND, "may not exist"),
        ("unknown_session", Ending.CRASHED, "No conversation found"),
        ("interrupted", Ending.CANCELLED, "result_type=user"),
    ],
)
def test_the_ending_is_told_by_what_the_result_means(transcript: str, ending: Ending, detail: str) -> None:
    said = hear_last(transcript)
    assert said.ending is ending
    assert detail in said.detail
    assert bool(said.detail) == (ending is not Ending.COMPLETED)
    assert not said.over


@pytest.mark.parametrize("transcript", sorted(path.stem for path in TRANSCRIPTS.iterdir() if path.stem != "long_wait"))
def test_before_the_result_nothing_is_an_ending(transcript: str) -> None:
    assert {said.ending for said in hear(recorded(transcript)[:-1])} <= {None}


def test_a_failure_of_the_model_is_one_although_its_result_says_success() -> None:
    [*_, result] = recorded("overloaded")
    assert (json.loads(result)["subtype"], json.loads(result)["is_error"]) == ("success", True)
    assert hear([result])[-1].ending is Ending.OVERLOADED


def test_a_structured_reply_is_the_value_and_its_session_is_told() -> None:
    said = hear_last("completed")
    assert said.value == {"done": True, "summary": "made it"}
    assert json.loads(said.text) == said.value
    assert said.session == SESSION


def test_a_form_never_met_leaves_the_words_and_no_value() -> None:
    said = hear_last("unmet")
    assert said.value is None
    assert said.text == "I will not give JSON."


def test_words_of_the_program_about_a_failure_are_no_words_of_the_agent() -> None:
    assert hear_last("overloaded").text == ""


def test_tokens_in_include_what_came_from_a_cache_and_money_is_as_reported() -> None:
    assert hear_last("completed").usage == Usage(tokens_in=1200, tokens_out=70, tokens_cached=400, usd=0.00357)


def test_while_it_runs_what_is_known_is_counted_once_for_each_message() -> None:
    [init, write, *_] = recorded("completed")
    twice = hear([init, write, write])[-1]
    assert twice.usage == Usage(tokens_in=1000, tokens_out=1, tokens_cached=400)
    assert find_overrun(twice.usage, Caps(tokens=1000))
    later = hear(recorded("completed")[:-1])[-1]
    assert later.usage == Usage(tokens_in=1200, tokens_out=3, tokens_cached=400)


def test_a_resumed_session_counts_only_what_is_new() -> None:
    before = Usage(tokens_in=1000, tokens_out=50, tokens_cached=400, usd=0.00267)
    said = hear_last("resumed", make_call(session=SESSION, session_total=before))
    assert rounded(said.usage) == Usage(tokens_in=1100, tokens_out=60, tokens_cached=400, usd=0.00312)
    assert rounded(said.session_total) == Usage(tokens_in=2100, tokens_out=110, tokens_cached=800, usd=0.00579)


def test_without_its_own_count_of_what_is_new_the_last_total_is_subtracted() -> None:
    [*lines, last] = recorded("resumed")
    result = json.loads(last)
    del result["model_usage_since_last_result"]
    before = Usage(tokens_in=1000, tokens_out=50, tokens_cached=400, usd=0.00267)
    said = hear([*lines, event(**result)], make_call(session=SESSION, session_total=before))[-1]
    assert said.usage.tokens == 1160
    assert said.usage.usd == pytest.approx(0.00312)


def test_a_total_never_falls_below_what_the_session_had() -> None:
    before = Usage(tokens_in=1000, tokens_out=50, usd=1.5)
    said = hear_last("unknown_session", make_call(session=SESSION, session_total=before))
    assert said.session_total == before
    assert said.usage == Usage()


def test_a_call_that_was_cut_off_leaves_the_total_of_the_session_as_it_was() -> None:
    before = Usage(tokens_in=7, usd=1.5)
    said = hear(recorded("completed")[:-1], make_call(session=SESSION, session_total=before))[-1]
    assert said.session_total == before
    assert said.usage.tokens_in == 1200


def test_a_budget_that_ran_out_reports_no_tokens_and_is_counted_all_the_same() -> None:
    [init, message, last] = recorded("budget")
    result = json.loads(last)
    assert (result["usage"]["input_tokens"], result["usage"]["output_tokens"]) == (0, 0)
    assert rounded(hear_last("budget").usage) == Usage(tokens_in=200_000, tokens_out=10_000, usd=0.75)
    bare = {key: value for key, value in result.items() if "odel" not in key}
    said = hear([init, message, event(**bare)])[-1]
    assert rounded(said.usage) == Usage(tokens_in=200_000, tokens_out=1, usd=0.75)


def test_work_that_goes_on_after_a_result_is_added_to_it() -> None:
    lines = recorded("completed")
    said = hear([*lines, *lines[1:]])[-1]
    assert said.usage.tokens_in == 2400
    assert said.usage.usd == pytest.approx(0.00714)


def test_a_limit_that_is_told_with_its_reset_is_known_with_it() -> None:
    said = hear_last("limited_plan")
    assert said.resets_at == datetime.fromtimestamp(1_800_000_000, UTC)


def test_a_limit_of_a_plan_that_something_else_pays_for_is_no_ending() -> None:
    [init, limit, *_] = recorded("limited_plan")
    said = hear([init, limit, *recorded("completed")[1:]])[-1]
    assert said.ending is Ending.COMPLETED
    assert said.resets_at is None


def test_a_limit_that_is_over_is_forgotten() -> None:
    allowed = event(type="rate_limit_event", rate_limit_info={"status": "allowed", "resetsAt": 1_800_000_000})
    [init, limit, *rest] = recorded("limited_plan")
    assert hear([init, limit, allowed, *rest])[-1].resets_at is None


def test_a_long_wait_for_a_limit_is_not_sat_out() -> None:
    said = hear_last("long_wait")
    assert (said.over, said.ending, said.retry_after_s) == (True, Ending.RATE_LIMITED, 45.0)
    after = hear([*recorded("long_wait"), *recorded("completed")])[-1]
    assert after == said


@pytest.mark.parametrize(
    ("status", "delay_ms", "over"),
    [(429, 30_000, False), (429, 30_001, True), (529, 60_000, True), (401, 60_000, False), (None, 60_000, False)],
)
def test_only_a_long_wait_for_a_limit_is_over(status: int | None, delay_ms: int, over: bool) -> None:
    retry = event(type="system", subtype="api_retry", retry_delay_ms=delay_ms, error_status=status, error="any")
    [said] = hear([retry])
    assert said.over is over
    assert said.activity.startswith(f"waiting {delay_ms // 1000} s")


def test_words_in_the_output_of_a_tool_are_no_limit() -> None:
    said = hear_last("words")
    assert b"rate_limit_event" in b"".join(recorded("words"))
    assert said.ending is Ending.COMPLETED
    assert said.resets_at is None


def test_what_it_is_at_is_told_in_a_few_words() -> None:
    told = list(dict.fromkeys(said.activity for said in hear(recorded("completed"))))
    assert told == ["", "Write src/new.py", "Bash: git add -A && git commit -q -m new", "answering"]


def test_paths_in_the_project_are_told_from_there_and_long_lines_are_cut() -> None:
    def at(name: str, **given: str) -> str:
        content = [{"type": "tool_use", "name": name, "input": given}]
        return hear([event(type="assistant", message={"id": "m", "content": content})])[-1].activity

    assert at("Edit", file_path="/home/you/project/src/a.py") == "Edit src/a.py"
    assert at("Bash", command="echo " + "x " * 150) == "Bash: echo " + "x " * 44 + "x…"
    assert at("TodoWrite") == "TodoWrite"


def test_what_an_agent_it_started_says_counts_but_is_not_its_reply() -> None:
    def message(number: str, text: str, parent: str | None) -> bytes:
        content = [{"type": "text", "text": text}]
        usage = {"input_tokens": 10, "output_tokens": 1}
        return event(
            type="assistant", message={"id": number, "content": content, "usage": usage}, parent_tool_use_id=parent
        )

    said = hear([message("a", "mine", None), message("b", "of another", "toolu_1")])[-1]
    assert said.text == "mine"
    assert said.usage.tokens == 22


def test_a_reply_over_its_cap_is_refused_and_not_cut() -> None:
    said = hear_last("completed", make_call(caps=Caps(reply_bytes=20)))
    assert said.ending is Ending.SCHEMA_UNMET
    assert (said.value, said.text) == (None, "")
    assert "20 bytes" in said.detail


def test_a_result_too_long_for_a_line_is_refused_too() -> None:
    [*lines, result] = recorded("completed")
    said = hear([*lines, result[: len(result) // 2]])[-1]
    assert said.ending is Ending.SCHEMA_UNMET


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    *("message", "subtype", "error", "session_id", "usage", "modelUsage", "model_usage_since_last_result"),
    *("rate_limit_info", "retry_delay_ms", "error_status", "total_cost_usd", "result", "structured_output"),
    *("terminal_reason", "api_error_status", "is_error", "stop_reason", "errors"),
)


@given(
    kind=st.sampled_from(["assistant", "system", "result", "rate_limit_event", "user", "news"]),
    fields=st.dictionaries(st.sampled_from(KEYS), JSON),
)
def test_no_field_of_another_shape_breaks_the_reading(kind: str, fields: dict[str, Any]) -> None:
    retry = {"subtype": "api_retry"} if kind == "system" else {}
    message = {"message": {"id": 1, "content": [fields], "usage": fields}} if kind == "assistant" else {}
    lines = [event(type=kind, **(fields | extra)) for extra in ({}, retry, message)]
    assert len(hear(lines)) == 3


@given(st.lists(st.binary(max_size=40)))
def test_lines_that_are_no_events_are_passed_over(lines: list[bytes]) -> None:
    assert hear([*recorded("completed")[:-1], *lines, recorded("completed")[-1]])[-1] == hear_last("completed")


def spell(desk: Desk | None = None, **changes: Any) -> Spelling:
    return DIALECT.spell(make_call(**changes), desk or make_desk())


def test_the_prompt_comes_by_standard_input_and_stands_nowhere_else() -> None:
    spelling = spell()
    assert spelling.prompt_on_stdin
    assert "Do the task." not in " ".join((*spelling.argv, *spelling.env.values()))


def test_settings_and_servers_of_a_project_are_not_obeyed() -> None:
    argv = spell().argv
    assert argv[argv.index("--setting-sources") + 1] == ""
    assert "--strict-mcp-config" in argv


def test_model_form_and_session_are_given_when_there_are_any() -> None:
    assert not {"--model", "--json-schema", "--resume", "--session-id"} & set(spell().argv)
    argv = spell(model="claude-sonnet-4-5", schema={"type": "object"}, session=SESSION).argv
    assert argv[argv.index("--model") + 1] == "claude-sonnet-4-5"
    assert argv[argv.index("--json-schema") + 1] == '{"type":"object"}'
    assert argv[argv.index("--resume") + 1] == SESSION


@pytest.mark.parametrize(("usd", "said"), [(2.5, "2.50"), (0.0, "0.01")])
def test_its_own_budget_is_a_backstop_and_never_nothing(usd: float, said: str) -> None:
    argv = spell(caps=Caps(usd=usd)).argv
    assert argv[argv.index("--max-budget-usd") + 1] == said


def test_words_of_your_settings_come_last() -> None:
    assert spell(make_desk(args=("--effort", "high"))).argv[-2:] == ("--effort", "high")


@pytest.mark.parametrize(
    ("key", "variables"),
    [
        ("", {}),
        ("test-key", {"ANTHROPIC_API_KEY": "test-key"}),
        ("sk-ant-oat01-test", {"CLAUDE_CODE_OAUTH_TOKEN": "sk-ant-oat01-test"}),
    ],
    ids=["none", "of an account", "of a plan"],
)
def test_it_is_given_its_own_key_when_it_has_one(key: str, variables: dict[str, str]) -> None:
    env = spell(make_desk(key)).env
    assert {name: env[name] for name in ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN") if name in env} == variables


def test_it_works_in_its_own_home_and_asks_nobody_but_its_model() -> None:
    env = spell(make_desk(base_url="http://127.0.0.1:8080")).env
    assert env["CLAUDE_CONFIG_DIR"] == "/private/home/.claude"
    assert env["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:8080"
    quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER")
    assert [env[name] for name in quiet] == ["1", "1", "1"]
    assert "ANTHROPIC_BASE_URL" not in spell().env


def test_nothing_it_starts_outlasts_its_answer() -> None:
    spelling = spell()
    assert spelling.env["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] == "1"
    assert "ScheduleWakeup" in spelling.argv[spelling.argv.index("--disallowedTools") + 1]


def test_it_is_not_told_that_it_is_in_a_sandbox() -> None:
    assert "IS_SANDBOX" not in spell().env


@pytest.mark.parametrize(("stall_s", "idle_ms"), [(900, "180000"), (90, "30000"), (5, "10000")])
def test_it_asks_anew_before_it_would_be_taken_for_stalled(stall_s: float, idle_ms: str) -> None:
    assert spell(caps=Caps(stall_s=stall_s)).env["CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS"] == idle_ms
