"""A collector of the test's own: takes what is posted to it at loopback, and decodes it by the protocol's messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Receiver:
    address: str = ""
    status: int = 200
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def spans(self) -> list[Any]:
        return [
            span
            for _, _, body in self.requests
            for group in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in group.scope_spans
            for span in scope.spans
        ]

    @property
    def latest(self) -> dict[bytes, Any]:
        """As a store that goes by ids would hold them."""
        return {span.span_id: span for span in self.spans}


def attributes_of(span: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in span.attributes}


@contextmanager
def receiving() -> Iterator[Receiver]:
    made = Receiver()

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            made.requests.append((self.path, headers, body))
            self.send_response(made.status)
            if made.status == 307:
                self.send_header("Location", f"{made.address}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    made.address = f"http://127.0.0.1:{server.server_address[1]}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
