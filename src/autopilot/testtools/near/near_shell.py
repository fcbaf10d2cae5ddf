"""Shell text in, the same text out with changed functions, or the changed script, that print something near."""

from __future__ import annotations

import re

from autopilot.testtools.mutants.early_return import changed_functions
from autopilot.testtools.mutants.edit import Constant, Edit, Near, splice
from autopilot.testtools.mutants.shell import SHEBANG, prints, read_functions, runs_by_itself
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

_OTHER = b"tr 'a-zA-Z0-9' 'b-zaB-ZA1-90'"
_EFFECTS = re.compile(
    rb"(?<![0-9&<])>>?\s*+(?!&|/dev/)|"
    rb"\b(?:mkdir|rm|mv|cp|touch|tee|git|curl|wget|export|read|date|RANDOM|mktemp|kill|ln|chmod|sed\s+-i)\b"
)


def near_shell(old: bytes | None, new: bytes) -> Near | None:
    """The outermost call is made by itself, in a pipe that changes each letter and digit."""
    tree = flat_tree(new, Grammar.BASH)
    if tree is None:
        return None
    if runs_by_itself(old, new):
        return _whole(new)
    changed = changed_functions(old, new, tree, Grammar.BASH, read_functions)
    if not changed:
        return None
    edits = [_near(tree, new, function.name.encode(), function.start, function.first) for function in changed]
    pure = not any(_EFFECTS.search(new[function.start : function.end]) for function in changed)
    return Near(splice(new, edits, Constant.NOTHING), tuple(function.name for function in changed), is_pure=pure)


def near_program(old: bytes | None, new: bytes) -> Near | None:
    """Of a file whose name does not say what it is."""
    return near_shell(old, new) if SHEBANG.match(new) else None


def _near(tree: ScriptTree, text: bytes, name: bytes, start: int, opens: int) -> Edit:
    """What prints nothing says its opposite by its status."""
    index = next(i for i, part in enumerate(tree.parts) if part.start == start and part.kind == "function_definition")
    body = tree.child(index, "body")
    leave = b"exit" if text[opens : opens + 1] == b"(" else b"return"
    if body is not None and prints(tree, text, body):
        call = b'%s "$@" | %s; %s "${PIPESTATUS[0]}"' % (name, _OTHER, leave)
    else:
        call = b'if %s "$@"; then %s 1; else %s 0; fi' % (name, leave, leave)
    inside = b'if [ -z "${_near_inside:-}" ]; then local _near_inside=1; %s; fi; ' % call
    return Edit(opens + 1, opens + 1, b" " + inside, b"")


def _whole(new: bytes) -> Near:
    place = new.find(b"\n") + 1 if new.startswith(b"#!") else 0
    repeated = b'bash "$0" "$@" | %s; exit "${PIPESTATUS[0]}"' % _OTHER
    first = b'if [ -z "${_near_inside:-}" ]; then export _near_inside=1; %s; fi\n' % repeated
    text = splice(new, [Edit(place, place, first, b"")], Constant.NOTHING)
    return Near(text, ("the script",), is_pure=_EFFECTS.search(new) is None)
