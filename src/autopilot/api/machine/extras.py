"""The optional parts of the package: what each is for, and whether what it needs is installed."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from collections.abc import Mapping, Sequence

DISTRIBUTION = "autopilot-roadmap"
# By extra: what it is for, and the modules that come with it.
EXTRAS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "web": ("the page of `autopilot web`", ("jinja2", "markdown_it", "starlette", "uvicorn")),
    "visual": ("looking at user interfaces", ("playwright", "pyte")),
    "mcp": ("tools for the agent you talk to, by `autopilot mcp`", ("mcp",)),
    "acp": ("agents that speak ACP: OpenCode, Gemini and others", ("acp",)),
    "map": ("more languages in the map of the code", ("tree_sitter_java", "tree_sitter_c", "tree_sitter_php")),
}
_EXTRA = re.compile(r"""^([^;]{1,200});\s{0,9}extra\s{0,9}==\s{0,9}["']([\w-]{1,50})["']$""")


def find_missing(extra: str) -> tuple[str, ...]:
    """The modules of an extra that cannot be imported; none of them is."""
    return tuple(module for module in EXTRAS[extra][1] if importlib.util.find_spec(module) is None)


def read_requirements(extra: str) -> Sequence[str]:
    """What the installed package says that the extra needs; nothing where it runs from its sources."""
    try:
        required = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return ()
    return parse_requirements(required, extra)


def parse_requirements(required: Sequence[str], extra: str) -> Sequence[str]:
    found = (_EXTRA.match(line) for line in required)
    return tuple(match[1].strip() for match in found if match and match[2] == extra)
