"""Criteria where they are defined, acceptance tests with what they cover, and their marks.

covers: ISSUE-FILES, AL-2, AL-3
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.issue.issue import AcceptanceTest
from autopilot.planning.issue.acceptance import find_criteria, lint_criteria, lint_tests, mark_tests, parse_tests


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("- AC-1: adds\n- AC-2: sorts\n", ("AC-1", "AC-2")),
        ("### AC1\n### AC 2: sorts\n## ac-03 - lists\n", ("AC-1", "AC-2", "AC-3")),
        (
            "- **AC-2**: sorts\n* __AC-1__ adds\n1. `AC-4` lists\n+ [AC-5] x\n- (AC-6) y\n",
            ("AC-2", "AC-1", "AC-4", "AC-5", "AC-6"),
        ),
        ("- [ ] AC-1: adds\n- [x] AC-2: sorts\n", ("AC-1", "AC-2")),
        ("**AC-1** adds\n\n**AC-2:** sorts\n**AC-3** — lists\nAC-4: counts\n", ("AC-1", "AC-2", "AC-3", "AC-4")),
        ("- AC-1.2: x\n- AC-A1: y\n- AC-US1-2: z\n- AC-F8-1: w\n", ("AC-1.2", "AC-A1", "AC-US1-2", "AC-F8-1")),
        ("| AC-1 | adds |\n| **AC-2** | sorts |\n| AT-1 | AC-9 |\n", ("AC-1", "AC-2")),
        ("| 1 | AC-1 | adds |\n| 2 | `AC-2` | sorts |\n| 3 | AC-3 | AT-1 |\n| 4 | as AC-4 |\n", ("AC-1", "AC-2")),
        ("> - AC-1: adds\n    - AC-2: nested\n", ("AC-1", "AC-2")),
        ("## AC-1 adds\r\n- AC-2: sorts\r\n- AC-1 again\r\n", ("AC-1", "AC-2")),
        ("- AC-1.The first\n- AC-10: ten\n", ("AC-1", "AC-10")),
    ],
)
def test_a_criterion_counts_where_it_is_defined(text: str, ids: tuple[str, ...]) -> None:
    assert find_criteria(text) == ids


@pytest.mark.parametrize(
    "text",
    [
        "As AC-1 says, it adds.",
        "- It adds (AC-1)",
        "- covers AC-1",
        "it is told by\nAC-1 and by\n**AC-2** as well",
        "```\n- AC-1: adds\n```",
        "<!-- - AC-1: adds -->\n<!--\n### AC-2\n-->",
        "- ~~AC-1: adds~~",
        "- AC-1-based: x\n- ACME1: y\n- MAC-1: z\n- AC: w\n- AC 230V supply",
        "## Acceptance criteria\n| AC | text |\n|---|---|",
    ],
)
def test_what_only_speaks_of_a_criterion_defines_none(text: str) -> None:
    assert find_criteria(text) == ()


@pytest.mark.parametrize("slip", ["```", "<!--", "~~~ text"])
def test_no_slip_takes_a_criterion_away(slip: str) -> None:
    assert find_criteria(f"- AC-1: adds\n{slip}\n- AC-2: sorts\n") == ("AC-1", "AC-2")


def test_an_id_for_two_criteria_is_complained_of() -> None:
    text = "## US-1\n- AC-1: adds\n## US-2\n- AC-1: sorts\n- AC-2: lists\n"
    assert [str(c) for c in lint_criteria(text, "us.md")] == [
        "us.md:4: AC-1 is defined a second time, with another text"
    ]
    assert not lint_criteria("| AC-1 | AT-1 |\n### AC-1 Adds\n- AC-2: x\n- **AC-2**: x\n", "us.md")
    assert not lint_criteria("| story 1 | AC-1 | adds |\n| story 2 | AC-1 | sorts |\n", "us.md")


ENTRIES = """# Acceptance tests
- [ ] [planned] AT-001: adds two numbers. Covers: AC-1, AC-02
  - Given AC-9 is named here
  - When 1 and 2 are added
  - Then it says 3

- [x] [green] AT-355-F8-1: sorts (AC-3)
      Given a list, as [AC-4, AC-5] says
  Test: tests/test_sort.py::test_sorts[1,2], tests/test_sort.py::TestSort
## AC-6: lists
### In order
* [ ] [draft] **AT-002**: lists
  Tests:
    - `tests/a.bats::lists, in order`
    - tests/b.py
  Then it lists
- [ ] [regression] AT-003: lists again (not AC-1), see AC-2
  **Covers:** [AC-7](prd.md#ac-7) and `AC-8`
## Others
- [ ] [odd] AT-004 — nothing
- [ ] AT-005: <!-- Covers: AC-1 --> nothing either
  ```
  Covers: AC-1
  ```
  <!-- Test: tests/x.py -->
- AT-006: by list
  Covers:
  - AC-1
  - AC-2 (in part)
  - AC-3 is not
  Not covered:
  - AC-4
"""


def test_entries_are_read_with_what_they_cover_and_the_tests_they_name() -> None:
    got = parse_tests(ENTRIES)
    assert [(t.id, t.state, t.done) for t in got] == [
        ("AT-001", "planned", False),
        ("AT-355-F8-1", "green", True),
        ("AT-002", "draft", False),
        ("AT-003", "regression", False),
        ("AT-004", "planned", False),
        ("AT-005", "planned", False),
        ("AT-006", "planned", False),
    ]
    assert [t.covers for t in got] == [
        ("AC-1", "AC-2"),
        ("AC-3", "AC-4", "AC-5"),
        ("AC-6",),
        ("AC-7", "AC-8"),
        (),
        (),
        ("AC-1", "AC-2"),
    ]
    assert [t.tests for t in got[:3]] == [
        (),
        ("tests/test_sort.py::test_sorts[1,2]", "tests/test_sort.py::TestSort"),
        ("tests/a.bats::lists, in order", "tests/b.py"),
    ]
    assert not any(t.tests for t in got[3:])
    assert got[1].text == "sorts (AC-3)" and got[1].line == 7


@pytest.mark.parametrize(
    ("line", "covers"),
    [
        ("adds. Covers: AC-1", ("AC-1",)),
        ("adds Covers: AC-1; AC-2 & AC-3", ("AC-1", "AC-2", "AC-3")),
        ("adds (covers AC-1, and AC-2)", ("AC-1", "AC-2")),
        ("adds — AC: AC-1", ("AC-1",)),
        ("adds [AC-1/AC-2]", ("AC-1", "AC-2")),
        ("Covers: AC-1 (but not AC-2)", ("AC-1",)),
        ("Covers: AC-1 to AC-3", ("AC-1",)),
        ("Covers: nothing of AC-1", ()),
        ("never covers AC-1", ()),
        ("does not cover: AC-1", ()),
        ("adds (see AC-1)", ()),
        ("adds as AC-1 says", ()),
        ("adds (AC-1 is out of scope)", ()),
        ("adds (AC)", ()),
    ],
)
def test_only_a_plain_claim_covers(line: str, covers: tuple[str, ...]) -> None:
    assert parse_tests(f"- [ ] [planned] AT-001: {line}\n")[0].covers == covers
    assert parse_tests(f"- [ ] [planned] AT-001: x\n  - {line}\n")[0].covers == covers


def test_what_belongs_to_no_entry_covers_nothing() -> None:
    text = "- [ ] [planned] AT-001: adds\n\nCovers: AC-1\n- Covers: AC-2\n  Test: tests/a.py\n"
    assert parse_tests(text) == (AcceptanceTest("AT-001", "planned", "adds", line=1),)
    assert parse_tests("- [ ] [planned] AT-001: adds\nCovers: AC-1\n")[0].covers == ("AC-1",)


@pytest.mark.parametrize("hidden", ["<!--\n{}\n-->", "```\n{}\n```", "```\n{}", "<!--\n{}"])
def test_a_hidden_entry_is_none(hidden: str) -> None:
    assert parse_tests(hidden.format("- [ ] [planned] AT-001: adds (AC-1)")) == ()


def test_complaints_name_the_line() -> None:
    text = "- [ ] [wip] AT-001: a\n- [ ] [planned] AT-001: b\n### AT-002: c\n### AT-001 again\n"
    assert [str(c) for c in lint_tests(text, "at.md")] == [
        "at.md:1: [wip] of AT-001 is not one of planned, draft, green, regression",
        "at.md:2: AT-001 appears twice",
        "at.md:3: AT-002 is a heading; an entry is written `- [ ] [planned] AT-002: …`",
    ]
    assert not lint_tests(ENTRIES.replace("[odd]", "[draft]"), "at.md")


@pytest.mark.parametrize(
    ("before", "state", "after"),
    [
        ("- [ ] [planned] AT-001: a  \r", "green", "- [x] [green] AT-001: a  \r"),
        ("  * [X] [Green] **AT-001** a", "regression", "  * [X] [regression] **AT-001** a"),
        ("- [x] [green] AT-001: a", "draft", "- [ ] [draft] AT-001: a"),
        ("- [ ] AT-001: [planned]", "green", "- [x] [green] AT-001: [planned]"),
        ("- [wip] `AT-001` a", "green", "- [green] `AT-001` a"),
        ("- [ ] [planned] AT-0011: a", "green", "- [ ] [planned] AT-0011: a"),
        ("- [ ] [planned] AT-001: a", "finished", "- [ ] [planned] AT-001: a"),
        ("<!-- - [ ] [planned] AT-001: a -->", "green", "<!-- - [ ] [planned] AT-001: a -->"),
        ("- [ ] <!-- x --> [planned] AT-001: a", "green", "- [x] <!-- x --> [green] AT-001: a"),
    ],
)
def test_a_mark_moves_and_nothing_else_does(before: str, state: str, after: str) -> None:
    around = "intro\r\n{}\n\ttail AT-001 [planned]"
    assert mark_tests(around.format(before), {"AT-001": state}) == around.format(after)


PIECES = st.sampled_from(
    [
        "- [ ] [planned] AT-001: a",
        "- [x] [green] AT-2: b",
        "\n",
        "\r\n",
        "  Covers: AC-1",
        "```",
        "<!--",
        "-->",
        "## AC-1",
        " ",
    ]
)


@given(st.lists(PIECES).map("".join), st.sampled_from(["planned", "draft", "green", "regression"]))
def test_marking_changes_the_states_alone_and_twice_is_once(text: str, state: str) -> None:
    before = parse_tests(text)
    marked = mark_tests(text, {test.id: state for test in before})
    after = parse_tests(marked)
    assert [(t.id, t.covers, t.tests, t.text, t.line) for t in after] == [
        (t.id, t.covers, t.tests, t.text, t.line) for t in before
    ]
    assert all(test.state == state for test in after)
    assert mark_tests(marked, {test.id: state for test in before}) == marked
    assert mark_tests(text, {}) == text


MANY = 30_000


@pytest.mark.parametrize(
    "text",
    [
        "```\n" * MANY,
        "``` a\n" * MANY,
        "<!--" * MANY,
        "`" * MANY,
        "- AC-1" * MANY,
        "- [ ] [planned] AT-001: a\n" * 3_000,
        "(AC-1" * MANY,
        "Covers: " * MANY,
        "- [ ] [planned] AT-001: " + "AC-1, " * MANY,
        " " * MANY + "x",
        "> " * MANY,
        "- " * MANY,
        "AT-1-" * MANY,
    ],
)
def test_long_odd_text_is_read_to_the_end(text: str) -> None:
    """No clock is asked: a reader that backtracks over these would not come back within the life of the test run."""
    assert isinstance(find_criteria(text), tuple)
    assert isinstance(parse_tests(f"- [ ] [planned] AT-001: x\n{text}"), tuple)
