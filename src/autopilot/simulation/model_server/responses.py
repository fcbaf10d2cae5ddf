"""OpenAI Responses: reads requests and writes answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import msgspec

from autopilot.simulation.model_server.answer import Answer
from autopilot.simulation.model_server.conversation import Conversation, Tool, Wire, is_prompt
from autopilot.simulation.model_server.script import Tokens
from autopilot.simulation.model_server.sse import Event

CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})


def read(body: Mapping[str, Any], headers: Mapping[str, str]) -> Conversation:
    prompt, prompts, steps = "", 0, 0
    outputs: list[str] = []
    for item in _items(body.get("input")):
        kind, role = item.get("type", "message"), item.get("role")
        if kind in OUTPUTS:
            outputs.append(_text(item.get("output")))
        elif kind in CALLS or (kind == "message" and role == "assistant"):
            steps += 1
        elif kind == "message" and role == "user" and (text := _prompt(item.get("content"))):
            prompt, prompts, steps, outputs = text, prompts + 1, 0, []
    form = (body.get("text") or {}).get("format") or {}
    return Conversation(
        wire=Wire.RESPONSES,
        model=str(body.get("model", "")),
        session=str(body.get("prompt_cache_key") or headers.get("session_id") or headers.get("session-id") or ""),
        prompt=prompt,
        prompts=prompts,
        steps=steps,
        outputs=tuple(outputs),
        tools=tuple(tool for offered in body.get("tools") or [] for tool in _tools(offered)),
        schema=form.get("schema") if form.get("type") == "json_schema" else None,
        stream=bool(body.get("stream")),
        max_tokens=body.get("max_output_tokens"),
    )


def write(answer: Answer, conversation: Conversation, mark: str) -> dict[str, Any]:
    return {
        "id": f"resp_{mark}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": conversation.model,
        "output": [_item(answer, mark)],
        "parallel_tool_calls": False,
        "usage": _usage(answer.usage),
    }


def stream(answer: Answer, conversation: Conversation, mark: str) -> Iterator[Event]:
    response = write(answer, conversation, mark)
    opening = response | {"status": "in_progress", "output": [], "usage": None}
    numbers = count()

    def event(kind: str, **fields: Any) -> Event:
        return Event(kind, {"type": kind, "sequence_number": next(numbers), **fields})

    yield event("response.created", response=opening)
    yield event("response.in_progress", response=opening)
    item = response["output"][0]
    place = {"output_index": 0, "item_id": item["id"]}
    begun = item | {"status": "in_progress"} | ({"content": []} if "content" in item else {})
    yield event("response.output_item.added", output_index=0, item=begun)
    if "content" in item:
        part = item["content"][0]
        kind = part["type"]
        field = "refusal" if kind == "refusal" else "text"
        place |= {"content_index": 0}
        yield event("response.content_part.added", **place, part=part | {field: ""})
        yield event(f"response.{kind}.delta", **place, delta=part[field])
        yield event(f"response.{kind}.done", **place, **{field: part[field]})
        yield event("response.content_part.done", **place, part=part)
    elif "arguments" in item:
        yield event("response.function_call_arguments.delta", **place, delta=item["arguments"])
        yield event("response.function_call_arguments.done", **place, arguments=item["arguments"])
    yield event("response.output_item.done", output_index=0, item=item)
    yield event("response.completed", response=response)


def _item(answer: Answer, mark: str) -> dict[str, Any]:
    if not answer.call:
        part: dict[str, Any] = {"type": "output_text", "text": answer.text, "annotations": []}
        if answer.refused:
            part = {"type": "refusal", "refusal": answer.text}
        return {
            "type": "message",
            "id": f"msg_{mark}",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
    name, given = answer.call.tool.name, answer.call.input
    if answer.call.tool.kind == "local_shell":
        head = {"type": "local_shell_call", "id": f"lsh_{mark}", "call_id": f"call_{mark}"}
        return head | {"status": "completed", "action": given}
    head = {"type": "function_call", "id": f"fc_{mark}", "call_id": f"call_{mark}"}
    called = {"status": "completed", "name": name, "arguments": msgspec.json.encode(given).decode()}
    if group := answer.call.tool.group:
        called |= {"name": name.removeprefix(f"{group}__"), "namespace": group}
    return head | called


def _usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "input_tokens": tokens.input,
        "input_tokens_details": {"cached_tokens": tokens.cached},
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens.input + tokens.output,
    }


def _tools(offered: Mapping[str, Any]) -> Iterator[Tool]:
    """One, or those of a namespace, each by its own name behind that of the namespace."""
    kind = str(offered.get("type", "function"))
    name = str(offered.get("name") or kind)
    if kind != "namespace":
        yield Tool(name, offered.get("parameters") or {}, kind)
        return
    for inner in offered.get("tools") or []:
        yield Tool(f"{name}__{inner.get('name', '')}", inner.get("parameters") or {}, group=name)


def _items(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "message", "role": "user", "content": content}]
    return [item for item in content or [] if isinstance(item, dict)]


def _prompt(content: Any) -> str:
    parts = [content] if isinstance(content, str) else [str(part.get("text", "")) for part in content or []]
    return "\n".join(part for part in parts if is_prompt(part))


def _text(output: Any) -> str:
    if isinstance(output, list):
        return "\n".join(str(part.get("text", "")) for part in output)
    return str(output.get("content", "")) if isinstance(output, dict) else str(output or "")
