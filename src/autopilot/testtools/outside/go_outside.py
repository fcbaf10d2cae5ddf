"""Go tests compiled into an ordinary program, or into a test with every sign: the tree for it, and the command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

import msgspec

from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.outside.go_package import (
    GoPackage,
    find_package,
    spell_plain,
    spell_signed,
)
from autopilot.testtools.outside.go_shim import SHIM
from autopilot.testtools.outside.go_source import read_go, rewrite_go
from autopilot.testtools.outside.prepared import Prepared, Read, hide_script

MOST_PACKAGES = 10
_GIVEN_A_TEST = re.compile(rb"\btesting\.(?:TB?|B|F|M)\b")


def prepare_go(files: Sequence[str], paths: Collection[str], read: Read, seed: str, *, signs: bool) -> Prepared | None:
    """``files`` are tests that passed, ``paths`` all files of the tree. The seed names what we add: nothing in the work
    can have been written for that name."""
    draw = Draw(f"{seed} outside")
    word = draw.word() + draw.word()
    folders = dict.fromkeys(str(PurePosixPath(path).parent) for path in files)
    found = (find_package("" if folder == "." else folder, files, paths, read) for folder in folders)
    packages = [package for package in found if package][:MOST_PACKAGES]
    if not packages:
        return None
    edits: dict[str, bytes | None] = {}
    for root, module in {(package.root, package.module) for package in packages}:
        inside = [package for package in packages if package.root == root]
        edits[f"{root}/{word}/{word}.go".lstrip("/")] = SHIM.replace("PACKAGE", word, 1).encode()
        edits |= dict(_helpers(inside, paths, read, f"{module}/{word}"))
    spelled = [(package, (spell_signed if signs else spell_plain)(package, word)) for package in packages]
    for _, written in spelled:
        edits |= written.edits
    made = [path for path, text in edits.items() if text is not None and path not in paths]
    targets = [(package, written.target) for package, written in spelled]
    located = [shlex.join(["locate", *pair]) for _, written in spelled for pair in written.shown.items()]
    script = _spell_signs(packages) if signs else _spell_plain(targets, made)
    return Prepared(hide_script("\n".join([_LOCATE, *located, *script])), edits)


def _helpers(
    packages: Sequence[GoPackage], paths: Collection[str], read: Read, testing: str
) -> Iterator[tuple[str, bytes]]:
    """Other files of the module that are given tests, as far as tests reach them: they get the same ``testing``."""
    root, module = packages[0].root, packages[0].module
    imported = re.compile(rb'"%b(?:/([^"\n]{1,300}))?"' % re.escape(module.encode()))
    sources = _sources(paths, root)
    texts = [file.text for package in packages for file in (*package.internal, *package.external)]
    waiting, seen = [package.folder or "." for package in packages], set[str]()
    while waiting or texts:
        found = [below.decode(errors="replace") for text in texts for below in imported.findall(text)]
        waiting += [f"{root}/{below}".strip("/") or "." for below in found]
        here = [folder for folder in dict.fromkeys(waiting) if folder not in seen]
        seen, waiting, texts = seen | set(here), [], []
        for path in (path for folder in here for path in sources.get(folder, ())):
            texts.append(read(path) or b"")
            file = read_go(path, texts[-1]) if _GIVEN_A_TEST.search(texts[-1]) else None
            if file and file.testing:
                yield path, rewrite_go(file, testing, {})


def _sources(paths: Collection[str], root: str) -> dict[str, list[str]]:
    """The files of the product by their folders."""
    sources: dict[str, list[str]] = {}
    for path in paths:
        if path.endswith(".go") and not path.endswith("_test.go") and path.startswith(f"{root}/" if root else ""):
            sources.setdefault(str(PurePosixPath(path).parent), []).append(path)
    return sources


_LOCATE = r"""
made=$(mktemp -d)
locate() {
  { printf '//line %s/%s:1\n' "$PWD" "$2"; tail -n +2 "./$1"; } >"$made/located" && cat "$made/located" >"./$1"
}
"""
# Each package has a program of its own. All are built before the first is run, and what we added is taken away between.
_BUILD = r"""
build() {
  mkdir "$made/$1"
  (cd "./$2" && go build -o "$made/$1/$4" "$3") >"$made/said" 2>&1 </dev/null && return
  why=$(grep -v '^#' "$made/said" | head -n 1 | tr -d '"\\\000-\037' | cut -c 1-200)
  printf '\n{"test":%s,"ended":"unbuilt","why":"%s"}\n' "$5" "$why" >&3
}
run() {
  [ -x "$made/$1/$3" ] || return
  printf '\n%s\n' "$4" >&3
  (cd "./$2" && timeout -k 5 70 "$made/$1/$3" </dev/null > >(cat >/dev/null) 2>&1)
}
"""
_SIGNED = r"""
run() {
  (cd "./$1" && timeout -k 5 90 go test -count=1 -vet=off -v -timeout 60s . </dev/null > >(cat >/dev/null) 2>&1)
}
"""


def _spell_plain(targets: Sequence[tuple[GoPackage, str]], made: Sequence[str]) -> list[str]:
    lines = [_BUILD]
    for number, (package, target) in enumerate(targets):
        shown = _json(package.folder or ".")
        lines.append(shlex.join(["build", str(number), package.folder, target, package.name, shown]))
    lines.append(shlex.join(["rm", "-f", "--", *made]))
    folders = dict.fromkeys(str(PurePosixPath(path).parent) for path in made)
    lines.append(shlex.join(["rmdir", "--ignore-fail-on-non-empty", "--", *folders]) + " 2>/dev/null")
    for number, (package, _) in enumerate(targets):
        # A program that ends while it is loaded would otherwise leave nothing behind.
        files = dict.fromkeys(file.path for file, _ in (*package.cases(external=False), *package.cases(external=True)))
        reported = [f'{{"test":{_json(file)},"ended":"failed","why":"the process ended"}}' for file in files]
        lines.append(shlex.join(["run", str(number), package.folder, package.name, "\n".join(reported)]))
    return lines


def _spell_signs(packages: Sequence[GoPackage]) -> list[str]:
    return [_SIGNED, *(shlex.join(["run", package.folder]) for package in packages)]


def _json(text: str) -> str:
    return msgspec.json.encode(text).decode()
