"""Go functions whose calls are written down while their tests run: the product's files and the recorder beside them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.testtools.calls.go_recorder import RECORDER
from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.mutants.early_return import Function, changed_functions
from autopilot.testtools.mutants.go import read_functions, source_of
from autopilot.testtools.mutants.mutant import Contents
from autopilot.testtools.near.effects import has_effects
from autopilot.testtools.outside.prepared import Edits, hide_script
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

MOST_FOLDERS = 4
MOST_WORDS = 6
_ASKABLE = re.compile(rb"(?:\.\.\.)?(?:\[\])?(?:string|byte|rune|u?int(?:8|16|32|64)?|float(?:32|64))|bool")
_PACKAGE = re.compile(rb"^package[ \t]{1,20}(\w{1,80})", re.MULTILINE)


class RecordedFunctions(Struct, frozen=True):
    command: str
    edits: Edits
    paths: Mapping[str, str]  # by the name of a function: the file that it stands in


def record_go(
    changed: Mapping[str, Contents], tests: Sequence[str], own: Sequence[str], draw: Draw
) -> RecordedFunctions | None:
    """``changed``: files of the product, before and after; ``tests``: files of tests that passed; ``own``: words of the
    new code. None where no changed function is one whose calls can be made again."""
    folders = list(dict.fromkeys(str(PurePosixPath(path).parent) for path in tests if path.endswith("_test.go")))
    edits: dict[str, bytes | None] = {}
    paths: dict[str, str] = {}
    word = draw.word() + draw.word()
    for path, (old, new) in changed.items():
        rewritten = _rewrite(old, new, word) if path.endswith(".go") and new else None
        package = _PACKAGE.search(new or b"")
        if rewritten is None or package is None:
            continue
        edits[path], names = rewritten
        paths |= dict.fromkeys(names, path)
        beside = str(PurePosixPath(path).with_name(f"zz{word}.go"))
        edits[beside] = _recorder(package[1].decode(), word, own, draw)
    if not paths or not folders:
        return None
    run = "(cd {} && timeout -k 5 90 go test -count=1 -vet=off -timeout 60s . </dev/null)"
    script = "\n".join(run.format(shlex.quote(f"./{folder}")) for folder in folders[:MOST_FOLDERS])
    return RecordedFunctions(hide_script(script), edits, paths)


def _recorder(package: str, word: str, own: Sequence[str], draw: Draw) -> bytes:
    values = {"PACKAGE": package, "NUMBER": str(draw.number()), "DRAWN": draw.word(), "WORD": word.capitalize()}
    text = RECORDER
    for name, value in values.items():
        text = text.replace(name, value)
    # Last, for they are not ours: whatever they spell stays as it is.
    listed = [json.dumps(other) for other in own[:MOST_WORDS] if other.isprintable()]
    return text.replace("LISTED", ", ".join(listed)).encode()


def _rewrite(old: bytes | None, new: bytes, word: str) -> tuple[bytes, list[str]] | None:
    tree = flat_tree(new, Grammar.GO)
    if tree is None or tree.wrong:
        return None
    names, pieces, position = list[str](), list[bytes](), 0
    for function in changed_functions(old, new, tree, Grammar.GO, read_functions):
        made = _record(tree, new, function, word.capitalize().encode())
        if made is not None:
            start, end, text = made
            pieces += [new[position:start], text]
            position = end
            names.append(function.name)
    return (b"".join((*pieces, new[position:])), names) if names else None


def _record(tree: ScriptTree, text: bytes, function: Function, word: bytes) -> tuple[int, int, bytes] | None:
    """The work of a function is done by one inside it, which the recorder calls too."""
    index = next((i for i in tree.children(0) if tree.parts[i].start == function.start), 0)
    is_plain = tree.parts[index].kind == "function_declaration" and tree.child(index, "type_parameters") is None
    parameters, result, body = (tree.child(index, field) for field in ("parameters", "result", "body"))
    if not is_plain or parameters is None or result is None or body is None:
        return None
    names = _names(tree, text, parameters)
    if not names or has_effects(text[function.start : function.end].decode(errors="replace"), panics=False):
        return None
    block = tree.parts[body]
    signature = text[tree.parts[parameters].start : tree.parts[result].end]
    is_variadic = b"..." in source_of(tree, text, parameters)
    given = b", ".join(names)
    made = b"{ asked%s := func%s %s; record%s(%s, asked%s, %s); return asked%s(%s%s) }" % (
        *(word, signature, source_of(tree, text, body), word, json.dumps(function.name).encode()),
        *(word, given, word, given, b"..." if is_variadic else b""),
    )
    return block.start, block.end, made


def _names(tree: ScriptTree, text: bytes, parameters: int) -> list[bytes]:
    """Of the parameters, where each has a name and a type of which other values can be made; else none."""
    names: list[bytes] = []
    for declaration in tree.children(parameters):
        kind, type = tree.parts[declaration].kind, tree.child(declaration, "type")
        if kind == "comment":
            continue
        own = [source_of(tree, text, c) for c in tree.children(declaration) if tree.parts[c].field == "name"]
        if type is None or not own or b"_" in own or not _ASKABLE.fullmatch(source_of(tree, text, type)):
            return []
        names += own
    return names
