"""The text of a bats file as plain shell: each test a function whose name says its title."""

from __future__ import annotations

import re

_TEST = re.compile(r"([ \t]*+)@test[ \t]")
PREFIX = "bats_title_"


def as_shell(text: str) -> str:
    """Line by line, so that every line keeps its number."""
    return "\n".join(_as_function(line) if "@test" in line else line for line in text.split("\n"))


def title_of(function: str) -> str | None:
    """None for a function that is no test."""
    if not function.startswith(PREFIX):
        return None
    return bytes.fromhex(function.removeprefix(PREFIX)).decode()


def _as_function(line: str) -> str:
    begun = _TEST.match(line)
    brace = max(line.rfind(" {"), line.rfind("\t{"))
    title = line[begun.end() : brace].strip(" \t") if begun else ""
    if begun is None or not title:
        return line
    return f"{begun[1]}{PREFIX}{_plain(title).encode().hex()}() {{{line[brace + 2 :]}"


def _plain(title: str) -> str:
    """As bats does: one quote off each end."""
    begun = title[1:] if title[:1] in "'\"" else title
    return begun[:-1] if begun[-1:] in ("'", '"') else begun
