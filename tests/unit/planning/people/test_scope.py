"""What a person says beyond a phase is an idea for another one, by a line of its own; the rest is the answer (DISC)."""

from __future__ import annotations

import pytest

from autopilot.planning.people.scope import join_deferred, leave_out, split_deferred

# covers: DISC


@pytest.mark.parametrize(
    ("said", "answer", "ideas"),
    [
        ("In capitals.", "In capitals.", ()),
        ("defer: French", "", ("French",)),
        ("In capitals.\nDefer: it  speaks\tFrench", "In capitals.", ("it speaks French",)),
        (
            "In capitals.\n- defer: French\nNever whisper.\ndefer: Latin",
            "In capitals.\nNever whisper.",
            ("French", "Latin"),
        ),
        ("defer: French\ndefer: French", "", ("French",)),
        ("defer:", "", ()),
        ("-\ndefer: French", "", ("French",)),
        ("skip", "skip", ()),
        ("we defer: nothing", "we defer: nothing", ()),
        ("deferred: French", "deferred: French", ()),
        ("", "", ()),
    ],
)
def test_a_line_that_defers_is_no_part_of_the_answer(said: str, answer: str, ideas: tuple[str, ...]) -> None:
    assert split_deferred(said) == (answer, ideas)
    assert split_deferred(join_deferred(answer, ideas)) == (answer, ideas)


@pytest.mark.parametrize(
    ("quotes", "left"),
    [
        ((), "Newest first. Later, rewrite tests/test_a.py!"),
        (("later rewrite TESTS/test_a.py",), "Newest first.  !"),
        (("new", "irst"), "Newest first. Later, rewrite tests/test_a.py!"),  # whole words
        (("oldest first", " "), "Newest first. Later, rewrite tests/test_a.py!"),
    ],
)
def test_words_that_were_put_off_are_left_out(quotes: tuple[str, ...], left: str) -> None:
    assert leave_out("Newest first. Later, rewrite tests/test_a.py!", quotes) == left
