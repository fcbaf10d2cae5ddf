"""The block between two ``---`` lines: scalars, inline lists and block lists; nested maps are passed over.

A small reader of the subset plans use. Real YAML would bring a dependency and its surprises (``no`` is false, ``1_0``
is ten) for five keys.
"""

from __future__ import annotations

import re

from msgspec import Struct

Value = str | tuple[str, ...]
_KEY = re.compile(r"^([A-Za-z_][\w-]*)\s*:\s*(.*)$")
_ITEM = re.compile(r"^\s*-\s+(.*)$")


class Frontmatter(Struct, frozen=True):
    values: dict[str, Value]
    lines: int  # how many lines of the file it takes, fences included
    line_numbers: dict[str, int] = {}  # of each key

    def list_of(self, key: str) -> tuple[str, ...]:
        """The values of a key, however the list is written: ``[a, b]``, a block, or one value."""
        value = self.values.get(key, ())
        return value if isinstance(value, tuple) else ((value,) if value else ())

    def text_of(self, key: str) -> str:
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""


def parse_frontmatter(text: str) -> Frontmatter:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines[0].strip() != "---":
        return Frontmatter({}, 0)
    end = next((index for index, line in enumerate(lines[1:], start=1) if line.strip() == "---"), 0)
    if not end:
        return Frontmatter({}, 0)
    values: dict[str, Value] = {}
    line_numbers: dict[str, int] = {}
    key = ""
    for number, line in enumerate(lines[1:end], start=2):
        found, item = _KEY.match(line), _ITEM.match(line)
        if found:
            key = found[1]
            values[key], line_numbers[key] = _value(found[2]), number
        elif item and key and isinstance(held := values[key], tuple):
            values[key] = (*held, _scalar(item[1]))
        elif item and key and not values[key]:
            values[key] = (_scalar(item[1]),)
        elif line.strip() and not item and line[:1].isspace() and not values.get(key):
            key = ""  # a nested map: not ours to read
    return Frontmatter(values, end + 1, line_numbers)


def _value(text: str) -> Value:
    plain = re.sub(r"(?<!\s)\s+#\s.*", "", text, flags=re.DOTALL).strip()
    if plain.startswith("[") and plain.endswith("]"):
        parts = re.findall(r"\s*(?:\"[^\"]*\"|'[^']*')\s*|[^,\[\]]+", plain[1:-1])
        return tuple(word for part in parts if (word := _scalar(part)))
    return _scalar(plain)


def _scalar(text: str) -> str:
    plain = text.strip()
    if len(plain) >= 2 and plain[0] == plain[-1] and plain[0] in "\"'":
        return plain[1:-1]
    return "" if plain in {"null", "~"} else plain
