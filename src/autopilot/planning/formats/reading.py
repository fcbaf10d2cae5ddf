"""Texts of planning files, bounded, so that every byte comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable

MOST_FILES = 5000
MOST_BYTES = 4 * 1024 * 1024  # of one file; what is larger is no plan of a person's
MOST_TOGETHER = 8 * MOST_BYTES


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
