"""Every regular expression of the package, found by walking its modules: those held by a module and those in calls."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from msgspec import Struct

import autopilot
from autopilot.inspection.control.names import Names
from autopilot.text.lazy_regex import LazyRegex
from tests.tidy.house import SOURCE, modules, named, nodes, parsed

SEARCHES = frozenset({"search", "sub", "subn", "split", "findall", "finditer"})
MATCHES = frozenset({"match", "fullmatch"})
FLAGS_AT = {"compile": 1, "split": 3, "sub": 4, "subn": 4}  # which argument holds the flags; else the third
# The agents that play scripts read what Autopilot and its tests write, and nothing of strangers.
LEFT_OUT = "autopilot.simulation."


class Found(Struct, frozen=True):
    where: str
    pattern: re.Pattern[Any]
    searches: bool  # else it is only ever matched at one place of a text


def every_pattern() -> list[Found]:
    """Each once; one that is searched for anywhere counts as searched for."""
    calls = _calls()
    found = dict[tuple[str | bytes, int], Found]()
    for module in map(importlib.import_module, _module_names()):
        for one in (*_held(module, calls), *_written(module)):
            key = (one.pattern.pattern, one.pattern.flags)
            if key not in found or one.searches:
                found[key] = one
    return [found[key] for key in sorted(found, key=lambda key: found[key].where)]


def unknown_patterns() -> list[str]:
    """Calls whose pattern is made while the program runs, from more than constants and escaped names."""
    found = list[str]()
    for module in map(importlib.import_module, _module_names()):
        for call in _calls_of_re(module):
            if _text(call.args[0], module) is None:
                found.append(f"{module.__name__}: {ast.unparse(call)}")
    return found


def _module_names() -> list[str]:
    names = (module.name for module in pkgutil.walk_packages(autopilot.__path__, "autopilot."))
    return sorted(name for name in names if not name.endswith("__main__") and not name.startswith(LEFT_OUT))


def _calls() -> Mapping[str, set[str]]:
    """Which methods of a pattern are called, by its name; a private name belongs to its module."""
    found = dict[str, set[str]]()
    for path in modules():
        for node in nodes(parsed(path)):
            if isinstance(node, ast.Attribute) and node.attr in SEARCHES | MATCHES and isinstance(node.value, ast.Name):
                found.setdefault(_key(_module_name(named(path)), node.value.id), set()).add(node.attr)
    return found


def _module_name(path: str) -> str:
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _key(module: str, name: str) -> str:
    return f"{module}.{name}" if name.startswith("_") else name


def _held(module: ModuleType, calls: Mapping[str, set[str]]) -> Iterator[Found]:
    for name, value in vars(module).items():
        used = calls.get(_key(module.__name__, name), set())
        only_matched = isinstance(value, re.Pattern | LazyRegex) and bool(used) and not used & SEARCHES
        for pattern in _inside(value):
            yield Found(f"{module.__name__}.{name}", pattern, not only_matched)


def _inside(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """Also within tuples, mappings and structs."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LazyRegex):
        yield value.compiled
    elif isinstance(value, Names):
        yield value.wild
    elif depth > 4:
        return
    elif isinstance(value, dict | list | tuple | frozenset):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _inside(each, depth + 1)
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from _inside(getattr(value, field), depth + 1)


def _written(module: ModuleType) -> Iterator[Found]:
    for call in _calls_of_re(module):
        source = _text(call.args[0], module)
        if source is not None:
            searches = _function(call) not in MATCHES
            yield Found(f"{module.__name__}:{call.lineno}", re.compile(source, _flags(call)), searches)


def _calls_of_re(module: ModuleType) -> Iterator[ast.Call]:
    """Inside of functions: what a module makes at its top is held by it."""
    path = SOURCE.joinpath(*module.__name__.split(".")[1:])
    tree = parsed(path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))
    calls = {id(node): node for node in nodes(tree) if isinstance(node, ast.Call) and _is_of_re(node)}
    functions = [node for node in nodes(tree) if isinstance(node, ast.FunctionDef)] if calls else []
    inner = {id(node) for function in functions for node in ast.walk(function)}
    yield from (call for name, call in calls.items() if name in inner)


def _is_of_re(call: ast.Call) -> bool:
    return bool(call.args) and _function(call) in SEARCHES | MATCHES | {"compile"}


def _function(call: ast.Call) -> str:
    """Which function of ``re`` is called; "" for none."""
    if isinstance(call.func, ast.Name):
        return "compile" if call.func.id == "lazy_regex" else ""
    if not (isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)):
        return ""
    return call.func.attr if call.func.value.id == "re" else ""


def _flags(call: ast.Call) -> int:
    at = FLAGS_AT.get(_function(call), 2)
    given = [word.value for word in call.keywords if word.arg == "flags"] or call.args[at : at + 1]
    names = [node.attr for flags in given for node in ast.walk(flags) if isinstance(node, ast.Attribute)]
    return sum(int(re.RegexFlag[name]) for name in names)


def _text(node: ast.expr, module: ModuleType) -> str | bytes | None:
    """A pattern as written; what is filled in is a constant of the module, or stands for a name."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value
    if isinstance(node, ast.Name) and isinstance(value := vars(module).get(node.id), str | bytes):
        return value
    if isinstance(node, ast.JoinedStr):
        pieces = [each.value if isinstance(each, ast.FormattedValue) else each for each in node.values]
        return "".join(str(_text(piece, module) or "name") for piece in pieces)
    return None
