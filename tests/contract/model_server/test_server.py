"""The server as a whole: where it listens, what it remembers, how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from autopilot.model.errors import UsageError
from autopilot.simulation.model_server.conversation import Wire
from autopilot.simulation.model_server.script import (
    Fault,
    ModelScript,
    Reply,
    Rule,
    Run,
    Say,
    Wrong,
    load_model_script,
    parse_model_script,
)
from autopilot.simulation.model_server.server import ModelServer
from tests.contract.model_server.clients import Called, User, ask
from tests.contract.model_server.conftest import Serve
from tests.contract.model_server.test_faults import begin, read_until
from tests.contract.threads import CROWD, together
from tests.signals import AS_AT_A_TERMINAL

SCRIPT = ModelScript((Rule("go", (Run("true"), Say("done so"))),))
ASKED = [User("go")]


def test_only_the_loopback_address_is_bound(serve: Serve) -> None:
    port = int(serve(Say("x")).url.rpartition(":")[2])
    # Another address of the same host: a server on all addresses would take this one too.
    with socket.socket() as connection:
        assert connection.connect_ex(("127.0.0.2", port)) != 0


def test_requests_are_remembered_in_order_without_their_secrets(serve: Serve) -> None:
    server = serve(Rule("go", (Run("true"), Say("x"))))
    ask(server.url, Wire.MESSAGES, ASKED)
    ask(server.url, Wire.CHAT, [*ASKED, Called("fine")], stream=True)
    first, second = server.requests
    assert (first.number, first.wire, first.played, first.rule, first.step) == (1, Wire.MESSAGES, "run", 0, 0)
    assert (second.number, second.wire, second.played, second.rule, second.step) == (2, Wire.CHAT, "say", 0, 1)
    assert (first.prompt, first.tools, first.auth) == ("go", ("Bash", "Write"), "1234")
    assert (second.outputs, second.stream) == (("fine",), True)
    assert "sk-test" not in repr(server.requests)


def test_many_may_ask_at_once(serve: Serve) -> None:
    server = serve(Fault(Wrong.RATE_LIMIT, first=3), Say("x"))
    statuses = together(lambda number: ask(server.url, list(Wire)[number % 3], ASKED, stream=True).status)
    assert sorted(statuses) == [200] * (CROWD - 3) + [429] * 3
    assert [request.number for request in server.requests] == list(range(1, CROWD + 1))


def test_nothing_is_left_after_the_end(serve: Serve) -> None:
    before = set(threading.enumerate())
    with ModelServer(ModelScript((Rule("", (Fault(Wrong.HANG),)),))) as server:
        waiting = [begin(server.url, wire) for wire in Wire]
        silent = socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])))
        for connection in waiting:
            read_until(connection, b"data: ")
        assert set(threading.enumerate()) - before
    for connection in (*waiting, silent):
        connection.close()
    assert set(threading.enumerate()) == before
    with socket.socket() as connection:
        assert connection.connect_ex(("127.0.0.1", int(server.url.rpartition(":")[2]))) != 0


def test_stopping_twice_is_stopping(serve: Serve) -> None:
    server = serve(Say("x"))
    server.stop()
    server.stop()
    with pytest.raises(ConnectionRefusedError):
        ask(server.url, Wire.CHAT, ASKED)


def write_script(folder: Path, *turns: object) -> Path:
    path = folder / "script.json"
    path.write_text(json.dumps({"rules": [{"when": "go", "turns": turns}]}))
    return path


def test_a_script_is_read_from_a_file(tmp_path: Path) -> None:
    path = write_script(
        tmp_path,
        {"do": "fault", "kind": "rate_limit", "retry_after_s": 1, "first": 2},
        {"do": "run", "command": "true", "usage": {"input": 5, "output": 2, "cached": 1}},
        {"do": "reply", "value": {"ok": True}},
    )
    rule = load_model_script(path).rules[0]
    fault, run, reply = rule.turns
    assert fault == Fault(Wrong.RATE_LIMIT, retry_after_s=1, first=2)
    assert isinstance(run, Run) and (run.command, run.usage.cached) == ("true", 1)
    assert reply == Reply({"ok": True})


@pytest.mark.parametrize(
    ("turn", "complaint"),
    [
        ({"do": "dance"}, "dance"),
        ({"do": "say"}, "text"),
        ({"do": "say", "text": "x", "txt": "y"}, "txt"),
        ({"do": "fault", "kind": "bad mood"}, "bad mood"),
        ({"do": "fault", "kind": "error", "status": 200}, "from 400 to 599"),
        ({"do": "fault", "kind": "error", "first": 0}, "1 or more"),
        ({"do": "say", "text": "x", "usage": {"input": 1, "cached": 2}}, "cached"),
    ],
)
def test_a_script_that_makes_no_sense_is_refused(tmp_path: Path, turn: object, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        load_model_script(write_script(tmp_path, turn))


def test_a_pattern_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text('{"rules": [{"when": "(", "turns": []}]}')
    with pytest.raises(UsageError, match="regular expression"):
        load_model_script(tmp_path / "script.json")
    with pytest.raises(UsageError, match="cannot read"):
        load_model_script(tmp_path / "none.json")


def spawn(script: Path, *more: str) -> subprocess.Popen[str]:
    argv = [
        *AS_AT_A_TERMINAL,
        sys.executable,
        "-m",
        "autopilot.simulation.model_server",
        "--script",
        str(script),
        *more,
    ]
    pipes = subprocess.PIPE
    return subprocess.Popen(argv, stdout=pipes, stderr=pipes, text=True, env=os.environ | {"PYTHONSAFEPATH": "1"})


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_runs_as_a_program_until_told_to_stop(tmp_path: Path, number: signal.Signals) -> None:
    log, port = tmp_path / "log.jsonl", tmp_path / "port"
    script = write_script(tmp_path, {"do": "say", "text": "hello"})
    with spawn(script, "--port-file", str(port), "--log", str(log)) as program:
        assert program.stdout
        url = program.stdout.readline().strip()
        assert url == f"http://127.0.0.1:{port.read_text()}"
        assert ask(url, Wire.CHAT, ASKED).text == "hello"
        program.send_signal(number)
        assert program.wait(30) == 0
    (line,) = log.read_text().splitlines()
    assert json.loads(line)["played"] == "say"


def test_the_program_says_what_is_wrong_with_a_script(tmp_path: Path) -> None:
    with spawn(write_script(tmp_path, {"do": "dance"})) as program:
        _, said = program.communicate(timeout=30)
    assert (program.returncode, "dance" in said, "Traceback" in said) == (2, True, False)


def test_a_script_is_written_as_it_may_be_read_again() -> None:
    written = msgspec.json.encode(SCRIPT)
    assert b"answer" not in written
    assert parse_model_script(written) == SCRIPT


def test_it_listens_where_it_is_told_to() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for _ in range(2):
        with ModelServer(SCRIPT, port=port) as server:
            assert server.url == f"http://127.0.0.1:{port}"
            assert ask(server.url, Wire.CHAT, ASKED).status == 200
