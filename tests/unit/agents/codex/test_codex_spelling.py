"""The command line of Codex."""

from __future__ import annotations

import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import pytest

from autopilot.adapters.agents.codex.dialect import CodexDialect
from autopilot.adapters.agents.dialect import Desk, Program, Spelling
from autopilot.model.agent import AgentCall, Caps, Role
from autopilot.model.agent_config import AgentConfig

URL = "http://127.0.0.1:8000/v1"


def spelled(config: AgentConfig | None = None, key: str = "", **changes: Any) -> Spelling:
    said: dict[str, Any] = {"role": Role.EXECUTOR, "phase": "1", "prompt": "Do it, please."}
    folders = {"workspace": PurePosixPath("/clone"), "project": PurePosixPath("/project")}
    program = Program(PurePosixPath("/opt/codex"))
    desk = Desk(program, config or AgentConfig(), PurePosixPath("/private"), PurePosixPath("/home-of-it"), key)
    return CodexDialect().spell(AgentCall(**(said | folders | changes)), desk)


def settings(spelling: Spelling) -> dict[str, Any]:
    words = spelling.argv
    given = [words[place + 1] for place, word in enumerate(words) if word == "-c" and place > 4]
    return tomllib.loads("\n".join(given))


def test_the_prompt_is_on_standard_input_and_not_in_its_words() -> None:
    spelling = spelled()
    assert spelling.prompt_on_stdin
    assert spelling.argv[-1] == "-"
    assert not any("please" in word for word in (*spelling.argv, *spelling.env.values()))


def test_both_streams_are_heard_because_only_the_log_tells_how_long_it_waits() -> None:
    spelling = spelled()
    assert spelling.argv[:5] == ("/bin/sh", "-c", 'exec "$@" 2>&1', "sh", "/opt/codex")
    assert spelling.env["RUST_LOG"] == "codex_core::responses_retry=warn"


def test_it_asks_nobody_confines_nothing_and_calls_nobody_else() -> None:
    said = settings(spelled())
    assert (said["approval_policy"], said["sandbox_mode"]) == ("never", "danger-full-access")
    assert said["analytics"] == {"enabled": False}
    features = ("plugins", "apps", "multi_agent", "unbounded_connection_retries")
    assert said["features"] == dict.fromkeys(features, False)


def test_going_on_with_a_session_takes_the_words_that_resume_knows() -> None:
    argv = spelled(session="thread-1", model="gpt-5.5").argv
    assert argv[5:7] == ("exec", "resume")
    assert argv[-2:] == ("thread-1", "-")
    assert not {"-s", "-C", "--sandbox", "--cd"} & set(argv)
    assert settings(spelled(session="thread-1")) == settings(spelled())


def test_a_schema_is_a_file_beside_the_prompt() -> None:
    spelling = spelled(schema={"type": "object"})
    place = spelling.argv.index("--output-schema")
    assert spelling.argv[place + 1] == "/private/schema.json"
    assert msgspec.json.decode(spelling.files["schema.json"]) == {"type": "object"}
    assert "--output-schema" not in spelled().argv
    assert not spelled().files


def test_the_model_is_named_only_when_there_is_one() -> None:
    argv = spelled(model="gpt-5.5").argv
    assert argv[argv.index("-m") + 1] == "gpt-5.5"
    assert "-m" not in spelled().argv


def test_the_vendors_own_key_goes_by_the_name_codex_knows() -> None:
    spelling = spelled(key="sk-own")
    assert spelling.env["CODEX_API_KEY"] == "sk-own"
    assert "model_provider" not in settings(spelling)


def test_another_address_gets_its_key_under_a_name_that_means_nothing_to_the_vendor() -> None:
    spelling = spelled(AgentConfig(base_url=URL), key="sk-else")
    assert "CODEX_API_KEY" not in spelling.env
    said = settings(spelling)
    provider = said["model_providers"][said["model_provider"]]
    assert provider["base_url"] == URL
    assert spelling.env[provider["env_key"]] == "sk-else"
    assert not any("sk-else" in word for word in spelling.argv)


def test_another_address_may_need_no_key() -> None:
    said = settings(spelled(AgentConfig(base_url=URL)))
    assert "env_key" not in said["model_providers"][said["model_provider"]]


def test_every_retry_is_one_that_is_told() -> None:
    said = settings(spelled(AgentConfig(base_url=URL)))
    provider = said["model_providers"][said["model_provider"]]
    assert (provider["request_max_retries"], provider["stream_max_retries"]) == (0, 3)
    assert provider["supports_websockets"] is False


@pytest.mark.parametrize(("stall_s", "idle_ms"), [(900, 300_000), (60, 20_000), (7200, 300_000)])
def test_a_hung_stream_is_taken_up_again_before_the_call_counts_as_silent(stall_s: float, idle_ms: int) -> None:
    said = settings(spelled(AgentConfig(base_url=URL), caps=Caps(stall_s=stall_s)))
    assert said["model_providers"][said["model_provider"]]["stream_idle_timeout_ms"] == idle_ms


def test_what_is_said_to_codex_alone_is_kept_from_the_commands_it_runs() -> None:
    spelling = spelled(AgentConfig(base_url=URL), key="sk-else")
    kept = settings(spelling)["shell_environment_policy"]["exclude"]
    assert set(spelling.env) <= set(kept)


def test_the_users_own_words_stand_before_the_session() -> None:
    argv = spelled(AgentConfig(args=("-c", "model_reasoning_effort=high")), session="thread-1").argv
    assert argv[-4:] == ("-c", "model_reasoning_effort=high", "thread-1", "-")


def test_the_login_is_one_file_of_its_home() -> None:
    login = CodexDialect().login
    assert login.files == (".codex/auth.json",)
    assert login.command[0] == "login"
    assert login.key_variable == "CODEX_API_KEY"


def test_locating_is_left_to_its_own_module(tmp_path: Path) -> None:
    program = tmp_path / "codex"
    program.write_bytes(b"\x7fELF")
    assert Path(CodexDialect().locate(program).path) == program
