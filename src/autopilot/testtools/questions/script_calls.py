"""What a JavaScript program on a command line hands to the product: arguments of calls."""

from __future__ import annotations

import re

from autopilot.testtools.questions.value import Found
from autopilot.text.commands.options import names
from autopilot.text.script_tree import ScriptTree, script_tree

_LIBRARY = names(
    "console JSON Math Object Array String Number Boolean process Buffer assert Promise Symbol Reflect Date RegExp",
    "parseInt parseFloat require import path fs util os",
)
# Methods of texts and lists: what they are given is no question to the product.
_OF_RESULTS = names(
    "join split map filter reduce slice concat includes indexOf padStart padEnd replace replaceAll toString toFixed",
    "trim repeat at forEach find flat sort then catch finally push charAt substring localeCompare match test",
)
_NUMBER = re.compile(rb"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_FUNCTIONS = ("arrow_function", "function_expression", "function", "call_expression")


def script_values(program: str) -> tuple[Found, ...]:
    text = program.encode()
    tree = script_tree(text)
    if tree is None or tree.wrong:
        return ()
    found: list[Found] = []
    for index, part in enumerate(tree.parts):
        if part.kind in ("call_expression", "new_expression") and _asks_product(tree, text, index):
            is_direct = _is_direct(tree, text, index)
            found += (
                _found(tree, text, place, is_direct=is_direct, call=part.start) for place in _literals(tree, index)
            )
    return tuple(value for value in found if value.text)


def _asks_product(tree: ScriptTree, text: bytes, call: int) -> bool:
    function = _called(tree, call)
    if function is None:
        return False
    if tree.parts[function].kind == "member_expression" and _property(tree, text, function) in _OF_RESULTS:
        owner = tree.child(function, "object")
        return owner is not None and (tree.parts[owner].kind == "identifier" or _loads(tree, text, owner))
    root: int | None = function
    while root is not None and tree.parts[root].kind != "identifier":
        if _loads(tree, text, root):
            return True
        root = _inner(tree, root)
    return root is not None and _written(tree, text, root) not in _LIBRARY


def _inner(tree: ScriptTree, place: int) -> int | None:
    match tree.parts[place].kind:
        case "member_expression" | "subscript_expression":
            return tree.child(place, "object")
        case "call_expression" | "new_expression":
            return _called(tree, place)
        case "parenthesized_expression" | "await_expression" | "non_null_expression":
            return next(tree.children(place), None)
        case _:
            return None


def _called(tree: ScriptTree, call: int) -> int | None:
    return tree.child(call, "constructor" if tree.parts[call].kind == "new_expression" else "function")


def _loads(tree: ScriptTree, text: bytes, place: int) -> bool:
    function = tree.child(place, "function") if tree.parts[place].kind == "call_expression" else None
    return function is not None and _written(tree, text, function) in ("require", "import")


def _is_direct(tree: ScriptTree, text: bytes, call: int) -> bool:
    """Whether its result is looked at, and not a part of it: `new Client("host").timeout` asks of a client."""
    for place in tree.around(call):
        part = tree.parts[place]
        if part.kind == "member_expression" and _property(tree, text, place) not in (*_OF_RESULTS, "length"):
            return False
        if part.kind in ("arguments", "expression_statement", "variable_declarator"):
            return True
    return True


def _literals(tree: ScriptTree, call: int) -> list[int]:
    given = tree.child(call, "arguments")
    if given is None:
        return []
    found, place = [], given + 1
    while place < tree.after[given]:
        if tree.parts[place].kind in _FUNCTIONS:
            place = tree.after[place]
            continue
        if tree.parts[place].kind in ("string", "number"):
            found.append(place)
        place += 1
    return found


def _found(tree: ScriptTree, text: bytes, place: int, *, is_direct: bool, call: int) -> Found:
    part = tree.parts[place]
    quote = int(part.kind == "string")
    start = len(text[: part.start + quote].decode())
    value = text[part.start + quote : part.end - quote]
    written = value.decode() if quote or _NUMBER.fullmatch(value) else ""
    return Found(written, start, start + len(written), is_quoted=bool(quote), is_direct=is_direct, call=call)


def _property(tree: ScriptTree, text: bytes, member: int) -> str:
    place = tree.child(member, "property")
    return _written(tree, text, place) if place is not None else ""


def _written(tree: ScriptTree, text: bytes, place: int) -> str:
    return text[tree.parts[place].start : tree.parts[place].end].decode("utf-8", "replace")
