"""A statement behind all others of a JavaScript test script that asserts, and does nothing else.

Where tests are plain assertions in one script, a new one is a new test. What stands behind the last statement cannot
keep an earlier one from failing, as long as it ends no process, changes no object and loads no other test.
"""

from __future__ import annotations

import posixpath
import re

from autopilot.inspection.control.kinds import control_kind
from autopilot.inspection.control.meaning.source import Source
from autopilot.inspection.control.names import split_names

_ASSERT = re.compile(r"assert(?:\.(?:strict|\w*[eE]qual|ok|match|doesNotMatch|throws|doesNotThrow)){0,2}")
_ASSERT_MODULES = frozenset({"assert", "assert/strict", "node:assert", "node:assert/strict"})
_KINDS = split_names(
    """
    expression_statement call_expression member_expression subscript_expression identifier property_identifier arguments
    string string_fragment escape_sequence number true false null undefined array object pair template_string
    template_substitution unary_expression binary_expression parenthesized_expression regex regex_pattern regex_flags
    arrow_function formal_parameters shorthand_property_identifier
    """
)
_VALUES = split_names("String Number Boolean Symbol BigInt JSON Math Infinity NaN require assert TypeError Error")
_STEERS = split_names(
    """
    process global globalThis window module exports Object Reflect Function eval setTimeout setInterval setImmediate
    queueMicrotask console Promise Proxy
    """
)
_REACHES = split_names("constructor __proto__ prototype cache main exit __defineGetter__ __defineSetter__")


def only_asserts(source: Source, index: int, used: frozenset[str]) -> bool:
    """``used`` are the names of the text that was there: what is asked about is what that asked about."""
    call = source.children(index)[:1] if source.kind(index) == "expression_statement" else []
    if not call or source.kind(call[0]) != "call_expression":
        return False
    asserting = source.tree.child(call[0], "function")
    given = source.tree.child(call[0], "arguments")
    if asserting is None or given is None or not _is_assert(source, asserting):
        return False
    return all(_is_harmless(source, part, used) for part in source.inside(given)) and not any(
        _is_assert(source, part)
        for part in source.inside(given)
        if source.kind(part) in ("identifier", "member_expression")
    )


def _is_assert(source: Source, index: int) -> bool:
    text = re.sub(r"\s+", "", source.text_of(index))
    loaded = re.match(r"require\([\"']([\w:/]+)[\"']\)", text)
    if loaded and loaded[1] in _ASSERT_MODULES:
        text = f"assert{text[loaded.end() :]}"
    return _ASSERT.fullmatch(text) is not None


def _is_harmless(source: Source, index: int, used: frozenset[str]) -> bool:
    kind, text = source.kind(index), source.text_of(index)
    match kind:
        case "identifier":
            return text in _VALUES or (text in used and text not in _STEERS)
        case "property_identifier":
            return text not in _REACHES
        case "subscript_expression":
            key = source.field(index, "index")
            return re.fullmatch(r"\d+|([\"'])[\w -]+\1", key) is not None and key[1:-1] not in _REACHES
        case "unary_expression":
            return re.match(r"[-+!~]|typeof\b", text) is not None
        case "member_expression":
            return not text.startswith("require.")
        case "call_expression" if source.field(index, "function") == "require":
            return _loads_product(source, text)
    return kind in _KINDS


def _loads_product(source: Source, text: str) -> bool:
    named = re.fullmatch(r"require\s*\(\s*[\"'](\.[\w./-]{0,200})[\"']\s*\)", text)
    if not named:
        return False
    path = posixpath.normpath(posixpath.join(source.folder, named[1]))
    return not path.startswith("../") and not any(control_kind(f"{path}{end}") for end in ("", ".js", "/index.js"))
