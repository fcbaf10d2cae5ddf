"""Keys of a terminal by their names."""

from __future__ import annotations

import pytest

from autopilot.cli.live.keys import parse_keys

# covers: CMD-WATCH


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("\x1b[A\x1b[B\x1bOA", ["up", "down", "up"]),
        ("jkhl", ["down", "up", "left", "right"]),
        ("\x1b", ["escape"]),
        ("\r\x7f", ["enter", "escape"]),
        ("\x1b[5~\x1b[6~\x1b[H\x1b[4~", ["page_up", "page_down", "home", "end"]),
        ("a?\x04", ["a", "?", "q"]),
        ("\x1b[200~\x1b[<35;1;1M\x00\x1b[1;5C", []),
    ],
)
def test_what_is_no_known_key_is_left_out(text: str, keys: list[str]) -> None:
    assert list(parse_keys(text)) == keys
