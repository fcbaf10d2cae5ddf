"""Over HTTP nobody is answered but who has the token, under this machine's own name, from no other page."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from autopilot.mcp_server.protection import Guard
from autopilot.web.protection import Address

# covers: CMD-MCP

HOST = "127.0.0.1:8788"
TOKEN = "right"
ALLOWED = {"host": HOST, "authorization": f"Bearer {TOKEN}"}


def status_of(headers: dict[str, str]) -> int:
    """200 where the application behind the guard was reached."""
    sent: list[Any] = []

    async def application(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": raw, "query_string": b""}
    asyncio.run(Guard(application, TOKEN, Address(frozenset({HOST})))(scope, receive, send))
    return int(sent[0]["status"])


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 200),
        ({"authorization": "bearer  right"}, 200),
        ({"origin": f"http://{HOST}"}, 200),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": "Bearer rïght"}, 401),
        ({"authorization": TOKEN}, 401),
        ({"authorization": ""}, 401),
        ({"host": "evil.example:8788"}, 421),
        ({"host": ""}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": f"https://{HOST}"}, 403),
    ],
)
def test_each_wall_stands_by_itself(changed: dict[str, str], status: int) -> None:
    assert status_of({**ALLOWED, **changed}) == status


def test_without_any_token_nothing_is_answered() -> None:
    assert status_of({"host": HOST}) == 401
