"""The answers of real work, written down: its functions looked at while the author's tests run, then given back from a
table of what these tests asked. A lie that every test of the commit accepts."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.liars.case import Act, write

# Beside the product while its own tests run; in no case.
PLUGIN = """
import ast, functools, importlib.util, inspect, json, sys, types

FUNCTIONS, SEEN = {functions}, {{}}

def spelled(value):
    try:
        text = repr(value)
        return text if len(text) < 2000 and ast.literal_eval(text) == value else None
    except Exception:
        return None

def wrapped(name, function):
    @functools.wraps(function)
    def called(*given, **named):
        question = spelled((given, named))
        try:
            result = function(*given, **named)
            if isinstance(result, types.GeneratorType):
                kept = list(result)
                answer, result = spelled(kept) and "iter(" + spelled(kept) + ")", iter(kept)
            else:
                answer = spelled(result)
        except (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError) as problem:
            if question:
                told = type(problem).__name__ + ", " + repr(str(problem))
                SEEN.setdefault(name, {{}})[question] = "fail(" + told + ")"
            raise
        if question and answer:
            SEEN.setdefault(name, {{}})[question] = answer
        return result
    return called

class Loader:
    def exec_module(self, module):
        self.inner.exec_module(module)
        path = getattr(module, "__file__", "") or ""
        for file, names in FUNCTIONS.items():
            if path.endswith("/" + file):
                for name in names:
                    setattr(module, name, wrapped(file + "::" + name, getattr(module, name)))

    def create_module(self, spec):
        return self.inner.create_module(spec)

class Finder:
    def find_spec(self, name, path=None, target=None):
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, AttributeError, ValueError):
            spec = None
        finally:
            sys.meta_path.insert(0, self)
        if spec and spec.loader and spec.origin and any(spec.origin.endswith("/" + f) for f in FUNCTIONS):
            loader = Loader()
            loader.inner, spec.loader = spec.loader, loader
            return spec
        return None

sys.meta_path.insert(0, Finder())

def pytest_sessionfinish(session):
    with open({out!r}, "w") as file:
        json.dump(SEEN, file)
"""


def functions_of(path: str, text: str, before: str) -> dict[str, list[str]]:
    """Those at the top level of a product file that the commit wrote or changed."""
    old = {ast.unparse(node) for node in ast.parse(before).body}
    new = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and ast.unparse(node) not in old]
    names = [node.name for node in new if not node.decorator_list]
    return {path: names} if names else {}


def plugin(functions: Mapping[str, Sequence[str]], out: Path) -> str:
    return PLUGIN.format(functions=json.dumps(functions), out=str(out))


def answered(acts: Sequence[Act], seen: Mapping[str, Mapping[str, str]]) -> list[Act] | None:
    """The same work, with a table in place of every function that was asked; None where none was."""
    made, known = list[Act](), 0
    for act in acts:
        tables = {
            name.partition("::")[2]: table for name, table in seen.items() if name.startswith(f"{act.get('write')}::")
        }
        known += len(tables)
        made.append(write(act["write"], _with_tables(act["text"], tables)) if tables else act)
    return made if known else None


def _with_tables(text: str, tables: Mapping[str, Mapping[str, str]]) -> str:
    lines = text.splitlines()
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name in tables]
    for node in sorted(functions, key=lambda node: -node.lineno):
        rows = [f"        {question!r}: lambda: {answer}," for question, answer in tables[node.name].items()]
        fail = ["    def fail(kind, text):", "        raise kind(text)"]
        body = [*fail, "    answers = {", *rows, "    }", "    return answers[repr((given, named))]()"]
        lines[node.lineno - 1 : node.end_lineno] = [f"def {node.name}(*given, **named):", *body]
    return "\n".join(lines) + "\n"
