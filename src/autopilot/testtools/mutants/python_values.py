"""Another value of the same kind for a Python literal: a number for a number, a text for a text."""

from __future__ import annotations

import ast

_EMPTY: dict[type[ast.expr], str] = {
    ast.List: "[]",
    ast.Tuple: "()",
    ast.Dict: "{}",
    ast.Set: "set()",
    ast.ListComp: "[]",
    ast.DictComp: "{}",
    ast.SetComp: "set()",
}
_MANY_BITS = 4000  # Python refuses to spell longer numbers


def other_value(value: ast.expr) -> str | None:
    """None for what is no literal: to change an argument of a call may break the call, and that proves nothing.

    All texts get the same ending and all numbers one more, so what was distinct, as members of an enum, stays so.
    """
    match value:
        case ast.Constant(value=bool() as flag):
            return str(not flag)
        case ast.Constant(value=int() | float() | complex() as number):
            return _other_number(number)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return _other_number(-number)
        case ast.Constant(value=str() as text):
            return ascii(f"{text}_")
        case ast.Constant(value=bytes() as raw):
            return ascii(raw + b"_")
        case ast.JoinedStr():
            return "'_'"
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return None
        case ast.BinOp():
            return _other_sum(value)
        case _:
            return _EMPTY.get(type(value))


def _other_number(number: complex) -> str:
    if isinstance(number, int) and number.bit_length() > _MANY_BITS:
        return "0"
    # An infinity has no spelling of its own, and one more changes nothing of a very large number.
    return repr(number + 1) if number + 1 != number and abs(number) < 1e300 else "0"


def _other_sum(value: ast.BinOp) -> str | None:
    """``60 * 60`` is a number too, but what it comes to is not worked out: ``9 ** 9 ** 9`` has no end."""
    leaves = [node for node in ast.walk(value) if isinstance(node, ast.expr) and not isinstance(node, ast.BinOp)]
    numbers = all(isinstance(leaf, ast.Constant) and type(leaf.value) in {int, float} for leaf in leaves)
    return f"({ast.unparse(value)}) + 1" if numbers else None
