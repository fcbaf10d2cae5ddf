"""Fenced code blocks of a Markdown text, with the heading they stand under; quoted ones (``> ```json``) too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_QUOTE = re.compile(r"^(?: {0,3}> ?)+")
# The one rule of what begins or ends a code block: a mark on a line of its own or behind the mark of a list item, and
# behind three backticks no other ("```x``` is code" is a sentence). Quotes (">") are for the caller to allow.
FENCE = r"[ \t]*+(?:[-*+][ \t]++|\d{1,9}+[.)][ \t]++)?(?P<fence>`{3,}+(?=[^`\n]*+$)|~{3,}+)(?P<info>[^\n]*+)$"
_FENCE = re.compile(FENCE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]")
_SHOWS_FENCES = frozenset({"markdown", "md", "mdx"})


class Block(Struct, frozen=True):
    language: str
    text: str
    line: int  # of its first line of content
    heading: str = ""


class Fence(Struct, frozen=True):
    mark: str
    info: str

    def closes(self, opened: str) -> bool:
        return not self.info and self.mark.startswith(opened)


def parse_fence(line: str) -> Fence | None:
    found = _FENCE.match(line)
    return Fence(found["fence"], found["info"].strip()) if found else None


class _Open(Struct):
    mark: str
    language: str
    line: int
    content: list[str]


def blocks(text: str) -> Iterator[Block]:
    """A fence with a language inside another one counts by itself. The outer one goes on after it when it shows fences
    (a longer mark, or Markdown); otherwise it was never closed, and taking it at its word would hide all that follows.
    """
    heading = ""
    opened: list[_Open] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = _QUOTE.sub("", raw.removesuffix("\r"))
        fence = parse_fence(line)
        if opened and fence and fence.closes(opened[-1].mark):
            done = opened.pop()
            yield Block(done.language, "\n".join(done.content), done.line, heading)
        elif fence and (not opened or fence.info):
            opened = opened[-1:] if opened and _shows_fences(opened[-1], fence.mark) else []
            opened.append(_Open(fence.mark, _language(fence.info), number + 1, []))
        elif opened:
            opened[-1].content.append(line)
        elif _HEADING.match(line):
            heading = line.strip(" \t#")


def _shows_fences(outer: _Open, mark: str) -> bool:
    return len(outer.mark) > len(mark) or outer.mark[0] != mark[0] or outer.language in _SHOWS_FENCES


def _language(info: str) -> str:
    found = re.match(r"[\w+#.-]+", info.lstrip("{. "))
    return found[0].lower() if found else ""
