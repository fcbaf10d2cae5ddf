"""Python."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Import
from autopilot.repomap.grammar import Grammar, Visibility
from autopilot.repomap.grammars.reading import children, line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_QUERY = """
(function_definition) @function
(class_definition) @class
[(import_statement) (import_from_statement) (future_import_statement)] @import
(call function: [(identifier) (attribute)] @call)
(module (expression_statement (assignment left: (identifier) @const)))
"""

_PLAIN = {
    # A comma of a lambda separates no parameters.
    "function": re.compile(
        rb"(?:async +)?def +(\w{1,200})\((?![^)]{0,999}\blambda\b)([\w\s,*=.:|]{0,999})\)(?: *-> *((?:\w+\.)*\w+))? *:"
    ),
    "class": re.compile(rb"class +(\w{1,200})(?:\(([\w\s,.]{0,999})\))? *:()"),
}


# Without brackets around part of it, a comment or a line that goes on: every comma separates.
_PLAIN_IMPORT = re.compile(rb"(?:from +([\w.]+) +)?import +(?:([\w., ]{1,2000})|\(([\w\s,]{1,2000})\))")


def read_import(node: Node, text: bytes) -> Iterator[Import]:
    line = line_of(node)
    if plain := _PLAIN_IMPORT.fullmatch(text, *node.byte_range):
        yield from _plain_imports(plain, line)
        return
    names = [child for child in children(node) if child.type in ("dotted_name", "aliased_import")]
    if node.type == "import_statement":
        for child in names:
            name, alias = _name_and_alias(child, text)
            yield Import(name, ("*",), (alias,), line)
        return
    module = node.child_by_field_name("module_name")
    source = "__future__" if module is None else _plain(text_of(module, text))
    pairs = [_name_and_alias(child, text) for child in names if module is None or child.id != module.id]
    if any(child.type == "wildcard_import" for child in node.named_children):
        yield Import(source, ("*",), (), line)
    else:
        yield Import(source, tuple(name for name, _ in pairs), tuple(alias for _, alias in pairs), line)


def _plain_imports(plain: re.Match[bytes], line: int) -> Iterator[Import]:
    source, flat, bracketed = plain.groups()
    words = [part.split() for part in (flat or bracketed).decode().split(",")]
    pairs = [(part[0], part[-1]) for part in words if part]  # a comma may end the list
    if source is not None:
        yield Import(source.decode(), tuple(name for name, _ in pairs), tuple(alias for _, alias in pairs), line)
        return
    yield from (Import(name, ("*",), (alias,), line) for name, alias in pairs)


def _name_and_alias(node: Node, text: bytes) -> tuple[str, str]:
    if node.type == "aliased_import":
        named, alias = (node.child_by_field_name(field) for field in ("name", "alias"))
        return _plain(text_of(named, text)), _plain(text_of(alias, text))
    name = _plain(text_of(node, text))
    return name, name


def _plain(name: str) -> str:
    """As Python itself reads a name: ``a . b`` is ``a.b``, and look-alikes are one character."""
    name = name.replace(" ", "").replace("\\", "")
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


GRAMMAR = Grammar(
    module="tree_sitter_python",
    query=_QUERY,
    extends=("superclasses",),
    kinds={"class_definition": "class"},
    plain=_PLAIN,
    visibility=Visibility.NO_UNDERSCORE,
    read_import=read_import,
)
