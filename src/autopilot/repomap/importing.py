"""Which files of the project an import means, as far as the language lets a reader tell."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping

from autopilot.model.repomap.facts import FileFacts, Import

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
_GO_VERSION = re.compile(r"v\d+")
_MOST = 50  # files that one import can mean


def family_of(language: str) -> str:
    return FAMILIES.get(language, language)


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
        for path, facts in files.items():
            folder, _, name = path.rpartition("/")
            self._suffixes[name].append(path)
            if facts.language == "python":
                for module in self._module_names(path):
                    self._modules[module].append(path)
            elif facts.language == "go":
                self._folders[folder].append(path)
            if facts.package:
                self._packages[facts.package.replace("\\", ".")].append(path)
            if facts.language == "php":
                for name in {*(item.name for item in facts.exports), *(item.name for item in facts.classes)}:
                    self._used[_dotted(facts.package, name)].append(path)
            if family_of(facts.language) in _BY_PACKAGE:
                for item in facts.classes:
                    whole = ".".join(part for part in (facts.package.replace("\\", "."), item.owner, item.name) if part)
                    self._packages[whole].append(path)
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
            found = self._by_package(item)
        is_local = item.source.startswith((".", "/")) or family == "c"
        return found, bool(found) or not item.source.startswith(".") or not is_local

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
                for place in self._modules.get(f"{source}.{name}", ()) or self._modules.get(source, ())
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
        first = 0 if "." not in parts[0] else 1
        for start in range(first, len(parts)):
            if found := self._folders.get("/".join(parts[start:])):
                return tuple(found[:_MOST])
            if first == 0:
                break  # a package of the standard library is no folder of the project by a part of its name
        name = parts[-2] if len(parts) > 1 and _GO_VERSION.fullmatch(parts[-1]) else parts[-1]
        root = self._folders.get("", ()) if first else ()
        return tuple(path for path in root if self._files[path].package == name)[:_MOST]

    def _rust(self, path: str, source: str) -> tuple[tuple[str, ...], bool]:
        parts = [part for part in source.split("::") if part]
        folder, _, name = path.rpartition("/")
        own = folder if name in ("mod.rs", "lib.rs", "main.rs") else path.removesuffix(".rs")
        if not parts or parts[0] not in ("crate", "self", "super"):
            found = self._rust_below(own, parts)
            return found, True
        base = own
        if parts[0] == "crate":
            base = f"{path.rpartition('src/')[0]}src" if "src/" in path else folder
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
        near = posixpath.normpath(posixpath.join(posixpath.dirname(path), source))
        if found := self._with_ending(near, family):
            return found
        if family == "javascript":
            alias = re.sub(r"^[@~]/", "", source)
            return self._with_ending(f"src/{alias}", family) if alias != source else ()
        return self._by_suffix(posixpath.normpath(source).lstrip("./"), family)

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

    def _by_package(self, item: Import) -> tuple[str, ...]:
        source = item.source.replace("\\", ".").strip(".")
        found: list[str] = []
        for name in item.names:
            found += self._packages.get(source if name == "*" else f"{source}.{name}", ()) or self._packages.get(
                source, ()
            )
        return tuple(dict.fromkeys(found))[:_MOST]
