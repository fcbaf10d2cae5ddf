"""How the files of a map hang together: what imports which file, and what calls which definition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from autopilot.model.repomap.code_map import AmbiguousCall, CallEdge, ImportEdge, Links
from autopilot.model.repomap.facts import Call, Class, FileFacts, Import
from autopilot.repomap.foreign_names import ForeignNames
from autopilot.repomap.handed_on import ALL
from autopilot.repomap.importing import ImportIndex, enclosing, family_of
from autopilot.repomap.languages import OTHER
from autopilot.repomap.typed_parameters import parameter_types
from autopilot.text.file_kind import is_test

_OWN = frozenset({"self", "this", "cls", "super", "$this", "@", "static", "parent", "Self"})
_INVOKING = frozenset({"call", "apply"})
_PACKAGE_IS_FOLDER = frozenset({"go"})
# Families in which a method is called by its name alone inside of its class.
_SELF_IS_IMPLIED = frozenset({"java", "csharp", "ruby", "swift", "c"})
_OUTER_IS_IMPLIED = frozenset({"java", "csharp"})  # and so are those of the classes around it
_GLOBS_HAND_ON = frozenset({"python", "rust"})  # ``use super::*`` brings what is imported there as well
_MOST_VISIBLE = 500  # files of a package whose names are looked through for every call
# Families in which anything may stand before a function: Kotlin extends types, namespaces of C++ are not read.
_CALLED_ON_ANY = frozenset({"java", "c"})
_MODULES_OF_RUST = frozenset({"self", "super", "crate"})
_MOST_REOPENED = 3  # places of a constant of Ruby that are looked through as a base


class _Place(Struct, frozen=True, gc=False):
    path: str
    whole: str  # with its owners
    is_member: bool  # of a class: not called by its name alone
    is_function: bool = True


_MOST_HANDS = 4  # through which a name goes before it is given up
MOST_LINKED = 30_000  # files; to follow the references of more takes too long for a step of a run


def link(files: Mapping[str, FileFacts]) -> Links:
    index = ImportIndex(files)
    linker = _Linker(files, index)
    imports = []
    for path, facts in files.items():
        for item in facts.imports:
            targets, is_resolved = index.resolve(path, item)
            targets = tuple(target for target in targets if target != path)
            imports.append(ImportEdge(path, item.line, item.source, item.names, targets, is_resolved))
            linker.bind(path, item, targets)
    calls = [edge for path, facts in files.items() for edge in linker.resolve(path, facts)]
    return Links(tuple(imports), tuple(calls), tuple(linker.ambiguous))


def _is_of_its_owner(item: Class) -> bool:
    """``type Err = …`` of a trait or class: ``Err(…)`` inside of it means something else."""
    return bool(item.owner) and item.kind == "type"


def _is_settled(family: str, call: Call, bound: Mapping[str, tuple[str, tuple[str, ...]]]) -> bool:
    """A call that nothing explains, though it could only be one of its own class, or of the file that it names."""
    if family == "ruby":
        return call.receiver == "self"
    return family == "python" and not call.receiver and bound.get(call.name, (ALL,))[0] != ALL


def _is_constructor(place: _Place) -> bool:
    """Named like its class, which is what ``new`` means."""
    *_, owner, name = ("", *place.whole.split("."))
    return owner == name


class _Linker:
    def __init__(self, files: Mapping[str, FileFacts], index: ImportIndex) -> None:
        self._files = files
        self._index = index
        self._foreign = ForeignNames(files, index)
        self._by_name: dict[tuple[str, str], list[_Place]] = defaultdict(list)
        self._in_file: dict[str, dict[str, _Place]] = {}
        self._bound: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = defaultdict(dict)
        self._open: dict[str, list[str]] = defaultdict(list)  # files all of whose names are visible
        self._handed: dict[str, list[str]] = defaultdict(list)  # files all of whose names others can have from this one
        self._renamed: dict[str, dict[str, str]] = defaultdict(
            dict
        )  # by what others call it: what the file itself does
        self._handed_on: dict[tuple[str, str, int], _Place | None] = {}
        self._bases: dict[tuple[str, str], tuple[str, ...]] = {}
        self.ambiguous: list[AmbiguousCall] = []
        self._is_test = cache(is_test)  # by its name alone, nothing else calls what is in a test
        self._fitting: dict[tuple[str, str, str, bool, bool], tuple[tuple[str, str], ...]] = {}
        packages: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for path, facts in files.items():
            self._add(path, facts)
            if facts.package and facts.language not in ("rust", "json", OTHER):
                folder = path.rpartition("/")[0] if facts.language in _PACKAGE_IS_FOLDER else ""
                packages[family_of(facts.language), folder, facts.package].append(path)
        for (family, folder, package), members in packages.items():
            for around in enclosing(package) if family == "csharp" else (package,):
                visible = packages.get((family, folder, around), ())
                for path in members if len(visible) <= _MOST_VISIBLE else ():
                    self._open[path] += (other for other in visible if other != path)

    def _add(self, path: str, facts: FileFacts) -> None:
        family, own = family_of(facts.language), self._in_file.setdefault(path, {})
        defined = [(item.owner, item.name, _is_of_its_owner(item), False) for item in facts.classes]
        defined += ((item.owner, item.name, item.is_method, True) for item in facts.functions)
        for owner, name, is_member, is_function in defined:
            whole = f"{owner}.{name}" if owner else name
            if whole not in own:
                own[whole] = place = _Place(path, whole, is_member, is_function)
                self._by_name[family, name].append(place)
        for export in facts.exports:
            if export.of:
                self._renamed[path].setdefault(export.name, export.of)
            elif export.name == "default" and (exported := self._at_line(path, facts, export.line)):
                own.setdefault("default", exported)
        for item in facts.classes:
            self._bases[path, f"{item.owner}.{item.name}" if item.owner else item.name] = item.extends

    def _at_line(self, path: str, facts: FileFacts, line: int) -> _Place | None:
        """What ``export default`` exports, where it is defined there."""
        names = [item.name for item in facts.classes if item.line == line and not item.owner]
        names += (item.name for item in facts.functions if item.line == line and not item.owner)
        return self._in_file[path].get(names[0]) if names else None

    def bind(self, path: str, item: Import, targets: tuple[str, ...]) -> None:
        if not targets:
            self._foreign.add(path, item)
            return
        if not item.bound:
            self._open[path] += targets
            if family_of(self._files[path].language) != "javascript":  # there it is ``import("./a")``
                self._handed[path] += targets
        if self._files[path].language in _PACKAGE_IS_FOLDER:  # known by the name that it gives itself
            self._bound[path].setdefault(self._files[targets[0]].package, (ALL, targets))
        for name, alias in zip(item.names, item.bound, strict=False):
            if alias == ALL:  # ``export * from``: visible to others alone
                self._handed[path] += targets
            elif name == ALL:  # a module has no name that a function could not have as well
                self._bound[path].setdefault(alias, (name, targets))
            else:
                self._bound[path][alias] = (name, targets)

    def resolve(self, path: str, facts: FileFacts) -> Iterator[CallEdge]:
        family = family_of(facts.language)
        is_implied, is_in_tests = family in _SELF_IS_IMPLIED, self._is_test(path)
        own, bound, types = self._in_file[path], self._bound.get(path, {}), parameter_types(facts)
        for call in facts.calls:
            first = call.receiver.partition(".")[0] or call.name
            is_here = first in own or first in bound
            typed = types.get((call.within, call.receiver)) if types and call.receiver else None
            if not is_here and self._foreign.is_imported(path, typed.partition(".")[0] if typed else first):
                continue
            found = self._of_name(path, typed, call.name, call.within) if typed else self._certain(path, call)
            if found is None and call.name in _INVOKING and family == "javascript":
                found = self._invoked(path, call)
            if found is None and is_implied and not call.receiver:
                found = self._of_own_class(path, call)
            if found is not None:
                yield CallEdge(path, call.within, call.line, found.whole, found.path)
                continue
            if not is_here and self._foreign.is_none_of_ours(path, family, call):
                continue
            if _is_settled(family, call, bound):
                continue
            places = self._by_its_name(family, call, is_implied, is_in_tests)
            if len(places) == 1:
                yield CallEdge(path, call.within, call.line, *places[0], is_certain=False)
            elif places:
                self.ambiguous.append(AmbiguousCall(path, call.within, call.line, call.name, places))

    def _by_its_name(self, family: str, call: Call, is_implied: bool, is_in_tests: bool) -> tuple[tuple[str, str], ...]:
        """Every definition that a call of this name could mean, made once: the calls share it."""
        places = self._by_name.get((family, call.name), ())
        has_plain = any(place.is_function and not place.is_member for place in places)
        holder = call.receiver.rpartition(".")[2] if has_plain else ""
        key = (family, call.name, holder, bool(call.receiver) or is_implied, is_in_tests)
        if places and key not in self._fitting:
            self._fitting[key] = tuple(
                (place.whole, place.path)
                for place in places
                if self._can_be_called(place, family, holder, may_be_member=key[3])
                and (is_in_tests or not self._is_test(place.path))
            )
        return self._fitting.get(key, ())

    def _can_be_called(self, place: _Place, family: str, holder: str, *, may_be_member: bool) -> bool:
        if place.is_member:
            return may_be_member and not _is_constructor(place)
        if not place.is_function or not holder or family in _CALLED_ON_ANY:
            return True
        *_, folder, file = ("", *place.path.split("/"))
        package = self._files[place.path].package.replace("\\", ".").rpartition(".")[2]
        owner = place.whole.rpartition(".")[0].rpartition(".")[2]
        is_module = family == "rust" and holder in _MODULES_OF_RUST
        return is_module or holder in (owner, file.partition(".")[0], folder, package)

    def _certain(self, path: str, call: Call) -> _Place | None:
        if not call.receiver:
            return self._plain(path, call.name, call.within)
        if call.receiver in _OWN:
            found = self._of_own_class(path, call)
            is_ruby = found is None and self._files[path].language == "ruby"
            return self._plain(path, call.name, call.within) if is_ruby else found
        return self._of_name(path, call.receiver, call.name, call.within)

    def _invoked(self, path: str, call: Call) -> _Place | None:
        """``f`` of ``f.call(this)``, where that is a function."""
        receiver, _, name = call.receiver.rpartition(".")
        return self._certain(path, Call(name, receiver, call.within, call.line))

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
        if self._files[path].language in _GLOBS_HAND_ON:
            return self._of_others(path, name, _MOST_HANDS)
        return None

    def _imported(self, path: str, name: str, depth: int = _MOST_HANDS) -> _Place | None:
        """What a name means that an import brought, through files that hand it on."""
        if depth == 0:
            return None
        original, targets = self._bound.get(path, {}).get(name, ("", ()))
        if original == ALL and family_of(self._files[path].language) == "javascript":
            original = "default"  # ``const f = require("./f")``
        for target in targets:
            if place := self._of_file(target, original, depth - 1):
                return place
        return None

    def _of_file(self, path: str, name: str, depth: int = _MOST_HANDS) -> _Place | None:
        """What others get from a file by this name: its own, or what it hands on of others."""
        inside = self._renamed.get(path, {}).get(name, name)
        if place := self._in_file[path].get(inside):
            return place
        key = (path, name, depth)
        if key not in self._handed_on:
            self._handed_on[key] = None  # files may hand on to each other
            self._handed_on[key] = self._imported(path, inside, depth) or self._of_others(path, name, depth)
        return self._handed_on[key]

    def _of_others(self, path: str, name: str, depth: int) -> _Place | None:
        for other in self._handed.get(path, ()) if depth and name != "default" else ():
            if place := self._of_file(other, name, depth - 1):
                return place
        return None

    def _modules(self, path: str, name: str, depth: int = _MOST_HANDS) -> tuple[str, ...]:
        """The files that a name stands for as a whole: ``import a``, ``import * as a``, ``export * as a``."""
        if depth < _MOST_HANDS:
            name = self._renamed.get(path, {}).get(name, name)
        original, targets = self._bound.get(path, {}).get(name, ("", ()))
        if original in (ALL, "default") or depth == 0:
            return targets
        named = tuple(target for target in targets if _is_module(target, original, self._files[target]))
        holding = targets if original else self._handed.get(path, ()) if depth < _MOST_HANDS else ()
        return named or tuple(file for other in holding for file in self._modules(other, original or name, depth - 1))

    def _modules_of(self, path: str, receiver: str) -> tuple[str, ...]:
        """The files that ``a.b`` stands for as a whole, each part in those of the part before it."""
        if receiver in self._bound.get(path, {}):
            return self._modules(path, receiver)
        before, _, last = receiver.rpartition(".")
        holding = self._modules_of(path, before) if before else ()
        return tuple(dict.fromkeys(file for one in holding for file in self._modules(one, last, _MOST_HANDS - 1)))

    def _of_own_class(self, path: str, call: Call) -> _Place | None:
        owner = call.within
        sees_outer = not call.receiver and family_of(self._files[path].language) in _OUTER_IS_IMPLIED
        while owner:
            if (path, owner) in self._bases:
                found = self._method(path, owner, call.name)
                if found or not sees_outer:
                    return found
            place = self._plain(path, owner, "") if self._files[path].language in _PACKAGE_IS_FOLDER else None
            if place and (place.path, place.whole) in self._bases:
                return self._method(place.path, place.whole, call.name)
            owner = owner.rpartition(".")[0]
        return None

    def _method(self, path: str, owner: str, name: str, depth: int = 6) -> _Place | None:
        if place := self._in_file[path].get(f"{owner}.{name}"):
            return place
        if self._files[path].language in _PACKAGE_IS_FOLDER:  # methods stand in any file of the package
            for other in self._open.get(path, ()):
                if place := self._in_file[other].get(f"{owner}.{name}"):
                    return place
        if depth == 0:
            return None
        for base in self._bases.get((path, owner), ()):
            for place in self._base(path, base, owner):
                found = self._method(place.path, place.whole, name, depth - 1)
                if found and (place.path, place.whole) != (path, owner):
                    return found
        return None

    def _base(self, path: str, base: str, owner: str) -> Iterable[_Place]:
        spelled = base.partition("<")[0].partition("(")[0].partition("[")[0].strip()
        if place := self._plain(path, spelled, owner.rpartition(".")[0]):
            return (place,)
        if self._files[path].language == "ruby":
            named = self._constants(spelled.replace("::", "."))
            return named if len(named) <= _MOST_REOPENED else ()
        module, _, last = spelled.replace("::", ".").rpartition(".")
        return filter(None, (self._of_file(file, last) for file in (self._modules_of(path, module) if module else ())))

    def _of_name(self, path: str, receiver: str, name: str, within: str) -> _Place | None:
        """``module.name()``, ``Class.name()``, ``module.Class.name()``."""
        bound, language = self._bound.get(path, {}), self._files[path].language
        before, _, last = receiver.rpartition(".")
        modules: tuple[str, ...] = ()
        is_bound = receiver.partition(".")[0] in bound  # of most calls it is a variable
        if receiver in bound and (owner := self._imported(path, receiver)):
            found = self._method(owner.path, owner.whole, name)
            if found or bound[receiver][0] != ALL:
                return found
        if receiver in bound or is_bound:
            modules = self._modules_of(path, receiver)
        elif language == "rust" and receiver.startswith(("crate", "super.")):
            modules = self._index.rust_module(path, receiver.replace(".", "::"))
        elif language == "rust" and receiver.islower() and not before:  # a module that ``use super::*`` brought
            modules = self._modules(path, receiver, _MOST_HANDS - 1)
        for module in modules:
            if place := self._of_file(module, name):
                return place
        is_spelled_out = language == "php" and bool(before) and before[0] != "$"
        if is_spelled_out:
            modules = (*modules, *self._index.php_class(path, receiver))
        elif before in bound or (is_bound and before):
            modules = (*modules, *self._modules_of(path, before))
        owner = next(filter(None, (self._of_file(module, last) for module in modules)), None)
        if owner is None and not is_spelled_out:
            owner = self._plain(path, last, within)
        found = self._method(owner.path, owner.whole, name) if owner else None
        if found is None and language == "ruby" and last[:1].isupper():
            return self._of_constant(receiver, name)
        return found

    def _of_constant(self, receiver: str, name: str) -> _Place | None:
        """``Shop::Utils.name``: a module may be opened in many files."""
        found = [place for one in self._constants(receiver) if (place := self._method(one.path, one.whole, name))]
        return found[0] if len(found) == 1 else None

    def _constants(self, receiver: str) -> list[_Place]:
        """Of Ruby a constant is known everywhere, whatever file brought it."""
        places = self._by_name.get(("ruby", receiver.rpartition(".")[2]), ())
        return [one for one in places if f".{one.whole}".endswith(f".{receiver}") and not one.is_function]


def _is_module(path: str, name: str, facts: FileFacts) -> bool:
    """``from package import module``; of PHP, whatever a namespace holds."""
    *_, folder, file = ("", *path.split("/"))
    stem = file.partition(".")[0]
    return facts.language == "php" or stem == name or (folder == name and stem in ("__init__", "mod", "lib"))
