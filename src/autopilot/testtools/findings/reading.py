"""Findings in the text that tools print for people.

Read are lines such as ``file:12:3: RULE message`` (ruff, flake8, mypy, pyright, pylint, eslint's unix form, go vet,
golangci-lint, gcc, javac), ``file(12,3): error TS…`` (tsc), rows below the name of a file (eslint's own form),
``--> file:12:3`` below a message (cargo, clippy, ruff), and files that a formatter or ``compileall`` names.
"""

from __future__ import annotations

import re

from msgspec import Struct

from autopilot.testtools.findings.finding import Finding, make_finding, without_numbers

LONGEST_LINE = 1000
_PLACED = re.compile(
    r"(?:vet: |ERROR in )?(?P<file>[^\s:()]{1,300})(?::\d{1,7}(?::\d{1,7})?|\(\d{1,7},\d{1,7}\))(?P<rest>:? .+)"
)
_ROW = re.compile(r"\d{1,7}:\d{1,7} {1,20}(?P<rest>(?:error|warning|✖|⚠|×).+)", re.IGNORECASE)
_FILE_ALONE = re.compile(r"[^\s:()]{1,300}\.\w{1,10}")
_ARROW = re.compile(r"--> (?P<file>[^\s:]{1,300}):\d{1,7}:\d{1,7}")
_NAMED = re.compile(
    r"(?:\[(?:warn|error)\]|would reformat:?|\*{3} Error compiling) '?(?P<file>[^\s:']{1,300})",
    re.IGNORECASE,
)
_NO_FINDING = re.compile(r"[\W\d]*(?:note|help|info|information|remark)\b", re.IGNORECASE)
# What is printed beside findings and says nothing new: sums, explanations, the lines of code that they are about.
_BESIDE = re.compile(
    r"\W*(?:found )?\d+ (?:\w+ )?(?:error|problem|issue|warning|finding|file)"
    r"|error: (?:could not compile|aborting due to)|For more information about|Some errors have"
    r"|\d{0,7} ?[|+-]|\d",
    re.IGNORECASE,
)
_ALARMING = re.compile(
    r"error|fail|fatal|panic|exception|traceback|abort|killed|cannot|can't|could ?n[o']t|unable|denied|not found"
    r"|undefined|invalid|unexpected|crash|segmentation",
    re.IGNORECASE,
)
# What a finding is about, where its message does not say it: a label below the code, javac's symbol, pyright's rule.
_DETAIL = re.compile(r"[\^~] \S.*|^symbol: .*")
_PYRIGHT_RULE = re.compile(r"\(report\w{1,60}\)\Z")
_INCOMPLETE = re.compile(
    r"too many errors|errors prevented further checking|only showing the first|error limit reached"
    r"|\band \d{1,9} more (?:error|problem|issue|warning|finding)|bytes left out …",
    re.IGNORECASE,
)


class Reading(Struct, frozen=True):
    findings: tuple[Finding, ...] = ()
    alarms: frozenset[str] = frozenset()  # other lines that speak of something wrong, without their numbers
    is_whole: bool = True  # False where the tool, or we, left some of it out


def read_findings(output: str, project: str = "") -> Reading:
    """``project``: where the command saw the project; tools that print whole paths begin them with it."""
    lines = [line[:LONGEST_LINE].rstrip() for line in inside(output, project).splitlines()]
    reader = _Reader()
    for line in lines:
        reader.read(line)
    reader.settle()
    return Reading(tuple(reader.findings), frozenset(reader.alarms), not any(map(_INCOMPLETE.search, lines)))


def inside(output: str, project: str) -> str:
    """With the paths of the project as they are inside of it."""
    return output.replace(f"{project.rstrip('/')}/", "") if project.strip("/") else output


class _Reader:
    """Line by line: the name of a file, and a message, may stand above what belongs to them."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.alarms: set[str] = set()
        self._file = ""
        self._message = ""  # the last line that an arrow below it may place

    def read(self, line: str) -> None:
        stripped = line.strip()
        if not stripped:
            return
        if arrow := _ARROW.match(stripped):
            self._place(arrow["file"])
        elif self._file and (row := _ROW.fullmatch(stripped)):
            self._take(self._file, row["rest"], stripped)
        elif placed := _PLACED.fullmatch(stripped):
            self._take(placed["file"], placed["rest"], stripped)
        elif named := _NAMED.match(stripped):
            self._take(named["file"], stripped, stripped)
        elif _FILE_ALONE.fullmatch(stripped):
            self._file = stripped
        elif line[0].isspace():
            self._keep_alarm(stripped)
        else:
            self.settle()
            self._message = stripped

    def settle(self) -> None:
        if self._message:
            self._keep_alarm(self._message)
        self._message = ""

    def _place(self, file: str) -> None:
        if self._message and not _NO_FINDING.match(self._message):
            self.findings.append(make_finding(file, self._message))
        self._message = ""

    def _take(self, file: str, rest: str, line: str) -> None:
        """A time of day or an address is followed by a number as well, and is no file."""
        self.settle()
        if ("." not in file and "/" not in file) or not any(character.isalpha() for character in file):
            self._keep_alarm(line)
        elif not _NO_FINDING.match(rest):
            self.findings.append(make_finding(file, rest))

    def _keep_alarm(self, line: str) -> None:
        if _PYRIGHT_RULE.search(line):
            self.alarms.add(without_numbers(line))
        elif detail := _DETAIL.search(line):
            self.alarms.add(without_numbers(detail[0]))
        elif _ALARMING.search(line) and not _BESIDE.match(line):
            self.alarms.add(without_numbers(line))
