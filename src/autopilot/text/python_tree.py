"""A Python text as its syntax tree. The text is untrusted: whatever it holds, the result is a tree or None."""

from __future__ import annotations

import ast
import warnings

# Deep nesting ends as either of the last two, a number without end or a NUL byte as ValueError.
_NOT_PYTHON = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError)


def python_tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what strange code does to its own strings
            return ast.parse(text)
    except _NOT_PYTHON:
        return None


def compiles(text: str) -> bool:
    """Stricter than a tree: a ``return`` with a value in an async generator is found only here. Nothing is run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<text>", "exec", dont_inherit=True)
    except _NOT_PYTHON:
        return False
    return True


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body[:1]:
        case [ast.Expr(value=ast.Constant(value=str()))]:
            return body[1:]
        case _:
            return body


def is_main_guard(node: ast.AST) -> bool:
    """``if __name__ == "__main__":`` runs when the module is the program, never when it is imported."""
    return isinstance(node, ast.If) and any(
        isinstance(name, ast.Name) and name.id == "__name__" for name in ast.walk(node.test)
    )
