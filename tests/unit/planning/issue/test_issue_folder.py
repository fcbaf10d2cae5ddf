"""The folder of an issue, the word that names one, its text, and the approval of its prd. covers: ISSUE-FILES, AL-2"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.errors import UsageError
from autopilot.planning.issue.folder import (
    LONGEST_SLUG,
    find_issue,
    folder_of,
    is_approved,
    next_number,
    parse_issue,
    read_word,
    slug_of,
)

PATHS = [
    "README.md",
    "docs/issues/024-adds-numbers/prd.md",
    "docs/issues/024-adds-numbers/plan.md",
    "docs/issues/7-old/prd.md",
    "docs/issues/0031-loose.md",
    "docs/issues/template/prd.md",
    "docs/issues/240-other/prd.md",
    "sub/docs/issues/099-not-ours/prd.md",
]


@pytest.mark.parametrize(
    ("number", "folder"),
    [(24, "docs/issues/024-adds-numbers"), (7, "docs/issues/7-old"), (31, None), (2, None), (99, None)],
)
def test_a_folder_is_found_by_its_number(number: int, folder: str | None) -> None:
    assert find_issue(PATHS, number) == folder


def test_two_folders_of_one_number_are_refused_by_name() -> None:
    with pytest.raises(
        UsageError, match=r"issue 24 has 2 folders: docs/issues/024-adds-numbers, docs/issues/24-again"
    ) as e:
        find_issue([*PATHS, "docs/issues/24-again/prd.md"], 24)
    assert e.value.hint


def test_the_next_number_is_taken_by_nothing() -> None:
    assert next_number(PATHS) == 241
    assert next_number(["docs/issues/0031-loose.md"]) == 32
    assert next_number([]) == 1


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Adds two numbers", "adds-two-numbers"),
        ("Über-größe: 10% — schnell!", "uber-grosse-10-schnell"),
        ("User's `cart` doesn't load", "users-cart-doesnt-load"),
        ("日本語", "issue"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "issue"),
        ("a" * 60, "a" * LONGEST_SLUG),
        ("word " * 20, "-".join(["word"] * 9)),
    ],
)
def test_a_title_becomes_a_slug(title: str, slug: str) -> None:
    assert slug_of(title) == slug


@given(st.text())
def test_every_slug_can_be_a_folder_and_is_found_again(title: str) -> None:
    slug = slug_of(title)
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", slug) and len(slug) <= LONGEST_SLUG
    folder = folder_of(24, slug)
    assert folder == f"docs/issues/024-{slug}"
    assert find_issue([f"{folder}/prd.md"], 24) == folder


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("24", 24),
        ("#24", 24),
        (" 024 ", 24),
        ("docs/issues/024-x/issue.md", "docs/issues/024-x/issue.md"),
        ("024-notes.md", "024-notes.md"),
        ("24 hours of uptime", "24 hours of uptime"),
        ("Adds two numbers", "Adds two numbers"),
        ("crash", "crash"),
    ],
)
def test_a_word_is_a_number_a_path_or_a_title(word: str, meant: int | str) -> None:
    assert read_word(word) == meant


@pytest.mark.parametrize(
    "word",
    [
        "",
        " ",
        "24x",
        "-3",
        "0",
        "000",
        "1.5",
        "1e5",
        "0x10",
        "+3",
        "#",
        "#x",
        "24,25",
        "24 25",
        "٣",
        "9" * 10,
        "1/2",
        "a\x00b",
    ],
)
def test_what_is_nearly_a_number_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="does not name an issue") as refused:
        read_word(word)
    assert "24" in refused.value.hint


@pytest.mark.parametrize(
    ("text", "title", "labels", "body"),
    [
        ("---\ntitle: Adds\nlabels: [bug, docs]\n---\n# Other\nwords\n", "Adds", ("bug", "docs"), "# Other\nwords"),
        (
            '---\nTitle: "Adds: two"\nlabels:\n  - bug\n  - good first issue\n---\nwords',
            "Adds: two",
            ("bug", "good first issue"),
            "words",
        ),
        ("---\nlabels: bug, docs\n---\n\n# Adds\n\nwords\n", "Adds", ("bug", "docs"), "words"),
        ("# Adds #\nwords", "Adds", (), "words"),
        ("first words\n\n## Adds\nmore", "Adds", (), "first words\n\n## Adds\nmore"),
        ("```\n# no title\n```\n# Adds\nwords", "Adds", (), "```\n# no title\n```\n# Adds\nwords"),
        ("Adds it\nwords", "Adds it", (), "words"),
        ("<!-- # no title -->\n# Adds\nwords", "Adds", (), "<!-- # no title -->\n# Adds\nwords"),
        ("\ufeff# Adds\r\nwords\r\n", "Adds", (), "words"),
        ("", "", (), ""),
        ("---\nnot closed", "---", (), "not closed"),
    ],
)
def test_an_issue_is_read(text: str, title: str, labels: tuple[str, ...], body: str) -> None:
    assert parse_issue(text) == (title, labels, body)


def test_a_long_first_line_is_cut_in_the_title_alone() -> None:
    title, _, body = parse_issue("word " * 100)
    assert len(title) <= 200 and body.count("word") == 100


@pytest.mark.parametrize(
    "prd",
    [
        "---\nstatus: approved\n---\n# PRD",
        "---\nStatus: Approved\n---\n# PRD",
        "---\napproved: true\n---\n# PRD",
        "---\ntitle: x\n---\n# PRD\nStatus: approved\n",
        "# PRD\n\n**Status:** Approved\n",
        "**Status**: APPROVED ✅\r\n",
        "- Status: approved.",
        "- [x] Status: approved",
        "> Status: Approved by Ann on 2024-05-01",
        "Status: approved (2024-05-01)",
        "Status: approved\n\nStatus: done",
    ],
)
def test_an_approval_is_seen(prd: str) -> None:
    assert is_approved(prd)


@pytest.mark.parametrize(
    "prd",
    [
        "",
        "# PRD\nThis is approved.",
        "Status: not approved",
        "Status: pending approval",
        "Status: approved pending review",
        "Status: approved, except AC-3",
        "Status: approved (except AC-3)",
        "Status: approved by Ann, but not AC-3",
        "Status: unapproved",
        "Status: draft | approved",
        "Status: draft\n\nStatus: approved",
        "- [ ] Status: approved",
        "~~Status: approved~~",
        "---\napproved: false\n---\nStatus: approved",
        "---\nstatus: draft\n---\nStatus: approved",
        "---\nstatus:\n---\nStatus: approved",
        "---\nstatus: approved\napproved: false\n---\n",
        "```\nStatus: approved\n```",
        "```\nStatus: approved",
        "<!-- Status: approved -->",
        "<!--\nStatus: approved\n-->",
    ],
)
def test_anything_else_is_no_approval(prd: str) -> None:
    assert not is_approved(prd)
