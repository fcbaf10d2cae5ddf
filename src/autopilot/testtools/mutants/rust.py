"""Rust text in, the same text out with changed functions that return default values, or other constants, at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.testtools.mutants.early_return import Function, mutate_by_early_return
from autopilot.testtools.mutants.edit import Mutated
from autopilot.testtools.mutants.rust_values import RustTypes, read_types
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree

_OF_TESTS = re.compile(rb'#!?\[\s*(?:[\w:]*\btest\b|rstest\b|test_case\b|bench\b|cfg\s*\((?!\s*not)[^"]*\btest\b)')
_HOLDERS = {"mod_item": "", "impl_item": "type", "trait_item": "name"}  # and which of their parts names what is inside
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_DEFAULTS = frozenset(
    (b"", *b'() Ok(()) None Vec::new() vec![] String::new() Default::default() 0 0.0 false ""'.split())
)


def mutate_rust(old: bytes | None, new: bytes) -> Mutated | None:
    return mutate_by_early_return(old, new, Grammar.RUST, read_functions)


def read_functions(tree: ScriptTree, text: bytes) -> Iterator[Function]:
    types = read_types(tree, text)
    for index, around in _items(types, 0, b""):
        if not tree.parts[index].wrong and (function := _function(types, index, around)):
            yield function


def _items(types: RustTypes, block: int, around: bytes) -> Iterator[tuple[int, bytes]]:
    """Functions outside of functions and of tests, each with the type or trait that it belongs to."""
    of_tests = False
    for index in types.tree.children(block):
        kind = types.tree.parts[index].kind
        if kind.endswith("attribute_item"):
            of_tests = of_tests or _OF_TESTS.match(types.source(index)) is not None
            if of_tests and kind == "inner_attribute_item":
                return
        elif not kind.endswith("comment"):
            body = types.tree.child(index, "body")
            if kind == "function_item" and not of_tests:
                yield index, around
            elif kind in _HOLDERS and body is not None and not of_tests:
                holder = types.tree.child(index, _HOLDERS[kind]) if _HOLDERS[kind] else None
                name = around if holder is None else types.source(holder).partition(b"<")[0]
                yield from _items(types, body, name)
            of_tests = False


def _function(types: RustTypes, index: int, around: bytes) -> Function | None:
    tree = types.tree
    name, body, result = (tree.child(index, field) for field in ("name", "body", "return_type"))
    if name is None or body is None:
        return None
    part, spelled = tree.parts[index], types.source(name)
    # A function that asserts belongs to the tests: without its work nothing would be compared any more.
    if spelled.startswith(b"assert") or (spelled == b"main" and not around):
        return None
    title = (b"%s::%s" % (around, spelled) if around else spelled).decode(errors="replace")
    place = _first_statement(tree, body)
    constants = (b"", b"") if result is None else types.constants(result, around)
    if constants is None or (_is_const(types, index) and b"::" in constants[0] + constants[1]):
        return Function(title, part.start, part.end, place, place, b"", b"", has_constant=False)
    is_default = _returns_default(types.source(body))
    if is_default and constants[0] == constants[1]:
        return None  # no constant differs from what it returns already
    nothing, true = (b" if true { return%s; }" % (b" " + value if value else b"") for value in constants)
    return Function(title, part.start, part.end, place, place, nothing, true, early=is_default)


def _is_const(types: RustTypes, index: int) -> bool:
    modifiers = [child for child in types.tree.children(index) if types.tree.parts[child].kind == "function_modifiers"]
    return any(b"const" in types.source(child).split() for child in modifiers)


def _first_statement(tree: ScriptTree, body: int) -> int:
    """Behind the brace, and behind the attributes that must come first."""
    inner = [child for child in tree.children(body) if tree.parts[child].kind == "inner_attribute_item"]
    return tree.parts[inner[-1]].end if inner else tree.parts[body].start + 1


def _returns_default(body: bytes) -> bool:
    """`{ Ok(()) }`, or nothing at all."""
    source = _COMMENT.sub(b"", body)[1:-1].strip().rstrip(b";").removeprefix(b"return ")
    return b"".join(source.split()) in _DEFAULTS
