"""The scripted model server: a listener on 127.0.0.1 that leaves no threads or sockets when stopped."""

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

from autopilot.simulation.model_server.http_exchange import Exchange, ServerState
from autopilot.simulation.model_server.log import Request, RequestLog
from autopilot.simulation.model_server.player import Player
from autopilot.simulation.model_server.script import ModelScript

LOOPBACK = "127.0.0.1"


class ModelServer:
    """Serves from its construction until ``stop``; a context manager."""

    def __init__(self, script: ModelScript, log: Path | None = None, port: int = 0) -> None:
        self._log = RequestLog(log)
        self._listener = _Listener(ServerState(Player(script), self._log, threading.Event(), count(1)), port)
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
        """End every open answer and wait for its thread; may be called twice."""
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
    # Closing the listener waits for threads that are not daemons.
    daemon_threads = False
    request_queue_size = 64
    timeout = 0

    def __init__(self, state: ServerState, port: int) -> None:
        self.allow_reuse_address = port != 0  # a chosen port must be usable at once after a restart
        self.state = state
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._awake, self._wake = socket.socketpair()
        super().__init__((LOOPBACK, port), partial(Exchange, state=state))

    def serve(self) -> None:
        """Serve until ``end``; a socket pair wakes it at once, without polling."""
        while self._awake not in select.select([self.socket, self._awake], [], [])[0]:
            self.handle_request()
        self._awake.close()

    def end(self) -> None:
        self._wake.close()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def end_connections(self) -> None:
        """Close all connections: an idle client would block a thread."""
        self.state.stopping.set()
        with self._lock:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # already closed by the client
