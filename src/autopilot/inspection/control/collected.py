"""Which files among the tests a project's own test tools take for tests: by its pinned commands and their settings.

A name alone does not tell: ``tests/TestParser.py`` is a test where the command says ``python_files=Test*.py``, and
``test/specs/prompt.js`` where it says ``mocha "test/**/*.js"``. Only what stands among tests is asked about, so that no
pattern, however wide, makes a test of the product.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from autopilot.inspection.control.behind import PACKAGERS, ReadText, recipe_called, simple_commands
from autopilot.inspection.control.collecting_settings import pytest_patterns, script_patterns
from autopilot.inspection.control.names import split_names
from autopilot.inspection.control.recipes import reached, recipes
from autopilot.text.glob import is_glob, matches_glob

DEEPEST = 4  # a command, the recipe it calls, the script of a package that this runs, and what that one calls
MOST_PACKAGES = 60
_SCRIPT = re.compile(r".+\.[cm]?[jt]sx?")
_SCRIPT_TOOLS = re.compile(r"_?mocha|tape|tap|ava|jasmine|lab|uvu|borp|expresso|nodeunit|qunit|faucet")
_STARTERS = re.compile(r"node|nodejs|tsx|ts-node|istanbul|dotenv|env-cmd|retape|run-s|\.")
_WITH_WORD = split_names(
    "-r --require --import --loader --file --config --opts --package -R --reporter -t --timeout -u --ui -g --grep -f "
    "--fgrep -i --ignore --exclude --extension -C --jobs -j --node-arg --watch-files --spec"
)
_LOADED = split_names("-r --require --import --loader --file -i --ignore --exclude")
_EVERY_PACKAGE = re.compile(r"lerna|turbo|nx|wsrun|ultra")
_ALL = split_names("--workspaces -ws --ws -r --recursive workspaces")


class Collected(Struct, frozen=True):
    patterns: frozenset[str] = frozenset()  # of whole paths
    loaded: frozenset[str] = frozenset()  # files that come before the tests, or are left out: no tests themselves

    def has(self, path: str) -> bool:
        if any(matches_glob(pattern, path) for pattern in self.loaded):
            return False
        return any(matches_glob(pattern, path) for pattern in self.patterns)


def read_collected(checks: Sequence[str], read: ReadText, paths: Collection[str]) -> Collected:
    """``checks`` are the project's own commands; ``read`` reads the pin, whose files are ``paths``."""
    patterns, loaded = set(pytest_patterns("", read)), set[str]()
    for arguments, folder in _calls(checks, read, paths):
        patterns |= set(_of_python(arguments, folder, read))
        call = _script_call(arguments)
        if call is not None:
            tool, rest = call
            loaded |= {_place(folder, word) for word in _values(rest, _LOADED)}
            patterns |= set(_of_script(tool, rest, folder, read, paths))
    return Collected(frozenset(patterns), frozenset(f"{path}{end}" for path in loaded for end in ("", ".*js", "/**")))


def _calls(checks: Sequence[str], read: ReadText, paths: Collection[str]) -> Iterator[tuple[list[str], str]]:
    queue, seen = [(command, "", DEEPEST) for command in checks], set[tuple[str, str]]()
    while queue:
        command, folder, depth = queue.pop(0)
        if (command, folder) in seen or not depth:
            continue
        seen.add((command, folder))
        for arguments, place in simple_commands(command, folder):
            yield arguments, place
            queue += [(line, inside, depth - 1) for line, inside in _called(arguments, place, read, paths)]


def _called(arguments: Sequence[str], folder: str, read: ReadText, paths: Collection[str]) -> Iterator[tuple[str, str]]:
    """The lines of the recipe that a call leads to, each with the folder it is run in."""
    for file, name in _recipes_called(arguments, folder, paths):
        known = recipes(posixpath.basename(file), read(file) or "") or {}
        for body in reached(known, [name] if name else ["all", "default"]).values():
            yield from ((line.lstrip("@-+ \t"), posixpath.dirname(file)) for line in body.splitlines())


def _recipes_called(arguments: Sequence[str], folder: str, paths: Collection[str]) -> Iterator[tuple[str, str]]:
    program, rest = posixpath.basename(arguments[0]), arguments[1:]
    called = recipe_called(list(arguments), folder)
    if called:
        yield from ((file, called[1]) for file in called[0])
    names = [word for word in rest if not word.startswith("-") and word not in {"run", "run-many", "workspaces"}]
    is_all = program in PACKAGERS and not _ALL.isdisjoint(rest)
    if names and (is_all or _EVERY_PACKAGE.fullmatch(program)):
        inside = f"{folder}/" if folder else ""
        below = [p for p in sorted(paths) if p.startswith(inside) and p.endswith("/package.json")]
        yield from ((p, name) for p in below[:MOST_PACKAGES] if "node_modules/" not in p for name in names)


def _of_python(arguments: Sequence[str], folder: str, read: ReadText) -> Iterator[str]:
    programs = [posixpath.basename(word) for word in arguments]
    if not {"pytest", "py.test", "unittest", "unittest2"}.isdisjoint(programs):
        yield from pytest_patterns(folder, read)
    for index, word in enumerate(arguments):
        following = arguments[index + 1] if index + 1 < len(arguments) else ""
        option, _, value = word.partition("=")
        if word.startswith("python_files="):
            yield from (_named(folder, name) for name in value.split())
        elif option in {"-p", "--pattern"} and "unittest" in programs and (value or following).endswith(".py"):
            yield _named(folder, value or following)


def _script_call(arguments: Sequence[str]) -> tuple[str, list[str]] | None:
    """The tool and its arguments, behind what starts or watches it: ``node -r esm mocha test``."""
    for index, word in enumerate(arguments):
        name = re.sub(r"\.[cm]?js\Z", "", posixpath.basename(word))
        if _SCRIPT_TOOLS.fullmatch(name):
            return name.lstrip("_"), list(arguments[index + 1 :])
        if word == "--test" and _STARTERS.fullmatch(posixpath.basename(arguments[0])):
            return "node", list(arguments[index + 1 :])
        if index == 0 and not _STARTERS.fullmatch(name):
            return None
    return None


def _of_script(tool: str, rest: Sequence[str], folder: str, read: ReadText, paths: Collection[str]) -> Iterator[str]:
    named = [*_operands(rest), *_values(rest, {"--spec"}), *script_patterns(tool, folder, read)]
    if not named and tool == "mocha":
        named = ["test/**" if "--recursive" in rest else "test/*"]
    for word in named:
        path = _place(folder, word.removeprefix("./").rstrip("/"))
        is_folder = not is_glob(path) and any(other.startswith(f"{path}/") for other in paths)
        yield f"{path}/**" if is_folder else path


def _operands(rest: Sequence[str]) -> Iterator[str]:
    skip = False
    for word in rest:
        skip, was = word in _WITH_WORD, skip
        if not was and not word.startswith(("-", "!", "$")) and re.search(r"[./*]|\A[\w-]+\Z", word):
            yield word


def _values(rest: Sequence[str], options: Collection[str]) -> Iterator[str]:
    for index, word in enumerate(rest):
        following = rest[index + 1] if index + 1 < len(rest) else ""
        option, _, value = word.partition("=")
        if option in options and (value or following):
            yield (value or following).removeprefix("./").rstrip("/")


def _named(folder: str, name: str) -> str:
    return _place(folder, f"**/{name}")


def _place(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))


def is_code_of_tests(path: str) -> bool:
    """What the tools whose patterns are read here could collect."""
    return path.endswith(".py") or _SCRIPT.fullmatch(path) is not None
