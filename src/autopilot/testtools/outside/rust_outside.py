"""Rust tests compiled into ordinary programs, without and with the signs of a test tool: the tree, and the command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.outside.prepared import Edits, Prepared, Read, hide_script
from autopilot.testtools.outside.rust_program import spell_module
from autopilot.testtools.outside.rust_source import RustSource, mark_tested, rewrite_rust

MOST_PACKAGES = 5
MOST_FILES = 12  # of tests of one package

_PACKAGE = re.compile(rb"^\[package\][^\[]{0,4000}?^name\s{0,9}=\s{0,9}\"([\w-]{1,100})\"", re.MULTILINE)
_OWN_LAYOUT = re.compile(rb"^(?:path|harness|autoexamples|crate-type)\s{0,9}=|^\[\[(?:test|example)\]\]", re.MULTILINE)
# What a program without cargo does not have, and no doubt of the product.
_NEEDS_CARGO = re.compile(rb"var(?:_os)?\(\s{0,9}\"CARGO|CARGO_BIN_EXE_|#!\[(?:no_std|no_main)\]|#!\[feature")
_FOR_DEBUGGING = re.compile(rb"\bdebug_assert(?:ions|_eq|_ne)?\b|\boverflow_checks\b")
_MAIN = re.compile(rb"(?m)^((?:pub(?:\([^)]{0,40}\))? )?)fn main\(")
_COMMON = re.compile(rb"(?m)^(?:pub(?:\([^)]{0,40}\))? )?mod (\w{1,100});")


class _Package(Struct, frozen=True):
    folder: str  # "" or ending in a slash
    name: str

    @property
    def crate(self) -> str:
        return self.name.replace("-", "_")


class _Program(Struct, frozen=True):
    """One program to build: an example, or the program of the package itself."""

    package: _Package
    word: str  # of the module in it, and of the file that it writes
    target: tuple[str, ...]
    built: str
    edits: Edits
    files: tuple[str, ...]
    changes_product: bool = False  # its edits stand apart until the others have run: it may not build


def prepare_rust(
    files: Sequence[str], paths: Collection[str], read: Read, seed: str, *, signs: bool, changed: Collection[str] = ()
) -> Prepared | None:
    """``files`` hold tests that passed, ``paths`` are all files of the tree. The seed names what we add.

    Where ``changed`` code asks whether it was built for debugging, it is asked as users build it, without that.
    """
    draw = Draw(f"{seed} outside")
    word = draw.word() + draw.word()
    packages = dict.fromkeys(filter(None, (_package_of(path, paths, read) for path in files)))
    programs: list[_Program] = []
    for package in list(packages)[:MOST_PACKAGES]:
        own = [path for path in files if _package_of(path, paths, read) == package]
        programs += _programs(package, own, paths, read, word, signs=signs)
    if not programs:
        return None
    edits: dict[str, bytes | None] = dict(_tested(list(packages), paths, read)) if signs else {}
    for program in programs:
        edits |= program.edits
    as_released = not signs and any(_FOR_DEBUGGING.search(read(path) or b"") for path in changed if path in paths)
    script = _script(programs, word, signs=signs)
    if as_released:
        script = script.replace("cargo build", "cargo build --release").replace('"*debug/$4"', '"*release/$4"')
    return Prepared(hide_script(script), edits)


def _package_of(path: str, paths: Collection[str], read: Read) -> _Package | None:
    """The nearest manifest above, where it leaves the layout to cargo."""
    for folder in PurePosixPath(path).parents:
        inside = "" if str(folder) == "." else f"{folder}/"
        if f"{inside}Cargo.toml" in paths:
            manifest = read(f"{inside}Cargo.toml") or b""
            named = _PACKAGE.search(manifest)
            return _Package(inside, named[1].decode()) if named and not _OWN_LAYOUT.search(manifest) else None
    return None


def _programs(
    package: _Package, files: Sequence[str], paths: Collection[str], read: Read, word: str, *, signs: bool
) -> Iterator[_Program]:
    inside = [path for path in files if path.startswith(f"{package.folder}src/")]
    tests = f"{package.folder}tests/"
    beside = [path for path in files if path.startswith(tests) and "/" not in path[len(tests) :]]
    for number, path in enumerate(beside[:MOST_FILES]):
        if program := _beside(package, path, read, f"{word}{number}", signs=signs):
            yield program
    if inside and (program := _inside(package, inside, paths, read, word, signs=signs)):
        yield program


def _inside(
    package: _Package, files: Sequence[str], paths: Collection[str], read: Read, word: str, *, signs: bool
) -> _Program | None:
    """Tests within the crate: called by a module of ours in its root."""
    is_library = f"{package.folder}src/lib.rs" in paths
    root = f"{package.folder}src/{'lib' if is_library else 'main'}.rs"
    sources = dict(_sources(root, paths, read))
    if root not in sources or any(_NEEDS_CARGO.search(source.text) for source in sources.values()):
        return None
    calls = [
        (f"{path}::{test.call}", f"crate::{test.call}", test.panics)
        for path, source in sources.items()
        for test in source.tests
        if path in files
    ]
    if not calls:
        return None
    texts = {path: mark_tested(source.text) if signs else source.text for path, source in sources.items()}
    module = spell_module(word, files, calls, signs=signs)
    if is_library:
        texts[root] += module
        texts[f"{package.folder}examples/{word}.rs"] = f"fn main() {{ {package.crate}::{word}::run() }}\n".encode()
        target, built = ("--example", word), f"examples/{word}"
    else:
        texts[root] = _MAIN.sub(rb"#[allow(dead_code)]\n\1fn %b_main(" % word.encode(), texts[root]) + module
        texts[root] += f"fn main() {{ {word}::run() }}\n".encode()
        target, built = ("--bin", package.name), package.name
    edits = {f"{word}/{path}": text for path, text in texts.items()}
    return _Program(package, word, target, built, edits, tuple(files), changes_product=True)


def _beside(package: _Package, path: str, read: Read, word: str, *, signs: bool) -> _Program | None:
    """A file of tests/: an example of the package, which has the same dependencies."""
    text = read(path) or b""
    source = rewrite_rust(text)
    if source is None or not source.tests or _NEEDS_CARGO.search(text):
        return None
    calls = [(f"{path}::{test.call}", f"crate::{test.call}", test.panics) for test in source.tests]
    common = _COMMON.sub(rb'#[path = "../tests/\1/mod.rs"] mod \1;', source.text.replace(b"pub(crate) mod", b"mod"))
    main = spell_module(word, [path], calls, signs=signs) + f"fn main() {{ {word}::run() }}\n".encode()
    edits = {f"{package.folder}examples/{word}.rs": common + main}
    return _Program(package, word, ("--example", word), f"examples/{word}", edits, (path,))


def _sources(root: str, paths: Collection[str], read: Read) -> Iterator[tuple[str, RustSource]]:
    """The file of the crate's root, and those of all modules below it."""
    waiting: list[tuple[str, str, tuple[str, ...]]] = [(root, str(PurePosixPath(root).parent), ())]
    seen = set[str]()
    while waiting:
        path, folder, around = waiting.pop()
        source = rewrite_rust(read(path) or b"", around) if path not in seen else None
        seen.add(path)
        if source is None:
            continue
        yield path, source
        for name in source.modules:
            below = f"{folder}/{name}"
            found = next((file for file in (f"{below}.rs", f"{below}/mod.rs") if file in paths), None)
            if found:
                waiting.append((found, below, (*around, name)))


def _tested(packages: Sequence[_Package], paths: Collection[str], read: Read) -> Iterator[tuple[str, bytes]]:
    """Every source of the product as if it was compiled for its tests."""
    tops = tuple(f"{package.folder}src/" for package in packages)
    for path in paths:
        if path.startswith(tops) and path.endswith(".rs"):
            yield path, mark_tested(read(path) or b"")


# Each program is built by itself: one that does not build says nothing of the others.
_BUILD = r"""
try() {
  cd "$top/./$1" || return
  cargo build --quiet --offline "$2" "$3" </dev/null >/dev/null 2>&1 || return
  made=$(mktemp -d)
  built=$(find target ../target ../../target -maxdepth 3 -path "*debug/$4" -type f 2>/dev/null | head -n 1)
  [ -n "$built" ] || return
  mv "$built" "$made/$5" || return
  printf '\n%s\n' "$6" >&3
  START
  cat "/tmp/$7" >&3 2>/dev/null
  rm -f "/tmp/$7"
}
top=$PWD
[ ! -d WORD ] || { kept=$(mktemp -d); mv WORD "$kept/WORD"; }
"""
_PLAIN = r'timeout -k 5 70 "$made/$5" </dev/null > >(cat >/dev/null) 2>&1'
_SIGNED = r"""mkdir -p target/debug/deps; mv "$made/$5" "target/debug/deps/$5-0a1b2c3d4e5f6071"
  CARGO=cargo CARGO_MANIFEST_DIR=$PWD CARGO_PKG_NAME=$5 RUST_TEST_THREADS=1 \
    timeout -k 5 70 "$PWD/target/debug/deps/$5-0a1b2c3d4e5f6071" --test-threads=1 </dev/null > >(cat >/dev/null) 2>&1"""


def _script(programs: Sequence[_Program], word: str, *, signs: bool) -> str:
    lines = [_BUILD.replace("START", _SIGNED if signs else _PLAIN).replace("WORD", word)]
    for program in sorted(programs, key=lambda program: program.changes_product):
        if program.changes_product:
            lines.append(f'cp -R "$kept/{word}/." "$top/"')
        # A program that ends while it is loaded would otherwise leave nothing behind.
        reported = [f'{{"test":"{file}","ended":"failed","why":"the process ended"}}' for file in program.files]
        shown = "\n".join(reported)
        names = [program.built, program.package.crate, shown, program.word]
        lines.append(shlex.join(["try", program.package.folder, *program.target, *names]))
    return "\n".join(lines)
