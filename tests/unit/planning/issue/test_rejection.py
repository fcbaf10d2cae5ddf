"""A person's answer at the design gate: ok and nothing else, or one finding for every point. covers: AL-1"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.planning.issue.rejection import NO_COMMENT, is_ok, split_rejection


@pytest.mark.parametrize("text", ["ok", "OK", "Ok", "ok.", " ok\n"])
def test_the_plain_word_is_an_ok(text: str) -> None:
    assert is_ok(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "okay",
        "ok!",
        "ok but the plan is thin",
        "not ok",
        "ok ok",
        "stories ok",
        "A is ok / B needs work",
        "yes",
        "o\u212a",
    ],
)
def test_whatever_says_more_or_less_is_none(text: str) -> None:
    assert not is_ok(text)


def points(text: str, about: str = "") -> list[tuple[str, str]]:
    return [(finding.evidence_ref, finding.about) for finding in split_rejection(text, about)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("step 3 is too big", [("step 3 is too big", "plan")]),
        ("One thing.\n\nAnother thing.", [("One thing.", ""), ("Another thing.", "")]),
        (
            "stories: US-2 lacks the error case\nplan: no step for the tests\ntests: AT-1 tests nothing",
            [
                ("stories: US-2 lacks the error case", "stories"),
                ("plan: no step for the tests", "plan"),
                ("tests: AT-1 tests nothing", "tests"),
            ],
        ),
        ("user-stories.md: too few\nprd: unclear", [("user-stories.md: too few", "stories"), ("prd: unclear", "")]),
        (
            "## Plan\n- too long\n- no rollback\n\n## Tests\nAC-2 is missing.",
            [("## Plan\ntoo long", "plan"), ("## Plan\nno rollback", "plan"), ("## Tests\nAC-2 is missing.", "tests")],
        ),
        ("plan:\n\nToo long.\n\nToo vague.", [("plan:\nToo long.", "plan"), ("plan:\nToo vague.", "plan")]),
        ("plan:\nToo long.\nToo vague.", [("plan:\nToo long.\nToo vague.", "plan")]),
        ("- plan:\n  - a\n  - b\n- more", [("plan:\na", "plan"), ("plan:\nb", "plan"), ("more", "")]),
        ("Two things: 1) a is bad 2) b is bad", [("Two things:\n1) a is bad", ""), ("Two things:\n2) b is bad", "")]),
        ("Steps 1. and 2. are wrong", [("Steps 1. and 2. are wrong", "")]),
        ("Missing:\n1. x\n2. y\n\nRest", [("Missing:\n1. x", ""), ("Missing:\n2. y", ""), ("Rest", "")]),
        ("> step 3: migrate\n\nToo big.\n\nElse", [("> step 3: migrate\nToo big.", "plan"), ("Else", "")]),
        ("- a\n  goes on\n\n  and on\n- b", [("a\n  goes on\n  and on", ""), ("b", "")]),
        ("Do this:\n```\nx\n\n# y\n- z\n```\n\nThen", [("Do this:\n```\nx\n\n# y\n- z\n```", ""), ("Then", "")]),
        ("foo - bar\n---\nbaz", [("foo - bar", ""), ("baz", "")]),
        ("The plan is thin.\nThe tests are too.", [("The plan is thin.", "plan"), ("The tests are too.", "tests")]),
        ("The plan for these\nstories is thin", [("The plan for these\nstories is thin", "")]),
        ("stories:\nplan: bad", [("stories:", "stories"), ("plan: bad", "plan")]),
        ("# Nothing follows", [("# Nothing follows", "")]),
        ("-\n\n- a\n\n#\n", [("a", "")]),
        ("???", [("???", "")]),
        ("-", [("-", "")]),
    ],
)
def test_every_section_and_point_is_a_finding_in_the_words_of_the_person(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert points(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("stories ok / plan must change", [("plan must change", "plan")]),
        (
            "the stories are ok; the plan is thin; really; tests miss AC-2",
            [("the plan is thin; really", "plan"), ("tests miss AC-2", "tests")],
        ),
        ("stories: ok\nplan: ok, but step 2 is missing", [("plan: ok, but step 2 is missing", "plan")]),
        ("## Stories\nok\n## Plan\nthin", [("## Plan\nthin", "plan")]),
        ("## Stories ok\n\n1. **tests**: weak", [("1. **tests**: weak", "tests")]),
        ("ok\n\nbut the plan is wrong", [("but the plan is wrong", "plan")]),
        ("## The plan goes too far\nok\n\nOther", [("Other", "plan")]),
        ("# Far too many words\nstories ok", [("# Far too many words", "")]),
        ("stories ok; plan ok", [("stories ok; plan ok", "")]),
        ("A is ok / B needs work", [("A is ok / B needs work", "")]),
        ("use a / b in the plan; not c", [("use a / b in the plan; not c", "plan")]),
        ("`plan; tests` is no command", [("`plan; tests` is no command", "")]),
        ("the stories of the plan / the tests", [("the stories of the plan / the tests", "")]),
    ],
)
def test_an_ok_for_a_part_is_no_finding_and_no_approval(text: str, expected: list[tuple[str, str]]) -> None:
    assert not is_ok(text)
    found = points(text)
    assert [about for _, about in found] == [about for _, about in expected]
    assert all(words in evidence for (evidence, _), (words, _) in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    ("text", "priority"),
    [
        ("names are odd", 0),
        ("P2: names are odd", 2),
        ("- [P1] names are odd", 1),
        ("names are odd (priority 3)", 3),
        ("names are odd, priority 3.", 3),
        ("Priority: 4 – names are odd", 4),
        ("plan: P2: names are odd", 2),
        ("## P2: names\nthey are odd", 2),
        ("[P3] odd, and [P1] wrong", 1),
        ("minor: names are odd", 0),
        ("Px: names are odd", 0),
        ("priority high: names are odd", 0),
        ("P123: names are odd", 0),
        ("P-2: names are odd", 0),
        ("the story about priority 3 customers is odd", 0),
    ],
)
def test_a_finding_blocks_unless_its_priority_is_stated(text: str, priority: int) -> None:
    assert [finding.priority for finding in split_rejection(text)] == [priority]


def test_what_was_sent_back_is_what_it_is_about_unless_the_words_name_another() -> None:
    assert points("too long\n\ntests: weak\n\nprd: thin", "plan") == [
        ("too long", "plan"), ("tests: weak", "tests"), ("prd: thin", "")
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_sent_back_without_a_word_is_a_finding_too(text: str) -> None:
    assert points(text, "tests") == [(NO_COMMENT, "tests")]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


@given(st.text(max_size=400) | st.text("ab \n#->*:;./1)`", max_size=200))
def test_no_word_is_ever_lost(text: str) -> None:
    found = split_rejection(text)
    assert found and all(finding.evidence_ref.strip() for finding in found)
    assert words(text) <= words(" ".join(finding.evidence_ref for finding in found))


OPENINGS = st.sampled_from(
    ("", "", "- ", "  - ", "1. ", "## ", "> ", "plan: ", "stories:\n", "tests - ", "[P2] ", "```\n")
)
ENDINGS = st.sampled_from(("\n", "\n\n", ".\n", ":\n", "; ", " / ", " ok\n", "\nstories ok\n", "\n```\n"))


@given(st.lists(st.tuples(OPENINGS, ENDINGS), min_size=1, max_size=12))
def test_no_word_between_headings_items_labels_code_and_oks_is_lost(lines: list[tuple[str, str]]) -> None:
    text = "".join(f"{opening}word{n} about{n}{ending}" for n, (opening, ending) in enumerate(lines))
    told = words(" ".join(finding.evidence_ref for finding in split_rejection(text)))
    assert {f"word{n}" for n in range(len(lines))} | {f"about{n}" for n in range(len(lines))} <= told


@pytest.mark.parametrize(
    "text", ["# a" + " " * 30_000, "stories" + " " * 30_000 + "x", "`" * 30_000, "; " * 30_000, "*_" * 9_000]
)
def test_long_odd_words_are_read_to_the_end(text: str) -> None:
    assert split_rejection(text)
