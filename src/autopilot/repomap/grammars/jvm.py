"""Java, Kotlin and Scala: they import packages and names from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Import
from autopilot.repomap.grammar import Grammar, Visibility
from autopilot.repomap.grammars.reading import children, line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_JAVA_QUERY = """
[(method_declaration) (constructor_declaration) (compact_constructor_declaration)
 (annotation_type_element_declaration)] @function
[(class_declaration) (interface_declaration) (enum_declaration) (record_declaration)
 (annotation_type_declaration)] @class
(import_declaration) @import
(method_invocation name: (identifier) @call)
(object_creation_expression type: (_) @call)
(object_creation_expression (class_body) @scope)
(package_declaration [(scoped_identifier) (identifier)] @package)
"""


def _java_import(node: Node, text: bytes) -> Iterator[Import]:
    path = text_of(next(child for child in children(node)), text)
    line = line_of(node)
    if any(child.type == "asterisk" for child in node.named_children):
        yield Import(path, ("*",), (), line)
    else:
        source, _, name = path.rpartition(".")
        yield Import(source, (name,), (name,), line)


JAVA = Grammar(
    module="tree_sitter_java",
    query=_JAVA_QUERY,
    returns=("type",),
    extends=("superclass", "interfaces", "#extends_interfaces"),
    kinds={
        "interface_declaration": "interface",
        "enum_declaration": "enum",
        "record_declaration": "record",
        "annotation_type_declaration": "annotation",
    },
    visibility=Visibility.NOT_PRIVATE,
    read_import=_java_import,
    looks_back=True,
)

_KOTLIN_QUERY = """
(function_declaration) @function
[(class_declaration) (object_declaration) (companion_object name: (_)) (type_alias)] @class
(object_literal) @scope
(import) @import
(call_expression . [(identifier) (navigation_expression)] @call)
(delegation_specifier (constructor_invocation (user_type) @call))
(ERROR) @error
(package_header (qualified_identifier) @package)
(source_file (property_declaration (variable_declaration (identifier) @const)))
"""


def _kotlin_import(node: Node, text: bytes) -> Iterator[Import]:
    parts = children(node)
    path = text_of(parts[0], text) if parts else ""
    if text_of(node, text).rstrip().endswith("*"):
        yield Import(path, ("*",), (), line_of(node))
        return
    source, _, name = path.rpartition(".")
    yield Import(source, (name,), (text_of(parts[1], text) if len(parts) > 1 else name,), line_of(node))


_BEFORE_BRACE = re.compile(rb" (?=\})")


def _close_members(text: bytes) -> bytes:
    """``{ fun a() }`` with a separator at its end: the grammar wants a line break or a semicolon there."""
    return _BEFORE_BRACE.sub(b";", text)


KOTLIN = Grammar(
    module="tree_sitter_kotlin",
    query=_KOTLIN_QUERY,
    name=("name", "type"),
    repair=_close_members,
    params=("#function_value_parameters",),
    returns=("$nullable_type", "$user_type"),
    extends=("#delegation_specifiers",),
    kinds={"object_declaration": "object", "companion_object": "object", "type_alias": "type"},
    visibility=Visibility.NOT_PRIVATE,
    read_import=_kotlin_import,
)

_SCALA_QUERY = """
[(function_definition) (function_declaration)] @function
[(class_definition) (object_definition) (trait_definition) (enum_definition)] @class
(type_definition) @class
(import_declaration) @import
(call_expression function: [(identifier) (field_expression)] @call)
(instance_expression (type_identifier) @call)
(package_clause name: (_) @package)
"""


def _scala_import(node: Node, text: bytes) -> Iterator[Import]:
    line = line_of(node)
    path = [text_of(part, text) for part in node.children_by_field_name("path") if part.is_named]
    last = node.named_children[-1] if node.named_children else None
    if last is not None and "wildcard" in last.type:
        yield Import(".".join(path), ("*",), (), line)
    elif last is not None and last.type == "as_renamed_identifier":
        name, alias = _selected(last, text)
        yield Import(".".join(path), (name,), (alias,), line)
    elif last is not None and last.type == "namespace_selectors":
        pairs = [_selected(item, text) for item in children(last)]
        yield Import(".".join(path), tuple(name for name, _ in pairs), tuple(bound for _, bound in pairs), line)
    elif path:
        yield Import(".".join(path[:-1]), (path[-1],), (path[-1],), line)


def _selected(item: Node, text: bytes) -> tuple[str, str]:
    name, alias = (text_of(item.child_by_field_name(field), text) for field in ("name", "alias"))
    return (name, alias) if name else (text_of(item, text),) * 2


SCALA = Grammar(
    module="tree_sitter_scala",
    query=_SCALA_QUERY,
    params=("#parameters",),  # the field of this name has the types as well
    extends=("extend",),
    kinds={
        "type_definition": "type",
        "object_definition": "object",
        "trait_definition": "trait",
        "enum_definition": "enum",
    },
    visibility=Visibility.NOT_PRIVATE,
    read_import=_scala_import,
)
