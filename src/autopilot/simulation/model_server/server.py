"""The scripted model server: one process-local listener on 127.0.0.1, and nothing of it left when it has stopped."""

from __future__ import annotations

import select
import socket
import threading
from functools import partial
from itertools import count
from pathlib import Path
from socketserver import TCPServer, ThreadingMixIn
from types import TracebackType
from typing import Any, Self

from autopilot.simulation.model_server.exchange import Exchange, Stage
from autopilot.simulation.model_server.log import Request, RequestLog
from autopilot.simulation.model_server.playing import Player
from autopilot.simulation.model_server.script import ModelScript

LOOPBACK = "127.0.0.1"


class ModelServer:
    """Serves from its making until ``stop``; a context manager that stops at its end."""

    def __init__(self, script: ModelScript, log: Path | None = None, port: int = 0) -> None:
        self._log = RequestLog(log)
        self._listener = _Listener(Stage(Player(script), self._log, threading.Event(), count(1)), port)
        self._thread = threading.Thread(target=self._listener.serve, name="model-server")
        self._thread.start()

    @property
    def url(self) -> str:
        """Without ``/v1``."""
        return f"http://{LOOPBACK}:{self._listener.server_address[1]}"

    @property
    def requests(self) -> list[Request]:
        return self._log.all()

    def stop(self) -> None:
        """End every answer under way and wait for its thread; safe to call twice."""
        self._listener.end()
        self._thread.join()
        self._listener.end_connections()
        self._listener.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _Listener(ThreadingMixIn, TCPServer):
    # Threads that are not daemons are waited for when the listener closes.
    daemon_threads = False
    request_queue_size = 64
    timeout = 0

    def __init__(self, stage: Stage, port: int) -> None:
        self.allow_reuse_address = port != 0  # one that was chosen is wanted again at once after a restart
        self.stage = stage
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()
        self._awake, self._wake = socket.socketpair()
        super().__init__((LOOPBACK, port), partial(Exchange, stage=stage))

    def serve(self) -> None:
        """Until ``end``, which is noticed at once and not at the next look at a flag."""
        while self._awake not in select.select([self.socket, self._awake], [], [])[0]:
            self.handle_request()
        self._awake.close()

    def end(self) -> None:
        self._wake.close()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._guard:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._guard:
            self._open.discard(request)
        super().shutdown_request(request)

    def end_connections(self) -> None:
        """A client that keeps its side open would otherwise hold a thread in a read."""
        self.stage.stopping.set()
        with self._guard:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the other side has left already
