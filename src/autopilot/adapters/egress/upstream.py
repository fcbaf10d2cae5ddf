"""A proxy of the user's own, as companies have it: allowed hosts are connected to through it."""

from __future__ import annotations

import base64
import socket
from collections.abc import Mapping
from urllib.parse import SplitResult, unquote, urlsplit

from autopilot.adapters.egress.dialing import Dial, connect_to_any, dial, resolve
from autopilot.model.egress import HostRule, Target, parse_address
from autopilot.model.errors import Unavailable

ANSWER_S = 20.0
MAX_ANSWER = 16 * 1024
END = b"\r\n\r\n"
HINT = 'unset the variable, or write egress = "open" for the agent and pass the variable with pass_env'


def choose_dial(environment: Mapping[str, str], direct: Dial = dial) -> Dial:
    """Through the proxy that the user's own variables name for TLS; directly where they name none, or except a host."""
    proxy = next((value for name in ("HTTPS_PROXY", "ALL_PROXY") if (value := _read(environment, name))), "")
    if not proxy:
        return direct
    excepted = [name.strip().lstrip("*.").lower() for name in _read(environment, "NO_PROXY").split(",")]

    def dial_through(target: Target, rule: HostRule) -> socket.socket:
        # An address of the settings is meant as it is written, in the user's own network.
        if parse_address(target.host) or any(_is_below(target.host, name) for name in excepted if name):
            return direct(target, rule)
        return connect_through(proxy, target)

    return dial_through


def connect_through(proxy: str, target: Target) -> socket.socket:
    """A tunnel. The name is resolved there, so which address it leads to is the proxy's to judge."""
    address = _parse(proxy)
    host, port = address.hostname or "", address.port or 80
    server = connect_to_any(resolve(host, port), port)
    try:
        server.settimeout(ANSWER_S)
        server.sendall(_render_request(target, address))
        answer = b""
        while END not in answer:
            # Byte by byte: what comes after the answer belongs to the client.
            data = server.recv(1)
            if not data or len(answer) > MAX_ANSWER:
                raise ConnectionAbortedError(103, "your proxy gave no answer")
            answer += data
        if answer.split(b" ", 2)[1:2] != [b"200"]:
            status = answer.partition(b"\r\n")[0].decode("ascii", "replace")[:80]
            raise ConnectionRefusedError(111, f"your proxy says {status!r}")
    except OSError:
        server.close()
        raise
    return server


def _render_request(target: Target, address: SplitResult) -> bytes:
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
    if address.username is not None:
        account = f"{unquote(address.username)}:{unquote(address.password or '')}"
        lines.append(f"Proxy-Authorization: Basic {base64.b64encode(account.encode()).decode()}")
    return "\r\n".join(lines).encode() + END


def _parse(proxy: str) -> SplitResult:
    try:
        address = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        address.port  # noqa: B018 -- raises ValueError for an invalid port
    except ValueError as error:
        raise Unavailable("the address of your proxy is malformed", HINT) from error
    if address.scheme != "http" or not address.hostname:
        raise Unavailable(f"your proxy is of the kind {address.scheme!r}, and only http is supported", HINT)
    return address


def _is_below(host: str, name: str) -> bool:
    return host == name or host.endswith(f".{name}")


def _read(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name) or environment.get(name.lower()) or ""
