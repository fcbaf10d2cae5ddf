"""Drafts the documents of an issue from its text: requirements, stories, a plan, and a test for each criterion."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

from autopilot.simulation.honest.plain import Any, Record
from autopilot.simulation.honest.plan import NAMED_FILE, one_line

STORIES, PLAN_AND_TESTS = "extracting-user-stories", "writing-plan-and-tests"
QUESTION = "By what does one see that this is done? The issue lists nothing that passes or fails."
FEEDBACK_HEADING = "## Said when it was sent back"
NO_IDEAS = "this agent does what its script says and has no ideas of its own"

ITEM = re.compile(
    r"^[ \t]*(?:(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#+[ \t]+(?=AC[-_ ]?\d))(\S.*)$", re.MULTILINE
)
OUTCOME = re.compile(r"^## Outcome[ \t]*$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
CRITERION = re.compile(r"^### (AC[-_ ]?\d[\w.-]*)[ \t]*[:–—-]?[ \t]*(.*)$", re.MULTILINE)
OWN_ID = re.compile(r"^[*_`]*(AC[-_ ]?\d[\w.-]*?)[*_`]*(?:[ \t]*[:.–—-][ \t]*|[ \t]+|$)(.*)$")
FEEDBACK_PREFIX = "- the user said: "

Facts = dict[str, Any]
Read = Callable[[str], str]  # the text of a file in the clone, "" if there is none


class Draft(Record):
    files: dict[str, str]  # path -> text
    decisions: list[dict[str, Any]]
    open: list[str]  # questions of an analyst, concerns of a designer


def draft_requirements(facts: Facts, findings: list[Facts], read: Read) -> Draft:
    """The text of the issue word by word. Its list items are the outcome; without any, the draft asks for them."""
    issue = facts.get("issue") or {}
    if not issue.get("folder"):
        return Draft({}, [], ["There is no issue to write about."])
    path = f"{issue['folder']}/prd.md"
    text = issue.get("text", "").strip() or issue.get("title", "")
    feedback = [*_earlier_feedback(read(path)), *(one_line(entry["evidence_ref"]) for entry in findings)]
    answers = [answer for entry in feedback if (answer := entry.removeprefix(QUESTION).lstrip(": ")) != entry]
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
        *_feedback_lines(feedback),
    ]
    decided = {"file": path, "line": lines.index("## Outcome") + 1, "text": "the outcome is what the issue lists"}
    return Draft({path: "\n".join([*lines, ""])}, [decided], [] if outcome else [QUESTION])


def draft_design(facts: Facts, findings: list[Facts], read: Read) -> Draft:
    issue, step = facts.get("issue") or {}, facts.get("step", "")
    if not issue.get("folder") or step not in (STORIES, PLAN_AND_TESTS):
        return Draft({}, [], [f"nothing was done: {NO_IDEAS}"])
    folder, feedback = issue["folder"], [one_line(finding["evidence_ref"]) for finding in findings]
    if step == STORIES:
        path = f"{folder}/user-stories.md"
        return _make_draft(
            {path: _stories(issue, read(f"{folder}/prd.md"), [*_earlier_feedback(read(path)), *feedback])}
        )
    criteria = CRITERION.findall(read(f"{folder}/user-stories.md"))
    named = NAMED_FILE.findall(read(f"{folder}/prd.md"))
    plan, tests = f"{folder}/plan.md", f"{folder}/acceptance-tests.md"
    command = facts.get("at_command", "")
    return _make_draft(
        {
            plan: _plan(
                issue, criteria, list(dict.fromkeys(named)), command, [*_earlier_feedback(read(plan)), *feedback]
            ),
            tests: _tests(issue, criteria, [*_earlier_feedback(read(tests)), *feedback]),
        }
    )


def _make_draft(files: dict[str, str]) -> Draft:
    return Draft(
        files, [], ["every criterion was taken over word by word; how it is to be reached was not thought about"]
    )


def _stories(issue: Facts, prd: str, feedback: list[str]) -> str:
    outcome = OUTCOME.search(prd)
    items = [one_line(item) for item in ITEM.findall(outcome[1])] if outcome else []
    lines = [
        f"# User stories: {issue['title']} (#{issue['number']})",
        *("", f"## US-1: {issue['title']}", ""),
        "As a user of this project I want what its requirements list, so that each of it holds.",
    ]
    for id, text in _with_ids(items or [issue["title"]]):
        lines += ["", f"### {id}: {text}", "", *_scenario_lines(text)]
    return "\n".join([*lines, *_feedback_lines(feedback), ""])


def _with_ids(items: list[str]) -> list[tuple[str, str]]:
    """Each item with its own id, the others with unused numbers."""
    matches = [OWN_ID.match(item) for item in items]
    used = {re.sub(r"\D", "", match[1]) for match in matches if match}
    free = (f"AC-{number}" for number in count(1) if str(number) not in used)
    return [(match[1], match[2]) if match else (next(free), item) for match, item in zip(matches, items, strict=True)]


def _plan(issue: Facts, criteria: list[tuple[str, str]], files: list[str], command: str, feedback: list[str]) -> str:
    steps = ["Write the acceptance tests and see them fail.", *(f"Make {id} hold: {text}" for id, text in criteria)]
    lines = [
        f"# Plan: {issue['title']} (#{issue['number']})",
        *("", "## Steps", "", *(f"{number}. {step}" for number, step in enumerate(steps, 1))),
        *("", "## Files", "", *([f"- `{path}`" for path in files] or ["None is named in the requirements."])),
        *(
            "",
            "## Tests",
            "",
            f"Executable tests, run by `{command}`." if command else "No command for tests is known.",
        ),
    ]
    return "\n".join([*lines, *_feedback_lines(feedback), ""])


def _tests(issue: Facts, criteria: list[tuple[str, str]], feedback: list[str]) -> str:
    lines = [f"# Acceptance tests: {issue['title']} (#{issue['number']})"]
    for number, (id, text) in enumerate(criteria, 1):
        body = [*_scenario_lines(text), f"Covers: {id}"]
        lines += ["", f"- [ ] [planned] AT-{number:03}: {text}", *(f"  {line}" for line in body)]
    return "\n".join([*lines, *_feedback_lines(feedback), ""])


def _scenario_lines(criterion: str) -> list[str]:
    return ["Given the project after this change", "When it is used as its requirements say", f"Then {criterion}"]


def _earlier_feedback(text: str) -> list[str]:
    _, _, below = text.partition(FEEDBACK_HEADING)
    return [line.removeprefix(FEEDBACK_PREFIX) for line in below.splitlines() if line.startswith(FEEDBACK_PREFIX)]


def _feedback_lines(feedback: list[str]) -> list[str]:
    """Each line has a prefix, so that none can be parsed as a criterion or a test."""
    return ["", FEEDBACK_HEADING, "", *(f"{FEEDBACK_PREFIX}{line}" for line in feedback)] if feedback else []
