"""Go and Rust."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Import
from autopilot.repomap.grammar import Grammar, Visibility
from autopilot.repomap.grammars.reading import children, line_of, text_of, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

_GO_VERSION = re.compile(r"v\d+")
_GO_QUERY = """
[(function_declaration) (method_declaration) (method_elem)] @function
[(type_spec) (type_alias)] @class
(import_spec) @import
(call_expression function: [(identifier) (selector_expression)] @call)
(type_conversion_expression type: (generic_type type: (type_identifier) @call))
(composite_literal type: (type_identifier) @call)
(package_clause (package_identifier) @package)
(source_file (const_declaration (const_spec name: (identifier) @const)))
(source_file (var_declaration (var_spec name: (identifier) @const)))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @const))))
"""


def _go_import(node: Node, text: bytes) -> Iterator[Import]:
    source = unquoted(node.child_by_field_name("path"), text)
    name = text_of(node.child_by_field_name("name"), text)
    if name == "_":
        yield Import(source, (), (), line_of(node))
    else:
        bound = () if name == "." else (name or package_of(source),)
        yield Import(source, ("*",), bound, line_of(node))


def package_of(source: str) -> str:
    """By custom: `github.com/me/go-shop/v2` is `shop`, `gopkg.in/yaml.v3` is `yaml`."""
    before, _, last = source.rpartition("/")
    name = before.rpartition("/")[2] if before and _GO_VERSION.fullmatch(last) else last
    name = name.removeprefix("go-") if "-" in name else name
    return re.sub(r"\.v\d+$", "", name).removesuffix("-go").removesuffix(".go")


def _go_name(node: Node, text: bytes) -> str:
    name = text_of(node.child_by_field_name("name"), text)
    receiver = node.child_by_field_name("receiver")
    if receiver is None or not receiver.named_children:
        return name
    owner = text_of(receiver.named_children[0].child_by_field_name("type"), text)
    return f"{owner.lstrip('*').partition('[')[0]}.{name}"


def _embedded(node: Node, text: bytes) -> tuple[str, ...]:
    """The types whose methods a struct or interface has: fields without a name."""
    found: list[str] = []
    holder = node.child_by_field_name("type")
    for part in holder.named_children if holder is not None else ():
        fields = part.named_children if part.type == "field_declaration_list" else [part]
        for field in fields:
            if field.type == "type_elem" and field.named_child_count == 1:
                found.append(text_of(field, text))
            elif field.type == "field_declaration" and field.child_by_field_name("name") is None:
                found.append(text_of(field.child_by_field_name("type"), text).lstrip("*"))
    return tuple(found)


GO = Grammar(
    module="tree_sitter_go",
    query=_GO_QUERY,
    returns=("result",),
    read_bases=_embedded,
    kinds={"struct_type": "struct", "interface_type": "interface", "type_alias": "type"},
    visibility=Visibility.CAPITAL,
    read_import=_go_import,
    read_name=_go_name,
    self_is_named=re.compile(rb"func\s*+\(\s*+(\w+)\s++\*?+\s*+\w"),
)

_RUST_QUERY = """
[(function_item) (function_signature_item) (macro_definition)] @function
[(struct_item) (enum_item) (union_item) (trait_item) (type_item)] @class
(impl_item) @scope
(mod_item body: (_)) @space
(mod_item !body) @import
[(use_declaration) (extern_crate_declaration)] @import
(call_expression function: [(identifier) (field_expression) (scoped_identifier)] @call)
(call_expression function: (generic_function function: [(identifier) (field_expression) (scoped_identifier)] @call))
(struct_expression name: (type_identifier) @call)
(macro_invocation macro: (identifier) @call)
((token_tree (identifier) @loose_call . (token_tree) @_arguments) (#match? @_arguments "^[(]"))
(token_tree (identifier) @loose_call . "!" . (token_tree))
(source_file [(const_item name: (_) @const) (static_item name: (_) @const)])
"""


def _rust_import(node: Node, text: bytes) -> Iterator[Import]:
    line = line_of(node)
    is_export = any(child.type == "visibility_modifier" for child in node.children[:1])
    if node.type != "use_declaration":
        name = text_of(node.child_by_field_name("name"), text)
        yield Import(name, ("*",), (text_of(node.child_by_field_name("alias"), text) or name,), line, is_export)
        return
    for source, name, bound in _used(node.child_by_field_name("argument"), "", text):
        yield Import(source, (name,), (bound,) if bound else (), line, is_export)


def _used(node: Node | None, before: str, text: bytes) -> Iterator[tuple[str, str, str]]:
    """Path, name, and the name by which it is known here."""
    if node is None:
        return
    if node.type == "use_list":
        for child in children(node):
            yield from _used(child, before, text)
    elif node.type == "scoped_use_list":
        inside = _joined(before, text_of(node.child_by_field_name("path"), text))
        yield from _used(node.child_by_field_name("list"), inside, text)
    elif node.type == "use_wildcard":
        yield _joined(before, text_of(node, text).removesuffix("*").removesuffix("::")), "*", ""
    else:
        alias = text_of(node.child_by_field_name("alias"), text) if node.type == "use_as_clause" else ""
        whole = node.child_by_field_name("path") if node.type == "use_as_clause" else node
        path, _, name = _joined(before, text_of(whole, text)).rpartition("::")
        if name == "self":
            yield path, "*", alias or path.rpartition("::")[2]
        else:
            yield path, name, alias or name


def _joined(before: str, after: str) -> str:
    return f"{before}::{after}" if before and after else before or after


RUST = Grammar(
    module="tree_sitter_rust",
    query=_RUST_QUERY,
    name=("name", "type"),
    extends=("bounds",),
    kinds={
        "struct_item": "struct",
        "enum_item": "enum",
        "union_item": "union",
        "trait_item": "trait",
        "type_item": "type",
    },
    visibility=Visibility.KEYWORD_PUB,
    read_import=_rust_import,
)
