"""A proxy on loopback, a host behind it that repeats what it receives, and a client that sends bytes as they are."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from autopilot.adapters.egress.dialing import Dial, dial
from autopilot.adapters.egress.proxy import Proxy
from autopilot.model.egress import Egress

LIMIT_S = 30.0


class Host:
    """Repeats what each connection sends, until that ends; ``received`` has all of it."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self.received: list[bytes] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=self._repeat, args=(self._server.accept()[0],), daemon=True).start()

    def _repeat(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            while data := client.recv(65536):
                self.received.append(data)
                client.sendall(data)

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()


@contextmanager
def host() -> Iterator[Host]:
    made = Host()
    try:
        yield made
    finally:
        made.close()


class Door:
    """A started proxy whose listening sockets are on this machine's own loopback."""

    def __init__(self, egress: Egress, dial: Dial = dial) -> None:
        self.proxy = Proxy(egress, dial)
        channel = socket.socket(fileno=self.proxy.start())
        listeners = [socket.create_server(("127.0.0.1", 0), backlog=256) for _ in range(1 + len(egress.local_ports))]
        self.port: int = listeners[0].getsockname()[1]
        socket.send_fds(channel, [b"."], [listener.fileno() for listener in listeners])
        for opened in (channel, *listeners):
            opened.close()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT_S)

    def ask(self, sent: bytes) -> bytes:
        """What comes back for these bytes until the proxy ends the connection."""
        with self.connect() as client:
            with suppress(ConnectionError):
                client.sendall(sent)
                client.shutdown(socket.SHUT_WR)
            return read_all(client)

    def status(self, sent: bytes) -> int:
        """The status of the answer; 0 when there is none."""
        answer = self.ask(sent)
        return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0


@contextmanager
def door(egress: Egress, dial: Dial = dial) -> Iterator[Door]:
    made = Door(egress, dial)
    try:
        yield made
    finally:
        made.proxy.close()


def greet(name: str | None) -> bytes:
    """The first message of a real TLS client that means to talk to that host."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    outgoing = ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname=name).do_handshake()
    return outgoing.read()


def read_all(client: socket.socket) -> bytes:
    received = b""
    with suppress(ConnectionError):
        while data := client.recv(65536):
            received += data
    return received


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
