"""Go text in, the same text out with changed functions that return zero values, or other constants, at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.testtools.mutants.early_return import Function, mutate_by_early_return
from autopilot.testtools.mutants.edit import Mutated
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree

_FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
_RUN_BY_GO = frozenset({b"main", b"init"})
_NUMBER = re.compile(rb"u?int(?:8|16|32|64)?|uintptr|byte|rune|float(?:32|64)|complex(?:64|128)")
# A function that is given a test belongs to the tests: without its work nothing would be compared any more.
_OF_TESTS = re.compile(rb"\btesting\.(?:T|TB|B|F|M)\b")
_RECEIVER = re.compile(rb"(\w{1,80}+)\s{0,20}+(?:\[[^\]]{0,200}+\])?\s{0,20}+,?\s{0,20}+\)\Z")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_ZEROS = frozenset({b"", b"return", b"nil", b"false", b"0", b'""'})

_Result = tuple[bytes, bytes]  # name and type


def mutate_go(old: bytes | None, new: bytes) -> Mutated | None:
    return mutate_by_early_return(old, new, Grammar.GO, read_functions)


def read_functions(tree: ScriptTree, text: bytes) -> Iterator[Function]:
    loading = _used_while_loading(tree, text)
    for index in tree.children(0):
        part = tree.parts[index]
        if part.kind in _FUNCTIONS and not part.wrong and (function := _function(tree, text, index, loading)):
            yield function


def _function(tree: ScriptTree, text: bytes, index: int, loading: frozenset[bytes]) -> Function | None:
    name, parameters, body = (tree.child(index, field) for field in ("name", "parameters", "body"))
    if name is None or parameters is None or body is None:
        return None
    part, spelled = tree.parts[index], source_of(tree, text, name)
    is_method = part.kind == "method_declaration"
    if (not is_method and spelled in _RUN_BY_GO) or _OF_TESTS.search(source_of(tree, text, parameters)):
        return None
    result, block = tree.child(index, "result"), tree.parts[body]
    signature, results = named_results(tree, text, result)
    after = tree.parts[result].end if result is not None else block.start
    head = signature + text[after : block.start]
    others = [
        b"%s = %s; " % (result_name, other)
        for result_name, type in results
        if result_name != b"_" and (other := _other(type))
    ]
    is_zero = _returns_zero(source_of(tree, text, body))
    if is_zero and not others:
        return None  # no constant differs from what it returns already
    return Function(
        (_receiver(tree, text, index) + spelled).decode(errors="replace"),
        part.start,
        part.end,
        tree.parts[result].start if result is not None else block.start,
        block.start + 1,
        b"%s{ if true { return };" % head,
        b"%s{ if true { %sreturn };" % (head, b"".join(others)),
        early=is_zero or (not is_method and spelled in loading),
    )


def named_results(tree: ScriptTree, text: bytes, result: int | None) -> tuple[bytes, list[_Result]]:
    """The results as they are declared with names: a plain `return` then returns the zero values of any types."""
    if result is None:
        return b"", []
    if tree.parts[result].kind != "parameter_list":
        return _declared([source_of(tree, text, result)])
    named, types = list[_Result](), list[bytes]()
    for declaration in tree.children(result):
        type = tree.child(declaration, "type")
        if type is None:
            continue  # a comment
        types.append(source_of(tree, text, type))
        named += [
            (source_of(tree, text, child), types[-1])
            for child in tree.children(declaration)
            if tree.parts[child].field == "name"
        ]
    return (source_of(tree, text, result), named) if named else _declared(types)


def _declared(types: list[bytes]) -> tuple[bytes, list[_Result]]:
    results = [(b"mutantResult%d" % number, type) for number, type in enumerate(types)]
    return b"(%s)" % b", ".join(b"%s %s" % result for result in results), results


def _returns_zero(body: bytes) -> bool:
    """`{ return 0, nil }`, or nothing at all."""
    return set(re.split(rb"[\s,;]+", _COMMENT.sub(b"", body)[1:-1])) <= _ZEROS


def _other(type: bytes) -> bytes | None:
    """A value that is not the zero value; None for a type that may have no other constant."""
    if _NUMBER.fullmatch(type):
        return b"1"
    return {b"bool": b"true", b"string": b'"x"'}.get(type)


def _receiver(tree: ScriptTree, text: bytes, index: int) -> bytes:
    receiver = tree.child(index, "receiver")
    if receiver is None:
        return b""
    found = _RECEIVER.search(source_of(tree, text, receiver))
    return found[1] + b"." if found else b""


def _used_while_loading(tree: ScriptTree, text: bytes) -> frozenset[bytes]:
    """Names that the values of package variables need: `var table = build()`."""
    names = set[bytes]()
    for declaration in tree.children(0):
        if tree.parts[declaration].kind == "var_declaration":
            inside = range(declaration, tree.after[declaration])
            names |= {source_of(tree, text, index) for index in inside if tree.parts[index].kind == "identifier"}
    return frozenset(names)


def source_of(tree: ScriptTree, text: bytes, index: int) -> bytes:
    part = tree.parts[index]
    return text[part.start : part.end]
