"""A server within bounds: so many connections at once, and none that takes for ever to say what it wants."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Literal

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 200
AT_ONCE = 64  # taken in one go, before any of them is counted
PATIENCE_S = 10.0  # from the connection to the end of its first request's head


def serve_bounded(
    application: ASGIApp,
    listener: socket.socket,
    *,
    lifespan: Literal["on", "off"] = "off",
    certificate: str = "",
    key: str = "",
) -> None:
    """Serve until Ctrl-C; nothing is printed."""
    config = uvicorn.Config(
        application,
        http=BoundedProtocol,
        ws="none",
        lifespan=lifespan,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        limit_concurrency=MOST,
        backlog=AT_ONCE,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16 * 1024,
        ssl_certfile=certificate or None,
        ssl_keyfile=key or None,
        proxy_headers=False,
    )
    with contextlib.closing(listener), contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


class BoundedProtocol(H11Protocol):
    """What is too much is closed before it costs anything: the run beside it must not notice."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        if len(self.connections) >= MOST:
            transport.abort()
            self.transport = transport
            return
        super().connection_made(transport)
        self._deadline = self.loop.call_later(PATIENCE_S, self._give_up)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None:
            self._cancel_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        if self in self.connections:
            super().connection_lost(exc)

    def _give_up(self) -> None:
        self.transport.abort()

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
