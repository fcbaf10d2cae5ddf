"""Which names of a Python module are needed while it is being loaded, before any test could call anything."""

from __future__ import annotations

import ast

from autopilot.text.python_tree import is_main_guard


def used_while_loading(tree: ast.Module) -> frozenset[str]:
    """Where `TABLE = build()` stands, a `build` that returns None may break the import; a bare `build()` cannot.

    Bodies of functions wait for their call; their decorators and default values do not.
    """
    names: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case (
                ast.FunctionDef(decorator_list=decorators, args=args)
                | ast.AsyncFunctionDef(decorator_list=decorators, args=args)
            ):
                waiting += [*decorators, *_defaults(args)]
            case ast.Lambda(args=args):
                waiting += _defaults(args)
            case ast.Expr(value=ast.Call(func=ast.Name()) as call):
                waiting += [*call.args, *call.keywords]
            case ast.Assign(targets=[ast.Name()], value=ast.Name()):
                pass  # another name for it
            case ast.Name(id=name, ctx=ast.Load()):
                names.add(name)
            case _ if not is_main_guard(node):
                waiting += ast.iter_child_nodes(node)
    return frozenset(names)


def _defaults(args: ast.arguments) -> list[ast.expr]:
    return [*args.defaults, *(default for default in args.kw_defaults if default is not None)]
