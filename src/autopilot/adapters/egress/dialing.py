"""Connects to an allowed host: the name is resolved by us, and must not lead to a service of this machine."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from autopilot.model.egress import HostRule, Target, may_connect, parse_address
from autopilot.model.errors import Unavailable

CONNECT_S = 20.0  # for all addresses of a host together
MOST_ADDRESSES = 8

Resolve = Callable[[str, int], Sequence[str]]
Dial = Callable[[Target, HostRule], socket.socket]


def resolve(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def dial(target: Target, rule: HostRule, resolve: Resolve = resolve) -> socket.socket:
    """A connection, or OSError; Unavailable where no address of the host is allowed."""
    addresses = [target.host] if parse_address(target.host) else resolve(target.host, target.port)
    allowed = [address for address in addresses if may_connect(rule, address)][:MOST_ADDRESSES]
    if not allowed:
        found = f"is at {addresses[0]}, which is not a public address" if addresses else "has no address"
        private, local = f'hosts = ["{target}"]', f'hosts = ["127.0.0.1:{target.port}"]'
        raise Unavailable(f"{target.host} {found}", f"write {private} for a private host, {local} for this machine")
    connected = connect_to_any(allowed, target.port)
    if not parse_address(target.host) and is_own_address(connected):
        connected.close()
        raise Unavailable(
            f"{target.host} is this machine", f'write hosts = ["127.0.0.1:{target.port}"] if you mean that'
        )
    return connected


def is_own_address(connected: socket.socket) -> bool:
    """A machine that talks to itself does so from the address it talks to, a public one included."""
    return bool(connected.getsockname()[0] == connected.getpeername()[0])


def dial_local(port: int) -> socket.socket:
    """A port of this machine's own loopback."""
    return connect_to_any(("127.0.0.1", "::1"), port)


def connect_to_any(addresses: Sequence[str], port: int) -> socket.socket:
    deadline = time.monotonic() + CONNECT_S
    for address in addresses[:-1]:
        share_s = max(1.0, (deadline - time.monotonic()) / 2)
        with suppress(OSError):
            return socket.create_connection((address, port), timeout=share_s)
    return socket.create_connection((addresses[-1], port), timeout=max(1.0, deadline - time.monotonic()))
