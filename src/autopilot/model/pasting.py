"""Instructions for settings.toml that keep the file valid TOML when the user follows them."""

from __future__ import annotations

import re

from msgspec import Struct

FILE = "your settings.toml"
BARE = re.compile(r"[A-Za-z0-9_-]+")
HEADER = re.compile(r"^[ \t]*\[([^\[\]\n]{1,200})\]", re.MULTILINE)


class Written(Struct, frozen=True):
    """The file, and the tables that it opens with a line of their own; None where that is not known."""

    path: str = FILE
    headers: frozenset[str] | None = None


ANY_FILE = Written()


def find_headers(text: str) -> frozenset[str]:
    """Dotted keys open a table too, but a line of its own would then open it twice."""
    return frozenset(re.sub(r'"([A-Za-z0-9_-]+)"', r"\1", "".join(found[1].split())) for found in HEADER.finditer(text))


def write_default(agent: str, written: Written = ANY_FILE) -> str:
    return _write("agents", f'default = "{agent}"', written)


def write_for_agent(name: str, line: str, written: Written = ANY_FILE, *, is_set: bool = False) -> str:
    """``is_set``: the file has the key already, and a second one would make it invalid."""
    key = name if BARE.fullmatch(name) else f'"{name}"'
    return _write(f"agent.{key}", line, written, is_set=is_set)


def _write(table: str, line: str, written: Written, *, is_set: bool = False) -> str:
    """On one line, as error messages are; dotted keys count from the top only as long as no table has begun."""
    verb, file = "change" if is_set else "write", written.path
    below = f"{verb} {line} below [{table}] in {file}"
    if table in (written.headers or ()):
        return below
    if is_set:
        return f"change {table}.{line} in {file}"
    if written.headers is None:
        return f"{below} (if it has no [{table}]: {table}.{line} at its top)"
    return f"write {table}.{line} at the top of {file}"
