"""What `npm test`, `yarn test` and `make test` call, as a shell text that does the same."""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Callable, Sequence

from msgspec import Struct

from autopilot.text.commands.wrappers import program

ReadText = Callable[[str], str | None]

_NPM_RUNS = frozenset({"run", "run-script"})
_NPM_TESTS = frozenset({"test", "t", "tst"})
_QUIET = frozenset({"--silent", "-s", "--no-print-directory", "--quiet", "-q"})
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
# With any of these a recipe may mean something else than what stands in its lines.
_UNSURE = re.compile(
    r"^(?:\t? *)(?:export|unexport|-?include|sinclude|define|ifn?eq|ifn?def|vpath)\b"
    r"|^ *(?:SHELL|MAKEFLAGS|\.SHELLFLAGS|\.RECIPEPREFIX)\s*[:?+]?=|^\.(?:ONESHELL|POSIX|EXPORT_ALL_VARIABLES)",
    re.MULTILINE,
)
# Where the tool is missing, so is what it would have called.
_THERE = 'command -v "$0" >/dev/null || exit 127'
_RULE = re.compile(r"^(?P<targets>[^\s:#=][^:#=\n]*):(?P<double>:?)(?!=)(?P<needs>[^\n]*)$", re.MULTILINE)


class Followed(Struct, frozen=True):
    """A text for ``sh -c``, which stands in the place of the call."""

    tool: str  # `$0` of the text
    text: str
    before: str = ""  # what is set for it


def scripts_of(folder: str, read: ReadText) -> dict[str, str]:
    """Of the package that a folder is."""
    try:
        package = json.loads(read(posixpath.join(folder, "package.json")) or "")
    except (ValueError, RecursionError):
        return {}
    scripts = package.get("scripts") if isinstance(package, dict) else None
    found = scripts if isinstance(scripts, dict) else {}
    return {name: text for name, text in found.items() if isinstance(text, str)}


def followed(arguments: Sequence[str], folder: str, read: ReadText) -> Followed | None:
    """None for what is no such call, and for one whose meaning is not plain."""
    tool = program(arguments[0]) if arguments else ""
    if tool in {"npm", "yarn", "pnpm"}:
        return _script(arguments[0], arguments[1:], folder, read)
    return _recipe(arguments[0], arguments[1:], folder, read) if tool in {"make", "gmake"} else None


def _script(caller: str, arguments: Sequence[str], folder: str, read: ReadText) -> Followed | None:
    remaining, tool = list(arguments), program(caller)
    while remaining and remaining[0] in _QUIET:
        remaining.pop(0)
    if remaining and remaining[0] in _NPM_RUNS:
        remaining.pop(0)
    elif tool == "npm" and not (remaining and remaining[0] in _NPM_TESTS):
        return None
    while remaining and remaining[0] in _QUIET:
        remaining.pop(0)
    name, rest = ("test" if remaining[0] in _NPM_TESTS else remaining[0], remaining[1:]) if remaining else ("", [])
    scripts = scripts_of(folder, read)
    if name not in scripts or f"pre{name}" in scripts or f"post{name}" in scripts:
        return None
    if tool == "npm":
        while rest and rest[0] in _QUIET:
            rest.pop(0)
        if rest and rest.pop(0) != "--":
            return None  # an argument for npm itself
    elif "--" in rest:
        return None  # passed on by one version, taken away by another
    text = " ".join([scripts[name], *map(shlex.quote, rest)])
    return Followed(caller, f"{_THERE}\n{text}", _environment(name, folder))


def _environment(name: str, folder: str) -> str:
    """A script finds the programs of its package first, and of the packages around it."""
    ups = ["/..".join([""] + [""] * up) for up in range(1 + len([part for part in folder.split("/") if part]))]
    path = ":".join(f"$PWD{up}/node_modules/.bin" for up in ups)
    return f'env PATH="{path}:$PATH" npm_lifecycle_event={shlex.quote(name)} '


def _recipe(caller: str, arguments: Sequence[str], folder: str, read: ReadText) -> Followed | None:
    place, targets = "", list[str]()
    remaining = list(arguments)
    while remaining:
        word = remaining.pop(0)
        if word == "-C" and remaining:
            place = remaining.pop(0)
        elif word.startswith("--directory="):
            place = word.partition("=")[2]
        elif word not in _QUIET:
            targets.append(word)
    if len(targets) != 1 or not re.fullmatch(r"[A-Za-z][\w.-]*", targets[0]) or place.startswith("/"):
        return None
    target, inside = targets[0], posixpath.normpath(posixpath.join(folder, place))
    texts = (read(posixpath.join("" if inside == "." else inside, name)) for name in _MAKEFILES)
    makefile = next((text for text in texts if text is not None), "")
    lines = _recipe_lines(makefile, target)
    if not lines:
        return None
    move = [f"cd {shlex.quote(place)} || exit 2"] if place else []
    # A file of the target's name keeps make from running anything, unless the target is declared phony.
    real = [] if _is_phony(makefile, target) else [f'if [ -e {target} ]; then exec "$0" {target}; fi']
    steps = " && ".join(f"(\n{line}\n)" for line in lines)
    return Followed(caller, "\n".join([_THERE, *move, *real, f"{steps} || exit 2"]))


def _recipe_lines(makefile: str, target: str) -> list[str]:
    """Empty where there is no plain recipe: no needs of its own, no variables, no line whose failure is ignored."""
    text = re.sub(r"\\\n\t?", " ", makefile)
    rules = [rule for rule in _RULE.finditer(text) if target in rule["targets"].split()]
    if _UNSURE.search(text) or len(rules) != 1 or rules[0]["double"] or rules[0]["needs"].partition("#")[0].strip():
        return []
    found = list[str]()
    for line in text[rules[0].end() + 1 :].split("\n"):
        if line.strip() and not line.startswith(("\t", "#")):
            break
        if line.startswith("\t") and line.strip():
            found.append(line.strip().removeprefix("@").lstrip())
    bare = [line.replace("$$", "") for line in found]
    plain = all("$" not in line and line[:1] not in {"-", "+", "@"} for line in bare)
    return [line.replace("$$", "$") for line in found] if plain else []


def _is_phony(makefile: str, target: str) -> bool:
    text = makefile.replace("\\\n", " ")
    return any(target in found.split() for found in re.findall(r"^\.PHONY\s*:([^\n#]*)", text, re.MULTILINE))
