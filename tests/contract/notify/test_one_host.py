"""HTTP to one host, by all who use it: no redirection leads elsewhere, and no answer holds its reader up.

covers: NOTE, T1
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from urllib.request import ProxyHandler, build_opener

import pytest

from autopilot.adapters.forge.http_api import HttpApi
from autopilot.adapters.notify.webhook import Webhook
from autopilot.adapters.telemetry.otlp import Collector
from autopilot.model.errors import Unavailable
from tests.contract.notify.test_notifiers import NOTICE

TIMEOUT_S = 1.0
ENOUGH_S = 60.0  # for whoever waits for ever
CODES = (301, 302, 303, 307, 308)
USERS: dict[str, Callable[[str], object]] = {
    "forge": lambda url: HttpApi("Gitea", url, "s3cret-t0ken", "TOKEN", TIMEOUT_S).ask("POST", "/x", {}),
    "webhook": lambda url: Webhook(f"{url}/x", TIMEOUT_S).send(NOTICE),
    "collector": lambda url: Collector(url, {"X-Key": "s3cret-t0ken"}, "", TIMEOUT_S)._post(b"x"),
}


@contextmanager
def server(pieces: Sequence[bytes], pause_s: float = 0.0) -> Iterator[tuple[str, list[bytes]]]:
    """Sends these pieces to everyone who asks, each after a pause; told what it heard."""
    heard: list[bytes] = []
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError):
                while not ended.is_set():
                    connection, _ = listener.accept()
                    with connection, suppress(OSError):
                        heard.append(connection.recv(1 << 16))
                        for piece in pieces:
                            if ended.wait(pause_s):
                                return
                            connection.sendall(piece)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", heard
        ended.set()
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
    thread.join(ENOUGH_S)


@pytest.mark.parametrize("name", USERS)
@pytest.mark.parametrize("code", CODES)
def test_a_redirection_to_another_host_is_followed_by_nobody(name: str, code: int) -> None:
    with server([b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"]) as (other, heard_there):
        away = (
            f"HTTP/1.1 {code} Moved\r\nLocation: {other}/y\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
        )
        with server([away]) as (url, heard):
            with suppress(Unavailable):
                USERS[name](url)
            assert heard and not heard_there
            if code != 308:  # the control: Python's own opener goes there, by GET
                build_opener(ProxyHandler({})).open(f"{url}/x", timeout=ENOUGH_S).close()
                assert heard_there


def test_a_host_that_leads_on_and_on_is_left_soon() -> None:
    """Python follows ten times, each with the whole time for itself."""
    on = b"HTTP/1.1 307 On\r\nLocation: /y\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    with server([on]) as (url, heard):
        with pytest.raises(Unavailable):
            Webhook(f"{url}/x", TIMEOUT_S).send(NOTICE)
        assert len(heard) == 3


LONG = [b" "] * 1_000
DRIPS = {
    "in its headers": [b"HTTP/1.1 200 OK\r\nX:", *LONG],
    "in its first line": [b"HTTP/1.1 200 ", *LONG],
    "in its body": [b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", *LONG],
    "in a refusal": [b"HTTP/1.1 500 No\r\nContent-Length: 1000\r\n\r\n", *LONG],
}


@pytest.mark.parametrize("drip", DRIPS)
@pytest.mark.parametrize("name", USERS)
def test_a_host_that_sends_a_byte_now_and_then_holds_nobody_up(name: str, drip: str) -> None:
    """The control is Python's own client with the same limit, which is still reading then."""

    def ask() -> None:
        with suppress(Unavailable):
            USERS[name](url)

    def ask_plainly(other: str) -> None:
        with suppress(OSError):
            build_opener(ProxyHandler({})).open(other, timeout=TIMEOUT_S).read()

    with server(DRIPS[drip], TIMEOUT_S / 10) as (url, _), server(DRIPS["in its headers"], TIMEOUT_S / 10) as (other, _):
        ours, plain = (threading.Thread(target=each, daemon=True) for each in (ask, lambda: ask_plainly(other)))
        plain.start()
        ours.start()
        ours.join(ENOUGH_S)
        assert not ours.is_alive() and plain.is_alive()
