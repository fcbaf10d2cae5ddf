"""Tests that stand inside Rust sources: the functions of a test, told apart from the code they are written beside."""

from __future__ import annotations

import re
from collections.abc import Mapping

_BLIND = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|b?r(#{0,9})\".*?(?:\"\1|\Z)|b?\"(?:\\.|[^\"\\])*\"|b?'(?:\\.[^']*|[^'\\])'", re.DOTALL
)
_ARRAY = re.compile(r"\[[^\[\]{};]{0,80};[^\[\]{}]{0,80}\]")  # its semicolon ends nothing
_MODULE = re.compile(
    r"#!?\[\s*+cfg\s*+\((?=[^\]\n]{0,200}?\btest\b)(?P<when>[^\]\n]{0,400}+)\s*+\]\s*+(?:#\[[^\]]{0,400}+\]\s*+){0,20}+"
    r"(?:pub(?:\([^)]{0,80}+\))?\s++)?mod\s++(?P<name>\w+)\s*+"
)
_FUNCTION = re.compile(
    r"(?P<marks>(?:#\[[^\]]{0,400}+\]\s*+){0,20}+)(?:pub(?:\([^)]{0,80}+\))?\s++)?(?:(?:async|unsafe|const|extern)\s++){0,4}+"
    r"fn\s++(?P<name>\w+)"
)
_IS_TEST = re.compile(r"#\[\s*(?:[\w:]+::)?(?:test|rstest|test_case|quickcheck|proptest)\b")


def inline_tests(text: str) -> dict[str, str]:
    """Every function of a test module, every ``#[test]`` elsewhere, and test modules kept in another file."""
    blind = _BLIND.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    blind = _ARRAY.sub(lambda found: found[0].replace(";", " "), blind)
    ends = _closings(blind)
    found: dict[str, str] = {}
    covered = 0
    for module in _MODULE.finditer(blind):
        if module.start() < covered:
            continue  # inside the one before, and read with it
        when, end = f"#[cfg({module['when'].strip().removesuffix(')').strip()})]", _item_end(blind, ends, module.end())
        covered = end
        if blind[module.end() : module.end() + 1] == ";":
            found[f"mod {module['name']};"] = when
        else:
            found |= _functions(text, blind, ends, (module.end(), end), when)
    # The functions of a test module are met once more in the whole text: the first word about them stands.
    return {**_functions(text, blind, ends, (0, len(blind)), ""), **found}


def lost_inline_tests(old: str, new: str) -> frozenset[str]:
    """Tests that stood inside the old text and are gone or read otherwise; more of them are no loss."""
    after = inline_tests(new)
    return frozenset(name for name, body in inline_tests(old).items() if after.get(name) != body)


def _functions(text: str, blind: str, ends: Mapping[int, int], span: tuple[int, int], when: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for function in _FUNCTION.finditer(blind, *span):
        if when or _IS_TEST.search(function["marks"]):
            body = text[function.start() : _item_end(blind, ends, function.end())]
            found[function["name"]] = f"{found.get(function['name'], when)}\n{' '.join(body.split())}"
    return found


def _item_end(blind: str, ends: Mapping[int, int], start: int) -> int:
    opened = re.compile(r"[{;]").search(blind, start)
    return len(blind) if opened is None else ends.get(opened.start(), opened.end())


def _closings(blind: str) -> dict[int, int]:
    """Where each brace ends, by where it begins. What is never closed goes to the end."""
    ends: dict[int, int] = {}
    stack: list[int] = []
    for brace in re.finditer(r"[{}]", blind):
        if brace[0] == "{":
            stack.append(brace.start())
        elif stack:
            ends[stack.pop()] = brace.end()
    return {**ends, **dict.fromkeys(stack, len(blind))}
