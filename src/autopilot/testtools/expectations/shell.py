"""Where a plain shell script says what it expects: comparisons with written-out values that every run reaches.

Only those whose failure ends the script: `… || exit 1`, `if … then exit 1`, or any under `set -e`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from autopilot.testtools.expectations.shell_functions import Pair, comparing_functions
from autopilot.testtools.expectations.shell_script import EQUAL, FAILS, UNEQUAL, Script
from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import flat_tree

_LITERAL = re.compile(rb"([\"']?)([^\"'$`*?\[\]\\|{}~\n]{1,400}+)\1")
_OPTIONS = re.compile(rb"-[qFEixws]{1,7}|--quiet|--fixed-strings|--")
_SETS = re.compile(
    rb"set[ \t]{1,8}-\w{0,8}e\w{0,8}\b|set[ \t]{1,8}-o[ \t]{1,8}errexit\b|set[ \t]{1,8}-\w{0,8}eo?[ \t]{1,8}pipefail"
)
_LEAVES = re.compile(rb"(?:^|[^\w$-])(?:exit|return|exec|trap|skip)\b")
Found = tuple[int, int]  # of a value


def shell_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    """Up to the first statement that may end the script without a failure: what follows may not be reached."""
    tree = flat_tree(text, Grammar.BASH)
    script = Script(tree, text) if tree is not None and not tree.wrong else None
    stops, comparing = False, comparing_functions(script) if script else {}
    for index in script.children(0) if script else ():
        assert script is not None
        if script.kind(index) == "function_definition":
            continue
        statement = script.of(index)
        if _LEAVES.search(FAILS.sub(b" ", statement)) or statement.startswith((b"set +", b"shopt")):
            return
        stops = stops or _SETS.match(statement) is not None
        found = _given(script, index, comparing) or _expected(script, index, stops)
        if found:
            yield Site("", *found, _other(text[slice(*found)], draw))


def _given(script: Script, index: int, comparing: Mapping[bytes, Pair]) -> Found | None:
    """Of `same "$(slug A)" "a"`, where `same` compares these, the value."""
    arguments = script.children(index) if script.kind(index) == "command" else []
    pair = comparing.get(script.of(arguments[0])) if arguments else None
    if pair is None or max(pair) >= len(arguments):
        return None
    for asked, expected in (pair, pair[::-1]):
        if b"$" in script.of(arguments[asked]) and (found := _literal(script, arguments[expected])):
            return found
    return None


def _expected(script: Script, index: int, stops: bool) -> Found | None:
    kind = script.kind(index)
    if kind == "if_statement":
        return _by_branch(script, index)
    if kind == "list":
        children = script.children(index)
        fails = FAILS.search(script.of(children[-1])) is not None
        if len(children) != 2 or script.between(*children) != b"||" or not fails:
            return None
        return _compared(script, children[0], EQUAL)
    return _compared(script, index, EQUAL) if stops else None


def _by_branch(script: Script, index: int) -> Found | None:
    """`if [ "$a" != "3" ]; then …; exit 1; fi`, without another branch."""
    condition, *rest = script.children(index)
    if any(script.kind(child) in ("else_clause", "elif_clause") for child in rest):
        return None
    ends = [child for child in rest if FAILS.match(script.of(child))]
    if not ends:
        return None
    if script.kind(condition) == "negated_command":
        return _compared(script, script.children(condition)[0], EQUAL)
    if script.kind(condition) == "pipeline" and script.of(condition).startswith(b"!"):
        return _of_grep(script, script.children(condition)[-1])
    return _compared(script, condition, UNEQUAL)


def _compared(script: Script, index: int, operators: tuple[bytes, ...]) -> Found | None:
    kind = script.kind(index)
    if kind == "test_command":
        return _of_test(script, script.children(index), operators)
    if kind == "pipeline":
        is_asked = operators == EQUAL and not script.of(index).startswith(b"!")
        return _of_grep(script, script.children(index)[-1]) if is_asked else None
    if kind == "redirected_statement":
        return _compared(script, script.children(index)[0], operators)
    if kind == "command" and script.of(index).startswith(b"test "):
        arguments = script.children(index)[1:]
        return _literal(script, arguments[2]) if len(arguments) == 3 and script.of(arguments[1]) in operators else None
    return _of_grep(script, index) if operators == EQUAL else None


def _of_test(script: Script, inside: list[int], operators: tuple[bytes, ...]) -> Found | None:
    if len(inside) != 1 or script.kind(inside[0]) != "binary_expression":
        return None
    left, *_, right = script.children(inside[0])
    return _literal(script, right) if script.between(left, right) in operators and b"$" in script.of(left) else None


def _of_grep(script: Script, index: int) -> Found | None:
    """`grep -q word`: a longer word is not found."""
    if script.kind(index) == "redirected_statement":
        index = script.children(index)[0]
    arguments = script.children(index) if script.kind(index) == "command" else []
    if not arguments or script.of(arguments[0]) not in (b"grep", b"fgrep"):
        return None
    left = arguments[1:]
    while left and _OPTIONS.fullmatch(script.of(left[0])):
        left = left[1:]
    return _literal(script, left[0]) if left and not script.of(left[0]).startswith(b"-") else None


def _literal(script: Script, index: int) -> Found | None:
    start = script.tree.parts[index].start
    found = _LITERAL.fullmatch(script.of(index))
    return (start + found.start(2), start + found.end(2)) if found else None


def _other(value: bytes, draw: Draw) -> bytes:
    return str(int(value) + draw.number()).encode() if value.isdigit() else value + draw.word().encode()
