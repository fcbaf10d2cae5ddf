"""Functions of a shell script that compare two of their arguments, and fail the script where these differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from autopilot.testtools.expectations.shell_script import EQUAL, UNEQUAL, Script
from autopilot.text.lazy_regex import lazy_regex

_COUNTS = lazy_regex(rb"(?:^|[;{ \t])(\w{1,60})=(?:1\b|\$\(\()|\(\((\w{1,60})(?:\+\+|[ ]?\+=)", re.MULTILINE)
_POSITION = lazy_regex(rb"\"?\$\{?([1-9])\}?\"?")
_NAME = lazy_regex(rb"\"?\$\{?([A-Za-z_]\w{0,60})\}?\"?")
_PREPARES = frozenset({"declaration_command", "variable_assignment", "variable_assignments"})
_EXITS = lazy_regex(rb"(?:^|[^\w$-])exit[ \t]{1,8}[1-9]")
_END = lazy_regex(rb"exit[ \t]{1,8}\"?\$\{?(\w{1,60})\}?\"?|\[ \"?\$\{?(\w{1,60})\}?\"? (?:-eq|=) 0 \]")
Pair = tuple[int, int]  # positions of the two arguments


def comparing_functions(script: Script) -> Mapping[bytes, Pair]:
    found: dict[bytes, Pair] = {}
    for index in script.children(0):
        name, body = script.tree.child(index, "name"), script.tree.child(index, "body")
        if script.kind(index) == "function_definition" and name is not None and body is not None:
            pair = _pair(script, body, _ends_by(script))
            if pair and b"shift" not in script.of(body):
                found[script.of(name)] = pair
    return found


def _ends_by(script: Script) -> bytes:
    """The last statement: `exit $failed`."""
    statements = script.children(0)
    return script.of(statements[-1]) if statements else b""


def _pair(script: Script, body: int, end: bytes) -> Pair | None:
    """Of its first statement that is no preparation: what stands further down may not be reached."""
    named: dict[bytes, int] = {}
    for index in script.children(body):
        if script.kind(index) in _PREPARES:
            named |= dict(_given(script, index))
            continue
        sides = _compared(script, index, end)
        positions = [_position(script.of(side), named) for side in sides or ()]
        return (positions[0], positions[1]) if len(positions) == 2 and all(positions) else None
    return None


def _given(script: Script, index: int) -> Iterator[tuple[bytes, int]]:
    """Names for arguments: `local got=$1 want="$2"`."""
    for place in range(index, script.tree.after[index]):
        name, value = script.tree.child(place, "name"), script.tree.child(place, "value")
        if script.kind(place) == "variable_assignment" and name is not None and value is not None:
            position = _POSITION.fullmatch(script.of(value))
            yield script.of(name), int(position[1]) if position else 0


def _position(side: bytes, named: Mapping[bytes, int]) -> int:
    position, name = _POSITION.fullmatch(side), _NAME.fullmatch(side)
    return int(position[1]) if position else named.get(name[1], 0) if name else 0


def _compared(script: Script, index: int, end: bytes) -> list[int] | None:
    """Both sides of the comparison, where a difference leads to a failure."""
    children = script.children(index)
    if script.kind(index) == "list" and len(children) == 2:
        between = script.between(*children)
        operators = {b"||": EQUAL, b"&&": UNEQUAL}.get(between, ())
        return _sides(script, children[0], operators) if _fails(script.of(children[1]), end) else None
    if script.kind(index) != "if_statement":
        return None
    condition, *rest = children
    otherwise = [child for child in rest if script.kind(child) == "else_clause"]
    if any(script.kind(child) == "elif_clause" for child in rest):
        return None
    then = [child for child in rest if child not in otherwise]
    if any(_fails(script.of(child), end) for child in then):
        return _sides(script, condition, UNEQUAL)
    return _sides(script, condition, EQUAL) if any(_fails(script.of(child), end) for child in otherwise) else None


def _sides(script: Script, index: int, operators: tuple[bytes, ...]) -> list[int] | None:
    inside = script.children(index) if script.kind(index) == "test_command" else []
    if len(inside) != 1 or script.kind(inside[0]) != "binary_expression":
        return None
    left, *_, right = script.children(inside[0])
    return [left, right] if script.between(left, right) in operators else None


def _fails(text: bytes, end: bytes) -> bool:
    """It ends the script, or counts what the script ends by."""
    if _EXITS.search(text):
        return True
    counted = {name for found in _COUNTS.findall(text) for name in found if name}
    by = _END.fullmatch(end)
    return by is not None and (by[1] or by[2]) in counted
