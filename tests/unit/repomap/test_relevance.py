"""Which files a topic is about. covers: REPOMAP, RES, EXEC"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.repomap.code_map import Links
from autopilot.model.repomap.facts import FileFacts
from autopilot.repomap.relevance import MOST_STEMS, Topic, order_files, rank_files, weigh_stems
from tests.unit.repomap.small_map import SHOP, count_words, map_of

FILES, LINKS = map_of(SHOP)
NOTHING = Links((), ())


def order(topic: Topic) -> tuple[str, ...]:
    return order_files(FILES, LINKS, topic, count_words(SHOP, tuple(weigh_stems(topic))))


def test_words_of_the_text_find_a_file_whose_names_do_not_have_them() -> None:
    assert order(Topic("Sell books"))[0] == "README.md"


def test_a_spelled_out_name_finds_the_file_that_defines_it() -> None:
    assert order(Topic("`price_of` rounds wrongly"))[0] == "shop/prices.py"


def test_words_of_a_path_find_the_file_and_its_test_comes_with_it() -> None:
    first, second, *_ = order(Topic("The cart forgets"))
    assert {first, second} == {"shop/cart.py", "tests/test_cart.py"}


def test_a_file_that_is_named_comes_first_and_what_it_imports_before_what_has_no_part_in_it() -> None:
    found = order(Topic("Speed it up", paths=("shop/cart.py", "shop/not_there_yet.py")))
    assert found[0] == "shop/cart.py"
    assert found.index("shop/prices.py") < found.index("shop/mail.py")
    assert order(Topic("Speed it up", "in prices.py"))[0] == "shop/prices.py"


def test_words_that_say_nothing_find_nothing() -> None:
    assert order(Topic("zzz qqq")) == ()


def test_without_a_topic_files_come_by_what_rests_on_them() -> None:
    ranks = rank_files(FILES, LINKS)
    assert order(Topic())[0] == max(FILES, key=lambda path: (ranks[path], path)) == "shop/prices.py"
    assert set(order(Topic())) == set(FILES)


def test_a_word_of_the_title_weighs_more_than_one_of_the_text_and_their_number_is_bounded() -> None:
    weights = weigh_stems(Topic("alpha", "beta gamma beta"))
    assert weights["alpha"] > weights["beta"] > weights["gamma"]
    many = " ".join(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(200))
    assert len(weigh_stems(Topic("alpha", many))) == MOST_STEMS
    assert "alpha" in weigh_stems(Topic("alpha", many))


PATHS = st.text(alphabet="ab/._-é\n", min_size=1, max_size=12)


@given(
    st.dictionaries(PATHS, st.builds(FileFacts, st.just("other"), st.integers(0, 10**6)), max_size=8),
    st.text(max_size=60),
    st.dictionaries(PATHS, st.dictionaries(st.sampled_from(["alpha", "beta"]), st.integers(1, 10**6)), max_size=8),
)
def test_any_tree_and_any_words_give_an_order_of_its_files_each_once(
    files: dict[str, FileFacts], text: str, counts: dict[str, dict[str, int]]
) -> None:
    found = order_files(files, NOTHING, Topic("alpha beta", text), counts)
    assert len(set(found)) == len(found)
    assert set(found) <= set(files)
    assert found == order_files(dict(reversed(files.items())), NOTHING, Topic("alpha beta", text), counts)
