"""Rows of the traceability table that answer for success criteria, and must-haves of a front matter. PLAN-03"""

from __future__ import annotations

import pytest

from autopilot.model.planning.criterion import Form
from autopilot.model.planning.promise import Answer, promises
from autopilot.model.policy import Commands
from autopilot.planning.plan.answers import is_kept, resolve_answers
from autopilot.planning.plan.must_haves import parse_must_haves
from autopilot.planning.plan.plan import parse_plan
from autopilot.planning.plan.traceability import requirement_findings
from tests.unit.making import ONE, make_criterion

# covers: T8.accounts
PATH = ".planning/phases/01-part/PLAN.md"
ASKED = promises([make_criterion("phase.c1", "All tests still pass", form=Form.PROSE, command="")])
TASKS = """
<task id="01-01" type="auto" complexity="simple">
### Task 01-01: the store
**Verify:**
- It stores -- verified by: `make store`
- It loads -- verified by: `make load`
</task>
<task id="01-02" type="auto" complexity="simple">
### Task 01-02: the list
**Verify:**
- It lists -- verified by: `make list`
</task>
"""


def answers(*rows: str) -> list[Answer]:
    table = "\n".join(["## Traceability", "", "| Requirement | Task(s) |", "|---|---|", *rows, ""])
    plan = parse_plan(f"# Plan\n\n{table}{TASKS}", PATH, ONE, Commands())
    return list(resolve_answers((plan,), plan.tasks, ASKED, ("REQ-1",)))


@pytest.mark.parametrize(
    ("cell", "by"),
    [
        ("01-01", ("01-01.c1", "01-01.c2")),
        ("01-01.c2", ("01-01.c2",)),
        ("`01-01.C2`", ("01-01.c2",)),
        ("01-01.c1, 01-02", ("01-01.c1", "01-02.c1")),
        ("Task 2", ("01-02.c1",)),
        ("all tasks", ("01-01.c1", "01-01.c2", "01-02.c1")),
        ("All", ("01-01.c1", "01-01.c2", "01-02.c1")),
        ("2", ("01-02.c1",)),
        ("**01-02** and 1-1", ("01-02.c1", "01-01.c1", "01-01.c2")),
        ("01-02: the list, tried on 1 device", ("01-02.c1",)),
        ("the list (01-02.c1) on 1 device", ("01-02.c1",)),
        ("nothing of this plan", ()),
        ("All screens are looked at by hand", ()),
        ("Every task is looked at by hand", ()),
        ("manual check on 1 device, not automated", ()),
        ("on 1-2 devices, by hand", ()),
        ("TBD: 1", ()),
        ("-", ()),
    ],
)
def test_a_row_names_tasks_or_single_criteria(cell: str, by: tuple[str, ...]) -> None:
    (answer,) = answers(f"| SC-1 | {cell} |")
    assert (answer.name, answer.by, answer.reviewer, answer.person) == ("SC-1", by, "", "")


def test_what_a_row_names_and_the_plan_does_not_have_is_said() -> None:
    (answer,) = answers("| SC-1 | 09-09, 01-02.c7 |")
    assert (answer.by, answer.unknown) == ((), ("01-02.c7", "09-09"))


@pytest.mark.parametrize(
    ("cell", "unknown"), [("TBD: 1", ("'TBD: 1'",)), ("-", ()), ("", ()), ("x" * 99, (f"'{'x' * 60}'",))]
)
def test_a_row_of_words_is_quoted_as_something_that_the_plan_does_not_have(cell: str, unknown: tuple[str, ...]) -> None:
    (answer,) = answers(f"| SC-1 | {cell} |")
    assert (answer.by, answer.unknown) == ((), unknown)


@pytest.mark.parametrize(
    ("cell", "reviewer", "person"),
    [
        ("reviewer: tone is read", "tone is read", ""),
        ("Reviewers - tone is read", "tone is read", ""),
        ("person: by eye", "", "by eye"),
        ("human: by eye", "", "by eye"),
        ("reviewer:", "-", ""),
        ("person", "", "-"),
    ],
)
def test_a_row_leaves_it_to_a_reviewer_or_a_person_with_a_reason(cell: str, reviewer: str, person: str) -> None:
    (answer,) = answers(f"| SC-3 | {cell} | the tone |")
    assert (answer.by, answer.reviewer, answer.person) == ((), reviewer, person)


def test_one_row_may_answer_for_several_and_other_rows_for_none() -> None:
    found = answers(
        "| SC-1, SC-02 | 01-02 |", "| REQ-1 | 01-01 |", "| REQ-2 | 01-01 |", "| SC-10x | 01-01 |", "| SC-4 |"
    )
    assert [(answer.name, answer.by) for answer in found] == [
        ("SC-1", ("01-02.c1",)),
        ("SC-2", ("01-02.c1",)),
        ("REQ-1", ("01-01.c1", "01-01.c2")),
    ]


def test_rows_for_criteria_do_not_disturb_how_requirements_are_traced() -> None:
    text = f"## Traceability\n\n| Requirement | Task |\n|---|---|\n| SC-1 | 01-01 |\n| REQ-1 | 01-02 |\n{TASKS}"
    plan = parse_plan(text, PATH, ONE, Commands())
    assert plan.traceability_line == 1
    assert list(requirement_findings((plan,), ("REQ-1",), True)) == []
    (missing,) = requirement_findings((plan,), ("REQ-1", "REQ-2"), True)
    assert missing.text == "requirement REQ-2 has no task"


MUST_HAVES = """---
phase: 01
must_haves:
  truths:
    - "Asked for an hour: a height is told"
    - It is fast
  artifacts:
    - path: "tide.sh"
      provides: "the height"
      min_lines: 2
      exports: ["at"]
    - path: tides.txt
  key_links:
    - from: "tide.sh"
      to: "tides.txt"
      via: "awk"
    - from: "warn.sh"
      to: "tide.sh"
      pattern: "tide\\\\.sh"
requirements: [A-1]
---
- no truth
"""


def test_truths_artifacts_and_links_become_sentences() -> None:
    assert parse_must_haves(MUST_HAVES) == (
        "Asked for an hour: a height is told",
        "It is fast",
        "tide.sh: the height",
        "tides.txt is there",
        "tide.sh is linked to tides.txt (awk)",
        "warn.sh is linked to tide.sh",
    )


@pytest.mark.parametrize(
    "text",
    ["", "no front matter", "---\nmust_haves:\n  truths:\n    - never closed\n", "---\nmust_haves: none\n---\n- x\n"],
)
def test_a_file_without_must_haves_has_none(text: str) -> None:
    assert parse_must_haves(text) == ()


def test_a_row_for_what_must_merely_stay_is_known_as_that() -> None:
    found = answers("| SC-1 | 01-01 |", "| SC-2 | 01-01 |")
    assert [(answer.name, answer.kept) for answer in found] == [("SC-1", True), ("SC-2", False)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("All existing tests still pass", True),
        ("All tests pass.", True),
        ("Existing unit tests stay green", True),
        ("The test suite is green", True),
        ("The project still compiles", True),
        ("Lint passes with no new errors", True),
        ("Type checking passes", True),
        ("The build succeeds, and lint is clean", True),
        ("No regressions in the login flow", True),
        ("Existing API routes still work", True),
        ("A user who closes the tab is still logged in when they return", False),
        ("The plugin type checks its input", False),
        ("The template compiles to HTML", False),
        ("It compiles and greets the reader", False),
        ("No regressions in search, and export writes CSV", False),
        ("There is a report that finds no regression", False),
        ("All tests pass on the new device farm", False),
        ("", False),
    ],
)
def test_only_a_whole_sentence_about_what_was_there_is_kept(text: str, kept: bool) -> None:
    (promise,) = promises([make_criterion("phase.c1", text, form=Form.PROSE, command="")])
    assert is_kept(promise) is kept


def test_a_plan_whose_front_matter_lists_a_requirement_answers_for_it_with_its_tasks() -> None:
    plan = parse_plan(f"---\nrequirements: [REQ-1]\n---\n{TASKS}", PATH, ONE, Commands())
    (answer,) = resolve_answers((plan,), plan.tasks, ASKED, ("REQ-1", "REQ-2"))
    assert (answer.name, answer.by) == ("REQ-1", ("01-01.c1", "01-01.c2", "01-02.c1"))
