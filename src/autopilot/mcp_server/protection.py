"""Who may talk to the server over HTTP: who has the token, under this machine's own name, from no other web page."""

from __future__ import annotations

import hashlib
import hmac

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from autopilot.web.protection import Address

NO_TOKEN = "This server belongs to whoever started `autopilot mcp --http`, which printed its token.\n"


class Guard:
    """Stands before the whole application; what it refuses reaches no route."""

    def __init__(self, application: ASGIApp, token: str, address: Address) -> None:
        self._application = application
        self._token = _digest(token)
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "lifespan"):
            return
        refusal = self._refuse(Headers(scope=scope)) if scope["type"] == "http" else None
        await (refusal or self._application)(scope, receive, send)

    def _refuse(self, headers: Headers) -> Response | None:
        if not self._address.allows_host(headers.get("host", "")):
            return PlainTextResponse("This server is not called that.\n", 421)
        origin = headers.get("origin")
        if origin is not None and not self._address.allows_origin(origin):
            return PlainTextResponse("No other page may call this server.\n", 403)
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not hmac.compare_digest(_digest(token.strip()), self._token):
            return PlainTextResponse(NO_TOKEN, 401, {"www-authenticate": "Bearer"})
        return None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
