"""What every language's reader needs: the text of a node, as one line, and its parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST = 300  # characters of a parameter, a type, a base
_SPACE = re.compile(r"\s+")


def text_of(node: Node | None, text: bytes) -> str:
    """Characters that are no UTF-8 are replaced; a line break and what surrounds it is one space."""
    if node is None:
        return ""
    start, end = node.byte_range
    return one_line(text[start : min(end, start + 4 * _MOST)])


def one_line(spelled: bytes) -> str:
    found = spelled[: 4 * _MOST].decode("utf-8", "replace")
    if "\n" in found or "\t" in found or "  " in found:
        found = _SPACE.sub(" ", found)
    return found[:_MOST]


def line_of(node: Node) -> int:
    return node.start_point[0] + 1


def unquoted(node: Node | None, text: bytes) -> str:
    return text_of(node, text).strip("\"'`<>")


def children(node: Node) -> list[Node]:
    """The named ones without comments."""
    return [child for child in node.named_children if "comment" not in child.type]
