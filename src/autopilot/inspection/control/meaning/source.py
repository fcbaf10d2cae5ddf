"""A text with its syntax tree, read for what it means: layout, comments and spelling are left out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from msgspec import Struct

from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

COMMENTS = frozenset({"comment", "line_comment", "block_comment", "html_comment"})
_WHOLE = frozenset(
    {"string", "template_string", "regex", "jsx_text", "heredoc_redirect"}
)  # a space inside is part of the value
_DIRECTIVE = re.compile(r"//go:|//\s*\+build|//export|@(?:jest|vitest|ts-|jsx|flow)|^#!|^#[ \t]*bats[ \t]")
_QUOTED = re.compile(r"'([^'\"\\]*)'")
_LOADS = re.compile(r"(?:require|import)\b")


class Source(Struct, frozen=True):
    text: bytes
    tree: ScriptTree
    folder: str

    def kind(self, index: int) -> str:
        return self.tree.parts[index].kind

    def text_of(self, index: int) -> str:
        part = self.tree.parts[index]
        return self.text[part.start : part.end].decode()

    def children(self, index: int) -> list[int]:
        return [child for child in self.tree.children(index) if self.kind(child) not in COMMENTS]

    def inside(self, index: int) -> Iterator[int]:
        """It, and every part inside it."""
        return iter(range(index, self.tree.after[index]))

    def field(self, index: int, field: str) -> str:
        child = self.tree.child(index, field)
        return "" if child is None else self.text_of(child)

    def names(self, index: int = 0) -> frozenset[str]:
        """What is called by its own name, not as a part of something else."""
        found = (part for part in self.inside(index) if "identifier" in self.kind(part))
        return frozenset(
            self.text_of(part) for part in found if self.kind(part) not in ("property_identifier", "field_identifier")
        )

    def directives(self) -> list[str]:
        """Comments that a tool obeys."""
        comments = [self.text_of(index) for index in self.inside(0) if self.kind(index) in COMMENTS]
        return [comment for comment in comments if _DIRECTIVE.search(comment)]

    def meaning(self, index: int, without: int | None = None) -> str:
        """The part as its tree: equal for two texts that differ in layout alone. ``without`` is left out."""
        part, children = self.tree.parts[index], list(self.tree.children(index))
        if index == without:
            return ""
        if part.kind in _WHOLE or part.wrong or not children:
            return f"{part.kind}:{self._leaf(index)}"
        pieces, position = list[str](), part.start
        for child in children:
            inner = self.tree.parts[child]
            pieces.append(self._between(position, inner.start))
            if inner.kind not in COMMENTS:
                pieces.append(self.meaning(child, without))
            position = inner.end
        last = re.sub(r"^,(?=[)\]}])", "", self._between(position, part.end).removesuffix(";"))
        return f"{part.kind}({' '.join(piece for piece in (*pieces, last) if piece)})"

    def _between(self, start: int, end: int) -> str:
        return "".join(self.text[start:end].decode().split())

    def _leaf(self, index: int) -> str:
        text = _QUOTED.sub(r'"\1"', self.text_of(index)) if self.kind(index) == "string" else self.text_of(index)
        if text[:3] in ('"./', '"..') and self._is_loaded(index):
            return '"' + posixpath.normpath(posixpath.join(self.folder, text[1:-1])) + '"'
        return text

    def _is_loaded(self, index: int) -> bool:
        """Whether a module is named: its path is known by where it leads, for it changes when the file is moved."""
        around = self.tree.parts[index].parent
        if self.kind(around) == "arguments":
            around = self.tree.parts[around].parent
            return _LOADS.match(self.text_of(around)) is not None
        return self.kind(around) in ("import_statement", "export_statement")


def read_source(text: str, path: str, grammar: Grammar) -> Source | None:
    """None for a text that is none of its language."""
    tree = flat_tree(text.encode(), grammar)
    if tree is None or tree.wrong:
        return None
    return Source(text.encode(), tree, posixpath.dirname(path))
