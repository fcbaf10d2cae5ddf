"""Documents of an issue made from its own words: requirements, stories, a plan, and a test for each criterion."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

from autopilot.simulation.honest.plan import NAMED_FILE, one_line

STORIES, PLAN_AND_TESTS = "extracting-user-stories", "writing-plan-and-tests"
QUESTION = "By what does one see that this is done? The issue lists nothing that passes or fails."
SAID = "## Said when it was sent back"
NO_IDEAS = "this agent does what its script says and has no ideas of its own"

ITEM = re.compile(
    r"^[ \t]*(?:(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#+[ \t]+(?=AC[-_ ]?\d))(\S.*)$", re.MULTILINE
)
OUTCOME = re.compile(r"^## Outcome[ \t]*$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
CRITERION = re.compile(r"^### (AC[-_ ]?\d[\w.-]*)[ \t]*[:–—-]?[ \t]*(.*)$", re.MULTILINE)
OWN_ID = re.compile(r"^[*_`]*(AC[-_ ]?\d[\w.-]*?)[*_`]*(?:[ \t]*[:.–—-][ \t]*|[ \t]+|$)(.*)$")
SAYS = "- the user said: "

Facts = dict[str, Any]
Read = Callable[[str], str]  # the text of a file of the clone, "" where there is none


class Drafted(NamedTuple):
    files: dict[str, str]  # path -> text
    decisions: list[dict[str, Any]]
    open: list[str]  # questions of an analyst, concerns of a designer


def draft_requirements(facts: Facts, findings: list[Facts], read: Read) -> Drafted:
    """What the issue says, word by word. What it lists is the outcome; where it lists nothing, that is asked."""
    issue = facts.get("issue") or {}
    if not issue.get("folder"):
        return Drafted({}, [], ["There is no issue to write about."])
    path = f"{issue['folder']}/prd.md"
    text = issue.get("text", "").strip() or issue.get("title", "")
    said = [*_said_before(read(path)), *(one_line(each["evidence_ref"]) for each in findings)]
    answers = [answer for each in said if (answer := each.removeprefix(QUESTION).lstrip(": ")) != each]
    outcome = [one_line(item) for item in ITEM.findall(text)] + answers
    lines = [
        f"# Requirements: {issue['title']} (#{issue['number']})",
        *("", "## Problem", "", *(f"> {line}".rstrip() for line in text.splitlines())),
        *(
            "",
            "## Outcome",
            "",
            *(f"- {item}" for item in outcome or [f"{issue['title']} (assumed: it lists no more)"]),
        ),
        *("", "## Scope", "", "In scope: what is listed under Outcome. Out of scope: everything else."),
        *_said_lines(said),
    ]
    decided = {"file": path, "line": lines.index("## Outcome") + 1, "text": "the outcome is what the issue lists"}
    return Drafted({path: "\n".join([*lines, ""])}, [decided], [] if outcome else [QUESTION])


def draft_design(facts: Facts, findings: list[Facts], read: Read) -> Drafted:
    issue, step = facts.get("issue") or {}, facts.get("step", "")
    if not issue.get("folder") or step not in (STORIES, PLAN_AND_TESTS):
        return Drafted({}, [], [f"nothing was done: {NO_IDEAS}"])
    folder, said = issue["folder"], [one_line(each["evidence_ref"]) for each in findings]
    if step == STORIES:
        path = f"{folder}/user-stories.md"
        return _drafted({path: _stories(issue, read(f"{folder}/prd.md"), [*_said_before(read(path)), *said])})
    criteria = CRITERION.findall(read(f"{folder}/user-stories.md"))
    named = NAMED_FILE.findall(read(f"{folder}/prd.md"))
    plan, tests = f"{folder}/plan.md", f"{folder}/acceptance-tests.md"
    command = facts.get("at_command", "")
    return _drafted(
        {
            plan: _plan(issue, criteria, list(dict.fromkeys(named)), command, [*_said_before(read(plan)), *said]),
            tests: _tests(issue, criteria, [*_said_before(read(tests)), *said]),
        }
    )


def _drafted(files: dict[str, str]) -> Drafted:
    return Drafted(
        files, [], ["every criterion was taken over word by word; how it is to be reached was not thought about"]
    )


def _stories(issue: Facts, prd: str, said: list[str]) -> str:
    outcome = OUTCOME.search(prd)
    items = [one_line(item) for item in ITEM.findall(outcome[1])] if outcome else []
    lines = [
        f"# User stories: {issue['title']} (#{issue['number']})",
        *("", f"## US-1: {issue['title']}", ""),
        "As a user of this project I want what its requirements list, so that each of it holds.",
    ]
    for id, words in _with_ids(items or [issue["title"]]):
        lines += ["", f"### {id}: {words}", "", *_given(words)]
    return "\n".join([*lines, *_said_lines(said), ""])


def _with_ids(items: list[str]) -> list[tuple[str, str]]:
    """Each under the id it brings along, the others under numbers that none of those has."""
    own = [OWN_ID.match(item) for item in items]
    taken = {re.sub(r"\D", "", found[1]) for found in own if found}
    free = (f"AC-{number}" for number in count(1) if str(number) not in taken)
    return [(found[1], found[2]) if found else (next(free), item) for found, item in zip(own, items, strict=True)]


def _plan(issue: Facts, criteria: list[tuple[str, str]], named: list[str], command: str, said: list[str]) -> str:
    steps = ["Write the acceptance tests and see them fail.", *(f"Make {id} hold: {words}" for id, words in criteria)]
    lines = [
        f"# Plan: {issue['title']} (#{issue['number']})",
        *("", "## Steps", "", *(f"{number}. {step}" for number, step in enumerate(steps, 1))),
        *("", "## Files", "", *([f"- `{path}`" for path in named] or ["None is named in the requirements."])),
        *(
            "",
            "## Tests",
            "",
            f"Executable tests, run by `{command}`." if command else "No command for tests is known.",
        ),
    ]
    return "\n".join([*lines, *_said_lines(said), ""])


def _tests(issue: Facts, criteria: list[tuple[str, str]], said: list[str]) -> str:
    lines = [f"# Acceptance tests: {issue['title']} (#{issue['number']})"]
    for number, (id, words) in enumerate(criteria, 1):
        body = [*_given(words), f"Covers: {id}"]
        lines += ["", f"- [ ] [planned] AT-{number:03}: {words}", *(f"  {line}" for line in body)]
    return "\n".join([*lines, *_said_lines(said), ""])


def _given(words: str) -> list[str]:
    return ["Given the project after this change", "When it is used as its requirements say", f"Then {words}"]


def _said_before(text: str) -> list[str]:
    _, _, below = text.partition(SAID)
    return [line.removeprefix(SAYS) for line in below.splitlines() if line.startswith(SAYS)]


def _said_lines(said: list[str]) -> list[str]:
    """Behind words of ours on each line, so that nothing in it reads like a criterion or a test."""
    return ["", SAID, "", *(f"{SAYS}{words}" for words in said)] if said else []
