"""A criterion in prose, read by a search: with the place that has its words, or not at all."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from autopilot.simulation.honest.plan import make_plan
from autopilot.simulation.honest.reading import read_promise
from autopilot.simulation.honest.review import with_readings

# covers: T8.accounts
Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    def run(*words: str) -> str:
        named = ["git", "-c", "user.name=u", "-c", "user.email=u@localhost", *words]
        done = subprocess.run(named, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    def commit(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
        run("add", "-A")
        run("commit", "--quiet", "-m", "more")

    run("init", "--quiet")
    commit("greeting.py", "print('hello')\n")
    commit(".planning/PLAN.md", "Searching ignores the case of letters\n")
    commit("shelf.py", "def add(book): ...\n\ndef search(words): return ignore_case(words)\n")
    return run


def promise(text: str) -> dict[str, str]:
    return {"name": "SC-1", "text": text}


def test_the_added_line_with_most_of_its_words_is_cited_and_called_a_search(git: Git) -> None:
    reading = read_promise(promise("Searching for words ignores case"), git)
    assert (reading["criterion"], reading["status"]) == ("Searching for words ignores case", "verified")
    assert reading["evidence"] == (
        "shelf.py:3 -- has 4 of its 4 words (case, ignor, search, word); found by a search, not understood"
    )


@pytest.mark.parametrize("text", ["The colours please the eye", "hello", "It works"])
def test_what_no_added_line_speaks_of_is_not_called_verified(git: Git, text: str) -> None:
    """Neither old code nor the plan's own words count."""
    reading = read_promise(promise(text), git)
    assert (reading["status"], ":" in reading["evidence"]) == ("unverifiable", False)


def test_where_nothing_was_changed_the_code_that_is_there_is_read(git: Git) -> None:
    git("commit", "--quiet", "--allow-empty", "-m", "nothing")
    assert read_promise(promise("Hello is printed"), git)["evidence"].startswith("greeting.py:1 -- ")


def test_what_a_check_or_a_trace_decided_is_not_read_again() -> None:
    decided = [{"criterion": "it runs", "status": "failed", "evidence": "a.py:1"}]
    assert with_readings(decided, [promise("it runs")]) == decided


def test_an_honest_plan_has_a_row_for_every_success_criterion_without_a_command() -> None:
    criterion = {"id": "phase.c1", "text": "It runs", "command": "make run", "form": "command"}
    asked = [
        {"name": "SC-1", "text": "It runs", "checks": ["phase.c1"], "person": ""},
        {"name": "SC-2", "text": "It is kind", "checks": [], "person": ""},
    ]
    phase = {"id": "1", "name": "Part", "folder": "phases/01", "requirements": []}
    plan = make_plan({"phase": phase, "criteria": [criterion], "promises": asked}).files["phases/01/PLAN.md"]
    assert "| SC-2 | reviewer: the roadmap gives no command for it, and a scripted planner invents none | |" in plan
    assert "SC-1" not in plan
