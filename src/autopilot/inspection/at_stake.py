"""By which names a test would speak of a changed file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec import Struct

# Files that go by the name of their folder.
_OF_FOLDER = frozenset({"__init__", "__main__", "index", "mod", "lib", "main"})


class ModuleNames(Struct, frozen=True):
    names: frozenset[str]

    def are_in(self, source: str) -> bool:
        return not self.names.isdisjoint(re.findall(r"\w{1,200}+", source))


def names_of_modules(paths: Iterable[str]) -> ModuleNames:
    """Also the parts of a name with hyphens or dots: `my-words.test.js` asks for what `my-words.js` holds."""
    found = set[str]()
    for path in map(PurePosixPath, paths):
        stem = path.name.split(".")[0]
        own = path.parent.name if stem in _OF_FOLDER and path.parent.name else stem
        found |= set(re.findall(r"\w{1,200}+", own))
    return ModuleNames(frozenset(found))
