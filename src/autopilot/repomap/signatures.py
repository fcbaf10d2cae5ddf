"""What a file defines, one line each: names with parameters and bases, as a reader of the map sees them."""

from __future__ import annotations

import re

from msgspec import Struct

from autopilot.model.repomap.facts import Class, FileFacts, Function
from autopilot.text.lazy_regex import lazy_regex

LONGEST = 100  # characters of one signature
_UNFIT = lazy_regex(r"[^\x20-\x7e\xa0-\U0010ffff]+|`+")  # what would break a line or a fence

_LISTING = frozenset({"javascript", "typescript", "tsx"})  # in which a statement can export what another file defines


class Definition(Struct, frozen=True):
    name: str  # with its owners: "Class.method"
    line: int
    signature: str
    is_top: bool  # neither a method nor within another definition


def definitions(facts: FileFacts) -> tuple[Definition, ...]:
    """In the order of their lines. What is exported without being a function or a class is named with its kind."""
    found = [_class(one) for one in facts.classes] + [_function(one) for one in facts.functions]
    lines = {(one.name, one.line) for one in found}
    names = {one.name for one in found}
    if facts.language in _LISTING:
        names.update(name for item in facts.imports for name in item.bound)  # defined elsewhere
    for export in facts.exports:
        if (export.name, export.line) not in lines and export.name not in names:
            found.append(Definition(export.name, export.line, one_line(f"{export.kind.value} {export.name}"), True))
    return tuple(sorted(found, key=lambda one: (one.line, one.name)))


def one_line(text: str, longest: int = LONGEST) -> str:
    """A text of the repository as a part of one line: it is shown as data, and can neither end a line nor a fence."""
    text = " ".join(_UNFIT.sub(" ", text).split())
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _class(one: Class) -> Definition:
    name = f"{one.owner}.{one.name}" if one.owner else one.name
    bases = f"({', '.join(one.extends)})" if one.extends else ""
    return Definition(name, one.line, one_line(f"{one.kind} {name}{bases}"), not one.owner)


def _function(one: Function) -> Definition:
    name = f"{one.owner}.{one.name}" if one.owner else one.name
    returns = f" -> {one.returns}" if one.returns else ""
    room = LONGEST - len(name) - len(returns) - 2
    params = ", ".join(one.params)
    if len(params) > room:
        params = ", ".join(_bare(param) for param in one.params)
    return Definition(name, one.line, one_line(f"{name}({params}){returns}"), not one.owner)


def _bare(param: str) -> str:
    """A parameter without its type and default, where the language puts them behind a colon or an equals sign."""
    return re.split(r"[:=]", param, maxsplit=1)[0].rstrip()
