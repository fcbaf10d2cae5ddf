"""Tables of a TOML file that may hold anything: a value of another kind than expected counts as empty."""

from __future__ import annotations

import tomllib
from typing import Any


def read_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # a number of thousands of digits is no TOMLDecodeError
        return {}


def table(data: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def strings(value: Any) -> list[str]:
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []
