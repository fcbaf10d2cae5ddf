"""The status line in the settings of Claude Code: put in and taken out, every other byte as it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.api.chat.status_line import (
    EMPTY,
    VALUE,
    WHOLE,
    add_status_line,
    has_status_line,
    is_ours,
    parse_settings,
    remove_status_line,
)
from autopilot.model.errors import UsageError

# covers: CMD-INSTALL

KEYS = st.text(max_size=6).filter(lambda key: key != "statusLine")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
SPACE = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", "  \n\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """JSON objects as people and programs write them, with any white space."""
    found = draw(st.dictionaries(KEYS, VALUES, max_size=4))
    parts = [
        f"{draw(SPACE)}{json.dumps(key)}{draw(SPACE)}:{draw(SPACE)}{json.dumps(value, ensure_ascii=False)}"
        for key, value in found.items()
    ]
    return draw(SPACE) + "{" + f"{draw(SPACE)},".join(parts) + draw(SPACE) + "}" + draw(SPACE)


@given(texts())
def test_what_is_put_in_is_taken_out_without_a_trace(text: str) -> None:
    with_line = add_status_line(text)
    assert json.loads(with_line) == {**json.loads(text), "statusLine": VALUE}
    assert list(json.loads(with_line))[-1] == "statusLine"
    assert is_ours(with_line) and not has_status_line(text)
    assert remove_status_line(with_line) == text


@given(texts(), KEYS)
def test_what_was_written_behind_it_meanwhile_stays(text: str, key: str) -> None:
    with_line = add_status_line(text).rstrip()
    later = f"{with_line[:-1]},\n{json.dumps(key)}: 1}}"
    assert json.loads(remove_status_line(later)) == {**json.loads(text), key: 1}


def test_a_file_of_ours_is_empty_without_it() -> None:
    assert json.loads(WHOLE) == {"statusLine": VALUE}
    assert remove_status_line(WHOLE) == EMPTY


def test_another_status_line_is_not_ours() -> None:
    assert not is_ours('{"statusLine": {"type": "command", "command": "mine"}}')
    assert not is_ours('{"statusLine": {"type": "command", "command": "autopilot status --line", "padding": 0}}')
    assert not is_ours('{"statusLine": null}') and has_status_line('{"statusLine": null}')


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"// mine\n{}", b"\xff{}", b'"{"', b"[" * 100_000])
def test_what_is_no_object_is_refused(content: bytes) -> None:
    with pytest.raises(UsageError) as refused:
        parse_settings(content, "settings.json")
    assert "--no-status-line" in refused.value.hint
