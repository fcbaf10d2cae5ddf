"""Programs that only start another one: `timeout 60`, `npx`, `uv run`; what they start is what counts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from autopilot.text.commands.options import names

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_VERSION = re.compile(r"(?<=.)@[^/]*\Z")  # `npx jest@29`


class Wrapper(Struct, frozen=True):
    valued: frozenset[str] = frozenset()  # options whose value is a word of its own
    operands: int = 0  # words of its own before the program it starts
    assigns: bool = False  # takes NAME=value before the program
    plain: frozenset[str] = frozenset()  # options that mean no harm here, whatever they mean elsewhere


_UV = names(
    "--extra --group --only-group --no-group --with --with-editable --with-requirements -p --python --package",
    "--env-file --index --default-index --no-extra --config-file --cache-dir --color --link-mode",
)
_NPX = frozenset({"-p", "--package"})
# Both measure which lines are run; whatever they ask for besides comes on top of the status of what they start.
_COVERAGE = names(
    "-r --reporter -n --include -x --exclude -e --extension --lines --branches --functions --statements --src --cwd",
    "-t --temp-directory --temp-dir -o --reports-dir --report-dir --nycrc-path -i --require",
)
WRAPPERS: dict[tuple[str, ...], Wrapper] = {
    ("env",): Wrapper(frozenset({"-u", "--unset"}), assigns=True),
    ("cross-env",): Wrapper(assigns=True),
    ("timeout",): Wrapper(frozenset({"-k", "--kill-after", "-s", "--signal"}), operands=1),
    ("nice",): Wrapper(frozenset({"-n", "--adjustment"})),
    ("nohup",): Wrapper(),
    ("stdbuf",): Wrapper(frozenset({"-i", "-o", "-e"})),
    ("command",): Wrapper(),
    ("exec",): Wrapper(),
    ("xvfb-run",): Wrapper(frozenset({"-n", "-s", "-f", "-p", "-e"})),
    ("npx",): Wrapper(_NPX),
    ("c8",): Wrapper(_COVERAGE),
    ("nyc",): Wrapper(_COVERAGE),
    ("bunx",): Wrapper(),
    ("npm", "exec"): Wrapper(_NPX),
    ("pnpm", "exec"): Wrapper(),
    ("yarn", "exec"): Wrapper(),
    ("uv", "run"): Wrapper(_UV, plain=frozenset({"-m", "--module"})),
    ("uvx",): Wrapper(frozenset({"--with", "-p", "--python", "--from"})),
    ("poetry", "run"): Wrapper(),
    ("pipenv", "run"): Wrapper(),
    ("pdm", "run"): Wrapper(),
    ("hatch", "run"): Wrapper(),
    ("rye", "run"): Wrapper(),
    ("bundle", "exec"): Wrapper(),
}
# With one of these a wrapper does something else, or does it somewhere else.
_ELSEWHERE = frozenset(
    {"-c", "--call", "-S", "--split-string", "-v", "-V", "--directory", "--project", "-C", "--chdir"}
)
_ELSEWHERE |= {"-m", "--module", "-w", "--workspace", "-h", "--help", "--version"}


def past_wrappers(arguments: Sequence[str]) -> int:
    """The place of the word that names the program, behind assignments and wrappers."""
    place = _past_assignments(arguments, 0)
    for _ in range(len(arguments)):
        behind = _past_one(arguments, place)
        if behind == place:
            return place
        place = behind
    return place


def program(word: str) -> str:
    """What a program is called, without the folder it lies in and the version that was asked for."""
    return _VERSION.sub("", word.rsplit("/", 1)[-1])


def _past_one(arguments: Sequence[str], start: int) -> int:
    for size in (2, 1):
        wrapper = WRAPPERS.get(tuple(program(word) for word in arguments[start : start + size]))
        if wrapper is None:
            continue
        place = start + size
        while place < len(arguments) and arguments[place].startswith("-"):
            if arguments[place].partition("=")[0] in _ELSEWHERE - wrapper.valued - wrapper.plain:
                return start
            if arguments[place] == "--":
                place += 1
                break
            place += 2 if arguments[place] in wrapper.valued else 1
        place += wrapper.operands
        return _past_assignments(arguments, place) if wrapper.assigns else place
    return start


def _past_assignments(arguments: Sequence[str], place: int) -> int:
    while place < len(arguments) and _ASSIGNMENT.match(arguments[place]):
        place += 1
    return place
