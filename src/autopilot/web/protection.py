"""Who may talk to the page: the browser that was given the link, from the page itself, and nobody else.

A page elsewhere can make a browser send requests to this machine. It does not know the cookie, which is never sent from
another site; it cannot choose the name it calls this server by (DNS rebinding is known by the Host); and what it posts
says where it comes from.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "autopilot"
ENTRY = "/enter"
METRICS = "/metrics"
MOST_SESSIONS = 64
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # Without one, a form of this page would say that it comes from nowhere.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
NO_COOKIE = (
    "This page belongs to whoever started `autopilot web`.\n\n"
    "Open the link that the command printed. It works once; after each use the command prints the next one.\n"
)


class Address(Struct, frozen=True):
    """Where the page is reached: what a browser may call this server."""

    hosts: frozenset[str]  # with their ports, as a browser writes them
    scheme: str = "http"

    def allows_host(self, host: str) -> bool:
        return host.lower() in self.hosts

    def allows_origin(self, origin: str) -> bool:
        scheme, found, host = origin.partition("://")
        return bool(found) and scheme == self.scheme and self.allows_host(host)


class Entrance:
    """The link that is valid now, and the browsers that came in by earlier ones."""

    def __init__(self, announce: Callable[[str], None], scraper: str = "") -> None:
        """``scraper``: the token by which a program reads the figures, and nothing else; "" for none."""
        self._announce = announce
        self._token = secrets.token_urlsafe(32)
        self._scraper = _digest(scraper) if scraper else ""
        self._sessions: list[str] = []  # digests of cookies, so that nothing here lets anybody in

    def announce(self) -> None:
        self._announce(f"{ENTRY}?token={self._token}")

    def exchange(self, token: str) -> str | None:
        """A cookie for the token, once: a link in a history or a log lets nobody in later."""
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            return None
        self._token, cookie = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._sessions = [*self._sessions[1 - MOST_SESSIONS :], _digest(cookie)]
        self.announce()
        return cookie

    def knows_scraper(self, authorization: str) -> bool:
        kind, _, token = authorization.partition(" ")
        is_right = hmac.compare_digest(_digest(token.strip()), self._scraper)
        return bool(self._scraper) and kind.lower() == "bearer" and is_right

    def knows(self, cookie: str) -> bool:
        digest = _digest(cookie)
        return any(hmac.compare_digest(digest, known) for known in self._sessions)


class Guard:
    """Stands before the whole application; what it refuses reaches no route."""

    def __init__(self, application: ASGIApp, entrance: Entrance, address: Address) -> None:
        self._application = application
        self._entrance = entrance
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._application(scope, receive, send)
            return

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        answer = self._refuse(scope) or self._let_in(scope)
        await (answer or self._application)(scope, receive, send_protected)

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._address.allows_host(headers.get("host", "")):
            return PlainTextResponse("This server is not called that.\n", 421)
        if scope["method"] in ("GET", "HEAD"):
            return None
        if scope["method"] != "POST":
            return PlainTextResponse("This page only reads and posts.\n", 405)
        if not self._address.allows_origin(headers.get("origin", "")):
            return PlainTextResponse("Only this page itself may post to it.\n", 403)
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return PlainTextResponse("Only this page itself may post to it.\n", 403)
        return None

    def _let_in(self, scope: Scope) -> Response | None:
        if scope["path"] == ENTRY and scope["method"] == "GET":
            tokens = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=4).get("token", [""])
            cookie = self._entrance.exchange(tokens[0])
            if cookie is not None:
                return self._with_cookie(cookie, Headers(scope=scope)["host"])
        if scope["path"] == METRICS and self._entrance.knows_scraper(Headers(scope=scope).get("authorization", "")):
            return None
        if self._entrance.knows(_cookie_of(scope)):
            return RedirectResponse("/", 303) if scope["path"] == ENTRY else None
        return PlainTextResponse(NO_COOKIE, 403)

    def _with_cookie(self, cookie: str, host: str) -> Response:
        response = RedirectResponse("/", 303)
        name = cookie_name(host)
        is_safe = self._address.scheme == "https"
        response.set_cookie(name, cookie, httponly=True, samesite="strict", path="/", secure=is_safe)
        return response


def cookie_name(host: str) -> str:
    """Cookies do not know ports: two pages side by side would take each other's."""
    port = host.rpartition(":")[2]
    return f"{COOKIE}-{port}" if port.isdecimal() else COOKIE


def _cookie_of(scope: Scope) -> str:
    headers = Headers(scope=scope)
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    found = cookies.get(cookie_name(headers["host"]))
    return found.value if found else ""


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()
