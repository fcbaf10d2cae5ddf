"""The proxy of one agent's call: accepts what comes from its sandbox, and connects it to the hosts it may reach.

It lives in the driver and ends with the call. One thread accepts, another serves each connection. Their number, the
size of a request's head and every wait are bounded; whatever a client sends can end no more than its own connection.
"""

from __future__ import annotations

import os
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress

from autopilot.adapters.egress.body import Body
from autopilot.adapters.egress.client_hello import read_server_name
from autopilot.adapters.egress.dialing import Dial, dial, dial_local
from autopilot.adapters.egress.doorway import open_channel, receive_listeners
from autopilot.adapters.egress.request import END, MAX_HEAD, BadRequest, parse_request
from autopilot.adapters.egress.tunnel import carry, receive_head, receive_more
from autopilot.model.egress import DEFAULT_PORT, Egress, HostRule, Target, parse_address, parse_host
from autopilot.model.errors import Unavailable

MOST_CONNECTIONS = 64
MOST_REFUSED = 20  # hosts that are kept for the user
HEAD_S = 30.0
SEND_S = 10.0
CLOSE_S = 2.0
NAP_MS = 100  # while no further connection can be accepted
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class Proxy:
    def __init__(self, egress: Egress, dial: Dial = dial) -> None:
        self._egress = egress
        self._dial = dial
        self._stop_fd = -1
        self._guard = threading.Lock()
        self._serving: set[threading.Thread] = set()
        self._refused: dict[str, None] = {}
        self._attempts: dict[
            str, str
        ] = {}  # by host, why the last attempt to reach it came to nothing; "" if it did not
        self._thread: threading.Thread | None = None

    def start(self, lowest_fd: int = 0) -> int:
        """The number of the descriptor over which the sandbox sends us the sockets to listen on.

        It is for a child to inherit, and then to be closed by the caller.
        """
        channel, theirs = open_channel(lowest_fd)
        self._stop_fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._thread = threading.Thread(target=self._run, args=(channel,), name="proxy", daemon=True)
        self._thread.start()
        return theirs

    @property
    def refused(self) -> tuple[str, ...]:
        """Hosts that were asked for and are not allowed, each once, as the settings would name them."""
        with self._guard:
            return tuple(self._refused)

    @property
    def unreached(self) -> tuple[str, ...]:
        """Where no host could be reached in the end: those that were tried, each with the reason."""
        with self._guard:
            if not all(self._attempts.values()):
                return ()
            return tuple(f"{host} cannot be reached: {reason}" for host, reason in self._attempts.items())

    def close(self) -> None:
        """End every connection. One that waits for a name to be resolved ends after that, and is not waited for."""
        with self._guard:
            if self._stop_fd >= 0:
                os.eventfd_write(self._stop_fd, 1)
        if self._thread is not None:
            self._thread.join(CLOSE_S)

    def _run(self, channel: socket.socket) -> None:
        with ExitStack() as opened, suppress(OSError):
            opened.enter_context(channel)
            listeners = receive_listeners(channel, self._stop_fd)
            for listener in listeners:
                opened.enter_context(listener)
            self._accept(dict(self._meanings(listeners)))
        for thread in tuple(self._serving):
            thread.join()
        with self._guard:
            os.close(self._stop_fd)
            self._stop_fd = -1

    def _meanings(self, listeners: list[socket.socket]) -> Iterator[tuple[int, tuple[socket.socket, int | None]]]:
        """The first is the proxy's own, where there is one; the others stand for ports of this machine, if named.

        They come from inside: whatever sent them, a port that is not named is not connected.
        """
        own = listeners[:1] if self._egress.is_proxied else []
        for listener in listeners:
            if listener in own:
                yield listener.fileno(), (listener, None)
            elif (port := _port(listener)) in self._egress.local_ports:
                yield listener.fileno(), (listener, port)
            else:
                listener.close()

    def _accept(self, listeners: dict[int, tuple[socket.socket, int | None]]) -> None:
        """Until the proxy stops. At its limit it accepts nothing: further connections wait in the kernel's queue."""
        for listener, _ in listeners.values():
            listener.setblocking(False)
        must_nap = False
        while listeners:
            poll = select.poll()
            for number in (self._stop_fd, *(() if must_nap else listeners)):
                poll.register(number, select.POLLIN)
            ready = [number for number, _ in poll.poll(NAP_MS if must_nap else None)]
            if self._stop_fd in ready:
                return
            must_nap = not all(self._begin(*listeners[number]) for number in ready)
            must_nap = must_nap or len(self._serving) >= MOST_CONNECTIONS

    def _begin(self, listener: socket.socket, local_port: int | None) -> bool:
        """False when nothing could be accepted: the client is gone again, or no descriptor or thread is left for it."""
        try:
            client, _ = listener.accept()
        except OSError:
            return False
        thread = threading.Thread(target=self._serve, args=(client, local_port), name="proxied", daemon=True)
        self._serving.add(thread)
        try:
            thread.start()
        except RuntimeError:
            self._serving.discard(thread)
            client.close()
            return False
        return True

    def _serve(self, client: socket.socket, local_port: int | None) -> None:
        # A side that fails or goes away ends the connection, and nothing else.
        with ExitStack() as opened, suppress(OSError):
            opened.callback(self._serving.discard, threading.current_thread())
            opened.enter_context(client)
            reached = self._connect(client) if local_port is None else (dial_local(local_port), None)
            if reached is not None:
                server, body = reached
                carry(client, opened.enter_context(server), self._stop_fd, body=body)

    def _connect(self, client: socket.socket) -> tuple[socket.socket, Body | None] | None:
        """The connection that a request to the proxy asks for, and the rest of a plain request that goes there.

        None when the client has got an answer instead.
        """
        head, rest = receive_head(client, END, MAX_HEAD, self._stop_fd, HEAD_S)
        request = parse_request(head)
        if isinstance(request, BadRequest):
            _answer(client, "400 Bad Request", request.reason)
            return None
        try:
            server = self._reach(request.target)
        except Unavailable as refused:
            _answer(client, "403 Forbidden", f"{refused}; {refused.hint}")
            return None
        except OSError as error:
            _answer(client, "502 Bad Gateway", f"{request.target.host} cannot be reached: {error.strerror}")
            return None
        body = Body(request.length) if request.head else None
        try:
            if body is None:
                client.settimeout(SEND_S)
                client.sendall(ESTABLISHED)
                rest = self._check_greeting(client, request.target, rest)
            server.settimeout(SEND_S)
            server.sendall(request.head + (body.take(rest) if body else rest))
        except OSError:
            server.close()
            raise
        return server, body

    def _check_greeting(self, client: socket.socket, target: Target, received: bytes) -> bytes:
        """What the client says first, on the port of TLS: ConnectionError when it does not greet the host it asked for.

        On other ports anything may be spoken, and the server may have to begin.
        """
        if target.port != DEFAULT_PORT or parse_address(target.host) is not None:
            return received
        while (name := read_server_name(received)) is None:
            received += receive_more(client, self._stop_fd)
        host = parse_host(name)
        if host != target.host:
            if host is not None:
                self._note(Target(host, target.port))
            raise ConnectionRefusedError
        return received

    def _reach(self, target: Target) -> socket.socket:
        if self._egress.is_local(target):
            return dial_local(target.port)
        try:
            rule = self._egress.find_rule(target)
            if rule is None:
                wanted = HostRule(target.host, target.port)
                hint = f'its user can allow it in settings.toml: hosts = ["{wanted}"]'
                raise Unavailable(f"this agent may not reach {wanted}", hint)
            server = self._dial(target, rule)
        except Unavailable:
            self._note(target)
            raise
        except OSError as error:
            self._tried(target.host, error.strerror or str(error))
            raise
        self._tried(target.host, "")
        return server

    def _tried(self, host: str, problem: str) -> None:
        with self._guard:
            if host in self._attempts or len(self._attempts) < MOST_REFUSED:
                self._attempts[host] = problem

    def _note(self, refused: Target) -> None:
        with self._guard:
            if len(self._refused) < MOST_REFUSED:
                self._refused[str(HostRule(refused.host, refused.port))] = None


def _port(listener: socket.socket) -> int:
    """0 for a socket that has none."""
    is_of_network = listener.family in (socket.AF_INET, socket.AF_INET6)
    return int(listener.getsockname()[1]) if is_of_network else 0


def _answer(client: socket.socket, status: str, reason: str) -> None:
    body = f"Autopilot's proxy: {reason}\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}"
    client.settimeout(SEND_S)
    client.sendall(head.encode() + b"\r\nConnection: close" + END + body)
