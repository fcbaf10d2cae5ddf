"""Globs that plans write, matched in time that grows with pattern and path. covers: T1

No clock is asked: a matcher that tries every way would not come back within the life of the test run.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.text.glob import LONGEST, is_glob, matches_glob

PIECES = ["a", "b", "/", "*", "**", "**/", "?", "{a,b}", "{a,ab}", "[ab]", "[!a]", "{", "["]
AS_REGEX = {"**/": "(?:.+/)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{a,b}": "(?:a|b)", "{a,ab}": "(?:a|ab)"}
AS_REGEX |= {"[ab]": "[ab]", "[!a]": "[^a]", "{": r"\{", "[": r"\["}


@pytest.mark.parametrize(
    ("pattern", "path", "matched"),
    [
        ("*.py", "a.py", True),
        ("*.py", "a/b.py", False),
        ("**.py", "a/b.py", True),
        ("***", "a/b", True),
        ("**/**/a", "a", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("[!a]b", "cb", True),
        ("[!a]b", "ab", False),
        ("[a-]b", "-b", True),
        ("{a,}b", "b", True),
        ("{a", "{a", True),
        ("[", "[", True),
        ("", "", True),
        ("", "a", False),
        ("*", "", True),
    ],
)
def test_a_glob_matches_as_shells_do(pattern: str, path: str, matched: bool) -> None:
    assert matches_glob(pattern, path) is matched


@given(st.lists(st.sampled_from(PIECES), max_size=7), st.text("ab/", max_size=10))
def test_a_glob_matches_what_its_regular_expression_matches(pieces: list[str], path: str) -> None:
    """The regular expression is right, and only slow: short texts show that both agree."""
    pattern = "".join(pieces)
    spelled = re.findall(r"\*\*/|\*\*|\*|\?|\{[^{}]*\}|\[!?[\w-]+\]|.", pattern)
    regex = "".join(AS_REGEX.get(token) or re.escape(token) for token in spelled)
    if all(token in AS_REGEX or len(token) == 1 for token in spelled):
        assert matches_glob(pattern, path) is (re.fullmatch(regex, path) is not None)


@pytest.mark.parametrize("star", ["*a", "**a", "*/", "**/", "?*", "{a,aa}", "[a]*", "*", "**", "*{,a}"])
def test_a_pattern_made_to_be_slow_is_answered(star: str) -> None:
    assert not matches_glob(star * 16 + "b", "a" * 32)
    assert not matches_glob(star * (LONGEST // len(star) - 1) + "b", "a" * 4_000)
    assert not matches_glob(star * (LONGEST // len(star) - 1) + "b", "a/" * 2_000)


def test_a_pattern_that_is_too_long_matches_nothing() -> None:
    assert matches_glob("*" * LONGEST, "a")
    assert not matches_glob("*" * (LONGEST + 1), "a")


@pytest.mark.parametrize("plain", ["a.py", "a/b", "(a)", "a+b", "$a", "a\\b"])
def test_a_plain_name_is_no_glob(plain: str) -> None:
    assert not is_glob(plain) and matches_glob(plain, plain) and not matches_glob(plain, f"{plain}x")
