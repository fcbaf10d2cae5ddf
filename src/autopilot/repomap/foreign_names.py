"""Calls that mean nothing of the project for certain: a guess by the name alone would be wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from autopilot.model.repomap.facts import Call, FileFacts, Import
from autopilot.repomap.importing import ImportIndex, family_of

# Families in which a plain name is one of the file, of its package, imported, or built in.
_IMPORTED_OR_OWN = frozenset({"python", "go"})
# Families in which a receiver like ``HashMap`` is a type, and never a variable.
_TYPES_ARE_CAPITAL = frozenset({"rust", "java", "php", "ruby", "swift"})
_BUILT_IN = {
    "rust": frozenset(
        ["std", "core", "alloc", "bool", "char", "str", "f32", "f64", "usize", "isize"]
        + [f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64, 128)]
    ),
    "javascript": frozenset(
        {
            *("Array", "ArrayBuffer", "BigInt", "Boolean", "Buffer", "Date", "Intl", "JSON", "Map", "Math", "Number"),
            *("Object", "Promise", "Proxy", "Reflect", "RegExp", "Set", "String", "Symbol", "URL"),
            *("console", "document", "globalThis", "localStorage", "navigator", "performance", "process", "window"),
        }
    ),
}

_ASKED = _TYPES_ARE_CAPITAL.union(_BUILT_IN)


class ForeignNames:
    def __init__(self, files: Mapping[str, FileFacts], index: ImportIndex) -> None:
        self._index = index
        self._imported: dict[str, set[str]] = defaultdict(set)
        self._with_unknown: set[str] = set()  # files that get names from where nobody can tell
        self._known = {
            (family_of(facts.language), item.name)
            for facts in files.values()
            if family_of(facts.language) in _ASKED
            for group in (facts.classes, facts.functions, facts.exports)
            for item in group
        }

    def add(self, path: str, item: Import) -> None:
        """An import that leads to no file."""
        if self._index.leads_out(path, item):
            self._imported[path].update(alias.partition(".")[0] for alias in item.bound)
        elif not item.bound:
            self._with_unknown.add(path)

    def is_imported(self, path: str, first: str) -> bool:
        """From outside of the project: a call that begins with this name."""
        return path in self._imported and first in self._imported[path]

    def is_none_of_ours(self, path: str, family: str, call: Call) -> bool:
        """Of a call that no import explains, by a name that is not of its file."""
        first = call.receiver.partition(".")[0]
        if not first:
            return family in _IMPORTED_OR_OWN and path not in self._with_unknown
        if first in _BUILT_IN.get(family, ()):
            return (family, first) not in self._known
        if family == "php" and "." in call.receiver and not first.startswith("$"):
            return True  # a class by its whole name
        is_type = first[0].isupper() and not first.isupper()  # in capitals: a constant, or a parameter of a type
        if family not in _TYPES_ARE_CAPITAL or not is_type:
            return False
        return not any((family, part) in self._known for part in call.receiver.split("."))
