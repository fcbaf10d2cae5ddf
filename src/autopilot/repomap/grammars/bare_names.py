"""Calls that are spelled like variables: in Ruby ``total`` is a call where nothing is assigned to this name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from autopilot.repomap.calls import Scope, by_scope
from autopilot.repomap.definitions import Definitions
from autopilot.repomap.parsing import Captures

if TYPE_CHECKING:
    from tree_sitter import Node

_PARAMETERS = frozenset(["method_parameters", "block_parameters", "lambda_parameters", "destructured_parameter"])
_NAMED = frozenset(
    ["optional_parameter", "keyword_parameter", "splat_parameter", "hash_splat_parameter", "block_parameter"]
)
_ASSIGNED = frozenset({"assignment", "operator_assignment"})
_BINDING = _PARAMETERS | {"left_assignment_list", "exception_variable", "for", "rest_assignment"}
_NO_CALL = frozenset({"alias", "undef"})


def bare_calls(captures: Captures, text: bytes, definitions: Definitions) -> Iterator[tuple[int, int]]:
    """First and last byte of each, in the order of the text."""
    nodes = captures.get("bare", ())
    roles = {node.byte_range: is_bound for node in nodes if (is_bound := _is_bound(node)) is not None}
    yield from _free(sorted(roles), roles, text, definitions.scopes)


def _free(
    places: Sequence[tuple[int, int]], roles: dict[tuple[int, int], bool], text: bytes, scopes: Sequence[Scope]
) -> Iterator[tuple[int, int]]:
    for _, spans in by_scope(places, scopes):
        variables = {text[start:end] for start, end in spans if roles[start, end]}
        yield from ((start, end) for start, end in spans if text[start:end] not in variables)


def _is_bound(node: Node) -> bool | None:
    """Whether it is made a variable there; None where it is neither used nor bound, but named."""
    around = node.parent
    if around is None or around.type in _NO_CALL:
        return None
    if around.type in _BINDING:
        return True
    is_named = _is_part(node, around, "name")
    if around.type in _NAMED or around.type in _ASSIGNED:
        return is_named or _is_part(node, around, "left")
    return None if is_named or _is_part(node, around, "method") else False


def _is_part(node: Node, around: Node, field: str) -> bool:
    part = around.child_by_field_name(field)
    return part is not None and part.id == node.id
