"""A model for the Gemini CLI, which the scripted model server does not speak to: calls of tools, then one answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Called = tuple[str, dict[str, Any]]  # the end of a tool's name, and its arguments


class GeminiModel:
    def __init__(self, answer: str, calls: Sequence[Called] = ()) -> None:
        self.prompts: list[str] = []  # whole bodies of requests
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 1, "totalTokenCount": 11}
        prompts = self.prompts

        def reply(body: str) -> str:
            part = _next_call(json.loads(body), calls) or {"text": answer}
            said = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
            return json.dumps({"candidates": [said], "usageMetadata": usage})

        class Answering(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                prompts.append(self.rfile.read(int(self.headers.get("content-length", 0))).decode())
                text, is_stream = reply(prompts[-1]), "alt=sse" in self.path
                content = (f"data: {text}\r\n\r\n" if is_stream else text).encode()
                self.send_response(200)
                self.send_header("content-type", "text/event-stream" if is_stream else "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serving(self) -> Iterator[GeminiModel]:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()


def tools_of(body: dict[str, Any]) -> list[str]:
    return [each["name"] for tool in body.get("tools") or [] for each in tool.get("functionDeclarations") or []]


def outputs_of(body: dict[str, Any]) -> list[str]:
    """What the tools said that were called so far."""
    parts = [part for content in body.get("contents") or [] for part in content.get("parts") or []]
    return [json.dumps(part["functionResponse"]) for part in parts if "functionResponse" in part]


def _next_call(body: dict[str, Any], calls: Sequence[Called]) -> dict[str, Any] | None:
    done = len(outputs_of(body))
    if done >= len(calls):
        return None
    end, given = calls[done]
    named = [name for name in tools_of(body) if name.endswith(end)]
    return {"functionCall": {"name": named[0], "args": given}} if named else None
