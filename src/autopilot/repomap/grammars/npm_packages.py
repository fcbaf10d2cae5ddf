"""What ``package.json`` says: the name by which other packages of the repository import this one, and its entries."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from autopilot.model.repomap.facts import Export, ExportKind, FileFacts

LANGUAGE = "npm"  # of this file alone: all other JSON is listed and not read
_MAIN = ("source", "types", "typings", "module", "main")
_MOST = 200  # entries
_LONGEST = 300  # characters of an entry or a place, and of what a star in it stands for
_STARS = 3  # in one place; people write one
_BUILT = re.compile(r"^(?:\./)?(?:dist|lib|build|out|esm|cjs)/")
_ROOTS = ("src/index", "index", "lib/index", "src/main")


def read_package(text: bytes, lines: int) -> FileFacts:
    try:
        document = msgspec.json.decode(text)
        name = document.get("name") if isinstance(document, dict) else None
        entries = list(dict.fromkeys(islice(_entries(document), _MOST))) if isinstance(name, str) else []
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return FileFacts("json", lines)
    short = ((entry, place) for entry, place in entries if len(entry) <= _LONGEST and len(place) <= _LONGEST)
    exports = tuple(Export(entry, ExportKind.DEFAULT, 1, place) for entry, place in short)
    return FileFacts("json", lines, exports, package=name[:200] if isinstance(name, str) else "")


def _entries(document: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    exported = document.get("exports")
    by_entry = exported if isinstance(exported, dict) and any(key[:1] == "." for key in exported) else {".": exported}
    for entry, places in by_entry.items():
        yield from ((entry, place) for place in _places(places))
    yield from ((".", place) for key in _MAIN for place in _places(document.get(key)))


def _places(value: object) -> Iterator[str]:
    """Under whatever conditions: the first that is in the repository will do."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _places(inner)


class NpmPackages:
    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._folders: dict[str, list[str]] = {}
        self._exports = {}
        for path, facts in files.items():
            if path.rpartition("/")[2] == "package.json" and facts.package:
                folder = path.rpartition("/")[0]
                self._folders.setdefault(facts.package, []).append(folder)
                self._exports[folder] = facts.exports

    def places_of(self, source: str) -> Sequence[str]:
        """Where an import of ``name`` or ``name/part`` may lead, without endings, the likeliest first."""
        parts = source.split("/")
        count = 2 if source.startswith("@") else 1
        folders, part = self._folders.get("/".join(parts[:count]), ()), "/".join(parts[count:])
        if len(folders) != 1:
            return ()
        (folder,) = folders
        named = [place for export in self._exports[folder] if (place := _fitting(export, f"./{part}" if part else "."))]
        sources = [_BUILT.sub("src/", place) for place in named if _BUILT.match(place)]
        usual = (part, f"src/{part}") if part else _ROOTS
        return [posixpath.normpath(posixpath.join(folder, place)) for place in (*named, *sources, *usual)]


def _fitting(export: Export, entry: str) -> str:
    """The place of an entry, "" where it is of another one: ``./locales/*`` is every one below.

    A place of many stars would grow by all that is put in each.
    """
    if export.name == entry:
        return export.of
    before, star, after = export.name.partition("*")
    if star and entry.startswith(before) and entry.endswith(after) and export.of.count("*") <= _STARS:
        return export.of.replace("*", entry[len(before) : len(entry) - len(after)])
    return ""
