"""What strace wrote, as calls: `strace -f -y -xx`, where every string and path is hexadecimal."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

_LINE = re.compile(r"(\d+) +(.*)", re.DOTALL)
_CALL = re.compile(r"(\w+)\((.*)\) += +(-?\d+|0x[0-9a-f]+|\?)(.*)", re.DOTALL)
_UNFINISHED = re.compile(r"(.*?),? *<unfinished \.\.\.>", re.DOTALL)
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>,? *(.*)", re.DOTALL)
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_PATH = re.compile(r"<((?:\\x[0-9a-f]{2})*)>")
_OPEN, _CLOSE = "([{", ")]}"


class Call(Struct, frozen=True):
    """One system call that ended well, in the order of their ends."""

    process: int
    name: str
    arguments: tuple[str, ...]
    result: int
    result_path: str = ""  # where the descriptor leads that it returned

    def number(self, position: int) -> int:
        """A number or a descriptor; -1 for the current folder."""
        text = self.arguments[position]
        return -1 if text.startswith("AT_FDCWD") else int(re.match(r"-?\w+", text)[0], 0)  # type: ignore[index]

    def path_of(self, position: int) -> str:
        """The path that strace found behind a descriptor, "" where it is none."""
        found = _PATH.search(self.arguments[position])
        return os.fsdecode(_bytes(found[1])) if found else ""

    def data(self, position: int) -> bytes:
        """A string, or the strings of a list of buffers one after the other."""
        return b"".join(_bytes(text) for text in _STRING.findall(self.arguments[position]))

    def text(self, position: int) -> str:
        return os.fsdecode(self.data(position))


def parse_calls(lines: Iterable[str]) -> Iterator[Call]:
    """Calls that failed are left out, except `readlink`, by which the child tells what was promised."""
    begun: dict[int, str] = {}
    for line in lines:
        found = _LINE.fullmatch(line.rstrip())
        if not found:
            continue
        process, rest = int(found[1]), found[2]
        if unfinished := _UNFINISHED.fullmatch(rest):
            begun[process] = unfinished[1]
            continue
        if resumed := _RESUMED.fullmatch(rest):
            start = begun.pop(process, "")
            separator = "" if start.endswith("(") or resumed[2].startswith(")") else ", "
            rest = f"{start}{separator}{resumed[2]}"
        call = _parse(process, rest)
        if call:
            yield call


def _parse(process: int, text: str) -> Call | None:
    found = _CALL.fullmatch(text)
    if not found or found[3] == "?":
        return None
    name, result = found[1], int(found[3], 0)
    if result < 0 and not name.startswith("readlink"):
        return None
    path = _PATH.match(found[4])
    return Call(process, name, tuple(_split(found[2])), result, os.fsdecode(_bytes(path[1])) if path else "")


def _split(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for position, character in enumerate(text):
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:position].strip()
            start = position + 1
    if text[start:].strip():
        yield text[start:].strip()


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))
