"""The two ways to the server: this process's own input and output, or HTTP at loopback."""

from __future__ import annotations

import contextlib
import secrets
import sys

import anyio
from mcp.server.stdio import stdio_server

from autopilot.mcp_server.places import Places
from autopilot.mcp_server.protection import Guard
from autopilot.mcp_server.server import make_server
from autopilot.web.connections import serve_bounded
from autopilot.web.protection import Address
from autopilot.web.serving import LOOPBACK, listen

DEFAULT_PORT = 8788
LARGEST_REQUEST = 256 * 1024
MOST_SESSIONS = 32


def serve_stdio(places: Places, *, may_act: bool) -> int:
    """Until its input ends: whoever started it is gone then."""

    async def serve() -> None:
        server = make_server(places, may_act=may_act)
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())

    with contextlib.suppress(KeyboardInterrupt):
        anyio.run(serve)
    return 0


def serve_http(places: Places, port: int | None, *, may_act: bool) -> int:
    listener = listen(LOOPBACK, port, DEFAULT_PORT)
    chosen = listener.getsockname()[1]
    token = secrets.token_urlsafe(32)
    names = frozenset({f"{LOOPBACK}:{chosen}", f"localhost:{chosen}"})
    application = make_server(places, may_act=may_act).streamable_http_app(
        max_request_body_size=LARGEST_REQUEST, max_sessions=MOST_SESSIONS
    )
    sys.stdout.write(f"http://{LOOPBACK}:{chosen}/mcp\nAuthorization: Bearer {token}\n")
    sys.stdout.flush()
    sys.stderr.write("the token is valid until this server ends; Ctrl-C ends it, and runs go on without it\n")
    serve_bounded(Guard(application, token, Address(names)), listener, lifespan="on")
    return 0
