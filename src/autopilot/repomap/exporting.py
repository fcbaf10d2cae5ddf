"""What other files can use of a file, where no statement lists it: definitions and values at its top."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Export, ExportKind
from autopilot.repomap.definitions import Definitions
from autopilot.repomap.grammar import Grammar, Visibility
from autopilot.repomap.parsing import Captures, in_order

if TYPE_CHECKING:
    from tree_sitter import Node

# What is internal can be used by other files of the project.
_HIDING = {
    Visibility.NOT_PRIVATE: re.compile(rb"\b(?:private|fileprivate)\b"),
    Visibility.NOT_STATIC: re.compile(rb"\bstatic\b"),
}
_KINDS = {"interface": ExportKind.INTERFACE, "trait": ExportKind.INTERFACE, "protocol": ExportKind.INTERFACE}
_KINDS |= {"enum": ExportKind.ENUM, "type": ExportKind.TYPE}


def read_exports(captures: Captures, text: bytes, grammar: Grammar, definitions: Definitions) -> Iterator[Export]:
    if grammar.visibility is Visibility.LISTED:
        return
    kinds = {
        (name, item.line): _KINDS.get(item.kind, ExportKind.CLASS)
        for item in definitions.classes
        for name in (item.name, f"{item.owner}.{item.name}")
    }
    for node, name, line in definitions.top:
        if is_visible(node, name, text, grammar.visibility):
            yield Export(name, kinds.get((name, line), ExportKind.FUNCTION), line)
    seen: set[str] = set()
    for node in in_order(captures, "const"):
        name = text[node.start_byte : node.end_byte].decode("utf-8", "replace")
        if name and name not in seen and is_visible(_statement(node), name, text, grammar.visibility):
            seen.add(name)
            yield Export(name, ExportKind.CONST, node.start_point[0] + 1)


def is_visible(node: Node, name: str, text: bytes, visibility: Visibility) -> bool:
    if visibility is Visibility.NO_UNDERSCORE:
        return not name.startswith("_")
    if visibility is Visibility.CAPITAL:
        return name[:1].isupper()
    if visibility is Visibility.KEYWORD_PUB:
        return any(child.type == "visibility_modifier" for child in node.children[:3])
    if visibility is Visibility.NOT_LOCAL:
        head = text[max(0, node.start_byte - 6) : node.start_byte + 6]  # the word may stand before its node
        return b"local" not in head.split()
    if hiding := _HIDING.get(visibility):
        head = text[node.start_byte : node.start_byte + 200].partition(name.encode())[0]
        return not hiding.search(head)
    return True


def _statement(node: Node) -> Node:
    """The declaration at the top of the file in which a name stands."""
    while node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return node
