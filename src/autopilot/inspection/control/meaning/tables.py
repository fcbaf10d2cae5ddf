"""Tables of tests in Go, JavaScript, TypeScript and Rust: lists that a loop goes through, and their further rows."""

from __future__ import annotations

import re

from autopilot.inspection.control.meaning.source import Source

_TABLES = frozenset({"literal_value", "array", "array_expression"})
_CALLS = frozenset({"call_expression", "macro_invocation", "new_expression", "await_expression"})
_HOLDERS = frozenset({"composite_literal", "reference_expression", "expression_list", "parenthesized_expression"})
_LOOPS = frozenset({"range_clause", "for_in_statement", "for_expression"})
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARES = frozenset(
    {"short_var_declaration", "var_spec", "variable_declarator", "let_declaration", "const_item", "static_item"}
)
# Only of code after the list: `[...].forEach(`, `test.each([...])(`.
_EACH_BEFORE = re.compile(r"\.each\(\s{0,9}\Z")
_EACH_AFTER = re.compile(r"\s{0,9}(?:as const)?\s{0,9}\.(?:forEach|iter|into_iter)\(")


def extends_tables(old: Source, before: int, new: Source, after: int) -> bool:
    """Whether all is as it was, but for rows that came to such lists. A row that calls something may do more."""
    if old.meaning(before) == new.meaning(after):
        return True
    if old.kind(before) != new.kind(after):
        return False
    had, has = old.children(before), new.children(after)
    if _counts_rows(old, before) and _counts_rows(new, after):
        return True
    if old.kind(before) in _TABLES and _is_looped(new, after) and _adds_rows(old, had, new, has):
        return True
    if not had or len(had) != len(has) or _around(old, before, had) != _around(new, after, has):
        return False
    return all(extends_tables(old, part, new, other) for part, other in zip(had, has, strict=True))


def _counts_rows(source: Source, index: int) -> bool:
    """Rust writes the number of its rows into the type of a list: `[(&str, u32); 2]`."""
    tree = source.tree
    around = tree.parts[index].parent
    if tree.parts[index].field != "length" or source.kind(around) != "array_type":
        return False
    while source.kind(around) in ("array_type", "reference_type"):
        around = tree.parts[around].parent
    value = tree.child(around, "value") if source.kind(around) in _DECLARES else None
    if value is not None and source.kind(value) in _HOLDERS:
        value = tree.child(value, "value")
    if value is None or source.kind(value) != "array_expression" or not _is_looped(source, value):
        return False
    return source.text_of(index) == str(len(source.children(value)))


def _adds_rows(old: Source, had: list[int], new: Source, has: list[int]) -> bool:
    """In their order, with others between them."""
    left = [old.meaning(row) for row in had]
    for row in has:
        if left and new.meaning(row) == left[0]:
            left = left[1:]
        elif any(new.kind(part) in _CALLS for part in new.inside(row)):
            return False
    return not left


def _is_looped(source: Source, index: int) -> bool:
    around = source.tree.parts[index].parent
    while source.kind(around) in _HOLDERS:
        index, around = around, source.tree.parts[around].parent
    text, part = source.text, source.tree.parts[index]
    if source.kind(around) in _LOOPS:
        return True
    if _EACH_BEFORE.search(text[: part.start].decode()[-40:]) or _EACH_AFTER.match(text[part.end :].decode()[:60]):
        return True
    if source.kind(around) not in _DECLARES:
        return False
    names = [source.text_of(child) for child in source.children(around)[:1]]
    return any(_loops_over(name, text.decode()) for name in names if name.isidentifier())


def _loops_over(name: str, text: str) -> bool:
    """Everywhere: what a table is compared with besides would be another one."""
    word = rf"(?<![\w.]){name}\b"
    used = len(re.findall(word, text)) - len(re.findall(rf"{word}\s*(?::(?!=)[^=\n]{{0,80}})?:?=(?!=)", text))
    loops = re.findall(
        rf"\b(?:range|in|of)\s+&?{name}\b|(?<![\w.]){name}\.(?:forEach|iter|into_iter)\(|\.each\(\s{{0,9}}{name}\b",
        text,
    )
    return bool(loops) and len(loops) == used


def _around(source: Source, index: int, children: list[int]) -> str:
    """What stands between the parts: operators and words of the language."""
    pieces, position = list[str](), source.tree.parts[index].start
    for child in children:
        pieces.append(source.text[position : source.tree.parts[child].start].decode())
        position = source.tree.parts[child].end
    pieces.append(source.text[position : source.tree.parts[index].end].decode())
    return "\0".join("".join(_COMMENTS.sub("", piece).split()) for piece in pieces)
