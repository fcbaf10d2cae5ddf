"""What a command that was tried lacks here, by what it printed, and what a person can do about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MOST_NAMED = 4
_NOT_FOUND = re.compile(
    r"\b([\w.+-]{1,40}): (?:command not found|not found)\s*$|env: [‘'`]?([\w.+-]{1,40})['’]?: No such file"
)
_PYTHON = re.compile(r"No module named '?([A-Za-z_][\w.]{0,80})'?")
_NODE = re.compile(r"Cannot find (?:module|package) '((?:@[\w.-]{1,60}/)?[\w-][\w.-]{0,60})[^']{0,100}'")
_OFFLINE = re.compile(
    r"Could not resolve host|Temporary failure in name resolution|Name or service not known|"
    r"getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|Network is unreachable|dial tcp: lookup"
)
_VERSION = re.compile(
    r"(requires(?: a different)? Python[^\n]{0,60}|Unsupported engine[^\n]{0,60}|"
    r"engine \"?node\"? is incompatible[^\n]{0,60}|requires-python[^\n]{0,60}|"
    r"go\.mod requires go [^\n]{0,40}|requires rustc [^\n]{0,40})",
    re.IGNORECASE,
)
# How people install each tool; any other comes with the system's packages.
_INSTALLS = {
    "yarn": "npm install --global yarn",
    "pnpm": "npm install --global pnpm",
    "bun": "npm install --global bun",
    "lerna": "npm install --global lerna",
    "uv": "pipx install uv",
    "poetry": "pipx install poetry",
    "pdm": "pipx install pdm",
    "hatch": "pipx install hatch",
    "tox": "pipx install tox",
    "nox": "pipx install nox",
    "pipenv": "pipx install pipenv",
    "pre-commit": "pipx install pre-commit",
    "bundle": "gem install bundler",
}


def find_lacks(printed: Iterable[str]) -> tuple[str, ...]:
    """Each once, in the order in which they were met."""
    return tuple(dict.fromkeys(lack for text in printed for line in text.splitlines() for lack in _lacks(line)))[
        :MOST_NAMED
    ]


def _lacks(line: str) -> Iterator[str]:
    line = line[:1000].rstrip()
    if found := _NOT_FOUND.search(line):
        tool = found[1] or found[2]
        how = (
            f"`{_INSTALLS[tool]}`"
            if tool in _INSTALLS
            else "from your system's packages, or let project.commands.setup do it"
        )
        yield f"{tool} is not installed: install it ({how}), then run `autopilot init` again"
    if found := _PYTHON.search(line):
        module = found[1].partition(".")[0]
        yield f"the Python module {module} is not installed: let project.commands.setup install what brings it"
    if (found := _NODE.search(line)) and not found[1].startswith("."):
        yield f"the package {found[1]} is not installed: add it to package.json, or to project.commands.setup"
    if _OFFLINE.search(line):
        yield "the network was not reached: setup needs it for what it downloads; tests never have it"
    if found := _VERSION.search(line):
        asked = found[1].strip()
        yield f"another version of a tool is asked for ({asked}): install that one, and put it first on your PATH"
