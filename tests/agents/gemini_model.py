"""A model for the Gemini CLI, which the scripted model server does not speak to: it answers every prompt alike."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class GeminiModel:
    def __init__(self, answer: str) -> None:
        self.prompts: list[str] = []  # whole bodies of requests
        reply = {"content": {"role": "model", "parts": [{"text": answer}]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 1, "totalTokenCount": 11}
        text = json.dumps({"candidates": [reply], "usageMetadata": usage})
        prompts = self.prompts

        class Answering(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                prompts.append(self.rfile.read(int(self.headers.get("content-length", 0))).decode())
                is_stream = "alt=sse" in self.path
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
