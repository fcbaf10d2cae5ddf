"""Files a test command resolves through: ``make test`` the Makefile, ``sh check.sh`` check.sh and what that calls."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from posixpath import normpath

from msgspec import Struct

from autopilot.inspection.control.kinds import control_kind
from autopilot.inspection.control.recipes import JUSTFILES, MAKEFILES, reached, recipes
from autopilot.text.commands.wrappers import past_wrappers
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.shell import only_looks, split_parts

ReadText = Callable[[str], str | None]  # a file of the project by its path, None where there is none
DEEPEST = 3  # a command, the script it calls, and what that one calls
_INCLUDED = lazy_regex(r"^[-s]?include[ \t]+([^\n#$]+)", re.MULTILINE)  # by a Makefile
_ASSIGNS = lazy_regex(r"[A-Za-z_]\w*=")
# What stands before a command and is no wrapper that tests are looked for behind.
_BEFORE = lazy_regex(r"builtin|time|sudo|ionice|setsid|chronic|!|then|do|else|if|while|until|[({]")
_SHELLS = lazy_regex(r"(?:ba|da|z|k|a)?sh")
_INTERPRETERS = lazy_regex(r"python[\d.]*|pypy3?|node|nodejs|ruby|perl|php|tsx|ts-node|deno|bun|Rscript|lua|bats|pwsh")
PACKAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_FILES_OF = {"tox": ("tox.ini",), "nox": ("noxfile.py",), "rake": ("Rakefile",), "task": ("Taskfile.yml",)}
_ASSERTS = lazy_regex(r"^[ \t]*assert\b", re.MULTILINE)
_TESTS = lazy_regex(
    r"\b(?:pytest|unittest|py_compile|jest|vitest|mocha|tape|ava|node\s+--test|go\s+test|cargo\s+(?:test|nextest)|rspec|"
    r"minitest|phpunit|pest|ctest|tox|nox|mypy|ruff|flake8|pylint|eslint|tsc|bats|prove|mvn|gradlew?|playwright|"
    r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|lint|check)|make\s+(?:-\S++\s+){0,8}(?:test|check|lint))\b"
)
# Those of them that run tests, and do not lint, compile or check types.
_RUNS_TESTS = lazy_regex(
    r"\b(?:pytest|unittest|jest|vitest|mocha|tape|ava|node\s+--test|go\s+test|cargo\s+(?:test|nextest)|rspec|minitest|phpunit|"
    r"pest|ctest|bats|prove)\b"
)


class Run(Struct, frozen=True):
    """A file that a command runs, and whether it is a shell script."""

    path: str
    shell: bool = False


def scripts_behind(commands: Sequence[str], read: ReadText, checks: Sequence[str] = ()) -> tuple[str, ...]:
    """Only what judges: a program of the product that a criterion calls (``python app.py``) is what is judged.

    What a check of the whole project runs is there to judge, whatever its name. ``read`` reads the project as it was
    pinned; a script that is not there yet counts by its name alone.
    """
    found: dict[str, None] = {}
    for command in checks:
        _follow(command, "", read, found, DEEPEST, judging=True)
    for command in commands:
        _follow(command, "", read, found, DEEPEST)
    return tuple(found)


def files_run(command: str, folder: str = "") -> tuple[Run, ...]:
    """The files a command names to be run, and those that named commands (``make test``) are looked up in."""
    found: dict[str, Run] = {}
    for arguments, place in simple_commands(command, folder):
        for run in _of_arguments(arguments, place):
            found.setdefault(run.path, run)
    return tuple(found.values())


def simple_commands(command: str, folder: str = "") -> Iterator[tuple[list[str], str]]:
    """The arguments of every simple command, and the folder it runs in."""
    for part in split_parts(command):
        arguments = _unwrapped(_split(part.text))
        if arguments[:1] == ["cd"] and len(arguments) > 1:
            folder = folder if "$" in arguments[1] else _place(folder, arguments[1])
        elif len(arguments) > 2 and _SHELLS.fullmatch(_program(arguments[0])) and re.fullmatch(r"-\w*c", arguments[1]):
            yield from simple_commands(arguments[2], folder)
        elif arguments:
            yield arguments, folder


def calls_tests(text: str) -> bool:
    return _TESTS.search(text) is not None


def runs_tests(command: str, read: ReadText) -> bool:
    """By itself, by the recipe that it calls, or by a script that it runs; not what looks for the name of a tool."""
    return not only_looks(command) and any(_RUNS_TESTS.search(text) for text in (command, *_bodies(command, read)))


def _bodies(command: str, read: ReadText) -> Iterator[str]:
    for arguments, folder in simple_commands(command):
        called = recipe_called(arguments, folder)
        if called is None:
            yield from (read(run.path) or "" for run in _of_arguments(arguments, folder))
            continue
        paths, name = called
        path, text = next(((path, text) for path in paths if (text := read(path)) is not None), ("", ""))
        known = recipes(path.rpartition("/")[2], text) or {}
        yield from reached(known, [name] if name else ["all", "default"]).values()


def recipe_called(arguments: Sequence[str], folder: str) -> tuple[tuple[str, ...], str] | None:
    """For ``npm run lint``, ``make -C app test``, ``just check``: the files it may stand in, and its name."""
    program, rest = _program(arguments[0]), list(arguments[1:])
    if program in PACKAGERS or program == "composer":
        name = _script_name(program, rest)
        file = "composer.json" if program == "composer" else "package.json"
        inside = _option(rest, "--prefix", "-C", "--cwd", "--dir") or ""
        return ((_place(folder, f"{inside}/{file}" if inside else file),), name) if name else None
    if program in {"make", "gmake", "just"}:
        inside = _option(rest, "-C", "--directory", "-d", "--working-directory") or "."
        named = _option(rest, "-f", "--file", "--makefile", "--justfile")
        files = (named,) if named else (JUSTFILES if program == "just" else MAKEFILES)
        targets = [word for word in _operands(rest) if not _ASSIGNS.match(word)]
        return tuple(_place(folder, f"{inside}/{file}") for file in files), targets[0] if targets else ""
    return None


def _follow(
    command: str, folder: str, read: ReadText, found: dict[str, None], depth: int, *, judging: bool = False
) -> None:
    for arguments, place in simple_commands(command, folder) if depth else ():
        called = recipe_called(arguments, place)
        if called:
            _follow_recipe(*called, read, found, depth)
            continue
        for run in _of_arguments(arguments, place):
            text = read(run.path)
            run_by_check = judging and text is not None
            sourced = arguments[0] in {"source", "."} and text is not None and depth < DEEPEST
            if run.path not in found and (run_by_check or sourced or _judges(run, text)):
                found[run.path] = None
                if run.shell or _is_shell(run.path, text):
                    _follow(_from_here(text or "", run.path), place, read, found, depth - 1)


def _follow_recipe(paths: tuple[str, ...], name: str, read: ReadText, found: dict[str, None], depth: int) -> None:
    """All names a Makefile may have: one that comes new would be read before the one that is there."""
    found.update(dict.fromkeys(paths))
    path, text = next(((path, text) for path in paths if (text := read(path)) is not None), ("", ""))
    folder, _, file = path.rpartition("/")
    found.update((_place(folder, name), None) for line in _INCLUDED.findall(text) for name in line.split())
    for body in reached(recipes(file, text) or {}, [name] if name else ["all", "default"]).values():
        for line in body.splitlines():
            _follow(line.lstrip("@-+ "), folder, read, found, depth - 1)


def _of_arguments(arguments: list[str], folder: str) -> Iterator[Run]:
    program = _program(arguments[0])
    called = recipe_called(arguments, folder)
    if called:
        yield from (Run(path) for path in called[0])
    elif program in _FILES_OF:
        yield from (Run(_place(folder, file)) for file in _FILES_OF[program])
    elif _SHELLS.fullmatch(program) or program in {"source", "."}:
        file = next(iter(_operands(arguments[1:])), "")
        if file:
            yield Run(_place(folder, file), shell=True)
    elif _INTERPRETERS.fullmatch(program):
        yield from _interpreted(arguments[1:], folder)
    elif "/" in arguments[0] and not arguments[0].startswith("/") and "node_modules/" not in arguments[0]:
        yield Run(_place(folder, arguments[0]))


def _interpreted(rest: list[str], folder: str) -> Iterator[Run]:
    if "-m" in rest[:-1]:
        module = rest[rest.index("-m") + 1].replace(".", "/")
        yield from (Run(_place(folder, path)) for path in (f"{module}.py", f"{module}/__main__.py"))
    elif not {"-c", "-e", "--eval", "-p", "-r", "--test"}.intersection(rest):
        file = next((word for word in _operands(rest) if word not in {"run", "test", "x"}), "")
        if re.search(r"[./]", file):
            yield Run(_place(folder, file))


def _judges(run: Run, text: str | None) -> bool:
    """By its name, or by what it calls. A shell script named test.sh judges in any folder."""
    if control_kind(run.path) or (run.shell and control_kind(run.path.rsplit("/", 1)[-1])):
        return True
    return text is not None and (calls_tests(text) or (run.path.endswith(".py") and bool(_ASSERTS.search(text))))


def _is_shell(path: str, text: str | None) -> bool:
    return path.endswith((".sh", ".bash")) or re.match(r"#!.*\b(?:ba|da|z|k)?sh\b", text or "") is not None


def _from_here(text: str, path: str) -> str:
    """Scripts name their neighbours by where they stand themselves."""
    here = path.rpartition("/")[0] or "."
    return re.sub(r"\$\(dirname \"?\$(?:0|\{?BASH_SOURCE(?:\[0\])?\}?)\"?\)|\$\{(?:0|BASH_SOURCE)%/\*\}", here, text)


def _script_name(program: str, rest: list[str]) -> str:
    arguments = [word for word in _operands(rest) if word]
    if arguments[:1] in (["run"], ["run-script"], ["rum"]):
        return arguments[1] if len(arguments) > 1 else ""
    if arguments[:1] in (["test"], ["t"], ["tst"]):
        return "" if program == "bun" else "test"
    known = {"install", "ci", "i", "add", "exec", "dlx", "x", "init", "start", "create", "build", "pm", "audit"}
    bare = program in {"yarn", "pnpm", "composer"} and arguments[:1] and arguments[0] not in known - {"build"}
    return arguments[0] if bare else ""


def _unwrapped(arguments: list[str]) -> list[str]:
    """``timeout 60 env A=1 poetry run pytest`` is pytest."""
    while arguments:
        place = past_wrappers(arguments) or bool(_BEFORE.fullmatch(arguments[0]))
        if not place:
            break
        arguments = arguments[place:]
    return arguments


def _option(rest: list[str], *names: str) -> str:
    for index, word in enumerate(rest):
        for name in names:
            if word == name and index + 1 < len(rest):
                return rest[index + 1]
            if word.startswith(f"{name}=") or (len(name) == 2 and word.startswith(name) and len(word) > 2):
                return word[len(name) :].lstrip("=")
    return ""


def _operands(rest: Sequence[str]) -> Iterator[str]:
    """Without options, and without the values of those that take one."""
    skip = False
    for word in rest:
        if skip:
            skip = False
        elif word in {"-C", "-f", "--prefix", "--directory", "--file", "-o", "-W", "-X", "-w", "--cwd", "--dir", "-j"}:
            skip = True
        elif word in {"--", "2>&1"} or re.match(r"\d*[<>]", word):
            continue
        elif not word.startswith("-"):
            yield word


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()


def _program(word: str) -> str:
    return word.rsplit("/", 1)[-1]


def _place(folder: str, path: str) -> str:
    placed = normpath(f"{folder}/{path}" if folder and not path.startswith("/") else path)
    return "" if placed == "." else placed
