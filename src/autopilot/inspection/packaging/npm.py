"""What `npm publish` packs: the list `files` of package.json, and what it always packs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Any

_ALWAYS = re.compile(r"(?:package\.json|(?:readme|licen[cs]e|copying)(?:\.[^/]*)?)", re.IGNORECASE)


def read_npm(text: str) -> Callable[[str], bool | None] | None:
    """None for a package that is not published, or that names no files: then nearly all are packed."""
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        return None
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, list) or not files or manifest.get("private") is True:
        return None
    patterns = [_tidy(entry) for entry in files if isinstance(entry, str)]
    started = {_tidy(path) for path in _started(manifest)}
    starting = {path for name in started for path in (name, f"{name}.js", f"{name}/index.js")}

    def holds(path: str) -> bool:
        if _ALWAYS.fullmatch(path) or path in starting:
            return True
        left_out = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
        return any(_covers(p, path) for p in patterns if not p.startswith("!")) and not any(
            _covers(_tidy(p), path) for p in left_out
        )

    return holds


def _started(manifest: dict[str, Any]) -> Iterable[str]:
    main, bins = manifest.get("main", "index.js"), manifest.get("bin")
    yield from (path for path in (main, bins) if isinstance(path, str))
    if isinstance(bins, dict):
        yield from (path for path in bins.values() if isinstance(path, str))


def _tidy(entry: str) -> str:
    return entry.removeprefix("./").removeprefix("/").removesuffix("/**").removesuffix("/*").removesuffix("/")


def _covers(pattern: str, path: str) -> bool:
    """A star reaches into folders here: what is doubtful is held."""
    if pattern in ("", "*", ".", "**"):
        return True
    return path == pattern or path.startswith(f"{pattern}/") or fnmatchcase(path, pattern.replace("**/", "*"))
