"""What of a script runs while it is being loaded, before any test could call anything."""

from __future__ import annotations

import re

from autopilot.testtools.mutants.script_pieces import FUNCTIONS, wraps
from autopilot.text.script_tree import ScriptTree

_EXPORTS = re.compile(rb"(?:module\s*\.\s*)?exports\b")
_MAIN = re.compile(rb"require\.main|import\.meta\.main")
# Methods that call what they are given at once.
_AT_ONCE = re.compile(
    rb"\.\s*(?:map|flatMap|filter|forEach|reduce|reduceRight|sort|toSorted|some|every|find\w*|replace|replaceAll|from)$"
)


def used_while_loading(tree: ScriptTree, text: bytes) -> frozenset[str]:
    """Names the file itself needs outside of functions; to export one is not to need it, and a bare call neither."""
    names: set[str] = set()
    index = 0
    while index < len(tree.parts):
        part = tree.parts[index]
        in_program = part.kind == "if_statement" and _MAIN.search(text[part.start : part.start + 200])
        if in_program or (part.kind in FUNCTIONS and not wraps(tree, text, index)):
            index = tree.after[index]
        else:
            if part.kind == "identifier" and not _is_harmless(tree, text, index):
                names.add(text[part.start : part.end].decode(errors="replace"))
            index += 1
    return frozenset(names)


def runs_while_loading(tree: ScriptTree, text: bytes, index: int) -> bool:
    """``export const codes = names.map((name) => …)``"""
    holder = tree.parts[index].parent
    if holder < 0 or tree.parts[holder].kind != "arguments":
        return False
    callee = tree.child(tree.parts[holder].parent, "function")
    return callee is not None and _AT_ONCE.search(text[tree.parts[callee].start : tree.parts[callee].end]) is not None


def _is_harmless(tree: ScriptTree, text: bytes, index: int) -> bool:
    part = tree.parts[index]
    holder = tree.parts[part.parent]
    match holder.kind:
        case "variable_declarator":  # the name itself, or another name for it
            return True
        case "export_specifier" | "export_statement" | "import_specifier" | "import_clause" | "namespace_import":
            return True
        case "function_declaration" | "function_signature" | "class_declaration" | "enum_declaration":
            return part.field == "name"
        case "call_expression":
            outer = tree.parts[holder.parent] if holder.parent >= 0 else holder
            return part.field == "function" and outer.kind == "expression_statement"
        case "pair" | "object" | "assignment_expression":
            return _is_exported(tree, text, index)
        case _:
            return False


def _is_exported(tree: ScriptTree, text: bytes, index: int) -> bool:
    for ancestor in tree.around(index):
        if tree.parts[ancestor].kind == "assignment_expression":
            return _EXPORTS.match(text, tree.parts[ancestor].start) is not None
        if tree.parts[ancestor].kind not in {"pair", "object"}:
            return False
    return False
