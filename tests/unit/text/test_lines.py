"""Lines and what surrounds them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autopilot.text.frontmatter import parse_frontmatter
from autopilot.text.lines import heading, items, scan_lines


def hidden(text: str) -> list[int]:
    return [line.number for line in scan_lines(text) if line.hidden]


def test_fences_hide_their_lines_and_only_a_bare_fence_of_their_kind_closes() -> None:
    assert hidden("a\n```py\n# b\n~~~\n```\nc") == [2, 3, 4, 5]
    assert hidden("````\n```\nx\n```\n````\ny") == [1, 2, 3, 4, 5]
    assert hidden("```not a fence``` here\nx") == []


def test_a_fence_never_closed_hides_nothing() -> None:
    assert hidden("```\na\nb") == []
    assert hidden("```rust\na\n```rust\nb\n```\nc") == [3, 4, 5]


def test_a_fence_that_would_cut_a_task_in_two_is_a_slip() -> None:
    assert hidden('```\nx\n<task type="auto">\n```\ncode\n```\n</task>') == [4, 5, 6]


def test_comments_and_details_are_known() -> None:
    assert hidden("<!--\na\n-->\nb <!-- c -->\n<!-- d -->") == [2, 3, 5]
    assert [line.archived for line in scan_lines("a\n<details>\nb\n</details>\nc")] == [False, True, True, False, False]


def test_items_join_their_continuations_and_lose_their_marks() -> None:
    text = "1. one\n   more\n- [x] two\n\nprose\n* three"
    assert [(line.number, words) for line, words in items(scan_lines(text))] == [
        (1, "one more"),
        (3, "two"),
        (6, "three"),
    ]


def test_frontmatter_reads_scalars_and_both_kinds_of_lists() -> None:
    front = parse_frontmatter(
        '---\r\nwave: 2\nplan: "01"\ndepends_on: [01-01, "b, c"]\nfiles_modified:\n  - a.py\n  - b.py\nempty: []\n'
        "must_haves:\n  truths:\n    - x\n  other: 1\nlate: yes # why\n---\nbody"
    )
    assert (front.text_of("wave"), front.text_of("plan"), front.text_of("late"), front.lines) == ("2", "01", "yes", 14)
    assert front.list_of("depends_on") == ("01-01", "b, c")
    assert front.list_of("files_modified") == ("a.py", "b.py")
    assert front.list_of("empty") == () and front.list_of("wave") == ("2",)
    assert front.list_of("must_haves") == ()


@given(st.text(alphabet="-abc: []#'\"\n\r ~"))
def test_any_frontmatter_is_read(text: str) -> None:
    front = parse_frontmatter(text)
    assert 0 <= front.lines <= text.count("\n") + 1
    assert parse_frontmatter("---\n" + text + "\n---\n").lines >= 2


@given(st.text())
def test_lines_are_the_text(text: str) -> None:
    lines = scan_lines(text)
    assert [line.text for line in lines] == [line.removesuffix("\r") for line in text.split("\n")]
    for line in lines:
        heading(line)
    list(items(lines))
