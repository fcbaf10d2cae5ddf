"""HTTP to the one host that the user's settings name: no other is asked in its place, and every answer ends."""

from __future__ import annotations

import http.client
import io
import socket
import time
from email.message import Message
from typing import IO, Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    ProxyHandler,
    Request,
    build_opener,
)

from autopilot.adapters.http.loopback import is_loopback
from autopilot.model.errors import Unavailable


class Answered(NamedTuple):
    status: int
    reason: str  # the host's own words, or why a redirection was not followed
    content: bytes = b""


class OneHost:
    """Whatever is said of an address names its host alone: the rest may be a secret."""

    def __init__(self, address: str, timeout_s: float, failure: str, hint: str, *, follows: bool = False) -> None:
        """``failure``: what is said of a host that cannot be reached, with ``{}`` in its place. ``follows``: to another
        path of the same place; what is sent there is the same."""
        self.name = urlsplit(address).hostname or ""
        self._timeout_s = timeout_s
        self._failure = failure.format(self.name)
        self._hint = hint
        # A proxy has no business between this machine and itself.
        direct = (ProxyHandler({}),) if is_loopback(self.name) else ()
        self._opener = build_opener(_SamePlace if follows else _NowhereElse, _Plain, _Secure, *direct)

    def send(self, request: Request, most: int = 0) -> Answered:
        """With at most ``most`` bytes of what it answers, and one more, to be seen as too many."""
        try:
            return self._send(request, most)
        except (URLError, http.client.HTTPException, OSError, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise Unavailable(f"{self._failure} ({type(reason).__name__})", self._hint) from None

    def _send(self, request: Request, most: int) -> Answered:
        try:
            with self._opener.open(request, timeout=self._timeout_s) as answer:
                return Answered(answer.status, answer.reason, answer.read(most + 1) if most else b"")
        except HTTPError as error:
            with error:
                return Answered(error.code, str(error.reason), error.read(most + 1) if most else b"")


class _NowhereElse(HTTPRedirectHandler):
    """Who points elsewhere would have what is sent, a token with it."""

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,  # noqa: ARG002 -- the server's own words
        headers: Message,
        newurl: str,  # noqa: ARG002 -- not followed, wherever it leads
    ) -> Request | None:
        raise HTTPError(req.full_url, code, "it leads elsewhere, and is not followed", headers, fp)

    http_error_308 = HTTPRedirectHandler.http_error_302


class _SamePlace(_NowhereElse):
    max_repeats = max_redirections = 2  # each has the whole time for itself

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,  # noqa: ARG002 -- the server's own words
        headers: Message,
        newurl: str,
    ) -> Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if (old.scheme, old.netloc) != (new.scheme, new.netloc):
            raise HTTPError(req.full_url, code, "it leads to another host, and is not followed", headers, fp)
        return Request(newurl, req.data, dict(req.header_items()), method=req.get_method())


class _Timed(io.RawIOBase):
    """What a host sends until a moment: one that sends a byte now and then would keep each single read alive."""

    def __init__(self, stream: Any, connection: socket.socket, until: float) -> None:
        self._stream, self._connection, self._until = stream, connection, until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left_s = self._until - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("it did not end its answer in time")
        self._connection.settimeout(left_s)
        read: int | None = self._stream.readinto(buffer)
        return read

    def close(self) -> None:
        self._stream.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """With the time that one read may take for all of them together, the headers among them."""

    def __init__(self, sock: socket.socket, *arguments: Any, **named: Any) -> None:
        super().__init__(sock, *arguments, **named)
        until = time.monotonic() + (sock.gettimeout() or 0)
        self.fp = io.BufferedReader(_Timed(self.fp.detach(), sock, until))


class _PlainConnection(http.client.HTTPConnection):
    response_class = _Response


class _SecureConnection(http.client.HTTPSConnection):
    response_class = _Response


class _Plain(HTTPHandler):
    def http_open(self, req: Request) -> http.client.HTTPResponse:
        return self.do_open(_PlainConnection, req)


class _Secure(HTTPSHandler):
    def https_open(self, req: Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req)
