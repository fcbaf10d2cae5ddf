"""``autopilot mcp``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.model.errors import Unavailable, UsageError
from autopilot.settings.own_sandbox import is_inside

INSTALL = (
    "install it with `pip install 'autopilot-roadmap[mcp]'`, "
    "or where pipx installed it: `pipx inject autopilot-roadmap mcp`"
)
NEEDED = (
    *("mcp", "mcp_types", "pydantic", "pydantic_core", "anyio", "starlette", "uvicorn", "h11", "httpx2", "jsonschema"),
    *("opentelemetry", "jwt", "cryptography", "sse_starlette", "python_multipart", "typing_extensions"),
)


def main(options: argparse.Namespace) -> int:
    if is_inside():
        wrong = "this is one of Autopilot's own sandboxes, and no agent in one steers the program that checks it"
        raise Unavailable(wrong, "start it outside, on the user's own machine")
    if options.port is not None and not options.http:
        raise UsageError("--port goes with --http", "without --http the server talks over its input and output")
    try:
        from autopilot.mcp_server.serving import serve_http, serve_stdio
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        raise Unavailable(
            f"tools by MCP need a package that is not installed ({error.name} is missing)", INSTALL
        ) from error
    from autopilot.mcp_server.places import Places

    places = Places([Path(folder) for folder in options.repositories] or [Path.cwd()])
    may_act = not options.read_only
    return serve_http(places, options.port, may_act=may_act) if options.http else serve_stdio(places, may_act=may_act)
