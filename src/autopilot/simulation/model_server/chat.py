"""OpenAI Chat Completions: reads requests and writes answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from autopilot.simulation.model_server.answer import Answer
from autopilot.simulation.model_server.conversation import Conversation, Tool, Wire, is_prompt
from autopilot.simulation.model_server.script import Tokens
from autopilot.simulation.model_server.sse import Event

END = Event("", "[DONE]")


def read(body: Mapping[str, Any], headers: Mapping[str, str]) -> Conversation:
    prompt, prompts, steps = "", 0, 0
    outputs: list[str] = []
    for message in body.get("messages", []):
        match message.get("role"):
            case "assistant":
                steps += 1
            case "tool":
                outputs.append("\n".join(_texts(message.get("content"))))
            case "user" if text := "\n".join(text for text in _texts(message.get("content")) if is_prompt(text)):
                prompt, prompts, steps, outputs = text, prompts + 1, 0, []
    form = body.get("response_format") or {}
    return Conversation(
        wire=Wire.CHAT,
        model=str(body.get("model", "")),
        session=headers.get("x-session-affinity") or headers.get("x-session-id") or "",
        prompt=prompt,
        prompts=prompts,
        steps=steps,
        outputs=tuple(outputs),
        tools=tuple(_tool(tool["function"]) for tool in body.get("tools") or [] if "function" in tool),
        schema=(form.get("json_schema") or {}).get("schema") if form.get("type") == "json_schema" else None,
        stream=bool(body.get("stream")),
        max_tokens=body.get("max_completion_tokens") or body.get("max_tokens"),
    )


def write(answer: Answer, conversation: Conversation, mark: str) -> dict[str, Any]:
    choice = {"index": 0, "message": _message(answer, mark), "finish_reason": _reason(answer), "logprobs": None}
    return _head(conversation, mark, "chat.completion") | {"choices": [choice], "usage": _usage(answer.usage)}


def stream(answer: Answer, conversation: Conversation, mark: str) -> Iterator[Event]:
    head = _head(conversation, mark, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], reason: str | None = None) -> Event:
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        return Event("", head | {"choices": [choice], "usage": None})

    yield chunk({"role": "assistant", "content": ""})
    message = _message(answer, mark)
    if answer.call:
        calls = [{"index": index, **call} for index, call in enumerate(message["tool_calls"])]
        yield chunk({"tool_calls": calls})
    else:
        key = "refusal" if answer.refused else "content"
        yield chunk({key: message[key]})
    yield chunk({}, _reason(answer))
    # Sent even if not requested: some clients read it without requesting it.
    yield Event("", head | {"choices": [], "usage": _usage(answer.usage)})
    yield END


def _head(conversation: Conversation, mark: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{mark}", "object": kind, "created": 0, "model": conversation.model}


def _message(answer: Answer, mark: str) -> dict[str, Any]:
    if answer.refused:
        return {"role": "assistant", "content": None, "refusal": answer.text}
    if not answer.call:
        return {"role": "assistant", "content": answer.text, "refusal": None}
    arguments = msgspec.json.encode(answer.call.input).decode()
    function = {"name": answer.call.tool.name, "arguments": arguments}
    call = {"id": f"call_{mark}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "refusal": None, "tool_calls": [call]}


def _reason(answer: Answer) -> str:
    if answer.refused:
        return "content_filter"
    return "tool_calls" if answer.call else "stop"


def _usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "prompt_tokens": tokens.input,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
    }


def _tool(function: Mapping[str, Any]) -> Tool:
    return Tool(str(function.get("name", "")), function.get("parameters") or {})


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [str(part["text"]) for part in content or [] if isinstance(part, dict) and "text" in part]
