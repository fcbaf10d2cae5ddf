"""A Go test file, read for being compiled into an ordinary program: its tests, and which of them cannot be."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

_TEST = re.compile(r"Test(?![a-z])\w*")
_TAKES_A_TEST = re.compile(rb"\(\s{0,9}\w{1,40}\s{1,9}\*(?:\w{1,40}\.)?T\s{0,9},?\s{0,9}\)")
_DECLARATIONS = ("function_declaration", "method_declaration", "var_declaration", "const_declaration")
_NAMES = ("identifier", "field_identifier", "type_identifier")
# What a test may rightly find otherwise in another program: its own file and name, the process, its goroutines.
_AWKWARD = re.compile(
    rb"\bos\.(?:Args|Executable)\b|\"-test\.|\bruntime\.(?:Callers|Stack|NumGoroutine|FuncForPC)\b|"
    rb"\bdebug\.(?:Stack|PrintStack|ReadBuildInfo)\b|\b(?:goleak|leaktest|pprof|cupaloy|approvals|snaps|autogold)\.|"
    rb"flag\.(?:Lookup|Parsed|Visit|VisitAll|CommandLine|PrintDefaults|Usage)\b"
)
_AWKWARD_TEXT = re.compile(rb"_test\\{0,2}\.|\.Test[A-Z_]|\A[\"`]Test[A-Z_]\w*[\"`]\Z")

Edit = tuple[int, int, bytes]


class GoDeclaration(Struct, frozen=True):
    names: frozenset[str]
    uses: frozenset[str]
    is_awkward: bool


class GoTestFile(Struct, frozen=True):
    path: str
    text: bytes
    package: str
    package_at: tuple[int, int]
    testing: tuple[Edit, ...]  # where "testing" is imported, and by which name
    tests: tuple[str, ...]
    declared: tuple[GoDeclaration, ...]
    identifiers: tuple[tuple[int, int, str], ...]  # those that start as the name of a test does

    @property
    def is_external(self) -> bool:
        return self.package.endswith("_test")


def read_go(path: str, text: bytes) -> GoTestFile | None:
    tree = flat_tree(text, Grammar.GO)
    if tree is None or tree.wrong:
        return None
    return _Reader(path, text, tree).file()


def find_awkward(files: Sequence[GoTestFile]) -> frozenset[str]:
    """The names of what is awkward, or uses what is: of one package."""
    declared = [declaration for file in files for declaration in file.declared]
    found = frozenset(name for declaration in declared if declaration.is_awkward for name in declaration.names)
    if "init" in found:
        return frozenset(test for file in files for test in file.tests)
    while True:
        reached = [names.names for names in declared if names.uses & found and not names.names <= found]
        if not reached:
            return found
        found = found.union(*reached)


def rewrite_go(file: GoTestFile, testing: str, names: Mapping[str, str], package: str = "") -> bytes:
    """With another package for "testing", other names for its tests and, where given, another for its package."""
    edits = [(start, end, alias + b' "%s"' % testing.encode()) for start, end, alias in file.testing]
    edits += [(start, end, names[name].encode()) for start, end, name in file.identifiers if name in names]
    if package:
        edits.append((*file.package_at, package.encode()))
    pieces, position = list[bytes](), 0
    for start, end, instead in sorted(edits):
        pieces += [file.text[position:start], instead]
        position = end
    return b"".join((*pieces, file.text[position:]))


def choose_names(files: Sequence[GoTestFile], taken: Collection[bytes]) -> dict[str, str]:
    """Ordinary names for tests: a function called ``Test…`` is a sign of its own."""
    chosen: dict[str, str] = {}
    for name in (name for file in files for name in file.tests):
        other = f"Use{name.removeprefix('Test')}"
        while any(other.encode() in text for text in taken):
            other += "X"
        chosen[name] = other
    return chosen


class _Reader:
    def __init__(self, path: str, text: bytes, tree: ScriptTree) -> None:
        self._path, self._text, self._tree = path, text, tree

    def file(self) -> GoTestFile | None:
        tree = self._tree
        clause = next((i for i, part in enumerate(tree.parts) if part.kind == "package_identifier"), None)
        if clause is None:
            return None
        top = [index for index in tree.children(0) if tree.parts[index].kind in _DECLARATIONS]
        span = tree.parts[clause].start, tree.parts[clause].end
        return GoTestFile(
            self._path,
            self._text,
            self._source(clause).decode(errors="replace"),
            span,
            tuple(self._testing()),
            tuple(self._tests(top)),
            tuple(self._declaration(index) for index in top),
            tuple(self._identifiers()),
        )

    def _testing(self) -> Iterator[Edit]:
        for index, part in enumerate(self._tree.parts):
            if part.kind != "import_spec":
                continue
            path, name = self._tree.child(index, "path"), self._tree.child(index, "name")
            if path is not None and self._source(path) in (b'"testing"', b"`testing`"):
                yield part.start, part.end, self._source(name) if name is not None else b"testing"

    def _tests(self, top: Sequence[int]) -> Iterator[str]:
        for index in top:
            name, parameters = self._tree.child(index, "name"), self._tree.child(index, "parameters")
            if self._tree.parts[index].kind != "function_declaration" or name is None or parameters is None:
                continue
            spelled = self._source(name).decode(errors="replace")
            takes_a_test = _TAKES_A_TEST.fullmatch(self._source(parameters))
            if _TEST.fullmatch(spelled) and (takes_a_test or spelled == "TestMain"):
                yield spelled

    def _declaration(self, index: int) -> GoDeclaration:
        inside = range(index, self._tree.after[index])
        parts = self._tree.parts
        name = self._tree.child(index, "name")
        specs = [child for child in inside if parts[child].kind in ("var_spec", "const_spec")]
        named = [name] if name is not None else [
            child for spec in specs for child in self._tree.children(spec) if parts[child].field == "name"
        ]  # fmt: skip
        texts = [self._source(child) for child in inside if parts[child].kind.endswith("string_literal")]
        uses = {self._source(child).decode(errors="replace") for child in inside if parts[child].kind in _NAMES}
        names = {self._source(child).decode(errors="replace") for child in named}
        awkward = _AWKWARD.search(self._source(index)) or any(_AWKWARD_TEXT.search(text) for text in texts)
        return GoDeclaration(frozenset(names), frozenset(uses), awkward is not None and awkward is not False)

    def _identifiers(self) -> Iterator[tuple[int, int, str]]:
        for index, part in enumerate(self._tree.parts):
            if part.kind == "identifier" and self._text.startswith(b"Test", part.start):
                yield part.start, part.end, self._source(index).decode(errors="replace")

    def _source(self, index: int) -> bytes:
        part = self._tree.parts[index]
        return self._text[part.start : part.end]
