"""Comments and fenced code say nothing, and nothing moves by leaving them out. covers: T1, AL-2"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.text.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <!-- b --> c", "a            c"),
        ("a <!-- b\nc --> d", "a       \n      d"),
        ("a <!--> b", "a       b"),
        ("```sh\nb\n```\nc", "     \n \n   \nc"),
        ("~~~\n```\n~~~\nc", "   \n   \n   \nc"),
        ("````\n```\n````\nc", "    \n   \n    \nc"),
        ("- ```\n  b\n  ```\nc", "     \n   \n     \nc"),
        ("> ```\n> b\n> ```\nc", "     \n   \n     \nc"),
        ("`<!--` b `-->`", "`<!--` b `-->`"),
        ("``` b ``` c", "``` b ``` c"),
        ("```\n<!--\n```\nc", "   \n    \n   \nc"),
        ("<!--\n```\n-->\nc", "    \n   \n   \nc"),
        ("```\r\nb\r\n```\r\nc", "   \r\n \r\n   \r\nc"),
    ],
)
def test_only_what_a_reader_sees_is_left(text: str, shown: str) -> None:
    assert visible(text) == visible(text, closed_only=True) == shown


@pytest.mark.parametrize("text", ["a\n```\nb", "a\n<!--\nb", "a\n```\nb\n``` sh", "a\n````\nb\n```"])
def test_what_never_ends_hides_a_claim_and_no_demand(text: str) -> None:
    assert visible(text).split() == ["a"]
    assert visible(text, closed_only=True) == text


PIECES = st.sampled_from(["```", "~~~", "`", "``", "<!--", "-->", "\n", "\r\n", " ", "> ", "- ", "a", "AC-1"])


@given(st.lists(PIECES).map("".join), st.booleans())
def test_nothing_moves(text: str, closed_only: bool) -> None:
    shown = visible(text, closed_only)
    assert len(shown) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, shown, strict=True))
    assert [i for i, c in enumerate(text) if c == "\n"] == [i for i, c in enumerate(shown) if c == "\n"]
