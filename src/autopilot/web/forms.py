"""What a form of the page sent, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.requests import Request

from autopilot.model.errors import UsageError

LARGEST = 64 * 1024
MOST_FIELDS = 200
PATIENCE_S = 10.0


async def read_form(request: Request) -> Mapping[str, str]:
    """Each field once, its last value; UsageError for what no form of this page sends."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
        raise UsageError("that was not sent by a form of this page", "use the buttons of the page")
    try:
        async with asyncio.timeout(PATIENCE_S):
            body = await _read_body(request)
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except (TimeoutError, ValueError) as error:
        raise UsageError("what the form sent could not be read", "send it once more") from error
    return {name: values[-1] for name, values in fields.items()}


async def _read_body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise UsageError(f"the text is longer than {LARGEST // 1024} KB", "shorten it; a file can hold the rest")
    return body
