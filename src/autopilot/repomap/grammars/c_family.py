"""C, C++ and C#."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Import
from autopilot.repomap.grammar import Grammar, Repair, Visibility
from autopilot.repomap.grammars.reading import children, line_of, text_of, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

_C_QUERY = """
(function_definition) @function
[(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_)) (enum_specifier name: (_) body: (_))
 (type_definition)] @class
(preproc_include) @import
(call_expression function: [(identifier) (field_expression)] @call)
(translation_unit (preproc_def name: (identifier) @const))
"""
_CPP_QUERY = """
(function_definition) @function
(field_declaration declarator: (function_declarator)) @function
(field_declaration declarator: (_ declarator: (function_declarator))) @function
[(class_specifier name: (_) body: (_)) (struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_))
 (enum_specifier name: (_) body: (_)) (type_definition) (alias_declaration)] @class
[(preproc_include) (using_declaration)] @import
(call_expression function: [(identifier) (field_expression) (qualified_identifier) (template_function)] @call)
(new_expression type: (_) @call)
(translation_unit (preproc_def name: (identifier) @const))
"""
_NESTED_DEEPEST = 8
_KINDS = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "type_definition": "type",
    "alias_declaration": "type",
}


def _include(node: Node, text: bytes) -> Iterator[Import]:
    if node.type == "using_declaration":
        whole = text_of(node.named_children[-1], text) if node.named_children else ""
        source, _, name = whole.rpartition("::")
        if source:
            yield Import(source, (name,), (name,), line_of(node))
        return
    yield Import(unquoted(node.child_by_field_name("path"), text), ("*",), (), line_of(node))


def _name(node: Node, text: bytes) -> str:
    if (named := node.child_by_field_name("name")) is not None:
        return text_of(named, text)
    if (found := _innermost(node)) is None or (node.type == "field_declaration" and not _is_function(node)):
        return ""
    name = text_of(found, text).replace("::", ".").replace(" ", "")
    return name.partition("<")[0] if name.endswith(">") and "operator" not in name else name


def _is_function(node: Node) -> bool:
    inner = node.child_by_field_name("declarator")
    for _ in range(_NESTED_DEEPEST):
        if inner is None or inner.type == "function_declarator":
            break
        inner = inner.child_by_field_name("declarator")
    return inner is not None and inner.type == "function_declarator"


def _innermost(node: Node) -> Node | None:
    """The name at the end of a chain of declarators: ``*name(…)[3]``."""
    found: Node | None = node
    for _ in range(_NESTED_DEEPEST):
        inner = found.child_by_field_name("declarator") if found is not None else None
        if inner is None and found is not None and found.type in ("parenthesized_declarator", "reference_declarator"):
            inner = next(iter(children(found)), None)
        if inner is None:
            break
        found = inner
    return None if found is node else found


def _params(node: Node, text: bytes) -> tuple[str, ...]:
    found: Node | None = node
    for _ in range(_NESTED_DEEPEST):
        if found is None:
            break
        if (holder := found.child_by_field_name("parameters")) is not None:
            return tuple(text_of(child, text) for child in children(holder))
        found = found.child_by_field_name("declarator") or next(
            (child for child in found.named_children if child.type.endswith("_declarator")), None
        )
    return ()


def _grammar(module: str, query: str, repair: Repair | None = None) -> Grammar:
    return Grammar(
        module=module,
        query=query,
        returns=("type",),
        extends=("#base_class_clause",),
        kinds=_KINDS,
        visibility=Visibility.NOT_STATIC,
        read_import=_include,
        read_name=_name,
        read_params=_params,
        repair=repair,
    )


_WORDS = {b"and": b"&& ", b"or": b"||", b"not": b"!  "}  # of iso646.h: the grammar takes them for names


def _spell_signs(text: bytes) -> bytes:
    return re.sub(rb"\b(?:and|or|not)\b", lambda found: _WORDS[found[0]], text)


C = _grammar("tree_sitter_c", _C_QUERY, _spell_signs)
CPP = _grammar("tree_sitter_cpp", _CPP_QUERY)

_CSHARP_QUERY = """
[(method_declaration) (constructor_declaration) (local_function_statement)] @function
[(class_declaration) (interface_declaration) (struct_declaration) (enum_declaration) (record_declaration)
 (delegate_declaration)] @class
(using_directive) @import
(invocation_expression
 function: [(identifier) (member_access_expression) (generic_name) (conditional_access_expression)] @call)
(object_creation_expression type: (_) @call)
[(namespace_declaration name: (_) @package) (file_scoped_namespace_declaration name: (_) @package)]
"""


def _using(node: Node, text: bytes) -> Iterator[Import]:
    alias = text_of(node.child_by_field_name("name"), text)
    source = text_of(node.named_children[-1], text) if node.named_children else ""
    yield Import(source, ("*",), (alias,) if alias else (), line_of(node))


CSHARP = Grammar(
    module="tree_sitter_c_sharp",
    query=_CSHARP_QUERY,
    returns=("returns", "type"),
    extends=("#base_list",),
    kinds={
        "interface_declaration": "interface",
        "struct_declaration": "struct",
        "enum_declaration": "enum",
        "record_declaration": "record",
        "delegate_declaration": "delegate",
    },
    visibility=Visibility.NOT_PRIVATE,
    read_import=_using,
)
