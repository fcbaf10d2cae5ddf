"""Calls of the product with written-out arguments, wherever they stand in a test file: in loops, in any assertion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from autopilot.model.evidence.example import Example
from autopilot.planning.examples.in_python_tests import find_in_python_tests, imported_in_python
from autopilot.planning.examples.in_script_tests import find_in_script_tests, imported_in_script
from autopilot.planning.examples.literals import Call, read_call, read_literal

_SCRIPTS = (".js", ".mjs", ".cjs")
_COMPARES = re.compile(r"\s*(?:={2,3}|,)\s*")
_CALL = re.compile(r"(?<![\w.$])((?:[A-Za-z_$][\w$]*\.){0,2}[A-Za-z_$][\w$]*)\(")
_METHOD = re.compile(r"\.([A-Za-z_$][\w$]{0,80})\(")
MOST = 200

Known = Mapping[str, tuple[str, str]]


def find_in_tests(path: str, text: str) -> Iterator[Example]:
    """Calls with their results, of tests that are nothing but such calls."""
    if path.endswith(".py"):
        yield from find_in_python_tests(text)
    elif path.endswith(_SCRIPTS):
        yield from find_in_script_tests(text)


def find_calls(path: str, text: str) -> tuple[Example, ...]:
    """Whatever is asked of the results. ``is_compared`` tells those that stand beside a literal."""
    known: Known = {}
    if path.endswith(".py"):
        known = imported_in_python(text)
    elif path.endswith(_SCRIPTS):
        known = imported_in_script(text)
    found = {_key(example): example for example in find_in_tests(path, text)}
    for called in _CALL.finditer(text):
        name, module = known.get(called[1].rpartition(".")[0] or called[1], ("", ""))
        read = read_call(text, called.start()) if module else None
        if read is None or ("." in called[1] and name):
            continue
        call, end = read
        method = _METHOD.match(text, end) if call.function[:1].isupper() else None
        if method is not None:
            asked = None if call.keywords else read_call(text, method.start(1))
            if asked and (asked[0].arguments or call.arguments):
                example = _of_method(text, called.start(), name or call.function, call.arguments, asked, module)
                found.setdefault(_key(example), example)
            continue
        if not (call.arguments or call.keywords):
            continue
        spelled, compared = text[called.start() : end], _is_compared(text, end)
        example = Example(name or call.function, call.arguments, call.keywords, None, 0, spelled, module, compared)
        found.setdefault(_key(example), example)
    return tuple(found.values())[:MOST]


def _of_method(
    text: str, start: int, owner: str, made: tuple[Any, ...], asked: tuple[Call, int], module: str
) -> Example:
    """`Cart([1, 2]).total("EUR")`: of an object that is made for this call alone."""
    call, end = asked
    spelled, compared = text[start:end], _is_compared(text, end)
    return Example(
        call.function, call.arguments, call.keywords, None, 0, spelled, module, compared, owner=owner, made=made
    )


def _is_compared(text: str, end: int) -> bool:
    compares = _COMPARES.match(text, end)
    return compares is not None and read_literal(text, compares.end()) is not None


def _key(example: Example) -> str:
    return repr((example.module, example.called, example.inputs, sorted(example.keywords.items())))
