"""A shell script with its syntax tree, as expectations are looked for in it."""

from __future__ import annotations

import re

from autopilot.text.script_tree import ScriptTree

FAILS = re.compile(rb"(?:^|[^\w$-])(?:exit|return)[ \t]{1,8}[1-9]")
EQUAL = (b"=", b"==", b"-eq")
UNEQUAL = (b"!=", b"-ne")


class Script:
    def __init__(self, tree: ScriptTree, text: bytes) -> None:
        self.tree, self.text = tree, text

    def of(self, index: int) -> bytes:
        part = self.tree.parts[index]
        return self.text[part.start : part.end]

    def kind(self, index: int) -> str:
        return self.tree.parts[index].kind

    def children(self, index: int) -> list[int]:
        return [child for child in self.tree.children(index) if self.kind(child) != "comment"]

    def between(self, left: int, right: int) -> bytes:
        return self.text[self.tree.parts[left].end : self.tree.parts[right].start].strip()
