"""How the files of a map hang together: what imports which file, and what calls which definition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from autopilot.model.repomap.code_map import AmbiguousCall, CallEdge, ImportEdge, Links
from autopilot.model.repomap.facts import Call, FileFacts
from autopilot.repomap.importing import ImportIndex, family_of

_OWN = frozenset({"self", "this", "cls", "super", "$this", "@", "static", "parent"})
_PACKAGE_IS_FOLDER = frozenset({"go"})
# Families in which a method is called by its name alone inside of its class.
_SELF_IS_IMPLIED = frozenset({"java", "csharp", "ruby", "swift", "c"})


class _Place(Struct, frozen=True, gc=False):
    path: str
    whole: str  # with its owners
    is_member: bool  # of a class: not called by its name alone


MOST_LINKED = 30_000  # files; to follow the references of more takes too long for a step of a run


def link(files: Mapping[str, FileFacts]) -> Links:
    index = ImportIndex(files)
    linker = _Linker(files)
    imports = []
    for path, facts in files.items():
        for item in facts.imports:
            targets, is_resolved = index.resolve(path, item)
            targets = tuple(target for target in targets if target != path)
            imports.append(ImportEdge(path, item.line, item.source, item.names, targets, is_resolved))
            linker.bind(path, item.names, item.bound, targets)
    calls = [edge for path, facts in files.items() for edge in linker.resolve(path, facts)]
    return Links(tuple(imports), tuple(calls), tuple(linker.ambiguous))


def _is_constructor(place: _Place) -> bool:
    """Named like its class, which is what ``new`` means."""
    *_, owner, name = ("", *place.whole.split("."))
    return owner == name


class _Linker:
    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._by_name: dict[tuple[str, str], list[_Place]] = defaultdict(list)
        self._in_file: dict[str, dict[str, _Place]] = {}
        self._bound: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = defaultdict(dict)
        self._open: dict[str, list[str]] = defaultdict(list)  # files all of whose names are visible
        self._bases: dict[tuple[str, str], tuple[str, ...]] = {}
        self.ambiguous: list[AmbiguousCall] = []
        self._fitting: dict[tuple[str, str, bool], tuple[tuple[str, str], ...]] = {}
        packages: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for path, facts in files.items():
            self._add(path, facts)
            if facts.package and facts.language != "rust":
                folder = path.rpartition("/")[0] if facts.language in _PACKAGE_IS_FOLDER else ""
                packages[family_of(facts.language), folder, facts.package].append(path)
        for members in packages.values():
            for path in members if len(members) <= 500 else ():
                self._open[path] += (other for other in members if other != path)

    def _add(self, path: str, facts: FileFacts) -> None:
        family, own = family_of(facts.language), self._in_file.setdefault(path, {})
        defined = [(item.owner, item.name, False) for item in facts.classes]
        defined += ((item.owner, item.name, item.is_method) for item in facts.functions)
        for owner, name, is_member in defined:
            whole = f"{owner}.{name}" if owner else name
            if whole not in own:
                own[whole] = place = _Place(path, whole, is_member)
                self._by_name[family, name].append(place)
        for export in facts.exports:
            if export.name == "default" and (exported := self._at_line(path, facts, export.line)):
                own.setdefault("default", exported)
        for item in facts.classes:
            self._bases[path, f"{item.owner}.{item.name}" if item.owner else item.name] = item.extends

    def _at_line(self, path: str, facts: FileFacts, line: int) -> _Place | None:
        """What ``export default`` exports, where it is defined there."""
        names = [item.name for item in facts.classes if item.line == line and not item.owner]
        names += (item.name for item in facts.functions if item.line == line and not item.owner)
        return self._in_file[path].get(names[0]) if names else None

    def bind(self, path: str, names: tuple[str, ...], bound: tuple[str, ...], targets: tuple[str, ...]) -> None:
        if not targets:
            return
        if not bound:
            self._open[path] += targets
        for name, alias in zip(names, bound, strict=False):
            self._bound[path][alias] = (name, targets)

    def resolve(self, path: str, facts: FileFacts) -> Iterator[CallEdge]:
        family = family_of(facts.language)
        is_implied = family in _SELF_IS_IMPLIED
        for call in facts.calls:
            found = self._certain(path, call)
            if found is None and is_implied and not call.receiver:
                found = self._of_own_class(path, call)
            if found is not None:
                yield CallEdge(path, call.within, call.line, found.whole, found.path)
                continue
            places = self._by_its_name(family, call.name, bool(call.receiver) or is_implied)
            if len(places) == 1:
                yield CallEdge(path, call.within, call.line, *places[0], is_certain=False)
            elif places:
                self.ambiguous.append(AmbiguousCall(path, call.within, call.line, call.name, places))

    def _by_its_name(self, family: str, name: str, may_be_member: bool) -> tuple[tuple[str, str], ...]:
        """Every definition that a call of this name could mean, made once: the calls share it."""
        key = (family, name, may_be_member)
        if key not in self._fitting:
            self._fitting[key] = tuple(
                (place.whole, place.path)
                for place in self._by_name.get((family, name), ())
                if not place.is_member or (may_be_member and not _is_constructor(place))
            )
        return self._fitting[key]

    def _certain(self, path: str, call: Call) -> _Place | None:
        if not call.receiver:
            return self._plain(path, call.name, call.within)
        if call.receiver in _OWN:
            return self._of_own_class(path, call)
        return self._of_name(path, call.receiver, call.name, call.within)

    def _plain(self, path: str, name: str, within: str) -> _Place | None:
        own = self._in_file[path]
        owner = within
        while owner:
            # What stands in a class is not visible in its methods by the name alone; in a function it is.
            if (place := own.get(f"{owner}.{name}")) and not place.is_member:
                return place
            owner = owner.rpartition(".")[0]
        if (place := own.get(name)) or (place := self._imported(path, name)):
            return place
        for other in self._open.get(path, ()):
            if (place := self._in_file[other].get(name)) and not place.is_member:
                return place
        return None

    def _imported(self, path: str, name: str, depth: int = 4) -> _Place | None:
        """What a name means that an import brought, through files that hand it on."""
        if (known := self._bound.get(path, {}).get(name)) is None or depth == 0:
            return None
        original, targets = known
        for target in targets:
            if place := self._in_file[target].get(original):
                return place
            if place := self._imported(target, original, depth - 1):
                return place
        return None

    def _of_own_class(self, path: str, call: Call) -> _Place | None:
        owner = call.within
        while owner:
            if (path, owner) in self._bases:
                return self._method(path, owner, call.name)
            owner = owner.rpartition(".")[0]
        return None

    def _method(self, path: str, owner: str, name: str, depth: int = 6) -> _Place | None:
        if place := self._in_file[path].get(f"{owner}.{name}"):
            return place
        if depth == 0:
            return None
        for base in self._bases.get((path, owner), ()):
            spelled = base.partition("<")[0].partition("(")[0].partition("[")[0].strip()
            place = self._plain(path, spelled, owner.rpartition(".")[0])
            if place is None or (place.path, place.whole) == (path, owner):
                continue
            if found := self._method(place.path, place.whole, name, depth - 1):
                return found
        return None

    def _of_name(self, path: str, receiver: str, name: str, within: str) -> _Place | None:
        """``module.name()``, ``Class.name()``."""
        bound = self._bound.get(path, {})
        if known := bound.get(receiver):
            for target in known[1]:
                if place := self._in_file[target].get(name):
                    return place
        if place := self._plain(path, receiver.rpartition(".")[2], within):
            return self._method(place.path, place.whole, name)
        return None
