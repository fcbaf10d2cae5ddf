"""The tests of one Go package as files of an ordinary program, and as files of a test that has every sign of one."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.testtools.outside.go_source import GoTestFile, choose_names, find_awkward, read_go, rewrite_go
from autopilot.testtools.outside.prepared import Edits, Read

_MODULE = re.compile(rb'^module[ \t]+"?([^\s"]+)', re.MULTILINE)
_CONSTRAINT = re.compile(rb"^//(?=go:build\b|[ \t]*\+build\b)", re.MULTILINE)
_FOREIGN = frozenset({"vendor", "testdata", "node_modules"})


class GoPackage(Struct, frozen=True):
    folder: str  # "" for the root of the project
    path: str  # by which it is imported
    root: str  # of its module
    module: str
    internal: tuple[GoTestFile, ...]
    external: tuple[GoTestFile, ...]  # of ``package words_test``
    asked: tuple[str, ...]  # the files whose tests are called
    beside: tuple[bytes, ...]  # the package's other files

    @property
    def is_program(self) -> bool:
        return any(file.package == "main" for file in self.internal)

    @property
    def name(self) -> str:
        """Of its program: that of its folder, as ``go build`` has it."""
        return re.sub(r"[^\w-]", "", self.path.rpartition("/")[2]) or "main"

    def cases(self, *, external: bool) -> list[tuple[GoTestFile, str]]:
        files = self.external if external else self.internal
        awkward = find_awkward((*self.internal, *self.external))
        called = [file for file in files if file.path in self.asked]
        return [(file, test) for file in called for test in file.tests if test not in awkward]

    def place(self, name: str) -> str:
        return f"{self.folder}/{name}" if self.folder else name


def find_package(folder: str, asked: Collection[str], paths: Collection[str], read: Read) -> GoPackage | None:
    """None where a file cannot be read, or where the package decides itself how its tests are run."""
    module = _module_of(folder, paths, read)
    sources = [path for path in paths if str(PurePosixPath(path).parent) == (folder or ".") and path.endswith(".go")]
    tests = [path for path in sources if path.endswith("_test.go") and PurePosixPath(path).name[0] not in "._"]
    files = [file for path in sorted(tests) if (file := read_go(path, read(path) or b""))]
    if module is None or len(files) != len(tests) or any("TestMain" in file.tests for file in files):
        return None
    root, name = module
    below = folder.removeprefix(root).strip("/")
    internal = tuple(file for file in files if not file.is_external)
    # Nothing but a test may import a program.
    external = () if any(file.package in ("main", "main_test") for file in files) else tuple(set(files) - set(internal))
    beside = tuple(read(path) or b"" for path in sources if path not in tests)
    ordered = tuple(sorted(external, key=lambda file: file.path))
    path = f"{name}/{below}" if below else name
    package = GoPackage(folder, path, root, name, internal, ordered, tuple(asked), beside)
    return package if package.cases(external=False) or package.cases(external=True) else None


def _module_of(folder: str, paths: Collection[str], read: Read) -> tuple[str, str] | None:
    parts = folder.split("/") if folder else []
    if not _FOREIGN.isdisjoint(parts):
        return None
    for count in range(len(parts), -1, -1):
        root = "/".join(parts[:count])
        manifest = f"{root}/go.mod" if root else "go.mod"
        if manifest in paths:
            found = _MODULE.search(read(manifest) or b"")
            return (root, found[1].decode(errors="replace")) if found else None
    return None


class Spelled(Struct, frozen=True):
    """What is written for one package, and what of it is built."""

    edits: Edits
    shown: Mapping[str, str]  # by the file of ours, the path that the stack is to show for it
    target: str = ""


def spell_plain(package: GoPackage, word: str) -> Spelled:
    """Under ordinary names: of files, of functions, of packages."""
    testing = f"{package.module}/{word}"
    taken = [*package.beside, *(file.text for file in (*package.internal, *package.external))]
    edits: dict[str, bytes | None] = {file.path: None for file in (*package.internal, *package.external)}
    functions, shown = dict[str, str](), dict[str, str]()
    for files, folder in _places(package, f"{word}x"):
        names = choose_names(files, taken)
        functions |= {f"{file.path}::{test}": names[test] for file in files for test in file.tests}
        for file in files:
            place = f"{folder}/{_ordinary(file)}".lstrip("/")
            other = f"{file.package.removesuffix('_test')}_more" if file.is_external else ""
            edits[place] = _located(rewrite_go(file, testing, names, other))
            shown[place] = package.place(f"{_stem(file)}_more.go")
    # A program is left as it is: its own initialisation calls the tests, before its main would.
    runner, opening = (f"zz{word}.go", "init()") if package.is_program else (f"{word}m/main.go", "main()")
    begin = ["package main", 'import "os"']
    edits[package.place(runner)] = _spell_runner(package, word, functions, f"{word}x", begin, opening)
    return Spelled(edits, shown, "." if package.is_program else f"./{word}m")


def spell_signed(package: GoPackage, word: str) -> Spelled:
    """As ``go test`` has them, with our functions for those of the tool. The files stay, and are not compiled twice."""
    testing = f"{package.module}/{word}"
    files = (*package.internal, *package.external)
    hidden = b"//go:build %b\n// +build %b\n\n" % (word.encode(), word.encode())
    edits: dict[str, bytes | None] = {file.path: hidden + _CONSTRAINT.sub(b"// ", file.text) for file in files}
    functions = {f"{file.path}::{test}": test for file in files for test in file.tests}
    shown: dict[str, str] = {}
    for inside, folder in _places(package, f"{word}_test"):
        for file in inside:
            place = f"{folder}/{_ordinary(file)}".lstrip("/")
            edits[place] = _located(rewrite_go(file, testing, {}))
            shown[place] = file.path
    name = "main" if package.is_program else f"{files[0].package.removesuffix('_test')}_test"
    begin = [f"package {name}", 'import "testing"', _WITHIN.replace("WORD", word)]
    opening = f"Test{word.capitalize()}(t *testing.T)"
    edits[package.place(f"zz{word}_test.go")] = _spell_runner(package, word, functions, f"{word}_test", begin, opening)
    return Spelled(edits, shown)


def _places(package: GoPackage, external: str) -> Iterator[tuple[Sequence[GoTestFile], str]]:
    yield package.internal, package.folder
    if package.cases(external=True):
        yield package.external, package.place(external)


def _stem(file: GoTestFile) -> str:
    return PurePosixPath(file.path).name.removesuffix("_test.go")


def _ordinary(file: GoTestFile) -> str:
    """Last in the order of files; what a name says of the system (``_linux``) stays its end."""
    return f"zz{_stem(file)}.go"


def _located(text: bytes) -> bytes:
    """The first line is written where the tree is: only there its full path is known."""
    return b"//line\n" + text.removeprefix(b"\xef\xbb\xbf")


def _spell_runner(
    package: GoPackage, word: str, functions: Mapping[str, str], external: str, begin: Sequence[str], opening: str
) -> bytes:
    """What calls the tests. In a program it is one more file of it, so no name of its own may meet one there."""
    inside, outside = package.cases(external=False), package.cases(external=True)
    signs = opening.startswith("Test")
    own = "" if package.is_program else f"{word}In."
    imports = [f'import "{package.module}/{word}"']
    imports += [f'import {word}In "{package.path}"'] if inside and own else []
    imports += [f'import {word}Out "{package.path}/{external}"'] if outside else []
    given = f"{word}.Signs{{Apart: {word}Within(t), HypothesisResult: true}}" if signs else f"{word}.Plain"
    files = ", ".join(dict.fromkeys(json.dumps(file.path) for file, _ in (*inside, *outside)))
    calls = [
        f"{{{json.dumps(reported)}, {json.dumps(test)}, {prefix}{functions[reported]}}},"
        for cases, prefix in ((inside, own), (outside, f"{word}Out."))
        for file, test in cases
        if (reported := f"{file.path}::{test}")
    ]
    leave = "func() {}" if signs else "func() { os.Exit(0) }"
    call = f"{word}.All({given}, []string{{{files}}}, []{word}.Case{{"
    lines = [begin[0], *imports, *begin[1:], f"func {opening} {{", call, *calls, f"}}, {leave})", "}", ""]
    return "\n".join(lines).encode()


_WITHIN = """
func WORDWithin(t *testing.T) WORD.Apart {
	return func(name string, body func(WORD.Apart, func())) {
		t.Run(name, func(t *testing.T) { body(WORDWithin(t), t.SkipNow) })
	}
}
"""
