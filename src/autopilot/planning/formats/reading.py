"""Texts of planning files, bounded, so that every byte comes back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

MOST_FILES = 5000
MOST_BYTES = 4 * 1024 * 1024  # of one file; what is larger is no plan of a person's
MOST_TOGETHER = 8 * MOST_BYTES
# Half of a pair: a byte in another encoding, and an escape of JSON without its other half.
_HALF = re.compile("[\ud800-\udfff]")
_HALF_ESCAPED = re.compile(
    r"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD])[c-fC-F][0-9a-fA-F]{2})"
)


def read_texts(paths: Iterable[str], read: Callable[[str], bytes | None]) -> tuple[dict[str, str], tuple[str, ...]]:
    """By path, and the paths that are too large, be it together with those before them."""
    texts: dict[str, str] = {}
    too_large: list[str] = []
    together = 0
    for path in tuple(paths)[:MOST_FILES]:
        content = read(path)
        if content is None:
            continue
        together += len(content)
        if len(content) > MOST_BYTES or together > MOST_TOGETHER:
            too_large.append(path)
        else:
            texts[path] = content.decode("utf-8", "surrogateescape")
    return texts, tuple(too_large)


def readable(texts: Mapping[str, str]) -> dict[str, str]:
    """As they are read and marked: every character can be written down, and stands where it stood; a mark of byte order
    is a blank."""
    return {path: _whole(path, text) for path, text in texts.items()}


def _whole(path: str, text: str) -> str:
    whole = _HALF.sub("\ufffd", f" {text[1:]}" if text.startswith("\ufeff") else text)
    return _HALF_ESCAPED.sub(r"\\ufffd", whole) if path.endswith(".json") else whole
