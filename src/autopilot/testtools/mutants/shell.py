"""Shell text in, the same text out with changed functions, or the changed script, that print nothing or a constant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.testtools.mutants.early_return import Function, mutate_by_early_return
from autopilot.testtools.mutants.edit import Mutated
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

SHEBANG = re.compile(rb"#![^\n]{0,100}\b(?:ba|da|z|k)?sh\b")
_PRINTS = frozenset(
    b"echo printf cat sed awk tr cut sort uniq head tail grep jq basename dirname date seq wc bc".split()
)
_DEFINES = frozenset({"function_definition", "comment", "variable_assignment", "variable_assignments"})
_DECLARES = frozenset({"declaration_command", "unset_command"})
_PREPARES = frozenset({b"set", b"shopt", b"source", b".", b":", b"true", b"umask", b"trap"})


def mutate_shell(old: bytes | None, new: bytes) -> Mutated | None:
    """A function that prints is given nothing to say, and then another text, always with success; of one that prints
    nothing the status is all that it says."""
    return (
        mutate_by_early_return(old, new, Grammar.BASH, read_functions) if not runs_by_itself(old, new) else _whole(new)
    )


def mutate_program(old: bytes | None, new: bytes) -> Mutated | None:
    """Of a file whose name does not say what it is."""
    return mutate_shell(old, new) if SHEBANG.match(new) else None


def read_functions(tree: ScriptTree, text: bytes) -> Iterator[Function]:
    for index, part in enumerate(tree.parts):
        body, name = tree.child(index, "body"), tree.child(index, "name")
        if part.kind != "function_definition" or body is None or name is None or _is_inside_function(tree, index):
            continue
        block = tree.parts[body]
        opens, leave = text[block.start : block.start + 1], b"exit" if block.kind == "subshell" else b"return"
        if opens not in (b"{", b"("):
            continue
        other = b"echo x; %s 0" % leave if prints(tree, text, body) else b"%s 1" % leave
        yield Function(
            _source(tree, text, name).decode(errors="replace"),
            part.start,
            part.end,
            block.start,
            block.start + 1,
            b"%s %s 0; " % (opens, leave),
            b"%s %s; " % (opens, other),
        )


def runs_by_itself(old: bytes | None, new: bytes) -> bool:
    """Whether what the script does by itself was changed, apart from what it defines and prepares."""
    done = _done(new)
    return bool(done) and (old is None or _done(old) != done)


def _done(text: bytes) -> list[bytes]:
    tree = flat_tree(text, Grammar.BASH)
    found = [index for index in tree.children(0) if not is_definition(tree, text, index)] if tree else []
    return [b" ".join(_source(tree, text, index).split()) for index in found] if tree else []


def is_definition(tree: ScriptTree, text: bytes, index: int) -> bool:
    kind = tree.parts[index].kind
    if kind == "command":
        name = tree.child(index, "name")
        return name is not None and _source(tree, text, name) in _PREPARES
    return kind in _DEFINES or kind in _DECLARES


def _whole(new: bytes) -> Mutated:
    """Nothing of its text stays: a script that cannot be run where it is tested may rightly be read by its tests."""
    head = new[: new.find(b"\n") + 1] if new.startswith(b"#!") else b""
    return Mutated(head + b":\n", head + b"echo x\n", ("the script",), ())


def prints(tree: ScriptTree, text: bytes, body: int) -> bool:
    """Whether something in it seems to write to its output: not into a variable, a file or the errors."""
    for index in range(body, tree.after[body]):
        if tree.parts[index].kind != "command":
            continue
        name = tree.child(index, "name")
        if name is None or _source(tree, text, name) not in _PRINTS:
            continue
        around = [tree.parts[place] for place in tree.around(index)]
        captured = any(part.kind == "command_substitution" for part in around)
        written = any(
            part.kind == "redirected_statement" and re.search(rb">[ \t]{0,8}[&\w\"$/]", text[part.start : part.end])
            for part in around
        )
        if not captured and not written:
            return True
    return False


def _is_inside_function(tree: ScriptTree, index: int) -> bool:
    return any(tree.parts[place].kind == "function_definition" for place in tree.around(index))


def _source(tree: ScriptTree, text: bytes, index: int) -> bytes:
    part = tree.parts[index]
    return text[part.start : part.end]
