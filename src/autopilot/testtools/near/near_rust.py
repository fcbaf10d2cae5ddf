"""Rust text in, the same text out with changed functions that return something near to what they return."""

from __future__ import annotations

import re

from autopilot.testtools.mutants.early_return import Function, changed_functions
from autopilot.testtools.mutants.edit import Constant, Edit, Near, splice
from autopilot.testtools.mutants.rust import read_functions
from autopilot.testtools.near.effects import has_effects
from autopilot.testtools.near.near_rust_code import CODE
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

# Types whose values can be changed; the error of a `Result` may be of any type. A lifetime is read as a whole: were
# `'astr` also `'a` and `str`, thirty of them would be read in a billion ways.
_KNOWN = re.compile(
    rb"(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|char|String|str|Option|Vec|Result|(?:std::collections::)?(?:HashMap|BTreeMap)"
    rb"|'\w++|[\s&<>(),])+"
)
_ERROR = re.compile(rb"(?<=,)\s*+[\w:<>&' ]+(?=>\s*\Z)")
_NEVER = re.compile(rb"\b(?:const|async|extern)\b")


def near_rust(old: bytes | None, new: bytes) -> Near | None:
    """The work of a function is done by a closure inside it: what it returns is changed on the way out."""
    tree = flat_tree(new, Grammar.RUST)
    if tree is None:
        return None
    changed = changed_functions(old, new, tree, Grammar.RUST, read_functions)
    near = {function.name: (function, edit) for function in changed if (edit := _near(tree, new, function))}
    if not near:
        return None
    rest = [function for function in changed if function.name not in near]
    sources = [new[function.start : function.end].decode(errors="replace") for function, _ in near.values()]
    pure = not rest and not any(map(has_effects, sources))
    edits = [*(edit for _, edit in near.values()), Edit(len(new), len(new), CODE, CODE)]
    return Near(splice(new, edits, Constant.NOTHING), tuple(near), is_pure=pure)


def _near(tree: ScriptTree, text: bytes, function: Function) -> Edit | None:
    index = next(
        i for i, part in enumerate(tree.parts) if part.start == function.start and part.kind == "function_item"
    )
    result, body = tree.child(index, "return_type"), tree.child(index, "body")
    if result is None or body is None:
        return None
    part, block = tree.parts[result], tree.parts[body]
    type, head = text[part.start : part.end], text[function.start : part.start]
    plain = _ERROR.sub(b" ()", type) if type.startswith(b"Result<") else type
    if not _KNOWN.fullmatch(plain) or _NEVER.search(head):
        return None
    work = text[block.start : block.end]
    made = (
        b"{ let near_inside = NearInside::enter(); let near_result: %s = (|| -> %s %s)(); "
        b"if near_inside.0 { NearValue::near_value(near_result) } else { near_result } }"
    ) % (type, type, work)
    return Edit(block.start, block.end, made, made)
