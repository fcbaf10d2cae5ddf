"""Behind a proxy of the user's own: allowed hosts are reached through it, by name."""

from __future__ import annotations

import base64
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import pytest

from autopilot.adapters.egress.dialing import dial
from autopilot.adapters.egress.upstream import choose_dial
from autopilot.model.egress import HostRule, Target
from autopilot.model.errors import Unavailable
from tests.contract.egress.kit import LIMIT_S

# covers: T5.network

TARGET, RULE = Target("allowed.example", 443), HostRule("allowed.example")


@contextmanager
def company(answer: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """A proxy that gives everybody that answer, then repeats what it receives; its port and the requests to it."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client, suppress(ConnectionError):
                asked.append(client.recv(65536))
                client.sendall(answer)
                while data := client.recv(65536):
                    client.sendall(data)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1], asked


def connect(environment: Mapping[str, str]) -> bytes:
    """What a host behind the proxy repeats."""
    with choose_dial(environment)(TARGET, RULE) as client:
        client.settimeout(LIMIT_S)
        client.sendall(b"hello")
        return client.recv(100)


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
def test_an_allowed_host_is_reached_through_the_users_proxy(name: str) -> None:
    with company(b"HTTP/1.1 200 Connection established\r\n\r\n") as (port, asked):
        assert connect({name: f"http://127.0.0.1:{port}"}) == b"hello"
        assert asked == [b"CONNECT allowed.example:443 HTTP/1.1\r\nHost: allowed.example:443\r\n\r\n"]


def test_the_users_account_is_shown_to_the_proxy_alone() -> None:
    with company(b"HTTP/1.0 200 OK\r\nVia: x\r\n\r\nfirst words") as (port, asked):
        account = base64.b64encode(b"me:p@ss").decode()
        assert connect({"HTTPS_PROXY": f"http://me:p%40ss@127.0.0.1:{port}"}).startswith(b"first words")
        assert f"Proxy-Authorization: Basic {account}".encode() in asked[0]


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 407 Authenticate\r\n\r\n", b"garbage\r\n\r\n", b"\r\n\r\n", b"x" * 20_000]
)
def test_a_proxy_that_refuses_or_talks_nonsense_is_an_error(answer: bytes) -> None:
    with company(answer) as (port, _), pytest.raises(OSError, match="your proxy"):
        connect({"HTTPS_PROXY": f"http://127.0.0.1:{port}"})


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1080", "https://127.0.0.1:1", "http://", "http://x:99999"])
def test_a_proxy_of_another_kind_is_told_with_the_remedy(proxy: str) -> None:
    with pytest.raises(Unavailable) as raised:
        connect({"HTTPS_PROXY": proxy})
    assert 'egress = "open"' in raised.value.hint


def test_without_a_proxy_and_for_excepted_hosts_the_connection_is_direct() -> None:
    assert choose_dial({}) is dial
    direct: list[str] = []

    def note(target: Target, _rule: HostRule) -> socket.socket:
        direct.append(target.host)
        return socket.socket()

    chosen = choose_dial({"HTTPS_PROXY": "http://127.0.0.1:1", "NO_PROXY": "a.example, .allowed.example"}, note)
    for name in ("a.example", "x.allowed.example", "10.0.0.7"):
        chosen(Target(name, 443), RULE).close()
    assert direct == ["a.example", "x.allowed.example", "10.0.0.7"]
    with pytest.raises(ConnectionRefusedError):
        chosen(Target("other.example", 443), RULE)
