"""The three protocols by their paths, and answers to side requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.simulation.model_server import chat, messages, responses
from autopilot.simulation.model_server.answer import Answer
from autopilot.simulation.model_server.conversation import Conversation, Wire
from autopilot.simulation.model_server.sse import Event


class Protocol(Struct, frozen=True):
    """How to read the requests of a protocol and write its answers, complete or as a stream."""

    wire: Wire
    read: Callable[[Mapping[str, Any], Mapping[str, str]], Conversation]
    write: Callable[[Answer, Conversation, str], dict[str, Any]]
    stream: Callable[[Answer, Conversation, str], Iterator[Event]]


PROTOCOLS = {
    "/v1/messages": Protocol(Wire.MESSAGES, messages.read, messages.write, messages.stream),
    "/v1/responses": Protocol(Wire.RESPONSES, responses.read, responses.write, responses.stream),
    "/v1/chat/completions": Protocol(Wire.CHAT, chat.read, chat.write, chat.stream),
}
# Clients of both vendors find their own fields in it.
MODELS = {
    "object": "list",
    "data": [
        {"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted", "owned_by": "autopilot"}
    ],
    "has_more": False,
}


def answer_side_request(conversation: Conversation) -> str:
    """The answer to a side request, matching its schema."""
    return "ok" if conversation.schema is None else msgspec.json.encode(_smallest_value(conversation.schema)).decode()


def fail_stream(error: dict[str, Any], mark: str) -> Iterator[bytes]:
    """The Responses protocol reports some failures only after the stream has begun."""
    response: dict[str, Any] = {
        "id": f"resp_{mark}",
        "object": "response",
        "status": "in_progress",
        "output": [],
        "error": None,
    }
    yield Event("response.created", {"type": "response.created", "sequence_number": 0, "response": response}).encode()
    failed = response | {"status": "failed", "error": {"code": error["code"], "message": error["message"]}}
    yield Event("response.failed", {"type": "response.failed", "sequence_number": 1, "response": failed}).encode()


def _smallest_value(schema: Mapping[str, Any]) -> Any:
    """The smallest value that matches a simple schema."""
    if choices := schema.get("enum"):
        return choices[0]
    match schema.get("type"):
        case "object":
            return {name: _smallest_value(part) for name, part in schema.get("properties", {}).items()}
        case "array":
            return []
        case "boolean":
            return False
        case "integer" | "number":
            return 0
        case "string":
            return "ok"
    return None
