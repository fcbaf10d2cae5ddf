"""A pattern that is compiled when it is first used answers as a compiled one does."""

from __future__ import annotations

import copy
import re

import pytest

from autopilot.text.lazy_regex import lazy_regex


def test_it_answers_as_a_compiled_pattern_does() -> None:
    late, early = lazy_regex(r"(?P<word>a+)b", re.IGNORECASE), re.compile(r"(?P<word>a+)b", re.IGNORECASE)
    for ask in (
        lambda pattern: [found.span() for found in pattern.finditer("aab AB b")],
        lambda pattern: pattern.fullmatch("AAB")["word"],
        lambda pattern: pattern.sub("-", "xaabx"),
        lambda pattern: pattern.search("none"),
        lambda pattern: (pattern.pattern, pattern.flags, pattern.groups, dict(pattern.groupindex)),
    ):
        assert ask(late) == ask(early)


def test_nothing_is_compiled_before_it_is_used() -> None:
    broken = lazy_regex("(")
    assert broken.pattern == "("
    with pytest.raises(re.error):
        broken.search("")


def test_a_copy_is_a_pattern_too() -> None:
    assert copy.copy(lazy_regex("a+")).fullmatch("aa")
