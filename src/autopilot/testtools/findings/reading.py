"""Findings in the text that tools print for people.

Read are lines such as ``file:12:3: RULE message`` (ruff, flake8, mypy, pyright, pylint, eslint's unix form, go vet,
golangci-lint, gcc, javac), ``file(12,3): error TS…`` (tsc), rows below the name of a file (eslint's own form),
``--> file:12:3`` below a message (cargo, clippy, ruff), and files that a formatter or ``compileall`` names.
"""

from __future__ import annotations

import re

from msgspec import Struct

from autopilot.testtools.findings.beside import is_beside, label_of, total_of, without_tail
from autopilot.testtools.findings.finding import Finding, make_finding, without_numbers

LONGEST_LINE = 1000
_FILE = r"(?P<file>[^:]{1,300}?)"  # people put spaces, brackets and parentheses into the names of folders
_PLACED = re.compile(
    rf"(?:vet: |ERROR in )?{_FILE}(?::\d{{1,7}}(?::\d{{1,7}})?|\(\d{{1,7}},\d{{1,7}}\))(?P<rest>:? .+)"
)
_ROW = re.compile(r"\d{1,7}:\d{1,7} {1,20}(?P<rest>(?:error|warning|✖|⚠|×).+)", re.IGNORECASE)
_HEADING = re.compile(r"[^:]{0,299}(?:/[^:/]{1,300}|\.\w{1,10})")
_ARROW = re.compile(r"--> (?P<file>[^:]{1,300}):\d{1,7}:\d{1,7}")
_NAMED = re.compile(
    r"(?:\[(?:warn|error)\]|would reformat:?|\*{3} Error compiling) '?(?P<file>[^:']{1,300}?\.\w{1,10})(?=[:'\s]|\Z)",
    re.IGNORECASE,
)
# Only as a severity: a message may begin with such a name. shellcheck calls findings of its own notes.
_NO_FINDING = re.compile(r"[\s:-]{0,9}(?:note|help|info|information|remark):(?!.{0,900}\[SC\d)", re.IGNORECASE)
_GUTTER = re.compile(r"(?:> ?)?\d{0,7} {0,3}\|")
_INCOMPLETE = re.compile(
    r"too many errors|errors prevented further checking|only showing the first|error limit reached"
    r"|\band \d{1,9} more (?:error|problem|issue|warning|finding)|bytes left out …",
    re.IGNORECASE,
)


class Reading(Struct, frozen=True):
    findings: tuple[Finding, ...] = ()
    others: tuple[str, ...] = ()  # every line that is not understood, without its numbers
    total: int = 0  # of all errors, warnings and problems that the tools say they counted
    is_whole: bool = True  # False where the tool, or we, left some of it out


def read_findings(output: str, project: str = "") -> Reading:
    """``project``: where the command saw the project; tools that print whole paths begin them with it."""
    lines = [line[:LONGEST_LINE].rstrip() for line in inside(output, project).splitlines()]
    reader = _Reader()
    for line in lines:
        reader.read(line)
    reader.settle()
    whole = not any(map(_INCOMPLETE.search, lines))
    return Reading(tuple(reader.findings), tuple(reader.others), reader.total, whole)


def inside(output: str, project: str) -> str:
    """With the paths of the project as they are inside of it."""
    return output.replace(f"{project.rstrip('/')}/", "") if project.strip("/") else output


class _Reader:
    """Line by line: the name of a file, and a message, may stand above what belongs to them."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.others: list[str] = []
        self.total = 0
        self._file = ""  # whose rows follow: up to the next line that is none
        self._message = ""  # the last line that an arrow, or a row, below it may place
        self._in_frame = False  # below a finding, where the lines of code stand that it is about

    def read(self, line: str) -> None:
        stripped = line.strip()
        if row := _ROW.fullmatch(stripped):
            self._take_row(row["rest"], stripped)
            return
        self._file = ""
        if not stripped:
            self.settle()
        elif self._in_frame and _GUTTER.match(stripped):
            self._keep(label_of(stripped))
        elif arrow := _ARROW.match(stripped):
            self._place(arrow["file"])
        elif placed := _PLACED.fullmatch(stripped):
            self._take(placed["file"], placed["rest"], stripped)
        elif named := _NAMED.match(stripped):
            self._take(named["file"], stripped, stripped)
        elif line[0].isspace():
            self._keep(label_of(stripped) or stripped)
        else:
            self.settle()
            self._message = stripped

    def settle(self) -> None:
        if self._message:
            self._keep(self._message)
        self._message, self._in_frame = "", False

    def _take_row(self, rest: str, line: str) -> None:
        """A row belongs to the file that is named just above it and the rows with it, never to one further up."""
        if not self._file and _HEADING.fullmatch(self._message):
            self._file, self._message = self._message, ""
        if self._file:
            self.findings.append(make_finding(self._file, rest))
        else:
            self._keep(line)

    def _place(self, file: str) -> None:
        if self._message and not _NO_FINDING.match(self._message):
            self.findings.append(make_finding(file, self._message))
        self._message, self._in_frame = "", True

    def _take(self, file: str, rest: str, line: str) -> None:
        """A time of day or an address is followed by a number as well, and is no file."""
        self.settle()
        if ("." not in file and "/" not in file) or not any(character.isalpha() for character in file):
            self._keep(line)
        elif not _NO_FINDING.match(rest):
            self.findings.append(make_finding(file, rest))
        self._in_frame = True

    def _keep(self, line: str) -> None:
        self.total += total_of(line)
        if not is_beside(line):
            self.others.append(without_numbers(without_tail(line)))
