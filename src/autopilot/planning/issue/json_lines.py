"""A text of JSON objects, one a line, that only ever grows: reading it line by line, and adding one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec


def content_lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line that is not empty, with its number. Only a newline ends one: JSON lets other separators stand."""
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line)


def read_object(line: str) -> dict[str, Any] | None:
    """What a line says; None when it is no JSON object. Bytes that are no text come escaped, and are no JSON."""
    try:
        return msgspec.json.decode(line.encode("utf-8", "surrogateescape"), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def add_object(text: str, row: Mapping[str, object]) -> str:
    """What is there stays as it is; a last line that was cut off is ended, so that it spoils only itself."""
    gap = "\n" if text and not text.endswith("\n") else ""
    return f"{text}{gap}{encode(row)}\n"


def encode(value: object) -> str:
    return msgspec.json.encode(value).decode()
