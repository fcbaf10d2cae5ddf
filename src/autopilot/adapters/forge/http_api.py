"""JSON over HTTP to one host: a token goes nowhere else, an answer is bounded, nothing is followed."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping
from email.message import Message
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import msgspec
from msgspec import Struct

from autopilot.adapters.forge.rest import Answer
from autopilot.adapters.notify.loopback import is_loopback
from autopilot.model.errors import Unavailable

TIMEOUT_S = 30.0
MOST = 4 << 20  # bytes of an answer
MOST_COMPLAINT = 10_000


class _Complaint(Struct, frozen=True):
    message: str = ""


class HttpApi:
    def __init__(self, name: str, root: str, token: str, token_name: str, timeout_s: float = TIMEOUT_S) -> None:
        """``root``: where the API begins. ``token_name``: the variable that the token stands in."""
        self.name = name
        self._root = root.rstrip("/")
        self._token = token
        self._token_name = token_name
        self._timeout_s = timeout_s
        direct = (ProxyHandler({}),) if is_loopback(urlsplit(root).hostname or "") else ()
        self._opener = build_opener(_NoRedirect, *direct)

    def check(self) -> None:
        if not self._token:
            hint = f"Make a token there, and export it as {self._token_name}."
            raise Unavailable(f"{self._token_name} is not set: {self.name} asks for a token", hint)

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Answer:
        self.check()
        headers = {"Authorization": f"token {self._token}", "Accept": "application/json", "User-Agent": "autopilot"}
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = Request(f"{self._root}{path}", content, headers, method=method)
        host, deadline = urlsplit(self._root).hostname, time.monotonic() + self._timeout_s
        try:
            with self._opener.open(request, timeout=self._timeout_s) as answer:
                return Answer(answer.status, self._read(answer, MOST, deadline))
        except HTTPError as error:
            with error:
                return Answer(error.code, b"", _complaint(self._read(error, MOST_COMPLAINT, deadline)))
        except (URLError, http.client.HTTPException, OSError, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            hint = "Look at url below [forge] in your settings.toml, and at the network."
            raise Unavailable(f"{host} could not be asked ({type(reason).__name__})", hint) from None

    def _read(self, stream: IO[bytes] | http.client.HTTPResponse, most: int, deadline: float) -> bytes:
        """A server that sends a byte now and then would keep each single read alive."""
        pieces, size = [], 0
        while piece := stream.read(min(1 << 16, most + 1 - size)):
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise Unavailable(f"{self.name} sent more than {most:,} bytes", "Look at what answers there.")
            if time.monotonic() > deadline:
                raise Unavailable(
                    f"{self.name} did not end its answer in {self._timeout_s:g} s", "Look at the network."
                )
        return b"".join(pieces)


class _NoRedirect(HTTPRedirectHandler):
    """The API of a forge leads nowhere else; who does would get the token."""

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,  # noqa: ARG002 -- the server's own words
        headers: Message,
        newurl: str,  # noqa: ARG002 -- it is not followed
    ) -> Request | None:
        raise HTTPError(req.full_url, code, "it leads elsewhere, and is not followed", headers, fp)


def _complaint(content: bytes) -> str:
    try:
        return msgspec.json.decode(content, type=_Complaint).message
    except (msgspec.MsgspecError, RecursionError):
        return ""
