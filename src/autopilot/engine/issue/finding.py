"""Which issue is meant: by its number, its folder, a file with its text, or a title."""

from __future__ import annotations

import shlex

from msgspec import Struct

from autopilot.engine.history import History
from autopilot.engine.written_plans import read_text
from autopilot.model.errors import UsageError
from autopilot.model.issue.issue import ISSUE_FILE, PRD, IssueBrief, IssueRequest
from autopilot.planning.issue.folder import find_issue, folder_of, next_number, parse_issue, read_word, slug_of
from autopilot.ports.bundle import Ports

ISSUES = "docs/issues"


class Found(Struct, frozen=True):
    brief: IssueBrief
    word: str  # by which it is called again


def find_issue_brief(asked: IssueRequest, history: History, ports: Ports) -> Found:
    """What the record knows goes first: an issue keeps its folder and its text."""
    word = read_word(asked.word)
    number = word if isinstance(word, int) else _number_at(word, ports)
    if number is None and isinstance(word, str):
        number = _number_titled(word, history, ports)
    if number is not None:
        known = history.of_issue(number)
        if known is not None and known.issue is not None and not known.archived:
            return Found(known.issue.brief, str(number))
        folder = find_issue(ports.checkout.list(ISSUES), number)
        if folder is not None:
            return Found(_read(folder, number, ports), str(number))
        return Found(_from_forge(number, ports), str(number))
    assert isinstance(word, str), "a number was found or looked for above"
    return _new(word, history, ports)


def _number_at(word: str, ports: Ports) -> int | None:
    """The number of the folder that a path leads to or into."""
    path = word.removeprefix("./").rstrip("/")
    if path != ISSUES and not path.startswith(f"{ISSUES}/"):
        return None
    digits = path.removeprefix(f"{ISSUES}/").partition("/")[0].partition("-")[0]
    folder = "/".join(path.split("/")[:3])
    if digits.isdecimal() and not ports.checkout.list(folder):
        raise UsageError(f"the folder {folder} does not exist", f"name the issue by its number, or `ls {ISSUES}`")
    if not digits.isdecimal():
        raise UsageError(f"{word} is not the folder of an issue", f"name its number, or {ISSUES}/<number>-<slug>")
    return int(digits)


def _number_titled(title: str, history: History, ports: Ports) -> int | None:
    slug = slug_of(title)
    known = [run.issue.brief for run in history.runs.values() if run.issue and not run.archived]
    if same := next((brief for brief in known if slug_of(brief.title) == slug), None):
        return same.number
    folders = {path.split("/")[2] for path in ports.checkout.list(ISSUES) if path.count("/") > 2}
    found = next((name for name in sorted(folders) if name.partition("-")[2] == slug), "")
    return int(found.partition("-")[0]) if found.partition("-")[0].isdecimal() else None


def _read(folder: str, number: int, ports: Ports) -> IssueBrief:
    """From issue.md; without one the title of prd.md, or the folder's own name."""
    path = f"{folder}/{ISSUE_FILE}"
    text = read_text(ports.checkout, path)
    slug = folder.rsplit("/", 1)[-1].partition("-")[2]
    title, labels, _ = parse_issue(text or read_text(ports.checkout, f"{folder}/{PRD}") or slug.replace("-", " "))
    return IssueBrief(number, title, slug, folder, text, labels, path if text else folder)


def _from_forge(number: int, ports: Ports) -> IssueBrief:
    found = ports.forge.issue(number)
    if found is None:
        hint = f'write {folder_of(number, "title")}/{ISSUE_FILE}, or: autopilot issue "TITLE" --define'
        raise UsageError(f"there is no issue {number} in {ISSUES}", hint)
    slug = slug_of(found.title)
    return IssueBrief(number, found.title, slug, folder_of(number, slug), found.body, found.labels, "forge")


def _new(word: str, history: History, ports: Ports) -> Found:
    """A file with the issue's text, or a title alone: the next number is free."""
    is_path = word.endswith(".md") or ("/" in word and " " not in word)
    content = None if not is_path or word.startswith("/") else ports.checkout.read(word)
    if is_path and content is None:
        raise UsageError(
            f"the file {word} does not exist in this repository",
            "give a path relative to the root of the repository, or a title",
        )
    title, labels, _ = parse_issue(content.decode("utf-8", "replace")) if content else (word, (), "")
    used = [f"{run.issue.brief.folder}/x" for run in history.runs.values() if run.issue]
    number = next_number((*ports.checkout.list(ISSUES), *used))
    slug = slug_of(title)
    text = content.decode("utf-8", "replace") if content else ""
    brief = IssueBrief(number, title, slug, folder_of(number, slug), text, labels, word if content else "title")
    return Found(brief, shlex.quote(word))  # nothing knows its number before it has begun
