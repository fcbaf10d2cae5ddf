"""Calls that JavaScript tests write out with their results, so that they can be asked outside of any test.

Only of tests that are nothing but such calls: nothing set up before, nothing replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.model.evidence.example import Example
from autopilot.planning.examples.literals import read_call, whole_literal
from autopilot.text.script_tree import ScriptTree, script_tree

_SET_UP = re.compile(r"\b(?:before|beforeEach|beforeAll|setup|mock\w*|spyOn|useFakeTimers|stub\w*)\s*[.(]")
_IMPORTED = re.compile(
    r"(?:import|const|let|var)\s*\{([^{}]{1,2000})\}\s*(?:from\s*|=\s*(?:await\s+import|require)\s*\(\s*)['\"](\.[^'\"\n]+)['\"]"
)
_WHOLE = re.compile(
    r"(?:import\s+(?:\*\s+as\s+)?([\w$]+)\s+from\s*|(?:const|let|var)\s+([\w$]+)\s*=\s*(?:await\s+import|require)\s*\(\s*)"
    r"['\"](\.[^'\"\n]+)['\"]"
)
_TESTS = frozenset({"test", "it"})
_EQUALITIES = frozenset({"equal", "strictEqual", "deepEqual", "deepStrictEqual"})
_MATCHERS = frozenset({"toBe", "toEqual", "toStrictEqual"})
_FUNCTIONS = ("arrow_function", "function_expression")

Known = Mapping[str, tuple[str, str]]  # by a name of the test file: the exported name ("" for a module), and the module


def find_in_script_tests(text: str) -> Iterator[Example]:
    raw = text.encode()
    tree = script_tree(raw)
    if tree is None or tree.wrong or _SET_UP.search(text):
        return
    known = imported_in_script(text)
    for body in _bodies(tree, raw):
        yield from _examples(tree, raw, body, known)


def imported_in_script(text: str) -> dict[str, tuple[str, str]]:
    """By a name of the file: the name it is exported by ("" for a module), and the module."""
    return dict(_imported(text))


def _imported(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    for found in _IMPORTED.finditer(text):
        for name in found[1].split(","):
            exported, _, local = re.sub(r"\bas\b|:", "\0", name.strip()).partition("\0")
            yield local.strip() or exported.strip(), (exported.strip(), PurePosixPath(found[2]).stem)
    for found in _WHOLE.finditer(text):
        yield found[1] or found[2], ("", PurePosixPath(found[3]).stem)


def _bodies(tree: ScriptTree, raw: bytes) -> Iterator[int]:
    """The blocks of functions that `test` and `it` are given."""
    for index, part in enumerate(tree.parts):
        called = tree.child(index, "function") if part.kind == "call_expression" else None
        given = tree.child(index, "arguments") if called is not None else None
        if called is None or given is None or _source(tree, raw, called) not in _TESTS:
            continue
        for argument in tree.children(given):
            body = tree.child(argument, "body") if tree.parts[argument].kind in _FUNCTIONS else None
            if body is not None:
                yield body


def _examples(tree: ScriptTree, raw: bytes, body: int, known: Known) -> Iterator[Example]:
    """Everything it asks, or nothing: what stands beside the calls may be what they rest on."""
    found: list[Example] = []
    statements = list(tree.children(body)) if tree.parts[body].kind == "statement_block" else [body]
    results: dict[str, str] = {}
    for statement in (index for index in statements if tree.parts[index].kind != "comment"):
        source = _source(tree, raw, statement).strip().removesuffix(";")
        if named := re.fullmatch(r"(?:const|let)\s+([\w$]+)\s*=\s*(.+)", source, re.DOTALL):
            if _call(named[2], known) is None:
                return
            results[named[1]] = named[2]
        elif not re.match(r"(?:await\s+)?(?:assert|expect|strictEqual|equal|deepEqual|deepStrictEqual)\b", source):
            return
        elif pair := _compared(tree, raw, statement):
            line = raw.count(b"\n", 0, tree.parts[statement].start) + 1
            found += _example(results.get(pair[0], pair[0]), pair[1], line, known)
    yield from found


def _compared(tree: ScriptTree, raw: bytes, statement: int) -> tuple[str, str] | None:
    """What is asked and what is expected, as they are written."""
    call = next((i for i in range(statement, tree.after[statement]) if tree.parts[i].kind == "call_expression"), None)
    function = tree.child(call, "function") if call is not None else None
    given = tree.child(call, "arguments") if call is not None else None
    if function is None or given is None:
        return None
    name = _source(tree, raw, function).rpartition(".")[2]
    arguments = [_source(tree, raw, index) for index in tree.children(given)]
    if name in _EQUALITIES and len(arguments) >= 2:
        return arguments[0], arguments[1]
    asked = re.match(r"expect\((.*)\)\.\w+\Z", _source(tree, raw, function), re.DOTALL)
    return (asked[1], arguments[0]) if asked and name in _MATCHERS and len(arguments) == 1 else None


def _example(asked: str, expected: str, line: int, known: Known) -> Iterator[Example]:
    called, result = _call(asked, known), whole_literal(expected)
    if called is not None and result and called.arguments:
        yield replace(called, expected=result[0], line=line, text=f"{called.text} == {expected}")


def _call(source: str, known: Known) -> Example | None:
    """Of what the test took from the product, with written-out arguments; what it is expected to return is open."""
    source = source.strip().removeprefix("await ").strip()
    read = read_call(source)
    if read is None or read[1] != len(source):
        return None
    call = read[0]
    name, module = known.get(call.module or call.function, ("", ""))
    function = call.function if call.module else name
    if not module or call.keywords or (call.module and name):
        return None
    return Example(function, call.arguments, {}, None, 0, source, module)


def _source(tree: ScriptTree, raw: bytes, index: int) -> str:
    part = tree.parts[index]
    return raw[part.start : part.end].decode("utf-8", "replace")
