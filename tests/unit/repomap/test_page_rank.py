"""Laws of the rank. covers: REPOMAP"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autopilot.repomap.page_rank import Edge, page_rank

NAMES = tuple("abcdef")
EDGES = st.lists(
    st.tuples(st.sampled_from((*NAMES, "elsewhere")), st.sampled_from(NAMES), st.floats(0, 5)), max_size=20
)


@given(EDGES, st.dictionaries(st.sampled_from(NAMES), st.floats(0, 3)))
def test_the_ranks_make_one_together_and_none_is_negative(edges: list[Edge], seeds: dict[str, float]) -> None:
    ranks = page_rank(NAMES, edges, seeds)
    assert set(ranks) == set(NAMES)
    assert abs(sum(ranks.values()) - 1) < 1e-6
    assert min(ranks.values()) >= 0


@given(EDGES)
def test_the_order_of_edges_makes_no_difference(edges: list[Edge]) -> None:
    one, other = page_rank(NAMES, edges), page_rank(NAMES, edges[::-1])
    assert all(abs(one[name] - other[name]) < 1e-9 for name in NAMES)


def test_what_all_refer_to_comes_first_and_nothing_without_a_way_from_a_seed_has_a_rank() -> None:
    star = [(name, "a", 1.0) for name in "bcdef"]
    ranks = page_rank(NAMES, star)
    assert max(NAMES, key=ranks.__getitem__) == "a"
    near = page_rank(NAMES, [("a", "b", 1.0), ("c", "d", 1.0)], {"a": 1.0})
    assert near["a"] > near["b"] > 0 == near["c"] == near["d"]


def test_nothing_has_no_rank() -> None:
    assert page_rank((), ()) == {}
