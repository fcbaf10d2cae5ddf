"""``project.visual_testing`` of the configuration, as the sources have it, and what is ours besides."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from autopilot.model.visual.subject import Region, Route, Scheme, Viewport, VisualTesting
from autopilot.planning.config.reader import Reader

TABLE = ("project", "visual_testing")
KEYS = (
    *("enabled", "framework", "launch_command", "launch_wait_ms", "base_url", "screenshot_dir", "routes", "viewport"),
    *("headless", "viewports", "color_schemes", "ignore"),
)
LOOPBACK = ("localhost", "127.0.0.1", "::1")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")
MOST_ROUTES = 100
MOST_VIEWPORTS = 8
LARGEST = 4096
LONGEST_WAIT_MS = 30_000
LONGEST_READY_S = 300.0
SKIPPED = "nothing is looked at"


def read_visual(reader: Reader) -> VisualTesting | None:
    """None where it says nothing, or not enough; then the complaint says what is missing."""
    if not reader.mapping(*TABLE):
        return None
    routes = _routes(reader)
    launch, base = reader.text(*TABLE, "launch_command"), reader.text(*TABLE, "base_url")
    missing = "routes" if not routes else ""
    if any(route.path for route in routes):
        missing = missing or ("launch_command" if not launch else "base_url" if not base else "")
    if missing:
        reader.complain(f"has no `{missing}`: {SKIPPED}", *TABLE)
        return None
    if base and not _is_ours(base):
        reader.complain(f"is `{base}`, not http://localhost with a port from 1024 on: {SKIPPED}", *TABLE, "base_url")
        return None
    wait_s = reader.number(*TABLE, "launch_wait_ms") / 1000
    return VisualTesting(
        enabled=reader.flag(True, *TABLE, "enabled"),
        launch_command=launch,
        ready_s=min(LONGEST_READY_S, max(VisualTesting().ready_s, wait_s)),
        base_url=base,
        routes=routes,
        viewports=_viewports(reader),
        schemes=_schemes(reader),
        ignore=reader.texts(*TABLE, "ignore"),
    )


def _is_ours(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and parts.hostname in LOOPBACK and (parts.port or 0) >= 1024
    except ValueError:  # a port that is no number
        return False


def _routes(reader: Reader) -> tuple[Route, ...]:
    written: Any = reader.mapping(*TABLE).get("routes")
    if written is not None and not isinstance(written, list):
        reader.complain("is not a list of routes: ignored", *TABLE, "routes")
    found: dict[str, Route] = {}
    for number, entry in enumerate(written if isinstance(written, list) else (), 1):
        route = _route(entry)
        if isinstance(route, str):
            reader.complain(f"has {route} in entry {number}: left out", *TABLE, "routes")
        elif route.name in found:
            reader.complain(f"names `{route.name}` twice: the second is left out", *TABLE, "routes")
        else:
            found[route.name] = route
    if len(found) > MOST_ROUTES:
        reader.complain(f"has more than {MOST_ROUTES} entries: the rest is left out", *TABLE, "routes")
    return tuple(found.values())[:MOST_ROUTES]


def _route(entry: Any) -> Route | str:
    """Or what is wrong with it."""
    if not isinstance(entry, dict):
        return "no object"
    name, path, command = (entry.get(key, "") for key in ("name", "path", "command"))
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return "no `name` of letters, digits, - _ and ."
    if not isinstance(path, str) or not isinstance(command, str) or bool(path) == bool(command):
        return "neither a `path` nor a `command`, or both"
    if path and not path.startswith("/"):
        return f"the path `{path}`, which does not begin with /"
    keys, wait = entry.get("keys", ""), entry.get("wait_ms", 0)
    ignored = entry.get("ignore", [])
    if not isinstance(keys, str) or type(wait) is not int or not 0 <= wait <= LONGEST_WAIT_MS:
        return f"`keys` that are no string, or a `wait_ms` that is not from 0 to {LONGEST_WAIT_MS}"
    regions = (
        [_region(region) for region in ignored if not isinstance(region, str)] if isinstance(ignored, list) else None
    )
    if regions is None or None in regions:
        return "an `ignore` that is no list of selectors and regions"
    selectors = tuple(word for word in ignored if isinstance(word, str))
    return Route(name, path, command, keys, wait, selectors, tuple(r for r in regions if r is not None))


def _region(written: Any) -> Region | None:
    sides: list[Any] = [written.get(key) for key in ("x", "y", "width", "height")] if isinstance(written, dict) else []
    return Region(*sides) if sides and all(type(side) is int and side >= 0 for side in sides) else None


def _viewports(reader: Reader) -> tuple[Viewport, ...]:
    table: dict[str, Any] = reader.mapping(*TABLE)
    key = "viewports" if table.get("viewports") else "viewport"
    written = table.get(key)
    if written is None:
        return (Viewport(),)
    entries = written if isinstance(written, list) else [written]
    found = [_viewport(entry) for entry in entries]
    if not found or None in found or len(found) > MOST_VIEWPORTS:
        form = f'1 to {MOST_VIEWPORTS} of {{"width": 390, "height": 844}}, up to {LARGEST}'
        reader.complain(f"is not {form}: {Viewport()} is used", *TABLE, key)
        return (Viewport(),)
    return tuple(dict.fromkeys(viewport for viewport in found if viewport is not None))


def _viewport(written: Any) -> Viewport | None:
    sides: list[Any] = [written.get(key) for key in ("width", "height")] if isinstance(written, dict) else []
    return Viewport(*sides) if sides and all(type(s) is int and 100 <= s <= LARGEST for s in sides) else None


def _schemes(reader: Reader) -> tuple[Scheme, ...]:
    found = []
    for word in reader.texts(*TABLE, "color_schemes"):
        if word in tuple(Scheme):
            found.append(Scheme(word))
        else:
            reader.complain(f"has `{word}`, not one of {', '.join(Scheme)}: left out", *TABLE, "color_schemes")
    return tuple(dict.fromkeys(found)) or (Scheme.LIGHT,)
