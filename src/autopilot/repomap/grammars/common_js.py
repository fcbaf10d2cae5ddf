"""CommonJS: what ``require`` brings, as ``import(…)`` does, and what a file hands out by ``module.exports``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Export, ExportKind, Import
from autopilot.repomap.grammars.reading import children, line_of, text_of, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

_WHOLE = "*"
_TRANSPARENT = frozenset({"await_expression", "parenthesized_expression", "non_null_expression", "as_expression"})


def read_called(call: Node, text: bytes) -> Import:
    """``require("./a")`` and ``import("./a")``, with the names that what stands around gives to what they bring."""
    arguments, used = call.child_by_field_name("arguments"), _used(call, text)
    source = unquoted(arguments.named_children[0], text) if arguments and arguments.named_children else ""
    pairs = _bound_around(*used, text)
    if pairs is None:
        brought = () if _is_for_its_effect(call) else (_WHOLE,)
        return Import(source, brought, (), line_of(call))
    names, bound = tuple(name for name, _ in pairs), tuple(alias for _, alias in pairs)
    return Import(source, names, bound, line_of(call), is_export=pairs == [(_WHOLE, _WHOLE)])


def _is_for_its_effect(call: Node) -> bool:
    """``require("./a")`` as a statement."""
    called = call.child_by_field_name("function")
    is_statement = call.parent is not None and call.parent.type == "expression_statement"
    return is_statement and called is not None and called.type == "identifier"


def _bound_by(pattern: Node | None, text: bytes) -> list[tuple[str, str]]:
    """``const { a, b: c } = require("x")``, or the whole under one name."""
    if pattern is None or pattern.type != "object_pattern":
        return [(_WHOLE, text_of(pattern, text))]
    pairs = []
    for child in pattern.named_children:
        if child.type == "shorthand_property_identifier_pattern":
            pairs.append((text_of(child, text), text_of(child, text)))
        elif child.type == "pair_pattern":
            key, value = (child.child_by_field_name(field) for field in ("key", "value"))
            pairs.append((text_of(key, text), text_of(value, text)))
    return pairs


def read_assigned(target: Node, text: bytes) -> Iterator[Export]:
    """``module.exports = x``, ``module.exports = { a, b: c }``, ``exports.a = exports.b = x``."""
    targets = [target]
    value = target.parent.child_by_field_name("right") if target.parent else None
    while value is not None and value.type == "assignment_expression":
        targets += [left] if (left := value.child_by_field_name("left")) else []
        value = value.child_by_field_name("right")
    for place in targets:
        whole, _, name = text_of(place, text).rpartition(".")
        if whole in ("exports", "module.exports"):
            yield _export(name, value, place, text)
        elif whole == "module" and name == "exports":
            named = text_of(value, text) if value is not None and value.type == "identifier" else ""
            yield Export("default", ExportKind.DEFAULT, line_of(place), named)
            yield from _listed(value, text) if value is not None and value.type == "object" else ()


def _listed(holder: Node, text: bytes) -> Iterator[Export]:
    for child in children(holder):
        if child.type == "shorthand_property_identifier":
            yield Export(text_of(child, text), ExportKind.CONST, line_of(child))
        elif child.type == "method_definition":
            yield Export(text_of(child.child_by_field_name("name"), text), ExportKind.FUNCTION, line_of(child))
        elif child.type == "pair":
            key = child.child_by_field_name("key")
            if key is not None and key.type in ("property_identifier", "string"):
                yield _export(unquoted(key, text), child.child_by_field_name("value"), key, text)


def _export(name: str, value: Node | None, place: Node, text: bytes) -> Export:
    named = text_of(value, text) if value is not None and value.type == "identifier" else ""
    is_function = value is not None and "function" in value.type
    kind = ExportKind.FUNCTION if is_function else ExportKind.CONST
    return Export(name, kind, line_of(place), "" if named == name else named)


def _used(call: Node, text: bytes) -> tuple[Node, str]:
    """The expression that is used of it, and which member that is: ``require("./a").b``; "" for all of it."""
    node = call
    while node.parent is not None and node.parent.type in _TRANSPARENT:
        node = node.parent
    around = node.parent
    if around is not None and around.type == "subscript_expression":
        return around, ""
    if around is not None and around.type == "member_expression":
        member = text_of(around.child_by_field_name("property"), text)
        return (node, "") if member == "then" else (around, member)
    return node, ""


def _bound_around(used: Node, member: str, text: bytes) -> list[tuple[str, str]] | None:
    """None where nothing is given a name."""
    around = used.parent
    if around is None:
        return None
    if around.type == "variable_declarator":
        return _named(around.child_by_field_name("name"), member, text)
    if around.type == "assignment_expression":
        return _named(around.child_by_field_name("left"), member, text)
    if around.type == "member_expression":  # ``import("./a").then((a) => …)``
        return _named(_first_parameter(around.parent), "", text)
    if around.parent is not None and _is_handed_out(around.parent, text):
        if around.type == "pair":
            return [(member or _WHOLE, unquoted(around.child_by_field_name("key"), text))]
        return [(_WHOLE, _WHOLE)] if around.type == "spread_element" and not member else None
    return None


def _named(pattern: Node | None, member: str, text: bytes) -> list[tuple[str, str]] | None:
    if pattern is None:
        return None
    spelled = text_of(pattern, text)
    if spelled == "module.exports":
        return None if member else [(_WHOLE, _WHOLE)]
    if spelled.startswith(("exports.", "module.exports.")):
        return [(member or _WHOLE, spelled.rpartition(".")[2])]
    if pattern.type == "identifier":
        return [(member or _WHOLE, spelled)]
    return _bound_by(pattern, text) if pattern.type == "object_pattern" and not member else None


def _first_parameter(call: Node | None) -> Node | None:
    """Of the function that is handed over: ``.then((a) => …)``, ``.then(a => …)``."""
    arguments = call.child_by_field_name("arguments") if call else None
    given = arguments.named_children[0] if arguments and arguments.named_children else None
    if given is None:
        return None
    holder = given.child_by_field_name("parameters")
    first = holder.named_children[0] if holder and holder.named_children else given.child_by_field_name("parameter")
    return first.child_by_field_name("pattern") or first if first is not None else None


def _is_handed_out(holder: Node, text: bytes) -> bool:
    """Whether it is the object that is assigned to ``module.exports``."""
    around = holder.parent
    if holder.type != "object" or around is None or around.type != "assignment_expression":
        return False
    return text_of(around.child_by_field_name("left"), text) == "module.exports"
