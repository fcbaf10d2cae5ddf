"""The front matter of planning files: what is read of it, and one value replaced. covers: FMT-BACKLOG"""

from __future__ import annotations

import pytest

from autopilot.planning.formats.backlog.scalar import replaced_scalar
from autopilot.text.frontmatter import parse_frontmatter, parse_mapping


def replaced(text: str, value: str = "Done") -> str:
    edit = replaced_scalar(text, "status", value)
    return f"{text[: edit.start]}{edit.new}{text[edit.end :]}" if edit else text


def test_texts_over_several_lines_and_in_quotes_are_read() -> None:
    front = parse_frontmatter(
        "---\n"
        "title: >-\n  a long\n  title\n"
        "plan: |\n  one\n  two\n"
        "said: 'it''s # no remark'  # a remark\n"
        'quoted: "a \\"b\\" c"\n'
        "needs:\n  - A-1  # first\n  - 'A-2'\n"
        "---\n"
    )
    assert front.values == {
        "title": "a long title",
        "plan": "one\ntwo",
        "said": "it's # no remark",
        "quoted": 'a "b" c',
        "needs": ("A-1", "A-2"),
    }
    assert front.line_numbers["said"] == 8


def test_anchors_tags_and_objects_are_words_and_nothing_is_made_of_them() -> None:
    front = parse_frontmatter("---\na: &x [1, 2]\nb: *x\nc: !!python/object/apply:os.system ['true']\n<<: *x\n---\n")
    assert front.values == {"a": "&x [1, 2]", "b": "*x", "c": "!!python/object/apply:os.system ['true']"}


def test_a_whole_file_without_fences_is_read_too() -> None:
    mapping = parse_mapping('# a remark\nstatuses: ["To Do", "Shipped, live"]\ndefault: x\n')
    assert mapping.list_of("statuses") == ("To Do", "Shipped, live")
    assert mapping.line_numbers == {"statuses": 2, "default": 3}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\nid: 1\nstatus: To Do\n---\nstatus: To Do", "---\nid: 1\nstatus: Done\n---\nstatus: To Do"),
        ("---\r\nstatus: 'To Do'  # x\r\n---\r\n", "---\r\nstatus: 'Done'  # x\r\n---\r\n"),
        ('---\nstatus: "a # b" # c\n---\n', '---\nstatus: "Done" # c\n---\n'),
        ("---\nstatus:\n---\n", "---\nstatus: Done\n---\n"),
        ("---\nid: 1\n---\n", "---\nid: 1\nstatus: Done\n---\n"),
        ("---\r\nid: 1\r\n---\r\n", "---\r\nid: 1\r\nstatus: Done\r\n---\r\n"),
        ("---\nstatus: Done\n---\n", "---\nstatus: Done\n---\n"),
        ("---\nstatus: >-\n  To Do\n---\n", "---\nstatus: >-\n  To Do\n---\n"),
        ("no front matter\nstatus: To Do\n", "no front matter\nstatus: To Do\n"),
    ],
)
def test_only_the_value_is_replaced(before: str, after: str) -> None:
    assert replaced(before) == after


@pytest.mark.parametrize("value", ["Fertig ✓", "it's: done", "yes", "# no remark", "[a, b]", 'say "x"'])
def test_what_is_written_is_read_back(value: str) -> None:
    for before in ("---\nstatus: To Do\n---\n", '---\nstatus: "To Do"\n---\n', "---\nstatus: 'To Do'\n---\n"):
        assert parse_frontmatter(replaced(before, value)).text_of("status") == value
