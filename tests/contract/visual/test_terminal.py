"""The page that paints a terminal shows what stands out there."""

from __future__ import annotations

import pyte
import pytest

from autopilot.adapters.visual.terminal import read_cell, render


@pytest.mark.parametrize(
    ("shown", "style"),
    [
        ("\x1b[7mx", "color:#101418;background:#d8dee4"),
        ("\x1b[7;32mx", "color:#101418;background:#a5d66f"),
        ("\x1b[7;44mx", "color:#6aaef5;background:#d8dee4"),
        ("\x1b[31mx", "color:#f07178"),
    ],
)
def test_reversed_text_has_its_colours_the_other_way_round(shown: str, style: str) -> None:
    screen = pyte.Screen(1, 1)
    pyte.Stream(screen).feed(shown)
    assert f'<span style="{style}">x</span>' in render([[read_cell(screen.buffer[0][0])]])
