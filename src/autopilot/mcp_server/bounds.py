"""Answers within bounds: whoever asked pays for every character of them."""

from __future__ import annotations

import json
from typing import Any

MOST_CHARACTERS = 40_000
MOST_TEXT = 200_000  # characters of a report
_STEPS = ((200, 4_000), (60, 1_200), (20, 400), (6, 160), (2, 80))  # entries of a list, characters of a text
_DEEPEST = 40


def fit(document: dict[str, Any], most: int = MOST_CHARACTERS) -> dict[str, Any]:
    """The document, or what is left of it when long lists and texts are cut; what was cut says so."""
    if _length(document) <= most:
        return document
    for entries, characters in _STEPS:
        cut: dict[str, Any] = _cut(document, entries, characters, _DEEPEST)
        if _length(cut) <= most:
            return {**cut, "shortened": f"lists hold {entries} entries, texts {characters} characters at most"}
    return {"shortened": "the answer is too long for one message", "keys": list(document)[:50]}


def fit_text(text: str, most: int = MOST_TEXT) -> str:
    left_out = len(text) - most
    return text if left_out <= 0 else f"{text[:most]}\n… {left_out:,} characters more\n"


def _length(document: Any) -> int:
    return len(json.dumps(document, ensure_ascii=False))


def _cut(value: Any, entries: int, characters: int, depth: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= characters else f"{value[:characters]}… ({len(value) - characters:,} more)"
    if not isinstance(value, dict | list | tuple):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, dict):
        kept = {key: _cut(inner, entries, characters, depth - 1) for key, inner in list(value.items())[:entries]}
        return kept if len(value) <= entries else {**kept, "…": f"{len(value) - entries:,} more"}
    shown = [_cut(inner, entries, characters, depth - 1) for inner in value[:entries]]
    return shown if len(value) <= entries else [*shown, f"… {len(value) - entries:,} more"]
