"""Which files of the project an import means, as far as the language lets a reader tell."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.repomap.facts import FileFacts, Import
from autopilot.repomap.grammars.go_rust import package_of
from autopilot.repomap.grammars.npm_packages import NpmPackages
from autopilot.repomap.languages import OTHER

FAMILIES = {
    "typescript": "javascript",
    "tsx": "javascript",
    "cpp": "c",
    "kotlin": "java",
    "scala": "java",
}
# What may be left out at the end of a path, and what stands for a folder.
_ENDINGS = {
    "javascript": (
        *("", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".json"),
        *("/index.ts", "/index.tsx", "/index.d.ts", "/index.js", "/index.jsx", "/index.mjs"),
    ),
    "c": ("",),
    "ruby": ("", ".rb"),
    "php": ("", ".php"),
    "lua": ("", ".lua", "/init.lua"),
    "bash": ("", ".sh"),
    "dart": ("",),
    "zig": ("",),
    "rust": (".rs", "/mod.rs"),
    "go": (),
    "perl": ("", ".pm"),
    "julia": ("", ".jl"),
    "haskell": (".hs",),
}
_DOTTED = frozenset({"lua", "haskell"})
_BY_PACKAGE = frozenset({"java", "csharp", "php", "elixir", "swift"})
_COMPILED = re.compile(r"\.[cm]?jsx?$")
_MOST = 50  # files that one import can mean
# Families in which every name of the project can be told from those of others by how it is imported.
_SETTLED = frozenset({"python", "go", "php", "java"})
_NODE = (
    "assert buffer child_process cluster console crypto dgram dns events fs http http2 https module net os path "
    "perf_hooks process punycode querystring readline stream string_decoder timers tls tty url util v8 vm "
    "worker_threads zlib"
)
_OF_NODE = frozenset(_NODE.split())
_GO_STANDARD = (
    "archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go "
    "hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv "
    "strings structs sync syscall testing text time unicode unique unsafe weak"
)
_OF_GO = frozenset(_GO_STANDARD.split())
_RUST_OWN = ("std", "core", "alloc")
_CRATE_ROOTS = ("lib.rs", "main.rs")
_OF_CRATES = frozenset({"tests", "benches", "examples"})


def family_of(language: str) -> str:
    return FAMILIES.get(language, language)


def _is_of_node(family: str, source: str) -> bool:
    return family == "javascript" and source.partition("/")[0] in _OF_NODE


def enclosing(namespace: str) -> Iterator[str]:
    """`A.B.C`, `A.B` and `A`: the names of all of them are visible in the first, as C# has it."""
    while namespace:
        yield namespace
        namespace = namespace.rpartition(".")[0]


def _dotted(namespace: str, name: str) -> str:
    return f"{namespace}\\{name}".replace("\\", ".").strip(".")


class ImportIndex:
    """Answers for one map: files by path, by Python module, by folder and by package."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._modules: dict[str, list[str]] = defaultdict(list)
        self._folders: dict[str, list[str]] = defaultdict(list)
        self._packages: dict[str, list[str]] = defaultdict(list)
        self._used: dict[str, list[str]] = defaultdict(list)  # what ``use`` of PHP can name, but for namespaces
        self._suffixes: dict[str, list[str]] = defaultdict(list)
        self._crates: dict[str, dict[str, None]] = defaultdict(dict)  # by name: where the sources of each are
        for path, facts in files.items():
            folder, _, name = path.rpartition("/")
            self._suffixes[name].append(path)
            if crate := _crate_at(folder, name, facts):
                self._crates[crate[0].replace("-", "_")][crate[1]] = None
            if facts.language == "python":
                for module in self._module_names(path):
                    self._modules[module].append(path)
            elif facts.language == "go":
                self._folders[folder].append(path)
            if facts.package and facts.language not in ("json", OTHER):
                self._packages[facts.package.replace("\\", ".")].append(path)
            if facts.language == "php":
                for name in {*(item.name for item in facts.exports), *(item.name for item in facts.classes)}:
                    self._used[_dotted(facts.package, name)].append(path)
            if family_of(facts.language) in _BY_PACKAGE:
                for item in facts.classes:
                    whole = ".".join(part for part in (facts.package.replace("\\", "."), item.owner, item.name) if part)
                    self._packages[whole].append(path)
        self._npm = NpmPackages(files)
        self._tops = {module.partition(".")[0] for module in self._modules}

    def resolve(self, path: str, item: Import) -> tuple[tuple[str, ...], bool]:
        """The files, and whether it is settled: False when it names a file of the project and none was found."""
        family = family_of(self._files[path].language)
        if family == "python":
            return self._python(path, item)
        if family == "go":
            found = self._go(item.source)
            return found, bool(found) or not item.source.startswith(".")
        if family == "rust":
            return self._rust(path, item.source)
        if family == "php" and not item.source.startswith("./"):
            return self._php(item), True
        found = self._by_path(path, item.source, family)
        if not found and family in _BY_PACKAGE:
            found = self._by_package(path, item)
        is_local = item.source.startswith((".", "/")) or family == "c"
        return found, bool(found) or not item.source.startswith(".") or not is_local

    def leads_out(self, path: str, item: Import) -> bool:
        """Of an import that leads to no file: whether it means something outside of the project for certain."""
        family = family_of(self._files[path].language)
        if family == "python":
            return not item.source.startswith(".") and item.source.partition(".")[0] not in self._tops
        if family == "rust":
            return item.source.partition("::")[0] in _RUST_OWN
        return family in _SETTLED or item.source.startswith("node:") or _is_of_node(family, item.source)

    def rust_module(self, path: str, spelled: str) -> tuple[str, ...]:
        """The file of ``crate::a`` or ``super::a``, where a call spells it."""
        return self._rust(path, spelled)[0]

    def _module_names(self, path: str) -> set[str]:
        """By the folders that are packages, and by the whole path."""
        parts = path.removesuffix(".pyi").removesuffix(".pyw").removesuffix(".py").split("/")
        first = len(parts) - 1
        while first > 0 and "/".join((*parts[:first], "__init__.py")) in self._files:
            first -= 1
        if parts[-1] == "__init__":
            parts.pop()
        names = {".".join(parts[first:]), ".".join(parts)}
        if parts[:1] in (["src"], ["lib"]):
            names.add(".".join(parts[1:]))
        return names - {""}

    def _python(self, path: str, item: Import) -> tuple[tuple[str, ...], bool]:
        source = item.source
        dots = len(source) - len(source.lstrip("."))
        if dots:
            folders = path.split("/")[:-1]
            if dots - 1 > len(folders):
                return (), False
            base = "/".join(folders[: len(folders) - (dots - 1)])
            tail = source[dots:].replace(".", "/")
            whole = "/".join(part for part in (base, tail) if part)
            found = self._python_at(whole, item.names)
            return found, bool(found)
        found = tuple(
            dict.fromkeys(
                place
                for name in item.names
                for place in _nearest(path, self._modules.get(f"{source}.{name}", ()) or self._modules.get(source, ()))
            )
        )
        return found[:_MOST], bool(found) or source.partition(".")[0] not in self._tops

    def _python_at(self, whole: str, names: tuple[str, ...]) -> tuple[str, ...]:
        own = [place for place in (f"{whole}.py", f"{whole}/__init__.py", f"{whole}.pyi") if place in self._files]
        found: list[str] = []
        for name in names:
            inner = f"{whole}/{name}" if whole else name
            places = [p for p in (f"{inner}.py", f"{inner}/__init__.py", f"{inner}.pyi") if p in self._files]
            found += places or own
        return tuple(dict.fromkeys(found))

    def _go(self, source: str) -> tuple[str, ...]:
        parts = source.split("/")
        if parts[0] in _OF_GO:
            return ()  # a folder of the project may have the name of a package of the standard library
        has_host = "." in parts[0]
        # ``module shop``: its packages are ``shop/…``
        for start in range(1, len(parts)) if has_host else (0, *range(1, min(2, len(parts)))):
            if found := self._folders.get("/".join(parts[start:])):
                return tuple(found[:_MOST])
        name = package_of(source)
        root = self._folders.get("", ()) if has_host else ()
        return tuple(path for path in root if self._files[path].package == name)[:_MOST]

    def _rust(self, path: str, source: str) -> tuple[tuple[str, ...], bool]:
        parts = [part for part in source.split("::") if part]
        folder, _, name = path.rpartition("/")
        own = folder if name in ("mod.rs", "lib.rs", "main.rs") else path.removesuffix(".rs")
        if not parts or parts[0] not in ("crate", "self", "super"):
            return self._rust_below(own, parts) or self._rust_crate(parts), True
        base = self._crate_of(folder) if parts[0] == "crate" else own
        for part in parts:
            if part == "super":
                base = base.rpartition("/")[0]
        rest = [part for part in parts if part not in ("crate", "self", "super")]
        found = self._rust_below(base, rest) or tuple(
            place
            for place in (f"{base}.rs", f"{base}/mod.rs", f"{base}/lib.rs", f"{base}/main.rs")
            if place in self._files
        )
        return found[:1], bool(found)

    def _crate_of(self, folder: str) -> str:
        """The folder of the crate's root: of the next file that can be one, or of tests, where any file can."""
        above = folder
        while above:
            is_root = any(f"{above}/{name}" in self._files for name in _CRATE_ROOTS)
            if is_root or above.rpartition("/")[2] in _OF_CRATES:
                return above
            above = above.rpartition("/")[0]
        return "" if any(name in self._files for name in _CRATE_ROOTS) else folder

    def _rust_crate(self, parts: list[str]) -> tuple[str, ...]:
        """A crate of the same workspace, where its folder has its name."""
        folders = self._crates.get(parts[0], ()) if parts else ()
        if len(folders) != 1:
            return ()
        (folder,) = folders
        root = f"{folder}/lib.rs"
        return self._rust_below(folder, parts[1:]) or ((root,) if root in self._files else ())

    def _rust_below(self, base: str, parts: list[str]) -> tuple[str, ...]:
        for last in range(len(parts), 0, -1):
            whole = "/".join((base, *parts[:last])).lstrip("/")
            for ending in _ENDINGS["rust"]:
                if whole + ending in self._files:
                    return (whole + ending,)
        return ()

    def _by_path(self, path: str, source: str, family: str) -> tuple[str, ...]:
        source = source.removeprefix("file://")
        if family in _DOTTED:
            source = source.replace(".", "/")
        if not source or family not in _ENDINGS:
            return ()
        if family == "javascript" and source[0] not in "./":
            return self._by_package_name(source, family)
        near = posixpath.normpath(posixpath.join(posixpath.dirname(path), source))
        if found := self._with_ending(near, family):
            return found
        if family == "javascript":
            return ()
        return self._by_suffix(posixpath.normpath(source).lstrip("./"), family)

    def _by_package_name(self, source: str, family: str) -> tuple[str, ...]:
        """A package of this repository, or a path from where its settings say: nearly always the top, or ``src``."""
        places = self._npm.places_of(source)
        if not places and "/" in source:
            bare = re.sub(r"^[@~]/", "", source)
            places = (f"src/{bare}", bare) if bare == source else (f"src/{bare}",)
        return next((found for place in places if (found := self._with_ending(place, family))), ())

    def _with_ending(self, whole: str, family: str) -> tuple[str, ...]:
        stems = [whole]
        if family == "javascript" and _COMPILED.search(whole):
            stems.append(_COMPILED.sub("", whole))
        for stem in stems:
            for ending in _ENDINGS[family]:
                if stem + ending in self._files:
                    return (stem + ending,)
        return ()

    def _by_suffix(self, source: str, family: str) -> tuple[str, ...]:
        """From a folder that is searched, which no file of the project names: only where one file fits."""
        for ending in _ENDINGS[family]:
            whole = source + ending
            fitting = [
                p for p in self._suffixes.get(whole.rpartition("/")[2], ()) if p == whole or p.endswith(f"/{whole}")
            ]
            if len(fitting) == 1:
                return (fitting[0],)
        return ()

    def _php(self, item: Import) -> tuple[str, ...]:
        """A class, function or constant by its whole name, or else the namespace of that name: never a part of it."""
        wholes = [_dotted(item.source, name) for name in item.names]
        found = [path for whole in wholes for path in self._used.get(whole, ()) or self._packages.get(whole, ())]
        return tuple(dict.fromkeys(found))[:_MOST]

    def php_class(self, path: str, spelled: str) -> tuple[str, ...]:
        """The file of a class that is named with a namespace, which may begin at the one around it."""
        inside = _dotted(self._files[path].package, spelled)
        return tuple(self._used.get(inside, ()) or self._used.get(spelled, ()))[:1]

    def _by_package(self, path: str, item: Import) -> tuple[str, ...]:
        source = item.source.replace("\\", ".").strip(".")
        if self._files[path].language == "csharp" and source not in self._packages:
            inside = (f"{around}.{source}" for around in enclosing(self._files[path].package))
            source = next((whole for whole in inside if whole in self._packages), source)
        found: list[str] = []
        for name in item.names:
            found += self._packages.get(source if name == "*" else f"{source}.{name}", ()) or self._packages.get(
                source, ()
            )
        return tuple(dict.fromkeys(found))[:_MOST]


def _crate_at(folder: str, name: str, facts: FileFacts) -> tuple[str, str] | None:
    """Its name and where its sources are; the name of its folder is as a rule its own."""
    if name == "Cargo.toml" and facts.package:
        return facts.package, posixpath.join(folder, "src")
    if name == "lib.rs" and folder.endswith("/src"):
        return folder.removesuffix("/src").rpartition("/")[2], folder
    return None


def _nearest(path: str, places: Sequence[str]) -> Sequence[str]:
    """Of several modules with one name, those that stand nearest: of two examples each has its own ``settings``."""
    if len(places) < 2:
        return places
    shared = {place: len(posixpath.commonprefix((path.split("/")[:-1], place.split("/")[:-1]))) for place in places}
    return [place for place in places if shared[place] == max(shared.values())]
