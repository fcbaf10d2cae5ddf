"""Instructions for settings.toml that keep the file valid TOML when the user follows them."""

from __future__ import annotations

import re

FILE = "your settings.toml"
BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_default(agent: str, *, has_table: bool, file: str = FILE) -> str:
    return _write("agents", f'default = "{agent}"', has_table, file)


def write_for_agent(name: str, line: str, *, has_table: bool, file: str = FILE) -> str:
    """``has_table``: the file has a table for this agent already, and a second one would make it invalid."""
    key = name if BARE.fullmatch(name) else f'"{name}"'
    return _write(f"agent.{key}", line, has_table, file)


def _write(table: str, line: str, has_table: bool, file: str) -> str:
    """On one line, as error messages are; dotted keys count from the top only as long as no table has begun."""
    return f"write {line} below [{table}] in {file}" if has_table else f"write {table}.{line} at the top of {file}"
