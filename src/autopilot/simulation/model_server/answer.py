"""Makes the model's answer from a turn: text, or a call of a tool that the agent offers."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.simulation.model_server.conversation import Conversation, Tool
from autopilot.simulation.model_server.script import Call, Reply, Run, Say, Tokens, Turn, Write

SHELLS = ("Bash", "bash", "exec_command", "shell_command", "shell", "local_shell", "run_shell_command")
WRITERS = ("Write", "write", "write_file")
RESULT = "StructuredOutput"
# As long as agents allow: by default some continue before the command has finished.
YIELD_TIME_MS = 600_000


class ToolCall(Struct, frozen=True):
    tool: Tool
    input: dict[str, Any]


class Answer(Struct, frozen=True):
    """Text or a tool call."""

    text: str = ""
    call: ToolCall | None = None
    usage: Tokens = Tokens()
    refused: bool = False


def make_answer(turn: Turn, conversation: Conversation) -> Answer:
    match turn:
        case Say(text=text):
            return Answer(text, usage=turn.usage)
        case Run(command=command):
            return _run(command, conversation, turn.usage)
        case Write(path=path, text=text):
            return _write(path, text, conversation, turn.usage)
        case Call(tool=name, input=given):
            named = next((t for t in conversation.tools if t.name == name or t.name.endswith(f"_{name}")), None)
            absent = f"No tool {name} was offered."
            return Answer(call=ToolCall(named, given), usage=turn.usage) if named else Answer(absent, usage=turn.usage)
        case Reply(value=value):
            if (tool := conversation.tool(RESULT)) and isinstance(value, dict):
                return Answer(call=ToolCall(tool, value), usage=turn.usage)
            return Answer(msgspec.json.encode(value).decode(), usage=turn.usage)
        case _:
            raise AssertionError("a fault has no answer")


def _run(command: str, conversation: Conversation, usage: Tokens) -> Answer:
    tool = conversation.tool(*SHELLS)
    if not tool:
        return Answer("No shell tool was offered, so no command was run.", usage=usage)
    return Answer(call=ToolCall(tool, _shell_input(tool, command)), usage=usage)


def _shell_input(tool: Tool, command: str) -> dict[str, Any]:
    if tool.kind == "local_shell":
        return {"type": "exec", "command": ["bash", "-lc", command], "env": {}}
    known = tool.schema.get("properties", {})
    key = "cmd" if "cmd" in known else "command"
    listed = known.get(key, {}).get("type") == "array"
    given = {key: ["bash", "-lc", command] if listed else command}
    more = {"description": "Run a command", "yield_time_ms": YIELD_TIME_MS}
    return given | {name: value for name, value in more.items() if name in known}


def _write(path: str, text: str, conversation: Conversation, usage: Tokens) -> Answer:
    tool = conversation.tool(*WRITERS)
    if not tool:
        parent = shlex.quote(path.rpartition("/")[0] or ".")
        return _run(f"mkdir -p {parent} && printf %s {shlex.quote(text)} > {shlex.quote(path)}", conversation, usage)
    known = tool.schema.get("properties", {})
    key = next((name for name in ("file_path", "filePath", "path") if name in known), "file_path")
    return Answer(call=ToolCall(tool, {key: path, "content": text}), usage=usage)
