"""Two versions of a Python test file: the same in meaning, one with additions alone, or another.

Who adds to a file must not reach what was there: a definition under a name that the old text uses, a fixture that
applies by itself, a hook of the test tool and a statement with an effect are no additions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from autopilot.inspection.control.meaning.python_additions import Names
from autopilot.inspection.control.meaning.python_bodies import is_extended
from autopilot.inspection.control.meaning.python_effects import is_for_types
from autopilot.inspection.control.meaning.python_plain import dump, is_plain, plain_tree, without_annotations
from autopilot.model.evidence.control import Meaning

_ENCODING = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_TABLES = (ast.List, ast.Tuple)

MayAdd = Callable[[ast.stmt], bool]
Imports = Mapping[str, tuple[str, ...]]  # by the name that is bound: what it is bound to, in the order of the text


def compare_python(
    old: str, new: str, path: str, moved_to: str = "", *, taken: frozenset[str] = frozenset()
) -> Meaning:
    """``taken``: names that other files use, and that an addition to this one would reach."""
    before, after = plain_tree(old), plain_tree(new)
    if before is None or after is None or _encoding(old) != _encoding(new):
        return Meaning.OTHER
    meaning = _compare_trees(before, after, path, moved_to, taken)
    if meaning is not Meaning.OTHER:
        return meaning
    # Types in the signatures of tests mean nothing to them; where something reads them, the file as it was shows it.
    for tree in (before, after):
        without_annotations(tree)
        tree.body = [statement for statement in tree.body if not is_for_types(statement)]
    meaning = _compare_trees(before, after, path, moved_to, taken)
    return Meaning.OTHER if meaning is Meaning.OTHER else Meaning.ADDS


def _compare_trees(before: ast.Module, after: ast.Module, path: str, moved_to: str, taken: frozenset[str]) -> Meaning:
    names, had, has = Names.of(before, taken), _imports(before, path), _imports(after, moved_to or path)
    if dump(before) == dump(after) and had == has:
        return Meaning.SAME
    if not _keeps_imports(had, has, names) or names.defined & {key.partition(".")[0] for key in had}:
        return Meaning.OTHER
    merged = _merge(_without_imports(before), _without_imports(after), names.may_add_to_module, names)
    return Meaning.ADDS if merged is Meaning.SAME and had != has else merged


def _merge(old: Sequence[ast.stmt], new: Sequence[ast.stmt], may_add: MayAdd, names: Names) -> Meaning:
    """Every old statement must be met in its order; between them stands only what may be added."""
    met, adds = 0, False
    for statement in new:
        kept = _compare(old[met], statement, names) if met < len(old) else Meaning.OTHER
        if kept is Meaning.OTHER and not may_add(statement):
            return Meaning.OTHER
        met += kept is not Meaning.OTHER
        adds = adds or kept is not Meaning.SAME
    if met < len(old):
        return Meaning.OTHER
    return Meaning.ADDS if adds else Meaning.SAME


def _compare(old: ast.stmt, new: ast.stmt, names: Names) -> Meaning:
    if dump(old) == dump(new):
        return Meaning.SAME
    match old, new:
        case ast.ClassDef(), ast.ClassDef() if _head(old) == _head(new):
            return _merge(old.body, new.body, names.may_add_to_class(old), names)
        case ast.FunctionDef() | ast.AsyncFunctionDef(), ast.FunctionDef() | ast.AsyncFunctionDef():
            more = type(old) is type(new) and (_has_more_rows(old, new) or is_extended(old, new))
            return Meaning.ADDS if more else Meaning.OTHER
        case ast.Assign(targets=[ast.Name(id=name)]), ast.Assign(targets=[ast.Name(id=same)]) if name == same:
            grown = name in names.tables and _is_grown(old.value, new.value)
            return Meaning.ADDS if grown else Meaning.OTHER
        case _:
            return Meaning.OTHER


def _head(node: ast.ClassDef) -> str:
    return dump([*node.bases, *node.keywords, *node.decorator_list, ast.Name(node.name)])


def _has_more_rows(old: ast.FunctionDef | ast.AsyncFunctionDef, new: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """The same test, put to more rows of a ``parametrize``."""
    if old.name != new.name or dump([old.args, *old.body]) != dump([new.args, *new.body]):
        return False
    if dump(old.returns) != dump(new.returns) or len(old.decorator_list) != len(new.decorator_list):
        return False
    pairs = zip(old.decorator_list, new.decorator_list, strict=True)
    return all(dump(a) == dump(b) or _is_grown_decorator(a, b) for a, b in pairs)


def _is_grown_decorator(old: ast.expr, new: ast.expr) -> bool:
    match old, new:
        case (
            ast.Call(func=ast.Attribute(attr="parametrize"), args=[columns, rows]),
            ast.Call(args=[same_columns, more_rows]),
        ) if dump([old.func, columns, *old.keywords]) == dump([new.func, same_columns, *new.keywords]):
            return _is_grown(rows, more_rows)
        case _:
            return False


def _is_grown(old: ast.expr, new: ast.expr) -> bool:
    if not isinstance(old, _TABLES) or type(old) is not type(new) or not isinstance(new, _TABLES):
        return False
    met = 0
    for row in new.elts:
        if met < len(old.elts) and dump(row) == dump(old.elts[met]):
            met += 1
        elif not is_plain(row):
            return False
    return met == len(old.elts)


def _imports(tree: ast.Module, path: str) -> Imports:
    found: dict[str, tuple[str, ...]] = {}
    for key, source in (pair for statement in tree.body for pair in _bound(statement, path.split("/"))):
        found[key] = tuple(dict.fromkeys((*found.get(key, ()), source)))
    return found


def _bound(statement: ast.stmt, place: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A relative import is known by the folder it leads to: its dots change when the file is moved."""
    match statement:
        case ast.Import(names=names):
            yield from ((alias.asname or alias.name, alias.name) for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            source = ".".join([*place[: len(place) - level], module or ""]) if level else module
            yield from ((alias.asname or alias.name, f"{source}:{alias.name}") for alias in names)


def _keeps_imports(had: Imports, has: Imports, names: Names) -> bool:
    if any(has.get(key) != sources for key, sources in had.items()):
        return False
    roots = {key.partition(".")[0] for key, sources in had.items() if sources == (key,)}
    added: AbstractSet[str] = has.keys() - had.keys()
    return all(
        key != "*" and (names.is_free(root) or (has[key] == (key,) and root in roots))
        for key in added
        for root in (key.partition(".")[0],)
    )


def _without_imports(tree: ast.Module) -> list[ast.stmt]:
    return [statement for statement in tree.body if not isinstance(statement, ast.Import | ast.ImportFrom)]


def _encoding(text: str) -> list[str]:
    """A comment in the first two lines decides how Python reads all others."""
    found = (_ENCODING.match(line) for line in text.split("\n")[:2])
    return [match[1].casefold() for match in found if match]
