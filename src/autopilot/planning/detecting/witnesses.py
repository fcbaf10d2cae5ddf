"""Command lines that a repository gives to others: its CI, tox, nox, Makefile and the code blocks of its documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from autopilot.text.lines import scan_lines

_WORKFLOW = re.compile(r"\.github/workflows/[^/]+\.ya?ml|\.(?:gitlab-ci|travis)\.yml|azure-pipelines\.yml")
_RUN = re.compile(r"^(\s*+)(?:-\s++)?run:[ \t]*+(.*)$")
_SESSION_RUN = re.compile(r"session\.run\(([^()]{1,500})\)")
_TEST_TOOL = re.compile(r"""["'](?:pytest|py\.test|unittest|stestr|trial)\b""")
_STRING = re.compile(r"""["']([^"'\n]{1,200})["']""")
DOCUMENTS = ("CONTRIBUTING.md", "CONTRIBUTING.rst", "README.md", "README.rst", "docs/contributing.md", "HACKING.md")
LONGEST = 300  # characters of a command line that is worth reading


class CommandLine(Struct, frozen=True):
    """A command line, and the file that gives it."""

    command: str
    source: str


def command_lines(files: Mapping[str, str]) -> tuple[CommandLine, ...]:
    """The best witness first: what their own CI runs, then their task runners, then what people are told to type."""
    found = [*_of_workflows(files), *_of_tox(files), *_of_nox(files), *_of_documents(files)]
    return tuple(line for line in found if 0 < len(line.command) <= LONGEST)


def is_workflow(path: str) -> bool:
    return _WORKFLOW.fullmatch(path) is not None


def _of_workflows(files: Mapping[str, str]) -> Iterator[CommandLine]:
    for path in sorted(filter(is_workflow, files)):
        key = "script" if path in (".travis.yml", ".gitlab-ci.yml") else "run"
        for command in _steps(files[path]) if key == "run" else _scripts(files[path]):
            yield CommandLine(command, path)


def _steps(text: str) -> Iterator[str]:
    """``run: command`` and the lines of a ``run: |`` block, which are indented further than the key."""
    inside: int | None = None
    for line in text.splitlines():
        if inside is not None and line.strip():
            if len(line) - len(line.lstrip()) > inside:
                yield _bare(line)
                continue
            inside = None
        if found := _RUN.match(line):
            rest = found[2].strip()
            if rest[:1] in ("|", ">"):
                inside = len(found[1])
            else:
                yield _bare(rest)


def _scripts(text: str) -> Iterator[str]:
    """``script: command`` or a list below it."""
    is_inside = False
    for line in text.splitlines():
        stripped = line.strip()
        if re.match(r"(?:before_|after_)?(?:script|install)\s*:", stripped):
            is_inside = True
            yield _bare(stripped.partition(":")[2])
        elif is_inside and stripped.startswith("- "):
            yield _bare(stripped[2:])
        elif stripped and not stripped.startswith("#"):
            is_inside = False


def _of_tox(files: Mapping[str, str]) -> Iterator[CommandLine]:
    for name, text in (("tox.ini", files.get("tox.ini", "")), ("setup.cfg", files.get("setup.cfg", ""))):
        for line in ini_values(text, "testenv", "commands"):
            yield CommandLine(_bare(line.replace("{posargs}", "").replace("{posargs:}", "")), name)


def ini_values(text: str, section: str, key: str) -> tuple[str, ...]:
    """The lines of one key of one section; configparser refuses too much of what stands in tox.ini."""
    found: list[str] = []
    is_there, is_inside = False, False
    for line in text.splitlines():
        if line.startswith("["):
            is_there, is_inside = line.strip() == f"[{section}]", False
        elif is_there and (given := re.match(rf"{key}\s*[=:]\s*(.*)", line)):
            is_inside = True
            found += [given[1].strip()]
        elif is_inside and line[:1] in (" ", "\t"):
            found += [line.strip()]
        elif line.strip():
            is_inside = False
    return tuple(value for value in found if value and not value.startswith("#"))


def _of_nox(files: Mapping[str, str]) -> Iterator[CommandLine]:
    for found in _SESSION_RUN.finditer(files.get("noxfile.py", "")):
        yield CommandLine(" ".join(_STRING.findall(found[1])), "noxfile.py")


def nox_installs(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the sessions that call a test tool install: others build documents, check style, make releases."""
    sessions = re.split(r"^@(?:nox\.)?session\b", files.get("noxfile.py", ""), flags=re.MULTILINE)
    testing = [text for text in sessions if _TEST_TOOL.search(text)]
    calls = [call for text in testing for call in re.findall(r"session\.install\(([^()]{1,500})\)", text)]
    return tuple(word for call in calls for word in _STRING.findall(call))


def _of_documents(files: Mapping[str, str]) -> Iterator[CommandLine]:
    for path in (name for name in DOCUMENTS if name in files):
        for line in scan_lines(files[path]):
            if line.hidden and line.text.strip() and not line.text.lstrip().startswith(("```", "~~~")):
                yield CommandLine(_bare(line.text), path)


def _bare(line: str) -> str:
    """Without a prompt, quotes around the whole, and what a matrix of versions puts in."""
    text = line.strip().removeprefix("$ ").removeprefix("> ").strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return "" if "${{" in text or text.startswith("#") else text
