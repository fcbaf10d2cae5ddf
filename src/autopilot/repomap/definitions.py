"""The definitions of a text: functions and classes, each with the ones around it as its owner."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.repomap.facts import Class, Function
from autopilot.repomap.grammar import Grammar
from autopilot.repomap.grammars.reading import children, text_of
from autopilot.repomap.parsing import Captures

if TYPE_CHECKING:
    from tree_sitter import Node

_NO_CLASS = -1


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
    found = [(node.start_byte, -node.end_byte, role, node) for role in _ROLES for node in captures.get(role, ())]
    found.sort(key=_place)
    return _Walk(text, grammar).run(found)


_ROLES = ("space", "scope", "class", "function")


def _place(item: tuple[int, int, str, Node]) -> tuple[int, int]:
    return item[0], item[1]


class _Walk:
    def __init__(self, text: bytes, grammar: Grammar) -> None:
        self._text = text
        self._grammar = grammar
        self._stack: list[_Around] = []
        self._functions: list[Function] = []
        self._classes: list[Class] = []
        self._methods: list[list[str]] = []
        self._scopes: list[tuple[int, int, str]] = []
        self._top: list[tuple[Node, str, int]] = []

    def run(self, found: list[tuple[int, int, str, Node]]) -> Definitions:
        for start, negative_end, role, node in found:
            while self._stack and self._stack[-1].end <= start:
                self._stack.pop()
            if name := self._name(node):
                self._enter(start, -negative_end, role, node, name)
        self._assign_outside()
        methods = zip(self._classes, self._methods, strict=True)
        classes = tuple(replace(item, methods=tuple(names)) if names else item for item, names in methods)
        return Definitions(tuple(self._functions), classes, tuple(self._scopes), tuple(self._top))

    def _enter(self, start: int, end: int, role: str, node: Node, name: str) -> None:
        around = self._stack[-1] if self._stack else None
        before = ""
        if self._grammar.read_name:  # elsewhere a dot is part of the name: ``[Symbol.iterator]``
            before, _, name = name.rpartition(".")
        owner = ".".join(part for part in (around.name if around else "", before) if part)
        whole = f"{owner}.{name}" if owner else name
        line, end_line = node.start_point[0] + 1, node.end_point[0] + 1
        class_index, kind = _NO_CLASS, ""
        if role == "class":
            class_index = len(self._classes)
            kind = self._kind(node)
            self._classes.append(Class(name, kind, self._extends(node), (), line, end_line, owner))
            self._methods.append([])
        elif role == "function":
            is_method = bool(before) or (around is not None and around.is_class)
            params, returns = self._signature(node)
            self._functions.append(Function(name, params, returns, line, end_line, owner, is_method))
            if around is not None and around.is_class and around.class_index != _NO_CLASS and not before:
                self._methods[around.class_index].append(name)
        is_free = role == "class" or (role == "function" and (not before or self._grammar.exports_members))
        if around is None and is_free:
            self._top.append((node, name, line))
        self._scopes.append((start, end, whole))
        if kind == "type":
            return  # a name for something: nothing is inside of it
        has_members = role == "scope" or (role == "class" and kind != "namespace")
        self._stack.append(_Around(end, whole, class_index, has_members))

    def _assign_outside(self) -> None:
        """Methods that stand beside their class: by the name of their owner."""
        known = {
            f"{item.owner}.{item.name}" if item.owner else item.name: i
            for i, item in reversed(list(enumerate(self._classes)))
        }
        for function in self._functions:
            index = known.get(function.owner, _NO_CLASS) if function.is_method else _NO_CLASS
            if index != _NO_CLASS and function.name not in self._methods[index]:
                self._methods[index].append(function.name)

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

    def _name(self, node: Node) -> str:
        if self._grammar.read_name:
            return self._grammar.read_name(node, self._text)
        name = find_part(node, self._grammar.name)
        if name is None:
            return ""
        spelled = self._text[name.start_byte : name.end_byte].decode("utf-8", "replace")[:200].strip("\"'")
        if spelled.endswith(">"):
            spelled = spelled.partition("<")[0].strip()
        return spelled if spelled.isascii() else unicodedata.normalize("NFKC", spelled)

    def _signature(self, node: Node) -> tuple[tuple[str, ...], str]:
        grammar, text = self._grammar, self._text
        carrier = node.child_by_field_name("value") or node
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
        return tuple(found)


_ENUM = re.compile(rb"(?:\w+\s+){0,3}enum\s+class\b")
_WORDS = frozenset({"class", "interface", "struct", "enum", "actor"})


def find_part(node: Node, places: tuple[str, ...]) -> Node | None:
    for place in places:
        if place.startswith("#"):
            found = next((child for child in node.named_children if child.type == place[1:]), None)
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
    return tuple(text_of(child, text) for child in children(holder))


_CLAUSES = frozenset(
    ["extends_clause", "implements_clause", "super_interfaces", "type_list", "base_class_clause", "interface_type_list"]
)
_WRAPPED = frozenset({"delegation_specifier", "constructor_invocation"})
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
