"""The pure halves of the command agent: how a call is spelled, and what is made of output and files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

import msgspec
import pytest

from autopilot.adapters.agents.command import KEY, REPLY, USAGE, CommandDialect
from autopilot.adapters.agents.dialect import Desk, Login, Program
from autopilot.adapters.agents.instruction import json_instruction
from autopilot.adapters.agents.listening import PartialReply, tell_ending
from autopilot.model.agent import AgentCall, Caps, Ending, Role, Usage
from autopilot.model.agent_config import AgentConfig
from autopilot.ports.sandbox import Exited, Outcome

SCHEMA = {"type": "object", "properties": {"done": {"type": "boolean"}}}
CALL = AgentCall(
    role=Role.EXECUTOR,
    phase="1",
    prompt="Do it.\n",
    workspace=PurePosixPath("/state/clone"),
    project=PurePosixPath("/home/you/project"),
    schema=SCHEMA,
    caps=Caps(reply_bytes=40),
)


def desk(home: Path | str = "/state/home", key: str = "", **config: Any) -> Desk:
    program = Program(PurePosixPath("/home/you/bin/agent"))
    return Desk(program, AgentConfig(**config), PurePosixPath("/state/call"), PurePosixPath(home), key)


def changed(**changes: Any) -> AgentCall:
    return msgspec.structs.replace(CALL, **changes)


def heard(*lines: bytes, call: AgentCall = CALL, **settings: Any) -> PartialReply:
    return list(CommandDialect().read(lines, call, desk(**settings)))[-1]


@pytest.mark.parametrize(
    ("args", "changes", "words"),
    [
        (("run", "{prompt}"), {}, ("run", "/state/call/prompt")),
        (("--out={reply}", "{usage}"), {}, (f"--out=/state/home/{REPLY}", f"/state/home/{USAGE}")),
        (("{schema}",), {}, ("/state/call/schema.json",)),
        (("--model={model}", "-x"), {}, ("-x",)),
        (("--model={model}",), {"model": "big"}, ("--model=big",)),
        (("--resume={session}",), {"session": "s 1"}, ("--resume=s 1",)),
        (('{"json": {"is": "{kept}"}}',), {}, ('{"json": {"is": "{kept}"}}',)),
        (("{model}",), {"model": "{prompt}"}, ("{prompt}",)),
    ],
)
def test_places_in_its_words_are_filled_and_empty_ones_left_out(
    args: tuple[str, ...], changes: dict[str, Any], words: tuple[str, ...]
) -> None:
    spelling = CommandDialect().spell(changed(**changes), desk(args=args))
    assert spelling.argv == ("/home/you/bin/agent", *words)


def test_the_prompt_ends_with_the_form_of_the_answer_and_is_in_a_file() -> None:
    spelling = CommandDialect().spell(CALL, desk())
    assert spelling.files["prompt"] == ("Do it.\n" + json_instruction(SCHEMA)).encode()
    assert msgspec.json.decode(spelling.files["schema.json"]) == SCHEMA
    assert spelling.prompt_on_stdin
    assert not CommandDialect().spell(CALL, desk(prompt="file")).prompt_on_stdin


def test_without_a_schema_nothing_is_said_about_the_answer() -> None:
    assert CommandDialect().spell(changed(schema={}), desk()).files["prompt"] == b"Do it.\n"


def test_the_instruction_holds_the_whole_schema() -> None:
    text = json_instruction(SCHEMA)
    block = text.split("```json\n")[1].split("\n```")[0]
    assert msgspec.json.decode(block) == SCHEMA
    assert "$" not in text


@pytest.mark.parametrize(
    ("key", "config", "env"),
    [("", {}, {}), ("k-1", {}, {KEY: "k-1"}), ("k-1", {"key_env": "MY_KEY"}, {"MY_KEY": "k-1"})],
)
def test_its_key_comes_under_the_name_the_settings_give(key: str, config: dict[str, Any], env: dict[str, str]) -> None:
    assert CommandDialect().spell(CALL, desk(key=key, **config)).env == env


class Shipped(CommandDialect):
    program = "shipped"
    login = Login(key_variable="SHIPPED_KEY")
    args = ("exec", "--resume={session}", "{prompt}")
    prompt = "file"
    reply = "file"
    exit_endings: ClassVar[Mapping[int, Ending]] = {3: Ending.AUTH}


@pytest.mark.parametrize(("config", "name"), [({}, "SHIPPED_KEY"), ({"key_env": "MY_KEY"}, "MY_KEY")])
def test_one_that_ships_by_name_gets_its_key_under_the_name_it_knows(config: dict[str, Any], name: str) -> None:
    assert Shipped().spell(CALL, desk(key="k-1", **config)).env == {name: "k-1"}


def test_one_that_ships_by_name_says_how_it_is_called_and_read(tmp_path: Path) -> None:
    spelling = Shipped().spell(CALL, desk())
    assert spelling.argv[1:] == ("exec", "/state/call/prompt") and not spelling.prompt_on_stdin
    (tmp_path / REPLY).write_text('{"done": true}')
    (tmp_path / USAGE).write_text('{"session": "s-1"}')
    reply = list(Shipped().read([b"words"], CALL, desk(tmp_path)))[-1]
    assert (reply.value, reply.session, reply.exit_endings) == ({"done": True}, "s-1", {3: Ending.AUTH})


def test_the_settings_come_before_what_a_shipped_one_says(tmp_path: Path) -> None:
    own: dict[str, Any] = {"args": ("run",), "prompt": "stdin", "reply": "stdout"}
    spelling = Shipped().spell(CALL, desk(**own))
    assert spelling.argv[1:] == ("run",) and spelling.prompt_on_stdin
    assert list(Shipped().read([b"words"], CALL, desk(tmp_path, **own)))[-1].text == "words"


def test_output_is_the_answer_unless_a_file_is(tmp_path: Path) -> None:
    (tmp_path / REPLY).write_text('{"done": true}')
    assert heard(b"words", home=tmp_path).text == "words"
    said = heard(b"words", home=tmp_path, reply="file")
    assert (said.value, said.text) == ({"done": True}, '{"done": true}')


@pytest.mark.parametrize("lines", [(b"x" * 41,), (b"x" * 20, b"x" * 20)])
def test_an_answer_over_its_cap_is_refused(tmp_path: Path, lines: tuple[bytes, ...]) -> None:
    assert heard(*lines, home=tmp_path).ending is Ending.SCHEMA_UNMET
    (tmp_path / REPLY).write_bytes(b"\n".join(lines))
    assert heard(home=tmp_path, reply="file").ending is Ending.SCHEMA_UNMET


@pytest.mark.parametrize("lines", [(b"x" * 40,), (b"x" * 20, b"x" * 19)])
def test_an_answer_that_just_fits_is_taken(tmp_path: Path, lines: tuple[bytes, ...]) -> None:
    assert heard(*lines, home=tmp_path).ending is Ending.COMPLETED


@pytest.mark.parametrize(
    "report", ["", "{", "[]", '{"tokens_in": -1}', '{"usd": "much"}', '{"tokens_in": 1e99}', "x" * 70_000]
)
def test_a_report_that_is_not_understood_says_nothing(tmp_path: Path, report: str) -> None:
    (tmp_path / USAGE).write_text(report)
    assert heard(b"words", home=tmp_path).usage == Usage()


def test_a_report_is_looked_at_with_every_line_and_the_last_good_one_counts(tmp_path: Path) -> None:
    def lines() -> Any:
        for text in ('{"tokens_in": 5}', '{"tokens_in": 9, "usd": 0.5}', '{"tokens'):
            (tmp_path / USAGE).write_text(text)
            yield b"."

    said = list(CommandDialect().read(lines(), CALL, desk(tmp_path)))
    assert [each.usage.tokens for each in said] == [5, 9, 9, 9]
    assert said[-1].usage.usd == 0.5


@pytest.mark.parametrize(("code", "ending"), [(0, Ending.COMPLETED), (1, Ending.CRASHED), (75, Ending.RATE_LIMITED)])
def test_an_answer_counts_only_with_a_good_end(tmp_path: Path, code: int, ending: Ending) -> None:
    assert tell_ending(Outcome(Exited(code)), heard(b"words", home=tmp_path))[0] is ending


def test_what_it_printed_last_is_what_it_is_doing(tmp_path: Path) -> None:
    first, *_ = CommandDialect().read([b"  reading the plan\t" + b"x" * 200], CALL, desk(tmp_path))
    assert first.activity.startswith("reading the plan")
    assert len(first.activity) <= 80
