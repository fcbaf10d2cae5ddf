"""Whoever decodes JSON or TOML of strangers expects every way in which a decoder fails. covers: T1"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from tests.tidy.house import SOURCE, modules, named, nodes, parsed

DECODERS = {"json.loads", "json.load", "msgspec.json.decode", "tomllib.loads", "tomllib.load", "decoder.decode"}
# What these decode was written by Autopilot itself, or was decoded as a whole just before.
OWN = {
    "adapters/agents/acp/bridge.py",
    "adapters/sandbox/services/inside.py",
    "adapters/visual/inside.py",
    "api/demo.py",
    "api/log_snapshot.py",
    "api/people/open_requests.py",
    "api/reading.py",
    "cli/quick_status.py",
    "planning/release/version.py",
    "repomap/document.py",
    "simulation/forges/gitea.py",
    "simulation/forges/glab.py",
    "simulation/honest/context.py",
    "simulation/scripted/acp_program.py",
    "simulation/scripted/program.py",
    "steps/asking/asking.py",
    "steps/observing/test_reports.py",
}
# Caught by the one function of the module that calls them.
BY_THEIR_CALLER = {"inspection/control/mixed.py"}
MALFORMED = {"msgspec.MsgspecError", "msgspec.DecodeError"}
NOT_UTF8 = {"UnicodeError", "UnicodeDecodeError"}  # what msgspec raises for a string of other bytes


def _uncaught(tree: ast.Module) -> Iterator[int]:
    """Lines of decoders outside a ``try`` that expects nesting without end, what is malformed and what is not UTF-8."""
    decoders = [node for node in nodes(tree) if _is_decoder(node)]
    caught = {id(node): set[str]() for node in decoders}
    for outer in nodes(tree) if decoders else ():
        if isinstance(outer, ast.Try | ast.With):
            expected = set(_expected(outer))
            for node in (inner for statement in outer.body for inner in ast.walk(statement) if id(inner) in caught):
                caught[id(node)] |= expected
    for node in decoders:
        expected = caught[id(node)]
        is_malformed_expected = "ValueError" in expected or (expected & MALFORMED and expected & NOT_UTF8)
        if "RecursionError" not in expected or not is_malformed_expected:
            yield node.lineno


def _is_decoder(node: ast.AST) -> TypeGuard[ast.Call]:
    called = node.func if isinstance(node, ast.Call) else None
    is_near = isinstance(called, ast.Attribute) and called.attr in {"load", "loads", "decode"}
    return is_near and called is not None and ast.unparse(called) in DECODERS


def _expected(outer: ast.Try | ast.With) -> Iterator[str]:
    if isinstance(outer, ast.Try):
        yield from (name for handler in outer.handlers if handler.type for name in _names(handler.type))
        return
    for item in outer.items:
        if isinstance(item.context_expr, ast.Call) and ast.unparse(item.context_expr.func) == "suppress":
            yield from map(ast.unparse, item.context_expr.args)


def _names(node: ast.expr) -> list[str]:
    return [ast.unparse(each) for each in (node.elts if isinstance(node, ast.Tuple) else [node])]


def test_every_decoder_of_foreign_text_expects_nesting_without_end() -> None:
    """Thousands of brackets end as a RecursionError, which is neither a ValueError nor an error of msgspec."""
    left_out = OWN | BY_THEIR_CALLER
    decoding = [path for path in modules() if any(name in path.read_text(encoding="utf-8") for name in DECODERS)]
    looked_at = [path for path in decoding if path.relative_to(SOURCE).as_posix() not in left_out]
    assert [f"{named(path)}:{line}" for path in looked_at for line in _uncaught(parsed(path))] == []


def test_an_exception_of_this_rule_is_still_needed() -> None:
    assert [name for name in sorted(OWN | BY_THEIR_CALLER) if not list(_uncaught(parsed(SOURCE / name)))] == []


def test_the_rule_finds_a_decoder_that_expects_too_little() -> None:
    source = "try:\n    json.loads(a)\nexcept {}:\n    pass\n"
    assert list(_uncaught(ast.parse(source.format("ValueError")))) == [2]
    assert list(_uncaught(ast.parse(source.format("RecursionError")))) == [2]
    assert list(_uncaught(ast.parse(source.format("(msgspec.DecodeError, RecursionError)")))) == [2]
    assert list(_uncaught(ast.parse(source.format("(msgspec.DecodeError, UnicodeError, RecursionError)")))) == []
    assert list(_uncaught(ast.parse(source.format("(ValueError, RecursionError)")))) == []
