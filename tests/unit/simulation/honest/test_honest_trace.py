"""Trace criteria by plain search: verified only with file:line of both names, unverifiable otherwise (BEH)."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from autopilot.simulation.honest.trace import search

# covers: BEH

CODE = """\
export function handleClick(event) {
  open(event.url)
}
function open(url) {
  shell.openExternal(url)
}
"""

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    def run(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    run("init", "--quiet")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "EventBlock.tsx").write_text(CODE)
    (tmp_path / "src" / "aaa.tsx").write_text("// shell.openExternal is called in EventBlock\nlogOut()\n")
    (tmp_path / ".planning").mkdir()
    (tmp_path / ".planning" / "PLAN.md").write_text("trace to store.set call, read EventBlock.tsx:onDrag\n")
    run("add", "-A")
    return run


def criterion(command: str) -> dict[str, str]:
    return {"id": "c1", "text": "A click opens the page", "command": command, "form": "trace"}


@pytest.mark.parametrize(
    "command",
    [
        "read EventBlock.tsx:handleClick and trace to shell.openExternal call",
        "read src/EventBlock.tsx:handleClick and trace it to `shell.openExternal`",
        "Read EventBlock.tsx:EventBlock.handleClick, then trace the calls through shell.openExternal.",
        "trace EventBlock.tsx:handleClick -> shell.openExternal",
        "by reading `EventBlock.tsx:handleClick` and following it into the shell.openExternal call",
    ],
)
def test_both_names_are_found_with_file_and_line_near_each_other(git: Git, command: str) -> None:
    found = search(criterion(command), git)
    trace = found.trace()
    assert trace["status"] == "verified"
    assert trace["trigger"] == "src/EventBlock.tsx:1 -- handleClick"
    assert trace["terminal_action"] == "src/EventBlock.tsx:5 -- shell.openExternal"
    assert trace["calls"] == ["both names were found by a search; the calls between them were not followed"]


def test_an_action_in_another_file_counts_when_the_handlers_own_file_has_none(git: Git) -> None:
    trace = search(criterion("read EventBlock.tsx:handleClick and trace to logOut"), git).trace()
    assert (trace["status"], trace["terminal_action"]) == ("verified", "src/aaa.tsx:2 -- logOut")


@pytest.mark.parametrize(
    ("command", "ran"),
    [
        ("read Missing.tsx:handleClick and trace to shell.openExternal", 1),
        ("read EventBlock.tsx:onDrag and trace to shell.openExternal", 2),
        ("read EventBlock.tsx:handle and trace to shell.openExternal", 2),
        ("read EventBlock.tsx:handleClick and trace to store.set", 3),
        ("read EventBlock.tsx and trace to the end", 0),
        ("", 0),
    ],
    ids=["no file", "no handler", "part of a name", "only in the plan", "no handler named", "nothing asked"],
)
def test_what_a_search_does_not_find_is_unverifiable_and_shows_what_was_tried(git: Git, command: str, ran: int) -> None:
    found = search(criterion(command), git)
    assert found.trace()["status"] == "unverifiable"
    assert "not found" in found.trace()["terminal_action"]
    assert len(found.ran) == ran
