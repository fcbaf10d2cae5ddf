"""The tools say what the commands say, start what the commands start, and reach no further than their repository."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.scenario.kit.looking import wait_until
from tests.scenario.kit.resting import at_rest
from tests.scenario.kit.world import World, make_world
from tests.scenario.tools.conversing import converse, converse_with_process, refused, told
from tests.unit.asking import CHECKPOINT

# covers: CMD-MCP

NAMES = ["status", "gates", "evidence", "why", "map_query", "map_relevant"]
ACTING = ["start_run", "resume_run", "stop_run", "answer_gate"]


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> World:
    return at_rest(tmp_path_factory.mktemp("resting"), CHECKPOINT, deferred=True)


def test_over_input_and_output_a_client_lists_and_calls_and_hears_what_the_commands_say(resting: World) -> None:
    async def talk(client: Client) -> Any:
        names = [tool.name for tool in (await client.list_tools()).tools]
        calls = [("status", {}), ("gates", {}), ("evidence", {"phase": "1"}), ("why", {})]
        query = ("map_query", {"query": "similar-name", "name": "nothing"})
        answers = [told(await client.call_tool(name, given)) for name, given in (*calls, query)]
        resources = (await client.list_resources()).resources
        text = (await client.read_resource(resources[0].uri)).contents[0]
        return names, answers, text

    names, (status, gates, evidence, why, queried), text = converse_with_process(resting, talk)
    assert names == [*NAMES, *ACTING]
    said = json.loads(resting.autopilot("status", "--json").out)
    assert status == {name: value for name, value in said.items() if name != "event_log"}
    assert gates == json.loads(resting.autopilot("gates", "--json").out)
    assert [waiting["command"] for waiting in gates["waiting"]] == [
        "autopilot approve checkpoint-1",
        "autopilot verdict 3 pass",
    ]
    assert evidence == json.loads(resting.autopilot("evidence", "1", "--json").out)
    assert why == json.loads(resting.autopilot("why", "--json").out)
    assert queried == json.loads(resting.autopilot("repomap", "query", "similar-name", "nothing", "--json").out)
    assert isinstance(text, types.TextResourceContents)
    assert text.text == resting.autopilot("report").out


def test_a_server_that_only_reads_has_no_tool_that_acts(resting: World) -> None:
    async def talk(client: Client) -> Any:
        with pytest.raises(MCPError) as error:
            await client.session.call_tool("start_run", {})
        return [tool.name for tool in (await client.list_tools()).tools], str(error.value)

    names, error = converse(resting, talk, may_act=False)
    assert names == NAMES
    assert "there is no tool 'start_run'" in error


def test_another_repository_and_a_made_up_resource_are_not_found(resting: World) -> None:
    async def talk(client: Client) -> Any:
        with pytest.raises(MCPError) as error:
            await client.read_resource("autopilot://report/..%2F..%2Fetc/passwd")
        return refused(await client.call_tool("status", {"repository": "/etc"})), str(error.value)

    elsewhere, error = converse(resting, talk)
    assert "this server has no repository '/etc'" in elsewhere
    assert "there is no resource" in error


def test_gates_of_other_repositories_are_not_told(resting: World, tmp_path: Path) -> None:
    other = make_world(tmp_path)
    other.state = resting.state

    async def talk(client: Client) -> Any:
        return told(await client.call_tool("gates", {}))

    assert converse(other, talk) == {"waiting": [], "unread": []}


def test_a_run_that_a_tool_started_outlives_the_server(world: World) -> None:
    """covers: MCP-RUNS"""
    world.set_settings(f'[scripted]\nscript = "{world.script}"\n[agents]\ndefault = "scripted"\n')

    async def talk(client: Client) -> Any:
        return told(await client.call_tool("start_run", {"phases": ["1"]}))

    assert converse_with_process(world, talk)["command"] == "autopilot run 1"
    wait_until(lambda: json.loads(world.autopilot("status", "--json").out)["_meta"]["exit_status"] == 0, "the run ends")


def test_beside_a_run_none_is_started(resting: World) -> None:
    """covers: MCP-RUNS"""

    async def start(client: Client) -> Any:
        return refused(await client.call_tool("start_run", {"phases": ["1"]}))

    driving = resting.assemble()
    driving.lock.take("a run")
    assert "is at work already, in process" in converse(resting, start)
    driving.lock.release()


def test_over_http_only_who_has_the_token_is_answered(resting: World) -> None:
    serving = resting.start("mcp", "--http", "--port", "0", "--read-only")
    try:
        assert serving.stdout is not None
        address, header = serving.stdout.readline().strip(), serving.stdout.readline().strip()
        host = address.removeprefix("http://").removesuffix("/mcp")
        hello = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        }
        accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

        def ask(**headers: str) -> tuple[int, str]:
            connection = http.client.HTTPConnection(host, timeout=20)
            connection.request("POST", "/mcp", json.dumps(hello), {**accepted, **headers})
            response = connection.getresponse()
            said = response.status, response.read().decode()
            connection.close()
            return said

        token = header.removeprefix("Authorization: ")
        assert ask()[0] == 401
        assert ask(Authorization="Bearer guessed")[0] == 401
        assert ask(Authorization=token, Host="evil.example")[0] == 421
        assert ask(Authorization=token, Origin="http://evil.example")[0] == 403
        status, text = ask(Authorization=token)
        assert (status, '"name":"autopilot"' in text) == (200, True), "the control"
    finally:
        serving.terminate()
        serving.communicate()
