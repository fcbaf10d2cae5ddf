"""What a Python text imports, without parsing it: a text that does not compile still has imports."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FROM = re.compile(
    r"^[ \t]*+from[ \t]++(\.*+)[ \t]*+((?:(?!import\b)[\w.]++)?+)[ \t]*+"
    r"import[ \t]*+(\([^)]{0,20000}+\)|(?:[^\n\\]|\\\n)*+)",
    re.MULTILINE,
)
_IMPORT = re.compile(r"^[ \t]*+import[ \t]++((?:[^\n\\]|\\\n)*+)", re.MULTILINE)

Import = tuple[int, tuple[str, ...]]


def imported(text: str) -> Iterator[Import]:
    """Pairs of leading dots and names. ``from a import b`` yields ``a`` and ``a.b``: it may mean either."""
    for found in _FROM.finditer(text):
        dots, base = len(found[1]), _parts(found[2])
        if base:
            yield dots, base
        for name in _names(found[3]):
            yield dots, (*base, *_parts(name))
    for found in _IMPORT.finditer(text):
        for name in _names(found[1]):
            parts = _parts(name)
            # `import a.b.c` runs a and a.b too.
            yield from ((0, parts[:length]) for length in range(1, len(parts) + 1))


def _names(clause: str) -> Iterator[str]:
    plain = re.sub(r"#[^\n]*|[()\\]", " ", clause).partition(";")[0]
    for item in plain.split(","):
        if named := item.split():
            yield named[0]


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part for part in dotted.split(".") if part)
