"""Questions to the map: who imports it, who calls it, what it calls, where it is defined, what a file exports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.model.repomap.code_map import AmbiguousCall, ImportEdge, Links
from autopilot.model.repomap.facts import FileFacts
from autopilot.repomap.handed_on import ALL, HandedOnIndex
from autopilot.repomap.signatures import Definition, definitions
from autopilot.repomap.similar_names import Likeness, likeness

MOST_SIMILAR = 20
_MOST_MEANINGS = 3  # that are named; the others are counted
_SEPARATOR = re.compile(r"::|->|#|/")  # how others join the parts of a name that are joined by dots here
_JOINED = re.compile(r"\\|::|/")  # how imports join them


class Query(StrEnum):
    IMPORTERS_OF = "importers-of"
    CALLERS_OF = "callers-of"
    CALLEES_OF = "callees-of"
    DEFINES = "defines"
    EXPORTS_OF = "exports-of"
    SIMILAR_NAME = "similar-name"


class Found(Struct, frozen=True):
    path: str
    line: int
    name: str  # of what was found: the definition, the caller, the names that are imported
    what: str  # its signature, its kind, or how it is imported
    is_certain: bool = True  # False: by its name alone
    meanings: int = 1  # of a call: how many definitions of its name it could be a call of


def answer(query: Query, name: str, files: Mapping[str, FileFacts], links: Links) -> tuple[Found, ...]:
    """Everything the map knows, in the order of the paths and lines; similar names with the nearest first."""
    if query is Query.SIMILAR_NAME:
        return find_similar(name, files)
    found = {
        Query.IMPORTERS_OF: lambda: _importers(name, links),
        Query.CALLERS_OF: lambda: _once(_callers(name, links), files),
        Query.CALLEES_OF: lambda: _once(_callees(name, links), files),
        Query.DEFINES: lambda: _defining(name, files),
        Query.EXPORTS_OF: lambda: _exports(name, files, links),
    }[query]()
    return tuple(sorted(dict.fromkeys(found), key=lambda one: (one.path, one.line, one.name)))


def find_similar(name: str, files: Mapping[str, FileFacts]) -> tuple[Found, ...]:
    """Does this exist? The same name, the same but for case and underscores, then those that are near."""
    nearness: dict[str, Likeness | None] = {}
    rows = []
    for path, defined in _every(files):
        last = defined.name.rpartition(".")[2]
        for spelled in (last, defined.name):
            if spelled not in nearness:
                nearness[spelled] = likeness(_plain(name), spelled)
        near = min((n for n in (nearness[last], nearness[defined.name]) if n is not None), default=None)
        if near is not None:
            rows.append((near, len(defined.name), _found(path, defined)))
    rows.sort(key=lambda row: (row[0], row[1], row[2].path, row[2].line))
    return tuple(found for _, _, found in rows[:MOST_SIMILAR])


def _importers(name: str, links: Links) -> Iterator[Found]:
    whole = _JOINED.sub(".", name)
    meant = {target for edge in links.imports for target in edge.targets if _is_file(target, name)}
    for edge in links.imports:
        reached = [target for target in edge.targets if target in meant]
        if reached or name in edge.names or edge.source == name or whole in _wholes(edge):
            which = f", which is {' or '.join(reached)}" if len(meant) > 1 and reached else ""
            yield Found(edge.path, edge.line, ", ".join(edge.names), f"from {edge.source}{which}", edge.is_resolved)


def _wholes(edge: ImportEdge) -> list[str]:
    """What is imported by its whole name: `A\\B\\Name`, `crate::a::name`, `com.a.Name`."""
    source = _JOINED.sub(".", edge.source)
    return [f"{source}.{name}" for name in edge.names]


def _once(rows: Iterable[tuple[str, Found]], files: Mapping[str, FileFacts]) -> Iterator[Found]:
    """A function that calls a name several times is one row, whatever it is called on; an overload is another one."""
    firsts: dict[tuple[str, int, str, str], Found] = {}
    for caller, row in rows:
        begins = _begins(files[row.path], caller, row.line)
        key = (row.path, begins, row.name, row.what)
        if key not in firsts or row.line < firsts[key].line:
            firsts[key] = row
    yield from firsts.values()


def _begins(facts: FileFacts, caller: str, line: int) -> int:
    """The first line of that definition of this name which is around the line."""
    named = (one for one in facts.functions if one.name == caller.rpartition(".")[2])
    return max((one.line for one in named if one.line <= line <= one.end_line), default=0)


def _callers(name: str, links: Links) -> Iterator[tuple[str, Found]]:
    for edge in links.calls:
        if _is_named(edge.callee, name):
            what = f"calls {edge.callee} of {edge.target}"
            yield edge.caller, Found(edge.path, edge.line, edge.caller, what, edge.is_certain)
    for call in links.ambiguous:
        asked = [one for one in call.candidates if _is_named(one[0], name)]
        if asked:
            yield call.caller, _ambiguous(call, call.caller, f"could be a call of {_meanings(call, asked)}")


def _callees(name: str, links: Links) -> Iterator[tuple[str, Found]]:
    for edge in links.calls:
        if edge.caller and _is_named(edge.caller, name):
            what = f"of {edge.target}, called by {edge.caller}"
            yield edge.caller, Found(edge.path, edge.line, edge.callee, what, edge.is_certain)
    for call in links.ambiguous:
        if call.caller and _is_named(call.caller, name):
            what = f"could be {_meanings(call, ())}, called by {call.caller}"
            yield call.caller, _ambiguous(call, call.name, what)


def _ambiguous(call: AmbiguousCall, name: str, what: str) -> Found:
    return Found(call.path, call.line, name, what, is_certain=False, meanings=len(call.candidates))


def _meanings(call: AmbiguousCall, asked: Sequence[tuple[str, str]]) -> str:
    """The definitions that were asked for come first."""
    ordered = [*asked, *(one for one in call.candidates if one not in asked)]
    named = [f"{whole} of {path}" for whole, path in ordered[:_MOST_MEANINGS]]
    more = len(ordered) - len(named)
    return " or ".join([*named, *([f"{more} other{'s' if more > 1 else ''}"] if more else [])])


def _defining(name: str, files: Mapping[str, FileFacts]) -> Iterator[Found]:
    return (_found(path, defined) for path, defined in _every(files) if _is_named(defined.name, name))


def _exports(name: str, files: Mapping[str, FileFacts], links: Links) -> Iterator[Found]:
    handed_on = HandedOnIndex(files, links)
    for path in known_files(name, files):
        others = tuple(handed_on.of(path))
        listed = {(one.name, one.line) for one in others}  # a statement can be an export and an import
        for export in files[path].exports:
            if (export.name, export.line) not in listed:
                yield Found(path, export.line, export.name, export.kind.value)
        for one in others:
            what = "everything, re-exported" if one.name == ALL else "re-exported"
            yield Found(path, one.line, one.name, "module" if one.is_module else f"{what} from {one.source}")


def _every(files: Mapping[str, FileFacts]) -> Iterator[tuple[str, Definition]]:
    return ((path, defined) for path, facts in files.items() for defined in definitions(facts))


def _found(path: str, defined: Definition) -> Found:
    return Found(path, defined.line, defined.name, defined.signature)


def _is_named(qualified: str, name: str) -> bool:
    return any(qualified == form or qualified.endswith(f".{form}") for form in {_plain(name), name})


def _plain(name: str) -> str:
    return _SEPARATOR.sub(".", name.strip().removesuffix("()"))


def _is_file(path: str, name: str) -> bool:
    """A path, the end of one, or the name of its module: `src/a/core.py` is `a/core.py`, `a.core` and `a/core`.

    A module of Go is a folder.
    """
    name = name.removeprefix("./").rstrip("/")
    bare = str(PurePosixPath(path).with_suffix(""))
    spelled = [path, bare, bare.removesuffix("/__init__"), bare.removesuffix("/index"), bare.removesuffix("/mod")]
    if path.endswith(".go"):
        spelled.append(path.rpartition("/")[0])
    wanted = {name, _module_path(name)} if "/" not in name else {name}
    return any(form == want or form.endswith(f"/{want}") for form in spelled for want in wanted)


def _module_path(name: str) -> str:
    """`a.core` and `crate::a` as paths."""
    return re.sub(r"\.|::", "/", name)


def is_defined(name: str, files: Mapping[str, FileFacts]) -> bool:
    return any(_is_named(defined.name, name) for _, defined in _every(files))


def known_files(name: str, files: Iterable[str]) -> tuple[str, ...]:
    """The files that a name may mean."""
    return tuple(path for path in files if _is_file(path, name))
