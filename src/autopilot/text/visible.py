"""A Markdown text as its reader sees it: comments and fenced code blanked out; same length, same lines."""

from __future__ import annotations

import re

from autopilot.text.fences import FENCE

_BEGINS = re.compile(
    rf"^(?:[ \t]*+>)*+{FENCE}"
    r"|(?P<code>(?<!`)(?P<tick>`{1,2}+)[^`\n]{1,300}+(?P=tick)(?!`))"
    r"|(?P<comment><!--)",
    re.MULTILINE,
)
_SEEN = re.compile(r"[^\n\r]")


def visible(text: str, closed_only: bool = False) -> str:
    """With ``closed_only`` a comment or fence that is never closed hides nothing: a reader of requirements wants that,
    so that a slip in the text removes no requirement. For a reader of claims such a slip hides the rest of the text.
    """
    pieces, done, position = list[str](), 0, 0
    endless = set[str]()  # marks without an end: looking for it again and again would take long
    while begins := _BEGINS.search(text, position):
        position = begins.end()
        mark = begins["comment"] or begins["fence"]
        if not mark or mark in endless:
            continue  # "`<!--`" speaks of a comment and is none
        end = _end_of(begins, text)
        if end < 0 and closed_only:
            endless.add(mark)
            continue
        end = len(text) if end < 0 else end
        pieces += [text[done : begins.start()], _SEEN.sub(" ", text[begins.start() : end])]
        done = position = end
    return "".join([*pieces, text[done:]])


def _end_of(begins: re.Match[str], text: str) -> int:
    """Behind what is hidden; -1 where it has no end."""
    if begins["comment"]:
        found = text.find("-->", begins.start() + 2)
        return found + 3 if found >= 0 else -1
    mark = begins["fence"]
    closing = re.compile(rf"^[> \t]*+{re.escape(mark)}{mark[0]}*+[ \t\r]*+$", re.MULTILINE)
    closed = closing.search(text, begins.end())
    return closed.end() if closed else -1
