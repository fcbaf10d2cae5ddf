"""JSON reports of test tools, read without trust: a value of an unexpected shape is ignored, never an exception."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def read_object(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_lines(content: bytes) -> Iterator[dict[str, Any]]:
    """Every line that is an object; a line that is cut off, or that another program wrote, is left out."""
    for line in content.split(b"\n"):
        value = read_object(line) if line.startswith(b"{") else None
        if value is not None:
            yield value


def text_of(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return _whole(found) if isinstance(found, str) else ""


def number_of(value: Mapping[str, Any], key: str) -> float:
    found = value.get(key)
    usable = isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < 1e12
    return float(found) if usable and found is not None else 0.0


def objects_of(value: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = value.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def texts_of(value: Mapping[str, Any], key: str) -> list[str]:
    found = value.get(key)
    return [_whole(item) for item in found if isinstance(item, str)] if isinstance(found, list) else []


def _whole(text: str) -> str:
    """Half a character, which JSON can escape, could not be written down again."""
    return text.encode("utf-8", "replace").decode("utf-8")
