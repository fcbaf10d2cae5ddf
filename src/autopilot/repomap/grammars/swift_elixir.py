"""Swift and Elixir."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Import
from autopilot.repomap.grammar import Grammar, Visibility
from autopilot.repomap.grammars.reading import children, line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SWIFT_QUERY = """
[(function_declaration) (protocol_function_declaration) (init_declaration)] @function
(class_declaration ["class" "struct" "enum" "actor"]) @class
(class_declaration "extension") @scope
[(protocol_declaration) (typealias_declaration)] @class
(import_declaration) @import
(call_expression . [(simple_identifier) (navigation_expression)] @call)
(call_expression . (_ rhs: [(simple_identifier) (navigation_expression)] @call))
(constructor_expression constructed_type: (user_type . (type_identifier) @call))
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @const)))
"""


def _swift_name(node: Node, text: bytes) -> str:
    if node.type == "init_declaration":
        return "init"
    return text_of(node.child_by_field_name("name"), text).partition("<")[0]


def _swift_params(node: Node, text: bytes) -> tuple[str, ...]:
    found: list[str] = []
    for index, child in enumerate(node.children):
        if child.type == "parameter":
            found.append(text_of(child, text))
        elif found and node.field_name_for_child(index) == "default_value":
            found[-1] += f" = {text_of(child, text)}"
    return tuple(found)


def _is_subscript(node: Node, text: bytes) -> bool:
    """``items[1]`` has the form of a call."""
    return text[node.end_byte : node.end_byte + 1] == b"["


def _swift_import(node: Node, text: bytes) -> Iterator[Import]:
    path = text_of(node.named_children[-1], text) if node.named_children else ""
    yield Import(path, ("*",), (), line_of(node))


SWIFT = Grammar(
    module="tree_sitter_swift",
    query=_SWIFT_QUERY,
    returns=("#user_type", "#optional_type", "#array_type", "#dictionary_type", "#tuple_type"),
    extends=("*inheritance_specifier",),
    kinds={"protocol_declaration": "protocol", "typealias_declaration": "type"},
    visibility=Visibility.NOT_PRIVATE,
    read_import=_swift_import,
    read_name=_swift_name,
    read_params=_swift_params,
    is_no_call=_is_subscript,
)

_ELIXIR_QUERY = """
((call target: (identifier) @_d) @function
 (#any-of? @_d "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate"))
((call target: (identifier) @_m) @class (#any-of? @_m "defmodule" "defprotocol" "defimpl"))
((call target: (identifier) @_i) @import (#any-of? @_i "import" "alias" "require" "use"))
(call target: [(identifier) (dot)] @call)
"""
_HEADS = frozenset("def defp defmacro defmacrop defguard defguardp defdelegate".split())  # noqa: SIM905 -- as a list


def _first_argument(node: Node) -> Node | None:
    arguments = next((child for child in node.named_children if child.type == "arguments"), None)
    return next(iter(children(arguments)), None) if arguments is not None else None


def _head(node: Node) -> Node | None:
    """``name(…)`` of a definition, without its guard."""
    head = _first_argument(node)
    if head is not None and head.type == "binary_operator":
        head = head.child_by_field_name("left")
    return head


def _elixir_name(node: Node, text: bytes) -> str:
    head = _head(node)
    if head is None:
        return ""
    target = head.child_by_field_name("target") if head.type == "call" else head
    return text_of(target, text)


def _elixir_params(node: Node, text: bytes) -> tuple[str, ...]:
    head = _head(node)
    holder = next((c for c in head.named_children if c.type == "arguments"), None) if head is not None else None
    return tuple(text_of(child, text) for child in children(holder)) if holder is not None else ()


def _elixir_import(node: Node, text: bytes) -> Iterator[Import]:
    argument, line = _first_argument(node), line_of(node)
    is_alias = text_of(node.child_by_field_name("target"), text) == "alias"
    if argument is None:
        return
    if argument.type == "dot":
        source = text_of(argument.child_by_field_name("left"), text)
        right = argument.child_by_field_name("right")
        names = tuple(text_of(child, text) for child in children(right)) if right is not None else ()
        yield Import(source, names, names, line)
    elif is_alias:
        source, _, name = text_of(argument, text).rpartition(".")
        yield Import(source, (name,), (name,), line)
    else:
        yield Import(text_of(argument, text), ("*",), (), line)


def _is_elixir_head(node: Node, text: bytes) -> bool:
    """Whether it is what a definition names, or an attribute (``@limit 10``), and no call."""
    around = node.parent.parent if node.parent is not None else None
    if around is not None and around.type == "unary_operator":
        return text[around.start_byte : around.start_byte + 1] == b"@"
    if around is not None and around.type == "binary_operator":
        around = around.parent
    if around is None or around.type != "arguments" or around.parent is None:
        return False
    return text_of(around.parent.child_by_field_name("target"), text) in _HEADS


ELIXIR = Grammar(
    module="tree_sitter_elixir",
    query=_ELIXIR_QUERY,
    returns=(),
    read_import=_elixir_import,
    read_name=_elixir_name,
    read_params=_elixir_params,
    is_no_call=_is_elixir_head,
    not_called=_HEADS
    | frozenset({"defmodule", "defprotocol", "defimpl", "defstruct", "import", "alias", "require", "use"}),
)
