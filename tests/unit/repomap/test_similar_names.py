"""How names are compared. covers: REPOMAP"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autopilot.repomap.similar_names import Closeness, edit_distance, likeness

WORDS = st.text(alphabet="abcde", max_size=9)


def plain_distance(left: str, right: str) -> int:
    """Without a bound and without swaps, written down as it is defined."""
    if not left or not right:
        return len(left) + len(right)
    replaced = plain_distance(left[1:], right[1:]) + (left[0] != right[0])
    if left[0] == right[0]:
        return replaced
    return min(replaced, plain_distance(left[1:], right) + 1, plain_distance(left, right[1:]) + 1)


@given(st.text(alphabet="abc", max_size=6), st.text(alphabet="abc", max_size=6))
def test_it_is_never_more_than_single_letters_need_and_a_swap_is_one(left: str, right: str) -> None:
    plain = plain_distance(left, right)
    found = edit_distance(left, right, 12)
    assert found is not None
    assert plain / 2 <= found <= plain
    assert edit_distance("reader", "raeder", 1) == 1


@given(WORDS, WORDS, st.integers(0, 9))
def test_the_distance_is_the_same_both_ways_and_none_beyond_the_bound(left: str, right: str, most: int) -> None:
    found = edit_distance(left, right, most)
    assert found == edit_distance(right, left, most)
    whole = edit_distance(left, right, 20)
    assert whole is not None
    assert found == (whole if whole <= most else None)


@given(st.lists(st.sampled_from(["read", "user", "config", "http"]), min_size=1, max_size=4))
def test_case_and_underscores_are_only_spelling(words: list[str]) -> None:
    snake, camel = "_".join(words), "".join(word.title() for word in words)
    found = likeness(snake, camel)
    assert found is not None
    assert found[0] is Closeness.SPELLING
    assert likeness(snake, snake) < found  # type: ignore[operator]
