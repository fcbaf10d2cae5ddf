"""Anthropic Messages: reads requests and writes answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from autopilot.simulation.model_server.answer import Answer
from autopilot.simulation.model_server.conversation import Conversation, Tool, Wire, is_prompt
from autopilot.simulation.model_server.script import Tokens
from autopilot.simulation.model_server.sse import Event


def read(body: Mapping[str, Any], headers: Mapping[str, str]) -> Conversation:
    prompt, prompts, steps = "", 0, 0
    outputs: list[str] = []
    failed = False
    for message in body.get("messages", []):
        blocks = _blocks(message.get("content"))
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if message.get("role") == "assistant":
            steps += 1
            continue
        if results:
            outputs += [_text(_blocks(result.get("content"))) for result in results]
            failed = bool(results[-1].get("is_error"))
        # Some agents add messages with a system role; a resuming one sends its prompt together with tool output.
        if message.get("role") == "user" and (text := _prompt(blocks)):
            prompt, prompts, steps, outputs, failed = text, prompts + 1, 0, [], False
    form = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    return Conversation(
        wire=Wire.MESSAGES,
        model=str(body.get("model", "")),
        session=headers.get("x-claude-code-session-id") or str((body.get("metadata") or {}).get("user_id", "")),
        prompt=prompt,
        prompts=prompts,
        steps=steps,
        outputs=tuple(outputs),
        last_failed=failed,
        tools=tuple(Tool(t["name"], t.get("input_schema", {})) for t in body.get("tools") or [] if "name" in t),
        schema=form.get("schema"),
        stream=bool(body.get("stream")),
        max_tokens=body.get("max_tokens"),
    )


def write(answer: Answer, conversation: Conversation, mark: str) -> dict[str, Any]:
    return {
        "id": f"msg_{mark}",
        "type": "message",
        "role": "assistant",
        "model": conversation.model,
        "content": [_block(answer, mark)],
        "stop_reason": _reason(answer),
        "stop_sequence": None,
        "usage": _usage(answer.usage),
    }


def stream(answer: Answer, conversation: Conversation, mark: str) -> Iterator[Event]:
    response = write(answer, conversation, mark)
    opening = response | {"content": [], "stop_reason": None, "usage": response["usage"] | {"output_tokens": 1}}
    yield _event("message_start", message=opening)
    yield _event("ping")
    block = response["content"][0]
    if answer.call:
        yield _event("content_block_start", index=0, content_block=block | {"input": {}})
        text = msgspec.json.encode(answer.call.input).decode()
        yield _event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": text})
    else:
        yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        yield _event("content_block_delta", index=0, delta={"type": "text_delta", "text": answer.text})
    yield _event("content_block_stop", index=0)
    end = {"stop_reason": response["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=end, usage=response["usage"])
    yield _event("message_stop")


def _event(kind: str, **fields: Any) -> Event:
    return Event(kind, {"type": kind, **fields})


def _block(answer: Answer, mark: str) -> dict[str, Any]:
    if answer.call:
        return {"type": "tool_use", "id": f"toolu_{mark}", "name": answer.call.tool.name, "input": answer.call.input}
    return {"type": "text", "text": answer.text}


def _reason(answer: Answer) -> str:
    if answer.refused:
        return "refusal"
    return "tool_use" if answer.call else "end_turn"


def _usage(tokens: Tokens) -> dict[str, int]:
    """In this protocol, input excludes cached tokens."""
    return {
        "input_tokens": tokens.input - tokens.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": tokens.cached,
        "output_tokens": tokens.output,
    }


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content or [] if isinstance(block, dict)]


def _prompt(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(block["text"] for block in blocks if block.get("type") == "text" and is_prompt(block["text"]))


def _text(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(str(block["text"]) for block in blocks if "text" in block)
