"""What a file hands on of others: ``export * from``, ``pub use``, and what the own file of a Python package imports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from autopilot.model.repomap.code_map import Links
from autopilot.model.repomap.facts import FileFacts, Import

ALL = "*"


class HandedOn(Struct, frozen=True):
    name: str  # ALL: everything of a source that the map does not know
    line: int
    source: str  # as the import spells it
    is_module: bool = False  # ``pub mod a;``


class HandedOnIndex:
    def __init__(self, files: Mapping[str, FileFacts], links: Links) -> None:
        self._files = files
        self._targets = {(edge.path, edge.line, edge.source, edge.names): edge.targets for edge in links.imports}

    def of(self, path: str) -> Iterator[HandedOn]:
        """In the order of the imports."""
        return self._of(path, {path})

    def _of(self, path: str, seen: set[str]) -> Iterator[HandedOn]:
        facts = self._files[path]
        for item in facts.imports:
            targets = self._targets.get((path, item.line, item.source, item.names), ())
            is_package = path.rpartition("/")[2] == "__init__.py" and targets
            if not (item.is_export or is_package) or _is_inside(item, facts):
                continue
            for name, bound in zip(item.names, item.bound or item.names, strict=False):
                if name == ALL == bound:
                    yield from self._everything(item, targets, seen)
                elif facts.language != "python" or (name != ALL and not bound.startswith("_")):
                    is_module = facts.language == "rust" and name == ALL
                    yield HandedOn(bound, item.line, item.source, is_module)

    def _everything(self, item: Import, targets: tuple[str, ...], seen: set[str]) -> Iterator[HandedOn]:
        if not targets:
            yield HandedOn(ALL, item.line, item.source)
        for target in targets:
            if target in seen:
                continue
            seen.add(target)
            names = [export.name for export in self._files[target].exports]
            names += (one.name for one in self._of(target, seen))
            yield from (HandedOn(name, item.line, item.source) for name in dict.fromkeys(names) if name != "default")


def _is_inside(item: Import, facts: FileFacts) -> bool:
    """In a function: it brings names for that one alone."""
    return any(function.line <= item.line <= function.end_line for function in facts.functions)
