"""A diff is read hunk by hunk, whatever stands in its lines; the lines that matter are found, and those only.

covers: ISSUE-DESIGNGATE, ISSUE-HANDOFF
"""

from __future__ import annotations

import pytest

from autopilot.model.issue.hunk import DiffLine, Hunk
from autopilot.model.issue.issue import SeedFinding
from autopilot.planning.issue.hunks import key_lines, parse_hunks, quotes_of
from autopilot.planning.issue.presenting import hunks_for

PATCH = """\
diff --git a/a.py b/a.py
index 1..2 100644
--- a/a.py
+++ b/a.py
@@ -1,3 +1,4 @@ def before
 x
--- a/not/a/file
+def total(a):
+    pass
 y
@@ -10 +11 @@
-old
+new
diff --git "a/\\303\\244 b.md" "b/\\303\\244 b.md"
new file mode 100644
--- /dev/null
+++ "b/\\303\\244 b.md"
@@ -0,0 +1 @@
+### AC-1: it counts
\\ No newline at end of file
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
"""


def hunk(*changed: str, path: str = "a.py") -> Hunk:
    lines = (DiffLine(text[0], text[1:], number) for number, text in enumerate(changed, 1))
    return Hunk(path, "@@ -1 +1 @@", tuple(lines))


def test_every_hunk_is_found_with_its_path_and_the_lines_its_header_counts() -> None:
    found = parse_hunks(PATCH)
    assert [(each.path, each.start, len(each.lines)) for each in found] == [
        ("a.py", 2, 5),
        ("a.py", 11, 2),
        ("ä b.md", 1, 1),
        ("gone.txt", 0, 1),
    ]
    assert [(line.sign, line.text, line.number) for line in found[0].lines] == [
        (" ", "x", 1),
        ("-", "-- a/not/a/file", 2),
        ("+", "def total(a):", 2),
        ("+", "    pass", 3),
        (" ", "y", 4),
    ]


def test_a_diff_that_was_cut_off_ends_where_it_was_cut() -> None:
    cut = PATCH[: PATCH.index("+    pass")] + "\n… cut after 99 bytes …\n"
    [only] = parse_hunks(cut)
    assert [line.text for line in only.changed] == ["-- a/not/a/file", "def total(a):"]
    assert parse_hunks("") == ()


@pytest.mark.parametrize(
    ("line", "path", "why"),
    [
        ("+def total(a):", "a.py", "changes a public interface"),
        ("-    async def total(a):", "a.py", "changes a public interface"),
        ("+def _total(a):", "a.py", ""),
        ("+    total = 3", "a.py", ""),
        ("+export function total() {", "a.ts", "changes a public interface"),
        ("+func Total(a int) int {", "a.go", "changes a public interface"),
        ("+func total(a int) int {", "a.go", ""),
        ("+pub fn total() -> u8 {", "a.rs", "changes a public interface"),
        ("+### AC-2: refunds count", "stories.md", "defines AC-2"),
        ("+as AC-2 says", "stories.md", ""),
        (" def total(a):", "a.py", ""),
        ("+    def test_at_001_capitals(self):", "tests/test_shout.py", "tests AT-001"),
        ("+class Shout(TestCase):", "tests/test_shout.py", ""),
    ],
)
def test_a_key_line_defines_a_criterion_or_changes_what_others_call(line: str, path: str, why: str) -> None:
    assert [key.why for key in key_lines(hunk(line, path=path))] == ([why] if why else [])


def test_a_line_that_a_finding_quotes_is_a_key_line() -> None:
    quoted = quotes_of("`rows[0]` is no header, and AC-1 asks for one")
    assert quoted == ("rows[0]", "AC-1")
    shown = hunk("+x = rows[0]", "+y = rows", "+# AC-12", path="b.py")
    assert [(key.line.number, key.why) for key in key_lines(shown, quoted)] == [(1, "quoted in a finding")]


STORIES = hunk("+- refunds are part of the total", path="docs/issues/024-csv/user-stories.md")
OTHER = hunk("+- the header comes first", path="docs/issues/024-csv/user-stories.md")
PLAN = hunk("+1. quoting of separators", path="docs/issues/024-csv/plan.md")


@pytest.mark.parametrize(
    ("words", "about", "expected"),
    [
        ("say whether refunds belong to the total", "stories", (STORIES,)),
        ("this is too short", "stories", (STORIES, OTHER)),
        ("the order of things", "plan", (PLAN,)),
        ("quoting of separators is not settled", "", (PLAN,)),
        ("quoting is fine", "tests", (PLAN,)),
        ("something else altogether is lacking", "tests", ()),
        ("wrong", "", ()),
    ],
)
def test_a_finding_is_answered_by_hunks_of_its_file_or_by_those_that_speak_of_it(
    words: str, about: str, expected: tuple[Hunk, ...]
) -> None:
    assert hunks_for(SeedFinding(words, about=about), (STORIES, OTHER, PLAN)) == expected
