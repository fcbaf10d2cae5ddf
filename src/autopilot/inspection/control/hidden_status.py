"""What a command goes through, read before it is trusted: recipes and scripts that lose the status of their tests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.inspection.control.behind import ReadText, calls_tests, files_run, recipe_called, simple_commands
from autopilot.inspection.control.empty_run import is_always_zero
from autopilot.inspection.control.kinds import control_kind
from autopilot.inspection.control.recipes import reached, recipes
from autopilot.model.evidence.control import ControlKind
from autopilot.model.planning.plan import Task
from autopilot.text.shell import IN_BACKGROUND, cannot_fail, split_parts

# The last command of a pipe decides where no ``pipefail`` is set, and these always succeed.
_CONTENT = re.compile(r"(?:tee|cat|tail|head|sort|sed|tr|cut|less|more|column|uniq|nl|fold|xargs echo)\b")
_CHECKS = re.compile(r"(?:.*[-_])?(?:check|checks|verify|validate|tests?|assert|smoke|proof|ci)(?:[-_].*+)?(?:\.\w+)?")


def hidden_status(command: str, read: ReadText) -> str:
    """Where the failure of a test would be hidden, or ""."""
    for arguments, place in simple_commands(command):
        called = recipe_called(arguments, place)
        if called:
            paths, name = called
            path = next((path for path in paths if read(path) is not None), "")
            bodies = reached(recipes(path.rsplit("/", 1)[-1], read(path) or "") or {}, [name] if name else [])
            found = [(recipe, why) for recipe, body in bodies.items() for why in _lost_in(body.splitlines())]
            if found:
                return f"`{found[0][0]}` in {path} hides a failure: {found[0][1]}"
    for run in files_run(command):
        text = read(run.path) if run.shell or run.path.endswith((".sh", ".bash")) else None
        if text is not None and (why := _lost_in_script(text)):
            return f"{run.path} hides a failure: {why}"
    return ""


def own_evidence(task: Task, command: str, read: ReadText) -> str:
    """A script for checking that is not there yet and that the task itself is to write, or "".

    A test of a known tool is something else: its report is read, and it is tried against the code before the work.
    """
    listed = {name.strip("` ").removeprefix("./") for name in task.files}
    for run in files_run(command):
        is_check = control_kind(run.path) is ControlKind.SCRIPT or (
            run.shell and _CHECKS.fullmatch(run.path.rsplit("/", 1)[-1]) is not None
        )
        if is_check and run.path in listed and read(run.path) is None:
            return run.path
    return ""


def _lost_in_script(text: str) -> str:
    if not calls_tests(text):
        return ""
    reason = cannot_fail(re.sub(r"^[^\S\n]*#[^\n]*$", "", text, flags=re.MULTILINE))
    if reason:
        return reason
    pipes = "pipefail" not in text
    swallowed = (why for line in text.splitlines() if calls_tests(line) for why in _swallowed(line, pipes))
    return next(swallowed, "")


def _lost_in(lines: list[str]) -> Iterator[str]:
    for line in lines:
        plain = line.lstrip("@+- ")
        if not calls_tests(plain):
            continue
        if "-" in line[: len(line) - len(plain)]:
            yield f"`{line.strip()[:60]}` continues after an error"
        yield from _swallowed(plain, "pipefail" not in line)


def _swallowed(line: str, pipes: bool) -> Iterator[str]:
    """``&`` at the end of a line of a script is left alone: a script may wait for it further down."""
    why = cannot_fail(line) or is_always_zero(line)
    if why and why != IN_BACKGROUND:
        yield why
    parts = [part for part in split_parts(line) if part.text]
    if pipes and len(parts) > 1 and parts[-1].before in {"|", "|&"} and _CONTENT.match(parts[-1].text):
        yield f"the exit status of `| {parts[-1].text[:30]}` replaces that of the tests"
