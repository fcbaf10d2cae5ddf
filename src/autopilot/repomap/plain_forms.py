"""Definitions in their plainest spelling, read from the text alone: a node of the parser costs more than that."""

from __future__ import annotations

import re

_SPACE = re.compile(r"\s+")


def read_plain(
    pattern: re.Pattern[bytes], text: bytes, start: int, end: int
) -> tuple[str, tuple[str, ...], str] | None:
    """The name, what stands in the brackets and the type behind them; None for what is spelled in any other way.

    The pattern allows for no bracket, quote or comment inside, so every comma separates.
    """
    found = pattern.match(text, start, end)
    if found is None:
        return None
    name, inside, behind = found.groups()
    return name.decode(), split_plain(inside) if inside else (), behind.decode() if behind else ""


def split_plain(inside: bytes) -> tuple[str, ...]:
    parts = [part.strip() for part in inside.decode().split(",")]
    if not parts[-1]:
        parts.pop()  # a comma may end the list
    return tuple(_SPACE.sub(" ", part) if "  " in part or "\n" in part or "\t" in part else part for part in parts)
