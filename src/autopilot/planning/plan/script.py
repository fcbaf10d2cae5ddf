"""A task's test script, read without being run: which criteria it asserts, and whether it could ever fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.model.planning.criterion import Criterion, Form
from autopilot.model.planning.plan import Task
from autopilot.text.shell import cannot_fail

_COMMENT = re.compile(r"^[ \t]*#[^\n]*$", re.MULTILINE)
_PASS = re.compile(r"(?<![\w$])PASS(?![\w=]|\+\+)")
_FAIL = re.compile(r"(?<![\w${])FAIL(?![\w=]|\+\+)")


class Flaw(Struct, frozen=True):
    line: int
    text: str
    grave: bool = True


def script_path(task: Task) -> str:
    """Where the script of a task stands: beside its plan, or beside the folder ``plans`` the plan is in."""
    folder = PurePosixPath(task.path).parent
    return str((folder.parent if folder.name == "plans" else folder) / "tests" / f"task-{task.id}.sh")


def unasserted(script: str, criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """Criteria whose text the script never prints. A trace is for a reader; no script can assert it.

    Only letters and digits are compared: a shell writes an apostrophe in more ways than one.
    """
    asserted = _fold_text(_COMMENT.sub("", script))
    asked = [criterion for criterion in criteria if criterion.form is not Form.TRACE]
    return tuple(criterion for criterion in asked if not any(wording in asserted for wording in _wordings(criterion)))


def script_flaws(script: str) -> Iterator[Flaw]:
    """Why the output of this script proves nothing, whatever the work is like."""
    code = _COMMENT.sub("", script)
    never_red = cannot_fail(code)
    last = len(script.rstrip().split("\n"))
    if not _PASS.search(code):
        yield Flaw(1, "prints no `PASS:` line, so it can never pass")
    elif never_red and not _FAIL.search(code):
        yield Flaw(last, f"cannot fail: it prints no `FAIL:` line, and {never_red}")
    elif never_red:
        yield Flaw(last, f"exits with 0 after a `FAIL:` line too: {never_red}")
    elif not _FAIL.search(code):
        yield Flaw(1, "prints no `FAIL:` line: which criterion failed cannot be determined", grave=False)


def _wordings(criterion: Criterion) -> Iterator[str]:
    yield _fold_text(criterion.text)
    if criterion.text == f"`{criterion.command}` succeeds":  # words of ours: the plan gave only a command
        yield _fold_text(criterion.command)


def _fold_text(text: str) -> str:
    return " ".join(["", *re.findall(r"[^\W_]+", text.casefold()), ""])
