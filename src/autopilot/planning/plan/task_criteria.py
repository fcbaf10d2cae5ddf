"""Criteria of a task: from ``verified by:`` items, from ``<automated>``, and from commands in plain text.

A command that stands in a user's prose is taken when it starts with a known program. The words after it may carry an
expectation; where they speak of counts or of absence and are not one of the known forms, nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.criterion import Criterion, Expectation, Form, Want, criterion_id
from autopilot.model.policy import Commands
from autopilot.planning.plan.criterion import parse_criterion, runnable
from autopilot.planning.plan.expectation import parse_expectation, unknown_expectation
from autopilot.planning.plan.task_fields import Fields, child_tags, join_text
from autopilot.planning.plan.trace import is_trace
from autopilot.planning.plan.weight import take_weight
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line, items
from autopilot.text.shell import only_looks

_PROGRAMS = (
    r"npm|npx|pnpm|yarn|bun|node|deno|python3?|pytest|uv|poetry|pip3?|ruff|mypy|go|cargo|rustc|make|cmake|gradle|mvn|"
    r"dotnet|mix|bundle|rake|ruby|php|composer|swift|xcodebuild|bash|sh|zsh|e?grep|rg|test|\[|ls|wc|find|stat|diff|cat|"
    r"head|tail|jq|curl|git|docker|terraform|ansible-playbook|ansible-lint|shellcheck|bats|anchor|tsc|eslint|jest|"
    r"vitest|cd|(?:\.{1,2}|venv|\.venv)/[\w./-]+"
)
_STARTS = lazy_regex(
    rf"(?:!\s*)?(?:[A-Z_]+=\S+\s+)*(?:{_PROGRAMS})\s+\S|(?:pytest|make|mypy|jest|vitest|ls|\./[\w./-]+)\s*\Z"
)
_SPAN = lazy_regex(r"(?<!`)(`{1,2})([^`]+)\1(?!`)")
_SERVES = lazy_regex(r"\b(?:run\s+)?(?:dev|start|serve|watch|electron:dev)\b(?!-)")
_LEAD = lazy_regex(
    r"^(?:[-*+]\s+|\d+[.)]\s+)?(?:\[[ xX]\]\s+)?(?:(?:Run|Command|Check|Verify|Execute)\s*:?\s+)?", re.IGNORECASE
)
_DOUBTFUL = lazy_regex(
    r"[0-9≥≤<>=]|\b(?:no|not|zero|nothing|none|empty|fails?|false|absent|without|only|exactly|returns?)\b|以上|を返す",
    re.IGNORECASE,
)
_FINE = lazy_regex(
    r"\W*(?:(?:must|should|which)\s+)?(?:passes|pass|succeeds?|success|exits?(?:\s+with)?(?:\s+code)?\s+0|compiles|matches|"
    r"(?:with\s+)?(?:no|without)\s+(?:type\s*script\s+|type\s+|syntax\s+|compile\s+)?errors?)\b.*",
    re.IGNORECASE | re.DOTALL,
)
# Said of a program that does more than look at text, these mean that it ends well, whatever "no" stands among them.
_ENDS_WELL = lazy_regex(
    r"\W*(?:to\s+)?(?:(?:verify|confirm|ensure|check|validate|make sure)\s+(?:that\s+)?)?"
    r"(?:(?:the|full|whole|project|build|compilation|code|it|everything|types?|all|existing|tests?|suite|with)\s+)*"
    r"(?:(?:must|should|will)\s+)?(?:still\s+)?(?:(?:be|builds?|compiles?|completes?|finish(?:es)?|runs?|succeeds?|"
    r"passes|pass|exits?|imports?|loads?|installs?|parses?)\s+)?(?:cleanly|clean|succeeds?|passes|pass|compiles?|"
    r"(?:with\s+)?(?:no|zero|without|0)\s+(?:any\s+|new\s+)?(?:type\s*script\s+|type\s+|syntax\s+|compil\w+\s+|"
    r"build\s+|lint\s+|ts\s+)?(?:errors?|issues|failures))\b(?!\s*(?:only|unless|except|but)\b).*",
    re.IGNORECASE | re.DOTALL,
)
_RETURNS = lazy_regex(
    r"\W*(?:should\s+|must\s+)?(?:returns?|outputs?|prints?|==)\s*+(>=|≥|at least|<=|≤|at most|)\s*([0-9]{1,9})"
    r"(?![\w.])(?!\s*(?:-|–|to|or)\b)(.*)",
    re.IGNORECASE,
)
# "prints 5 tools and the 5 names": the number is not all that is printed.
_MORE = lazy_regex(r"\band\b|[,;+\[\"']", re.IGNORECASE)
_ENTITIES = (("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'))


class Found(Struct):
    """Criteria of one task as they are collected."""

    task: str
    path: str
    commands: Commands
    criteria: list[Criterion]
    complaints: list[Complaint]

    def next_id(self) -> str:
        return criterion_id(self.task, len(self.criteria) + 1)


def task_criteria(task: str, fields: Fields, path: str, commands: Commands) -> Found:
    found = Found(task, path, commands, [], [])
    for name in ("verify", "verification"):
        if name in fields:
            _read_verify(fields[name], found)
    for name in ("acceptance_criteria", "acceptance", "acceptance criteria"):
        for line, text in items(fields.get(name, ())):
            _read_item(line, text, found)
    return found


def _read_verify(lines: Sequence[Line], found: Found) -> None:
    if "automated" in (tags := child_tags(lines)):
        command = _plain(join_text(tags["automated"]))
        if command and not command.startswith("MISSING"):
            found.criteria.append(runnable("", command, found.next_id(), lines[0].number, found.commands))
        return
    listed = list(items(lines))
    stated = [line.indent for line, text in listed if "verified by" in text.lower()]
    for line, text in listed:
        if is_trace(text) or (stated and line.indent <= min(stated) and not _names_script(text)):
            _read_item(line, text, found)
    for number, command, after in () if stated else _commands_in(lines):
        _take_command(number, command, after, found)


def _names_script(text: str) -> bool:
    """``Test: tests/task-02-01.sh``: a pointer to the script that is run anyway, no criterion of its own."""
    return "verified by" not in text.lower() and re.search(r"\btests/task-[\w.-]+\.sh\b", text) is not None


def _read_item(line: Line, text: str, found: Found) -> None:
    span = _SPAN.match(text)
    if "verified by" not in text.lower() and span and _is_command(span[2]):
        _take_command(line.number, span[2].strip(), text[span.end() :], found, text)
        return
    criterion, complaints = parse_criterion(text, found.next_id(), line.number, found.commands, found.path)
    found.criteria.append(criterion)
    found.complaints.extend(complaints)


def _take_command(line: int, command: str, after: str, found: Found, text: str = "") -> None:
    weighed, text = take_weight(after), take_weight(text).text
    expectation = _expected(weighed.text, only_looks(command))
    if expectation is None:
        criterion = Criterion(found.next_id(), text or f"`{command}`{weighed.text}", Form.PROSE, line=line)
        found.complaints.append(Complaint(found.path, line, unknown_expectation(weighed.text)))
    else:
        criterion = runnable(text, _plain(command), found.next_id(), line, found.commands, expectation)
    if weighed.flaw:
        found.complaints.append(Complaint(found.path, line, weighed.flaw))
    found.criteria.append(replace(criterion, weight=weighed.weight))


def _expected(after: str, looks: bool) -> Expectation | None:
    if known := parse_expectation(after):
        return known
    counted = _RETURNS.fullmatch(after.split("\n")[0])
    if counted and (looks or not _MORE.search(counted[3])):
        sign = counted[1].lower()
        want = Want.EQUALS if not sign else Want.AT_LEAST if sign in {">=", "≥", "at least"} else Want.AT_MOST
        return Expectation(want, int(counted[2]))
    # "no errors" after a grep may mean that it finds none, which is the opposite of ending well.
    fine = _FINE.fullmatch(after) and not (looks and re.match(r"\W*(?:with\s+)?(?:no|without)\b", after, re.IGNORECASE))
    if fine or (not looks and _ENDS_WELL.fullmatch(after)):
        return Expectation()
    return None if _DOUBTFUL.search(after) else Expectation()


def _commands_in(lines: Sequence[Line]) -> Iterator[tuple[int, str, str]]:
    """Commands of a plain-text verify block with the words after each: backticked ones, fenced ones, bare lines."""
    text, first = join_text(lines), next((line.number for line in lines if line.text.strip()), 0)
    spans = [span for span in _SPAN.finditer(text) if _is_command(span[2])]
    for span in spans:
        after = text[span.end() :].split("\n")[0].split("`")[0]
        yield first + text[: span.start()].count("\n"), span[2].strip(), _trimmed(after)
    if not spans:
        for line in lines:
            bare = _LEAD.sub("", line.text.strip())
            if _is_command(bare) and "`" not in bare and not _prose(bare):
                yield line.number, bare, ""


def _trimmed(after: str) -> str:
    """The words after a command without the marks that join them to it. No pattern: a run of spaces costs it dear."""
    core = after.lstrip(" \t\r:–—-").rstrip(" \t\r.")
    return f" {core}" if core else ""


def _is_command(text: str) -> bool:
    return _STARTS.match(text.strip()) is not None and not _SERVES.search(text.split("\n")[0])


def _prose(text: str) -> bool:
    """A bare line that continues as a sentence: "ls shows the file", "Test the page"."""
    return (
        re.search(
            r"\b(?:shows?|returns?|should|must|succeeds|passes|and|the|exits|to|in both)\b(?![-.=/\"'])|[—→]", text
        )
        is not None
    )


def _plain(command: str) -> str:
    """Shell as it is meant: some authors escape ``&&`` because the block looks like XML."""
    for entity, char in _ENTITIES:
        command = command.replace(entity, char)
    return command
