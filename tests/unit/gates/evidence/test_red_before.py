"""A red check against the same red before the work: by file, rule and message, never by line."""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.red_before import Red, compare_red
from autopilot.model.evidence.likeness import Likeness

# covers: T8.R, GATE
OLD = "a.py:1:1: F401 `os` imported but unused\nb.py:7:1: E501 line too long (91 > 88)\nFound 2 errors.\n"
CRASH = "Traceback (most recent call last):\n  RuntimeError: plugin x\n"
SAME, OUTPUT, NEW = Likeness.FINDINGS, Likeness.OUTPUT, Likeness.NEW
UNREADABLE, NEVER = Likeness.UNREADABLE, Likeness.NEVER_RAN

ROWS = {
    "the same": (OLD, OLD, SAME),
    "other lines": (OLD, OLD.replace("a.py:1:1", "a.py:40:1").replace("91", "95"), SAME),
    "one fixed": (OLD, "b.py:7:1: E501 line too long (91 > 88)\nFound 1 error.\n", SAME),
    "one fixed, another added": (OLD, OLD.replace("F401 `os`", "F401 `sys`"), NEW),
    "another rule in the same file": (OLD, OLD.replace("F401 `os` imported but unused", "E741 ambiguous name"), NEW),
    "the same rule in another file": (OLD, OLD.replace("a.py", "c.py"), NEW),
    "once more in the same file": (OLD, OLD + "a.py:9:1: F401 `os` imported but unused\n", NEW),
    "a file that a second tool names alone": (OLD, OLD + "new.go\n", UNREADABLE),
    "a difference that a formatter shows": (OLD, OLD + "Diff in src/b.rs:3:\n-a\n+b\n", UNREADABLE),
    "a line of which nothing is known": (OLD, OLD + "1 secret key committed\n", UNREADABLE),
    "a line of which nothing is known, once more": (OLD + "odd\n", OLD + "odd\nodd\n", UNREADABLE),
    "a sum that grew": (OLD, OLD.replace("Found 2", "Found 3"), UNREADABLE),
    "a file in a folder with parentheses": (OLD, OLD + "\napp/(auth)/page.ts\n  1:1  error  odd  rule\n", NEW),
    "a name that looks like a note": (OLD, OLD + "c.js:5:1: 'info' is not defined\n", NEW),
    "one fixed, and less is fixable": (
        OLD + "[*] 2 fixable with `--fix`.\n",
        OLD + "[*] 1 fixable with `--fix`.\n",
        SAME,
    ),
    "one more file was looked at": (OLD + "(checked 3 source files)\n", OLD + "(checked 4 source files)\n", SAME),
    "a crash after the same findings": (OLD, OLD + CRASH, UNREADABLE),
    "a crash instead of findings": (OLD, CRASH, UNREADABLE),
    "nothing instead of findings": (OLD, "", UNREADABLE),
    "nothing, before and after": ("", "", UNREADABLE),
    "no form we read, the same": ("3 rules broken in 1.5s\n", "3 rules broken in 2.25s\n", OUTPUT),
    "no form we read, the same in another order": (
        "one is wrong\ntwo is wrong\n",
        "two is wrong\none is wrong\n",
        OUTPUT,
    ),
    "no form we read, another count": ("3 rules broken\n", "4 rules broken\n", UNREADABLE),
    "no form we read, then findings": ("3 rules broken\n", OLD, UNREADABLE),
    "left out, and the same": (OLD + "too many errors\n", OLD + "too many errors\n", OUTPUT),
    "left out, and others": (OLD + "too many errors\n", "a.py:1:1: F401 x\ntoo many errors\n", UNREADABLE),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_red_check_is_excused_only_where_nothing_new_is_red(name: str) -> None:
    before, after, likeness = ROWS[name]
    compared = compare_red(Red(1, before), Red(1, after))
    assert compared.likeness is likeness, compared
    assert compared.is_excused is (likeness in (SAME, OUTPUT))
    assert bool(compared.because) is (likeness is UNREADABLE)


def test_another_exit_status_is_another_red() -> None:
    compared = compare_red(Red(1, OLD), Red(2, OLD))
    assert (compared.likeness, compared.because) == (UNREADABLE, "its exit status is 2, and was 1 before the work")
    assert compare_red(Red(1, "odd\n"), Red(2, "odd\n")).likeness is UNREADABLE


def test_a_status_that_adds_up_what_was_found_goes_down_when_something_is_mended() -> None:
    fixed = "b.py:7:1: E501 line too long (91 > 88)\nFound 1 error.\n"
    assert compare_red(Red(18, OLD), Red(16, fixed)).likeness is SAME
    assert compare_red(Red(16, OLD), Red(18, fixed)).likeness is UNREADABLE
    assert compare_red(Red(18, OLD), Red(16, OLD)).likeness is UNREADABLE
    assert compare_red(Red(18, OLD), Red(16, fixed + "odd\n")).likeness is UNREADABLE


@pytest.mark.parametrize(
    ("before", "after", "likeness", "was_readable"),
    [(True, True, NEVER, False), (False, True, UNREADABLE, True), (True, False, UNREADABLE, False)],
)
def test_a_check_that_did_not_run_is_compared_with_nothing(
    before: bool, after: bool, likeness: Likeness, was_readable: bool
) -> None:
    compared = compare_red(Red(127, "x: not found", before), Red(127, "x: not found", after))
    assert (compared.likeness, compared.was_readable) == (likeness, was_readable)
    assert not compared.is_excused


def test_new_findings_are_counted_and_the_first_ones_shown() -> None:
    more = "".join(f"n{letter}.py:1: W1 odd\n" for letter in "abcde")
    compared = compare_red(Red(1, OLD), Red(1, OLD + more))
    assert (compared.old, compared.new, compared.shown) == (2, 5, ("na.py: W1 odd", "nb.py: W1 odd", "nc.py: W1 odd"))


def test_findings_follow_a_file_that_moved() -> None:
    moved = OLD.replace("a.py", "lib/a.py")
    assert compare_red(Red(1, OLD), Red(1, moved)).likeness is NEW
    assert compare_red(Red(1, OLD), Red(1, moved), moves={"a.py": "lib/a.py"}).likeness is SAME


def test_paths_count_as_they_are_inside_the_project() -> None:
    old = Red(1, "/p/a/src/x.js:1:1: odd [Error/r]\n")
    assert compare_red(old, Red(1, "src/x.js:5:1: odd [Error/r]\n"), "/p/a").likeness is SAME
    assert compare_red(Red(1, "/tmp/a/x.odd\n"), Red(1, "/tmp/a/y.odd\n"), "/tmp/a").likeness is UNREADABLE


@pytest.mark.parametrize(
    ("command", "likeness"),
    [
        ("sh lint.sh", OUTPUT),
        ("sh lint.sh 2>&1", OUTPUT),
        ("sh lint.sh 2>/dev/null", OUTPUT),
        ("gofmt -l . > found; test ! -s found || echo not formatted", UNREADABLE),
        ("gofmt -l . >>found", UNREADABLE),
        ("eslint --output-file found .", UNREADABLE),
        ("gofmt -l . | tee found", UNREADABLE),
    ],
)
def test_the_same_words_show_nothing_where_the_findings_go_to_a_file(command: str, likeness: Likeness) -> None:
    red = Red(1, "not formatted\n", command=command)
    assert compare_red(red, red).likeness is likeness
