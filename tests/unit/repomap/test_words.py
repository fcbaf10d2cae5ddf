"""Words of names and sentences. covers: REPOMAP"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.repomap.words import split_name, stem, telling_stems


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("parseHTTPHeader_v2", ("parse", "http", "header", "v", "2")),
        ("__init__", ("init",)),
        ("src/some-file.test.ts", ("src", "some", "file", "test", "ts")),
        ("SCREAMING_CASE", ("screaming", "case")),
        ("", ()),
    ],
)
def test_a_name_is_its_parts(name: str, parts: tuple[str, ...]) -> None:
    assert split_name(name) == parts


@pytest.mark.parametrize(
    "forms",
    [
        ("complete", "completed", "completes", "completing"),
        ("query", "queries"),
        ("stop", "stopped", "stopping", "stops"),
        ("cache", "cached", "caching", "caches"),
        ("class", "classes"),
        ("type", "types"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@given(st.text(alphabet="abdeginrsty", min_size=1, max_size=12))
def test_a_stem_is_a_beginning_of_its_word(word: str) -> None:
    assert word.startswith(stem(word))
    assert stem(word)


def test_a_sentence_is_known_by_its_telling_words() -> None:
    found = telling_stems("Fix the broken fish completion, please: `FishComplete` should quote")
    assert set(found) == {"broken", "fish", "completion", "complet", "quot"}
    assert found["fish"] == 2
