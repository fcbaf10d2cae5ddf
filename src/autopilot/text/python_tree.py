"""A Python text as its syntax tree. The text is untrusted: whatever it holds, the result is a tree or None."""

from __future__ import annotations

import ast
import warnings

# Deep nesting ends as either of the last two, a number without end or a NUL byte as ValueError.
_NOT_PYTHON = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError)

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


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


PLAIN = "plain"  # of a class that compares by identity alone


def equality_of(text: str, name: str) -> str:
    """What decides over the equality of a class at the top level, in one spelling; "" where there is no such class."""
    tree = python_tree(text)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name] if tree else []
    if not classes:
        return ""
    found = classes[0]
    methods = [node for node in found.body if isinstance(node, ast.FunctionDef) and node.name in ("__eq__", "__ne__")]
    left_out = [node for node in found.body if isinstance(node, ast.AnnAssign) and _is_not_compared(node.value)]
    fields = [node.target for node in left_out]
    return "; ".join(ast.unparse(node) for node in (*found.decorator_list, *found.bases, *methods, *fields)) or PLAIN


def _is_not_compared(value: ast.expr | None) -> bool:
    keywords = value.keywords if isinstance(value, ast.Call) else []
    return any(word.arg in ("compare", "eq") and getattr(word.value, "value", True) is False for word in keywords)


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body[:1]:
        case [ast.Expr(value=ast.Constant(value=str()))]:
            return body[1:]
        case _:
            return body


def docstring_lines(text: str) -> frozenset[int]:
    """The numbers of lines that belong to docstrings."""
    tree = python_tree(text)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, _DOCUMENTED)] if tree else []
    documented = [body[0] for body in bodies if len(without_docstring(body)) < len(body)]
    return frozenset(n for node in documented for n in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def is_main_guard(node: ast.AST) -> bool:
    """``if __name__ == "__main__":`` runs when the module is the program, never when it is imported."""
    return isinstance(node, ast.If) and any(
        isinstance(name, ast.Name) and name.id == "__name__" for name in ast.walk(node.test)
    )
