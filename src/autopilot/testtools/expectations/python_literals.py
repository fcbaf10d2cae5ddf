"""A written-out value of Python, and another one of its kind."""

from __future__ import annotations

import ast

from autopilot.testtools.expectations.site import Draw

# Calls that make a value of the literal they are given.
_MAKERS = frozenset({"approx", "Decimal", "Fraction", "Path", "PurePath", "str", "set", "frozenset", "tuple", "list"})


def other_literal(node: ast.expr, draw: Draw) -> tuple[ast.expr, str] | None:
    """The part of it to replace, and with what; None where it is no literal, or has none inside."""
    match node:
        case ast.Constant(value=value):
            other = _other(value, draw)
            return (node, other) if other else None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return node, repr(draw.number())
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(values=[]):
            return node, _filled(node, draw)
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements) | ast.Dict(values=elements):
            found = (other_literal(element, draw) for element in elements)
            return next((edit for edit in found if edit), None)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if name in _MAKERS:
            return other_literal(first, draw)
        case _:
            return None


def _other(value: object, draw: Draw) -> str:
    match value:
        case bool():
            return repr(not value)
        case int():
            return repr(value + draw.number())
        case float():  # a very large one is not changed by adding a small one
            return repr(-value - draw.number())
        case str():
            return repr(value + draw.word())
        case bytes():
            return repr(value + draw.word().encode())
        case None:
            return repr(draw.word())
        case _:
            return ""


def _filled(node: ast.expr, draw: Draw) -> str:
    number = draw.number()
    match node:
        case ast.List():
            return f"[{number}]"
        case ast.Tuple():
            return f"({number},)"
        case _:
            return f"{{{draw.word()!r}: {number}}}"
