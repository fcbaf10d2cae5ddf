"""Check boxes: which lines are one, what stands below it, and the spans that tick it. covers: FMT-SPANS"""

from __future__ import annotations

from autopilot.planning.formats.boxes import empty_boxes, find_boxes, open_spans
from autopilot.text.lines import scan_lines

LIST = """# Plan
- [ ] one
  more of one
  - [x] one.a
1. [X] two
* [-] three
- [~]four
- [ ]* five
- []  six
- [a](link) no box
- [x][ref] no box
- [ ](./place) no box
```
- [ ] an example
```
<!-- - [ ] hidden -->
## Later
- [✓] seven

not below it
"""


def boxes(text: str) -> list[tuple[str, str, int | None]]:
    return [(box.mark, box.text, box.parent) for box in find_boxes(scan_lines(text))]


def test_boxes_are_found_with_their_marks_and_those_that_they_stand_below() -> None:
    assert boxes(LIST) == [
        ("", "one", None),
        ("x", "one.a", 0),
        ("X", "two", None),
        ("-", "three", None),
        ("~", "four", None),
        ("", "five", None),
        ("", "six", None),
        ("✓", "seven", None),
    ]


def test_a_box_has_its_own_lines_its_headings_and_the_star_of_an_optional_one() -> None:
    found = find_boxes(scan_lines(LIST))
    assert [line.text.strip() for line in found[0].body] == ["more of one"]
    assert found[5].optional and not found[0].optional
    assert found[0].under == ("Plan",) and found[7].under == ("Plan", "Later")
    assert not found[7].body
    assert [box.is_done for box in found] == [False, True, True, False, False, False, False, True]


def test_a_bold_start_is_no_star() -> None:
    assert [(box.text, box.optional) for box in find_boxes(scan_lines("- [ ] **Bold** x\n- [ ]**B** y"))] == [
        ("**Bold** x", False),
        ("**B** y", False),
    ]


def test_only_boxes_that_are_not_ticked_have_a_span() -> None:
    text = "- [ ] a\r\n- [x] b\r\n- [-] c\r\n- [] d\r\nno box"
    spans = [(text[:start], text[start:end]) for start, end in open_spans(text, {1, 2, 3, 4, 5})]
    assert spans == [("- [", " "), ("- [ ] a\r\n- [x] b\r\n- [", "-"), ("- [ ] a\r\n- [x] b\r\n- [-] c\r\n- [", "")]


def test_without_their_marks_all_boxes_are_alike() -> None:
    assert empty_boxes("- [x] a\n* [~] b\r\n- [] c\n[x] d") == "- [ ] a\n* [ ] b\r\n- [ ] c\n[x] d"
