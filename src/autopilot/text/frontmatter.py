"""The block between two ``---`` lines: scalars, texts over lines, inline and block lists; nested maps are passed over.

A small reader of the subset plans use. Real YAML would bring a dependency and its surprises (``no`` is false, ``1_0``
is ten) for five keys.
"""

from __future__ import annotations

import re

from msgspec import Struct

Value = str | tuple[str, ...]
_KEY = re.compile(r"^([A-Za-z_][\w-]*)\s*:\s*(.*)$")
_ITEM = re.compile(r"^\s*-\s+(.*)$")
_BLOCK = re.compile(r"[>|][+-]?[0-9]?[+-]?\s*\Z")
_QUOTED = re.compile(r"""\s*(?:"(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')(?=\s*+(?:#|\Z))""")


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
    if lines[0].removeprefix("\ufeff").strip() != "---":
        return Frontmatter({}, 0)
    end = next((index for index, line in enumerate(lines[1:], start=1) if line.strip() == "---"), 0)
    if not end:
        return Frontmatter({}, 0)
    values, numbers = _read(lines[1:end], first=2)
    return Frontmatter(values, end + 1, numbers)


def parse_mapping(text: str) -> Frontmatter:
    """A whole file in that form, without the fences."""
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    values, numbers = _read(lines, first=1)
    return Frontmatter(values, len(lines), numbers)


def _read(lines: list[str], first: int) -> tuple[dict[str, Value], dict[str, int]]:
    values: dict[str, Value] = {}
    numbers: dict[str, int] = {}
    lists: dict[str, list[str]] = {}
    key, index = "", 0
    while index < len(lines):
        line = lines[index]
        found, item = _KEY.match(line), _ITEM.match(line)
        if found:
            key = found[1]
            numbers[key] = first + index
            values[key], index = _value_from(found[2], lines, index)
            lists.pop(key, None)
        elif item and key and (isinstance(held := values[key], tuple) or not held):
            lists.setdefault(key, list(held)).append(_scalar(_without_remark(item[1])))
        elif line.strip() and not item and line[:1].isspace() and not (values.get(key) or lists.get(key)):
            key = ""  # a nested map: not ours to read
        index += 1
    return values | {key: tuple(listed) for key, listed in lists.items()}, numbers


def _value_from(written: str, lines: list[str], index: int) -> tuple[Value, int]:
    """The value that begins behind a key, and the index of its last line."""
    if not _BLOCK.match(written):
        return _value(written), index
    block: list[str] = []
    while index + 1 < len(lines) and (lines[index + 1][:1].isspace() or not lines[index + 1].strip()):
        index += 1
        block.append(lines[index].strip())
    return ("\n" if written[0] == "|" else " ").join(block).strip(), index


def _value(text: str) -> Value:
    plain = _without_remark(text).strip()
    if plain.startswith("[") and plain.endswith("]"):
        parts = re.findall(r"\s*(?:\"[^\"]*\"|'[^']*')\s*|[^,\[\]]+", plain[1:-1])
        return tuple(word for part in parts if (word := _scalar(part)))
    return _scalar(plain)


def _without_remark(text: str) -> str:
    """Without what stands behind " #", which inside quotes is text."""
    quoted = _QUOTED.match(text)
    return quoted[0] if quoted else re.sub(r"(?<!\s)\s+#\s.*", "", text, flags=re.DOTALL)


def _scalar(text: str) -> str:
    plain = text.strip()
    if len(plain) >= 2 and plain[0] == plain[-1] and plain[0] in "\"'":
        inner = plain[1:-1]
        return inner.replace("''", "'") if plain[0] == "'" else inner.replace('\\"', '"').replace("\\\\", "\\")
    return "" if plain in {"null", "~"} else plain
