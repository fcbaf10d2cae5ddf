"""Lines for settings.toml, worded so that the file is a whole one after they were put where the words say."""

from __future__ import annotations

import re

FILE = "your settings.toml"
BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_default(agent: str, *, there: bool, file: str = FILE) -> str:
    return _write("agents", f'default = "{agent}"', there, file)


def write_for_agent(name: str, line: str, *, there: bool, file: str = FILE) -> str:
    """``there``: the file has a table for this agent already, and a second one would spoil it."""
    key = name if BARE.fullmatch(name) else f'"{name}"'
    return _write(f"agent.{key}", line, there, file)


def _write(table: str, line: str, there: bool, file: str) -> str:
    """On one line, for errors are said on one; dotted keys count from the top only as long as no table has begun."""
    return f"write {line} below [{table}] in {file}" if there else f"write {table}.{line} at the top of {file}"
