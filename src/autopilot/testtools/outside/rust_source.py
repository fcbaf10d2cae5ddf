"""Rust text in, the same text out with its tests as ordinary functions that the whole crate can call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import Part, ScriptTree, flat_tree

_TEST_ONLY = re.compile(rb"#\[\s*cfg\s*\(\s*test\s*\)\s*\]")
_TEST = re.compile(rb"#\[\s*test\s*\]")
_PANICS = re.compile(rb"#\[\s*should_panic\b[^\]]{0,400}\]")
_IGNORED = re.compile(rb"#\[\s*ignore\b[^\]]{0,400}\]")
_WHEN_TESTED = re.compile(rb"(\bcfg(?:_attr)?!?\s{0,9}\(\s{0,9}(?:(?:not|any|all)\s{0,9}\(\s{0,9})?)test\b")

Edit = tuple[int, int, bytes]


class RustTest(Struct, frozen=True):
    call: str  # its path inside the crate: "tests::joins"
    panics: bool = False


class RustSource(Struct, frozen=True):
    text: bytes
    tests: tuple[RustTest, ...]
    modules: tuple[str, ...]  # declared here and kept in files of their own


def rewrite_rust(text: bytes, around: Sequence[str] = ()) -> RustSource | None:
    """``around`` are the modules that the file stands for. None for what cannot be read, or needs a test tool."""
    tree = flat_tree(text, Grammar.RUST)
    if tree is None or tree.wrong:
        return None
    reader = _Reader(tree, text)
    reader.read(0, tuple(around))
    return RustSource(_apply(text, reader.edits), tuple(reader.tests), tuple(reader.modules))


def mark_tested(text: bytes) -> bytes:
    """With every condition on being tested met."""
    return _WHEN_TESTED.sub(rb"\1all()", text)


class _Reader:
    def __init__(self, tree: ScriptTree, text: bytes) -> None:
        self._tree, self._text = tree, text
        self.edits: list[Edit] = []
        self.tests: list[RustTest] = []
        self.modules: list[str] = []

    def read(self, block: int, path: tuple[str, ...]) -> None:
        marks: list[int] = []
        for index in self._tree.children(block):
            kind = self._tree.parts[index].kind
            if kind == "attribute_item":
                marks.append(index)
            elif not kind.endswith("comment"):
                if kind == "mod_item":
                    self._read_module(index, marks, path)
                elif kind == "function_item":
                    self._read_function(index, marks, path)
                marks = []

    def _read_module(self, index: int, marks: Sequence[int], path: tuple[str, ...]) -> None:
        """Private modules are hidden from the crate's root, where the tests are called."""
        name, body = self._source(self._tree.child(index, "name")).decode(), self._tree.child(index, "body")
        self.edits += [(part.start, part.end, b"") for part in self._matching(marks, _TEST_ONLY)]
        self._open(index)
        if body is None:
            self.modules.append(name)
        else:
            self.read(body, (*path, name))

    def _read_function(self, index: int, marks: Sequence[int], path: tuple[str, ...]) -> None:
        if not any(self._matching(marks, _TEST)):
            return
        removed = [part for pattern in (_TEST, _PANICS, _IGNORED) for part in self._matching(marks, pattern)]
        self.edits += [(part.start, part.end, b"") for part in removed]
        self._open(index)
        name = self._source(self._tree.child(index, "name")).decode()
        if not any(self._matching(marks, _IGNORED)):
            self.tests.append(RustTest("::".join((*path, name)), any(self._matching(marks, _PANICS))))

    def _open(self, index: int) -> None:
        part = self._tree.parts[index]
        if all(self._tree.parts[child].kind != "visibility_modifier" for child in self._tree.children(index)):
            self.edits.append((part.start, part.start, b"pub(crate) "))

    def _matching(self, marks: Sequence[int], pattern: re.Pattern[bytes]) -> Iterator[Part]:
        return (self._tree.parts[mark] for mark in marks if pattern.fullmatch(self._source(mark)))

    def _source(self, index: int | None) -> bytes:
        return b"" if index is None else self._text[self._tree.parts[index].start : self._tree.parts[index].end]


def _apply(text: bytes, edits: Sequence[Edit]) -> bytes:
    for start, end, instead in sorted(edits, reverse=True):
        text = text[:start] + instead + text[end:]
    return text
