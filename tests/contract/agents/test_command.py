"""Any program as an agent: how it gets its prompt, where its answer is found, what its exit codes mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.adapters.egress.doorway import render_environment
from autopilot.model.agent import AgentReply, Caps, Ending, Usage
from autopilot.model.agent_config import AgentConfig, Price
from autopilot.model.claim import ExecutorClaim
from autopilot.model.egress import Egress
from autopilot.model.errors import AgentMissing
from autopilot.ports.blobs import Blobs
from autopilot.ports.reply import read_reply
from autopilot.ports.transcripts import Transcripts
from tests.contract.agents.harness import REPLY, Watched, World
from tests.contract.agents.subjects import hire, write_program

# covers: R-SECRET, R-BUDGET, T5

ANSWER = json.dumps(REPLY)
Play = Callable[..., AgentReply]


@pytest.fixture
def play(sandbox: Watched, transcripts: Transcripts, world: World, tmp_path: Path) -> Play:
    """Call a program of these lines, with these settings."""

    def call(lines: str, config: AgentConfig | None = None, shell: str = "/bin/sh", **changes: Any) -> AgentReply:
        program = write_program(tmp_path / "my-agent", lines, shell)
        made = replace(config or AgentConfig(), kind="command", program=str(program))
        return hire(made, sandbox, transcripts, tmp_path).call(world.call(**changes))

    return call


def test_what_it_prints_is_its_answer(play: Play) -> None:
    reply = play(f"cat > /dev/null; echo '{ANSWER}'")
    assert (reply.ending, reply.value) == (Ending.COMPLETED, REPLY)


def test_words_around_an_answer_are_left_to_the_reader_of_replies(play: Play) -> None:
    reply = play(f"echo 'Here you are:'; echo '{ANSWER}'; echo noise >&2")
    assert (reply.ending, reply.value) == (Ending.COMPLETED, None)
    assert "noise" not in reply.text
    assert isinstance(read_reply(reply.text, ExecutorClaim), ExecutorClaim)


def test_a_python_program_finds_its_papers_where_its_words_say(play: Play, world: World) -> None:
    lines = """
import json, sys
prompt, schema, reply, model = sys.argv[1:]
assert sys.stdin.read() == ""
found = {"prompt": open(prompt).read(), "keys": sorted(json.load(open(schema))["properties"]), "model": model}
json.dump(found, open("found.json", "w"))
open(reply, "w").write('{"said": "in a file"}')
"""
    args = ("{prompt}", "{schema}", "{reply}", "--model={model}")
    reply = play(
        lines,
        AgentConfig(args=args, prompt="file", reply="file", model="big"),
        shell="/usr/bin/env python3",
        prompt="Do it.",
    )
    assert (reply.ending, reply.value) == (Ending.COMPLETED, {"said": "in a file"}), reply.detail
    found = json.loads((world.clone / "found.json").read_text())
    assert found["prompt"].startswith("Do it.\n## Your answer")
    assert (found["keys"], found["model"]) == (sorted(REPLY), "--model=big")


@pytest.mark.parametrize(
    ("lines", "ending", "detail"),
    [
        ("exit 75", Ending.RATE_LIMITED, "exit code 75"),
        ("exit 77", Ending.AUTH, "exit code 77"),
        ("echo words; exit 4", Ending.CRASHED, "exit code 4"),
        ("exit 0", Ending.CRASHED, "without a result"),
        ('echo \'{"detail": "the quota is used up"}\' > $1; exit 75', Ending.RATE_LIMITED, "the quota is used up"),
    ],
)
def test_its_exit_code_says_how_it_ended(play: Play, lines: str, ending: Ending, detail: str) -> None:
    reply = play(lines, AgentConfig(args=("{usage}",)))
    assert reply.ending is ending
    assert detail in reply.detail


def test_a_limit_may_say_how_long_it_lasts(play: Play) -> None:
    reply = play("echo '{\"retry_after_s\": 90}' > $1; exit 75", AgentConfig(args=("{usage}",)))
    assert (reply.ending, reply.retry_after_s) == (Ending.RATE_LIMITED, 90)


def test_tokens_without_money_are_priced_by_the_settings(play: Play) -> None:
    report = '{"tokens_in": 1000000, "tokens_out": 1000000, "tokens_cached": 500000}'
    config = AgentConfig(args=("{usage}",), price=Price(input=2, output=8, cached=1), usd=100)
    reply = play(f"echo '{report}' > $1; echo '{ANSWER}'", config, caps=Caps(wall_s=60, tokens=10**8, usd=100.0))
    assert reply.usage == Usage(1_000_000, 1_000_000, 500_000, usd=9.5, usd_is_estimate=True, tokens_discounted=250_000)


def test_a_session_goes_on_only_where_the_program_can_be_told_of_it(play: Play, tmp_path: Path) -> None:
    lines = 'echo \'{"session": "s-1"}\' > $1; echo "${2:-anew}"'
    home = PurePosixPath(tmp_path / "home")
    config = AgentConfig(args=("{usage}", "--session={session}"))
    first = play(lines, config, home=home)
    assert (first.text, first.session) == ("anew", "s-1")
    assert play(lines, config, home=home, session=first.session).text == "--session=s-1"
    assert play(lines, AgentConfig(args=("{usage}",)), home=home).session == ""


def test_an_answer_of_an_earlier_call_is_not_given_twice(play: Play, tmp_path: Path) -> None:
    config = AgentConfig(args=("{reply}", "{usage}"), reply="file")
    lines = "[ -e done ] || { touch done; echo '{\"a\": 1}' > $1; echo '{\"tokens_in\": 7}' > $2; }"
    home = PurePosixPath(tmp_path / "home")
    first, second = (play(lines, config, home=home) for _ in range(2))
    assert (first.value, first.usage.tokens) == ({"a": 1}, 7)
    assert (second.ending, second.value, second.usage.tokens) == (Ending.CRASHED, None, 0)


@pytest.mark.parametrize("where", ["{reply}", "{usage}"])
def test_a_link_in_place_of_its_answer_leads_nowhere(play: Play, tmp_path: Path, where: str) -> None:
    secret = tmp_path / "of-the-user.json"
    secret.write_text('{"tokens_in": 4711, "password": "hunter2hunter2"}')
    reply = play(f"ln -sf {secret} $1; echo done", AgentConfig(args=(where, "{reply}"), reply="file"))
    assert (reply.ending, reply.value, reply.usage) == (Ending.CRASHED, None, Usage())
    assert "hunter2" not in reply.text


def test_a_pipe_in_place_of_its_answer_holds_nobody_up(play: Play) -> None:
    assert play("rm $1; mkfifo $1", AgentConfig(args=("{reply}",), reply="file")).ending is Ending.CRASHED


def test_it_is_given_its_own_key_and_nothing_else_of_the_users(play: Play) -> None:
    reply = play("env", AgentConfig(key_env="MY_KEY", env={"MODE": "quick"}))
    given = dict(line.split("=", 1) for line in reply.text.splitlines())
    assert (given["MY_KEY"], given["MODE"]) == ("key-of-mine-4711", "quick")
    ours = {name for name in given if not name.startswith(("GIT_AUTHOR_", "GIT_COMMITTER_"))}
    proxy = set(render_environment(Egress()))
    assert ours - proxy == {*("PATH", "HOME", "TMPDIR", "LANG", "LOGNAME", "PWD", "SHELL", "USER"), "MY_KEY", "MODE"}
    assert proxy <= ours


def test_everything_it_prints_being_its_answer_a_flood_is_refused_and_not_cut(play: Play, blobs: Blobs) -> None:
    reply = play("head -c 3000000 /dev/zero | tr '\\0' '~' | fold -w 1023")
    assert (reply.ending, reply.text) == (Ending.SCHEMA_UNMET, "")
    assert "1000000 bytes" in reply.detail


def test_a_program_that_is_not_there_is_missing_and_nothing_else_is_tried(
    sandbox: Watched, transcripts: Transcripts, world: World, tmp_path: Path
) -> None:
    agent = hire(AgentConfig(kind="command", program="no-such-agent"), sandbox, transcripts, tmp_path)
    for ask in (agent.version, lambda: agent.call(world.call())):
        with pytest.raises(AgentMissing, match="no-such-agent is not on your PATH") as raised:
            ask()
        assert "change agent.command.program = " in raised.value.hint
    assert sandbox.specs == []


def test_its_version_changes_with_it_and_is_known_without_starting_it(
    sandbox: Watched, transcripts: Transcripts, tmp_path: Path
) -> None:
    said = []
    for lines in ("echo one", "echo two"):
        program = write_program(tmp_path / "agent", lines)
        said.append(hire(AgentConfig(kind="command", program=str(program)), sandbox, transcripts, tmp_path).version())
    assert said[0] != said[1]
    assert sandbox.specs == []


def test_an_agent_that_is_not_installed_is_not_called_signed_out(
    sandbox: Watched, transcripts: Transcripts, tmp_path: Path
) -> None:
    missing = hire(AgentConfig(program="no-such-claude"), sandbox, transcripts, tmp_path, "claude").trouble()
    assert str(missing) == "no-such-claude is not on your PATH"
    signed_out = hire(AgentConfig(program="sh"), sandbox, transcripts, tmp_path, "claude").trouble()
    assert str(signed_out) == "claude is not signed in"
