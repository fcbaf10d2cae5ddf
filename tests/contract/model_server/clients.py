"""Raw clients of the three wires: what an agent would send, and what it would hear."""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from autopilot.simulation.model_server.conversation import Wire

PATHS = {Wire.MESSAGES: "/v1/messages?beta=true", Wire.RESPONSES: "/v1/responses", Wire.CHAT: "/v1/chat/completions"}
KEY = "sk-test-1234"
Json = dict[str, Any]


class User(NamedTuple):
    text: str


class PartialReply(NamedTuple):
    text: str


class Called(NamedTuple):
    """A tool was called, and this came out."""

    output: str
    failed: bool = False


Told = User | PartialReply | Called


class Offered(NamedTuple):
    name: str
    properties: Sequence[str]
    strict_schema: Json | None = None

    @property
    def schema(self) -> Json:
        properties = {name: {"type": "string"} for name in self.properties}
        return self.strict_schema or {"type": "object", "properties": properties, "required": list(self.properties)}


CLAUDE = (Offered("Bash", ("command", "description")), Offered("Write", ("file_path", "content")))
CODEX = (Offered("exec_command", ("cmd",)),)
OPENCODE = (Offered("bash", ("command", "description")), Offered("write", ("filePath", "content")))
TOOLS = {Wire.MESSAGES: CLAUDE, Wire.RESPONSES: CODEX, Wire.CHAT: OPENCODE}


@dataclass(frozen=True)
class Heard:
    """An answer; ``whole`` is false when the connection broke off within it."""

    status: int
    headers: dict[str, str]
    raw: bytes
    whole: bool = True
    events: list[Json] = field(default_factory=list)
    body: Json = field(default_factory=dict)
    text: str = ""
    tool: str = ""
    given: Json = field(default_factory=dict)
    usage: tuple[int, int, int] = (0, 0, 0)  # in without cached, out, cached
    reason: str = ""


def ask(url: str, wire: Wire, told: Sequence[Told], *, stream: bool = False, **more: Any) -> Heard:
    """``more``: tools, schema, and anything to put into the body as it is."""
    tools = more.pop("tools", TOOLS[wire])
    body = _SPELL[wire](told, tools, more.pop("schema", None)) | {"model": "m1", "stream": stream} | more
    return listen(url, wire, PATHS[wire], json.dumps(body).encode())


def listen(url: str, wire: Wire, path: str, content: bytes, method: str = "POST") -> Heard:
    host = url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=30)
    try:
        connection.request(method, path, content, {"content-type": "application/json", "x-api-key": KEY})
        answer = connection.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        try:
            raw, whole = answer.read(), True
        except http.client.IncompleteRead as broken:
            raw, whole = broken.partial, False
        return _understand(wire, answer.status, headers, raw, whole)
    finally:
        connection.close()


def _understand(wire: Wire, status: int, headers: dict[str, str], raw: bytes, whole: bool) -> Heard:
    if not whole:
        return Heard(status, headers, raw, whole)
    if "event-stream" in headers.get("content-type", ""):
        events = parse_events(raw)
        ended = [event for event in events if event]
        return Heard(status, headers, raw, whole, ended, **_HEAR_STREAM[wire](ended))
    try:
        body = json.loads(raw or b"{}")
    except ValueError:
        return Heard(status, headers, raw, whole)
    return Heard(status, headers, raw, whole, [], body, **(_HEAR[wire](body) if status == 200 else {}))


def parse_events(raw: bytes) -> list[Json]:
    """Each event's data; a name that is given must be the type within."""
    events: list[Json] = []
    for block in raw.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        data = fields.get("data", "")
        if data == "[DONE]":
            events.append({"type": "[DONE]"})
        elif data:
            try:
                event = json.loads(data)
            except ValueError:
                event = {"type": "garbage"}
            assert fields.get("event", event.get("type")) == event.get("type")
            events.append(event)
    return events


def _spell_messages(told: Sequence[Told], tools: Sequence[Offered], schema: Json | None) -> Json:
    messages: list[Json] = []
    for number, each in enumerate(told):
        match each:
            case User(text):
                reminder = {"type": "text", "text": "<system-reminder>be brief</system-reminder>"}
                messages.append({"role": "user", "content": [reminder, {"type": "text", "text": text}]})
                messages.append({"role": "system", "content": "Available agent types: none"})
            case PartialReply(text):
                messages.append({"role": "assistant", "content": [{"type": "text", "text": text}]})
            case Called(output, failed):
                use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {}}
                result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": output, "is_error": failed}
                messages.append({"role": "assistant", "content": [use]})
                messages.append({"role": "user", "content": [result]})
    offered = [{"name": tool.name, "input_schema": tool.schema} for tool in tools]
    body: Json = {"max_tokens": 1000, "messages": messages, "tools": offered}
    return body | ({"output_config": {"format": {"type": "json_schema", "schema": schema}}} if schema else {})


def _spell_responses(told: Sequence[Told], tools: Sequence[Offered], schema: Json | None) -> Json:
    context = "<environment_context><cwd>/project</cwd></environment_context>"
    items: list[Json] = [_item("developer", "be brief"), _item("user", context)]
    for number, each in enumerate(told):
        match each:
            case User(text):
                items.append(_item("user", text))
            case PartialReply(text):
                items.append(_item("assistant", text))
            case Called(output, _):
                call = {"type": "function_call", "call_id": f"c{number}", "name": "exec_command", "arguments": "{}"}
                items += [call, {"type": "function_call_output", "call_id": f"c{number}", "output": output}]
    offered = [{"type": "function", "name": tool.name, "parameters": tool.schema, "strict": False} for tool in tools]
    body: Json = {"input": items, "tools": offered}
    form = {"type": "json_schema", "name": "reply", "strict": True, "schema": schema}
    return body | ({"text": {"format": form}} if schema else {})


def _item(role: str, text: str) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _spell_chat(told: Sequence[Told], tools: Sequence[Offered], schema: Json | None) -> Json:
    messages: list[Json] = [{"role": "system", "content": "be brief"}]
    for number, each in enumerate(told):
        match each:
            case User(text):
                messages.append({"role": "user", "content": text})
            case PartialReply(text):
                messages.append({"role": "assistant", "content": text})
            case Called(output, _):
                call = {"id": f"c{number}", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
                messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
                messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": output})
    offered = [{"type": "function", "function": {"name": tool.name, "parameters": tool.schema}} for tool in tools]
    form = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
    return {"messages": messages, "tools": offered} | ({"response_format": form} if schema else {})


def _hear_messages(body: Json) -> Json:
    if "content" not in body:
        return {}
    (block,) = body["content"]
    used = body["usage"]
    usage = (used["input_tokens"], used["output_tokens"], used["cache_read_input_tokens"])
    return {"usage": usage, "reason": body["stop_reason"]} | _block(block)


def _block(block: Json) -> Json:
    if block["type"] == "text":
        return {"text": block["text"]}
    return {"tool": block["name"], "given": block["input"]}


def _hear_responses(body: Json) -> Json:
    (item,) = body["output"]
    used = body["usage"]
    cached = used["input_tokens_details"]["cached_tokens"]
    heard: Json = {"usage": (used["input_tokens"] - cached, used["output_tokens"], cached), "reason": body["status"]}
    if item["type"] == "function_call":
        return heard | {"tool": item["name"], "given": json.loads(item["arguments"])}
    if item["type"] != "message":
        return heard
    part = item["content"][0]
    return heard | {"text": part.get("text", part.get("refusal")), "reason": part["type"]}


def _hear_chat(body: Json) -> Json:
    (choice,) = body["choices"]
    message, used = choice["message"], body["usage"]
    cached = used["prompt_tokens_details"]["cached_tokens"]
    usage = (used["prompt_tokens"] - cached, used["completion_tokens"], cached)
    heard: Json = {"usage": usage, "reason": choice["finish_reason"]}
    for call in message.get("tool_calls") or ():
        heard |= {"tool": call["function"]["name"], "given": json.loads(call["function"]["arguments"])}
    return heard | {"text": message.get("content") or message.get("refusal") or ""}


def _hear_messages_stream(events: list[Json]) -> Json:
    """Put together from the pieces, as clients do."""
    named = {event["type"]: event for event in events}
    if "message_stop" not in named:
        return {}
    block, delta = dict(named["content_block_start"]["content_block"]), named["content_block_delta"]["delta"]
    if block["type"] == "text":
        block["text"] += delta["text"]
    else:
        block["input"] = json.loads(delta["partial_json"])
    end = named["message_delta"]
    return _hear_messages({"content": [block], "usage": end["usage"], "stop_reason": end["delta"]["stop_reason"]})


def _hear_responses_stream(events: list[Json]) -> Json:
    last = events[-1]
    return _hear_responses(last["response"]) if last["type"] == "response.completed" else {}


def _hear_chat_stream(events: list[Json]) -> Json:
    if events[-1] != {"type": "[DONE]"}:
        return {}
    message: Json = {"content": ""}
    reason = None
    for event in events[:-1]:
        for choice in event["choices"]:
            delta = choice["delta"]
            message["content"] += delta.get("content") or delta.get("refusal") or ""
            message |= {"tool_calls": delta["tool_calls"]} if "tool_calls" in delta else {}
            reason = choice["finish_reason"] or reason
    return _hear_chat({"choices": [{"message": message, "finish_reason": reason}], "usage": events[-2]["usage"]})


_SPELL = {Wire.MESSAGES: _spell_messages, Wire.RESPONSES: _spell_responses, Wire.CHAT: _spell_chat}
_HEAR = {Wire.MESSAGES: _hear_messages, Wire.RESPONSES: _hear_responses, Wire.CHAT: _hear_chat}
_HEAR_STREAM = {
    Wire.MESSAGES: _hear_messages_stream,
    Wire.RESPONSES: _hear_responses_stream,
    Wire.CHAT: _hear_chat_stream,
}
