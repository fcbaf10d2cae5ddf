"""Go text in, the same text out with changed functions that return something near to what they return."""

from __future__ import annotations

import hashlib

from autopilot.testtools.mutants.early_return import Function, changed_functions
from autopilot.testtools.mutants.edit import Constant, Edit, Near, splice, worth_mutating
from autopilot.testtools.mutants.go import named_results, read_functions
from autopilot.testtools.near.effects import has_effects
from autopilot.testtools.near.near_go_code import CODE, IMPORTS
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree


def near_go(old: bytes | None, new: bytes) -> Near | None:
    """The work of a function is done by one inside it: what it returns is changed on the way out."""
    tree = flat_tree(new, Grammar.GO)
    package = next((i for i in tree.children(0) if tree.parts[i].kind == "package_clause"), None) if tree else None
    if tree is None or package is None:
        return None
    found = {_edit(function): function for function in changed_functions(old, new, tree, Grammar.GO, read_functions)}
    chosen = [(edit, found[edit]) for edit in worth_mutating(tuple(found))]
    word = hashlib.sha256(new).hexdigest()[:8].encode()
    near = {edit: made for edit, function in chosen if (made := _near(tree, new, function, word))}
    if not near:
        return None
    end = tree.parts[package].end
    imports, code = (part.replace(b"WORD", word) for part in (IMPORTS, CODE))
    edits = [near.get(edit, edit) for edit, _ in chosen]
    edits += [Edit(end, end, imports, imports), Edit(len(new), len(new), code, code)]
    sources = [new[f.start : f.end].decode(errors="replace") for edit, f in chosen if edit in near]
    names = tuple(function.name for edit, function in chosen if edit in near)
    return Near(splice(new, edits, Constant.NOTHING), names, is_pure=not any(map(has_effects, sources)))


def _edit(function: Function) -> Edit:
    """That of a function which returns nothing: it does nothing."""
    return Edit(function.first, function.last, function.nothing, function.true, function.name, early=function.early)


def _near(tree: ScriptTree, text: bytes, function: Function, word: bytes) -> Edit | None:
    index = next((i for i in tree.children(0) if tree.parts[i].start == function.start), 0)
    result, body = tree.child(index, "result"), tree.child(index, "body")
    if result is None or body is None:
        return None
    _, results = named_results(tree, text, result)
    part, block = tree.parts[result], tree.parts[body]
    names = [b"near%d" % number for number, _ in enumerate(results)]
    signature, work = text[part.start : part.end], text[block.start : block.end]
    listed, other = b", ".join(names), b", ".join(b"nearValue%s(%s)" % (word, name) for name in names)
    made = (
        b"%s { nearFirst := nearEnter%s(); defer nearLeave%s(); %s := func() %s %s(); "
        b"if !nearFirst { return %s }; return %s }"
    ) % (signature, word, word, listed, signature, work, listed, other)
    return Edit(part.start, block.end, made, made)
