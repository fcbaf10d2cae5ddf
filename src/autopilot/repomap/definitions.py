"""The definitions of a text: functions and classes, each with the ones around it as its owner."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from autopilot.model.repomap.facts import Class, Function
from autopilot.repomap.grammar import Grammar
from autopilot.repomap.grammars.reading import children, one_line, text_of
from autopilot.repomap.parsing import Captures
from autopilot.repomap.plain_forms import read_plain

if TYPE_CHECKING:
    from tree_sitter import Node

_FAR = 2_000  # bytes from the beginning of a definition to its name: annotations may stand before it
_UNDERSCORE = ord("_")
_NO_CLASS = -1
_NAMELESS = -2
LONGEST_OWNER = 400  # characters; what is nested deeper is left out: with thousands of levels the names fill the memory


class Definitions(Struct, frozen=True):
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    scopes: tuple[tuple[int, int, str], ...]  # first byte, last byte, name with owners
    top: tuple[tuple[Node, str, int], ...]  # at the top of the file: node, name, line


class _Around(Struct):
    end: int
    name: str
    class_index: int  # in the list of classes
    is_class: bool


def read_definitions(captures: Captures, text: bytes, grammar: Grammar) -> Definitions:
    found: list[_Found] = []
    for role in _ROLES:
        for node in captures.get(role, ()):
            start, end = node.byte_range
            found.append((start, -end, len(found), role, node))
    found.sort()  # a node is never compared: the number before it differs
    return _Walk(text, grammar).run(found)


_ROLES = ("space", "scope", "class", "function")
_Found: TypeAlias = "tuple[int, int, int, str, Node]"


class _Walk:
    def __init__(self, text: bytes, grammar: Grammar) -> None:
        self._text = text
        self._grammar = grammar
        self._lines = _LineNumbers(text)
        self._stack: list[_Around] = []
        self._functions: list[Function] = []
        self._classes: list[tuple[str, str, tuple[str, ...], list[str], int, int, str]] = []
        self._outside: list[tuple[str, str]] = []  # owner and name of methods that stand beside their class
        self._scopes: list[tuple[int, int, str]] = []
        self._top: list[tuple[Node, str, int]] = []

    def run(self, found: list[_Found]) -> Definitions:
        for start, negative_end, _, role, node in found:
            while self._stack and self._stack[-1].end <= start:
                self._stack.pop()
            self._enter(start, -negative_end, role, node)
        self._assign_outside()
        classes = tuple(
            Class(name, kind, extends, tuple(methods), line, end_line, owner)
            for name, kind, extends, methods, line, end_line, owner in self._classes
        )
        return Definitions(tuple(self._functions), classes, tuple(self._scopes), tuple(self._top))

    def _enter(self, start: int, end: int, role: str, node: Node) -> None:
        pattern = self._grammar.plain.get(role)
        plain = read_plain(pattern, self._text, start, end) if pattern else None
        around = self._stack[-1] if self._stack else None
        (name, named_at), before = (plain[0], start) if plain else self._named(start, node), ""
        if self._grammar.separator:
            before, _, name = name.replace(self._grammar.separator, ".").rpartition(".")
        elif self._grammar.read_name:  # elsewhere a dot is part of the name: ``[Symbol.iterator]``
            before, _, name = name.rpartition(".")
        if around and len(around.name) > LONGEST_OWNER:
            return
        if not name:
            if role == "scope":  # a class without a name: what is inside is a member of nothing
                self._stack.append(_Around(end, around.name if around else "", _NAMELESS, True))
            return
        owner = f"{around.name}.{before}" if around and before else around.name if around else before
        line = self._lines.at(named_at)
        index, kind = _NO_CLASS, ""
        if role == "class":
            index, kind = len(self._classes), self._kind(node)
            extends = plain[1] if plain else self._extends(node)
            self._classes.append((name, kind, extends, [], line, self._lines.at(end), owner))
        elif role == "function":
            _, params, returns = plain or ("", *self._signature(node))
            is_method = bool(before) or (around is not None and around.is_class)
            self._functions.append(Function(name, params, returns, line, self._lines.at(end), owner, is_method))
            if is_method and (around is None or around.class_index != _NAMELESS):
                self._assign(around, before, owner, name)
        is_free = role == "class" or (role == "function" and (not before or self._grammar.exports_members))
        whole = f"{owner}.{name}" if owner else name
        if role == "class" and self._grammar.exports_inner:
            self._top.append((node, whole, line))
        elif around is None and is_free:
            self._top.append((node, name, line))
        self._scopes.append((start, end, whole))
        if kind != "type":  # a name for something: nothing is inside of it
            has_members = role == "scope" or (role == "class" and kind != "namespace")
            self._stack.append(_Around(end, whole, index, has_members))

    def _assign(self, around: _Around | None, before: str, owner: str, name: str) -> None:
        if around is None or before or around.class_index == _NO_CLASS:
            self._outside.append((owner, name))
        else:
            self._classes[around.class_index][3].append(name)

    def _assign_outside(self) -> None:
        """By the name of their owner."""
        if not self._outside:
            return
        known: dict[str, list[str]] = {}
        for name, _, _, methods, _, _, owner in self._classes:
            known.setdefault(f"{owner}.{name}" if owner else name, methods)
        for owner, name in self._outside:
            if owner in known and name not in known[owner]:
                known[owner].append(name)

    def _kind(self, node: Node) -> str:
        """By its own kind, by what it is a name for, or by the word with which it begins."""
        kinds = self._grammar.kinds
        if node.type in kinds:
            return kinds[node.type]
        if (named := node.child_by_field_name("type")) is not None:
            return kinds.get(named.type, "type")
        if _ENUM.match(self._text, node.start_byte):
            return "enum"
        return next((child.type for child in node.children if child.type in _WORDS), "class")

    def _named(self, start: int, node: Node) -> tuple[str, int]:
        """The name, and its first byte: what stands before it may be a line or ten of annotations."""
        if self._grammar.read_name:
            spelled = self._grammar.read_name(node, self._text)
            return spelled, self._place_of(spelled.rpartition(".")[2].encode(), start)
        name = find_part(node, self._grammar.name)
        if name is None:
            return "", start
        start, end = name.byte_range
        spelled = self._text[start:end].decode("utf-8", "replace")[:200].strip("\"'")
        if spelled.endswith(">") and "<" in spelled[1:-1] and spelled[0] != "<":
            spelled = spelled.partition("<")[0].strip()
        return spelled if spelled.isascii() else unicodedata.normalize("NFKC", spelled), start

    def _place_of(self, name: bytes, start: int) -> int:
        """Its first byte as a word of its own."""
        text, at = self._text, self._text.find(name, start, start + _FAR) if name else -1
        while at >= 0:
            around = text[at - 1 : at] + text[at + len(name) : at + len(name) + 1]
            if not any(chr(byte).isalnum() or byte == _UNDERSCORE for byte in around):
                return at
            at = text.find(name, at + 1, start + _FAR)
        return start

    def _signature(self, node: Node) -> tuple[tuple[str, ...], str]:
        grammar, text = self._grammar, self._text
        value = node.child_by_field_name("value")
        carrier = value if value is not None and "function" in value.type else node
        if grammar.read_params:
            params = grammar.read_params(node, text)
        else:
            holder = find_part(carrier, grammar.params)
            params = () if holder is None else _params(holder, text)
        returns = text_of(find_part(carrier, grammar.returns), text)
        return params, returns.lstrip(": ")

    def _extends(self, node: Node) -> tuple[str, ...]:
        found: list[str] = []
        for part in self._grammar.extends:
            if part.startswith("*"):
                found += (text_of(child, self._text) for child in node.named_children if child.type == part[1:])
            elif (holder := find_part(node, (part,))) is not None:
                found += (text_of(item, self._text) for item in bases(holder))
        if self._grammar.read_bases:
            found += self._grammar.read_bases(node, self._text)
        return tuple(found)


_ENUM = re.compile(rb"(?:\w+\s+){0,3}enum\s+class\b")
_WORDS = frozenset({"class", "interface", "struct", "enum", "actor"})


def find_part(node: Node, places: tuple[str, ...]) -> Node | None:
    for place in places:
        if place[0] in "#$":
            children = node.named_children if place[0] == "#" else reversed(node.named_children)
            found = next((child for child in children if child.type == place[1:]), None)
        else:
            found = node.child_by_field_name(place)
        if found is not None:
            return found
    return None


def _params(holder: Node, text: bytes) -> tuple[str, ...]:
    if not holder.named_child_count:
        return () if text[holder.start_byte : holder.start_byte + 1] == b"(" else (text_of(holder, text),)
    if holder.type == "identifier":
        return (text_of(holder, text),)
    return tuple(one_line(text[start:end]) for start, end in _between_commas(holder))


def _between_commas(holder: Node) -> list[tuple[int, int]]:
    """Some grammars have a default value or a modifier beside its parameter, not in it."""
    found: list[tuple[int, int]] = []
    is_new = True
    for child in holder.children:
        if child.type == ",":
            is_new = True
        elif "comment" not in child.type and child.type not in _AROUND:
            start, end = child.byte_range
            if is_new:
                found.append((start, end))
            else:
                found[-1] = (found[-1][0], end)
            is_new = False
    return found


_AROUND = frozenset({"(", ")", "|", "[", "]", ";"})
_CLAUSES = frozenset(
    ["extends_clause", "implements_clause", "super_interfaces", "type_list", "base_class_clause", "interface_type_list"]
)
_WRAPPED = frozenset({"delegation_specifier", "constructor_invocation", "explicit_delegation"})
_NOT_BASES = frozenset(["keyword_argument", "dictionary_splat", "type_arguments", "access_specifier", "arguments"])


def bases(holder: Node) -> list[Node]:
    """What a class is made from, without the words around it."""
    found: list[Node] = []
    for child in children(holder):
        if child.type in _CLAUSES:
            found += bases(child)
        elif child.type in _WRAPPED:
            found += bases(child)[:1]
        elif child.type not in _NOT_BASES:
            found.append(child)
    return found


class _LineNumbers:
    """The line of a place in the text, counted from the last place asked for: a node makes three objects for it."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._place = 0
        self._line = 1

    def at(self, place: int) -> int:
        if place >= self._place:
            self._line += self._text.count(b"\n", self._place, place)
        else:
            self._line -= self._text.count(b"\n", place, self._place)
        self._place = place
        return self._line
