"""A change is shown file by file, within bounds. covers: CMD-WEB"""

from __future__ import annotations

from autopilot.web.views.diff import MOST_LINES, MOST_OF_A_FILE, parse_patch

PATCH = """diff --git a/shelf/a.py b/shelf/a.py
index 111..222 100644
--- a/shelf/a.py
+++ b/shelf/a.py
@@ -1,3 +1,3 @@
 kept
--- a comment of SQL that went
+came
diff --git a/old.bin b/old.bin
deleted file mode 100644
Binary files a/old.bin and /dev/null differ
"""


def test_lines_that_came_and_went_are_told_apart_and_a_line_of_dashes_is_no_heading() -> None:
    first, second = parse_patch(PATCH)
    assert (first.path, first.added, first.removed, first.is_short) == ("shelf/a.py", 1, 1, True)
    assert [line.kind for line in first.lines] == ["place", "", "removed", "added"]
    assert second.path == "old.bin"
    assert any("Binary files" in line.text for line in second.lines)


def test_a_change_of_hundreds_of_files_is_bounded_and_what_is_left_out_is_counted() -> None:
    body = "".join(f"+line {number}\n" for number in range(1_000))
    files = list(parse_patch("".join(f"diff --git a/f{n} b/f{n}\n@@ -0,0 +1 @@\n{body}" for n in range(300))))
    assert len(files) == 300
    assert sum(len(file.lines) for file in files) == MOST_LINES
    assert len(files[0].lines) == MOST_OF_A_FILE
    assert {len(file.lines) + file.left_out for file in files} == {1_001}
    assert not files[0].is_short


def test_what_is_no_patch_is_shown_as_it_is() -> None:
    [only] = parse_patch("… the rest is left out\n")
    assert only.path == ""
    assert only.lines[0].text == "… the rest is left out"
