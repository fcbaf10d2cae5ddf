"""The pictures of README: there, small, and naming no machine; how a screen is drawn."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pyte
import pytest

from autopilot.adapters.visual.terminal import Cell, read_cell
from scripts.pictures import PICTURES, PLACE, render_svg
from tests.tidy.house import ROOT

SHOWN = re.findall(r"!\[([^\]]*)\]\((docs/pictures/[^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
MAX_BYTES, MAX_BYTES_TOGETHER = 80_000, 200_000
ABSOLUTE = re.compile(r"(?<![\w.:/<*])/\w[\w.-]*(?:/[\w.*-]+)+")


def machine_paths(text: str) -> list[str]:
    return [path for path in ABSOLUTE.findall(text) if not path.startswith(f"{PLACE}/")]


def draw(shown: str) -> str:
    return render_svg(cells(shown), "Title")


def cells(shown: str) -> list[list[Cell]]:
    screen = pyte.Screen(10, 3)
    pyte.Stream(screen).feed(shown)
    return [[read_cell(screen.buffer[y][x]) for x in range(10)] for y in range(3)]


def test_readme_shows_every_picture_that_is_made_with_words_for_who_cannot_see_it() -> None:
    assert sorted(ROOT / path for _, path in SHOWN) == sorted(PICTURES.iterdir())
    assert [path for words, path in SHOWN if len(words.split()) < 5] == []


def test_every_picture_is_small() -> None:
    sizes = {path: (ROOT / path).stat().st_size for _, path in SHOWN}
    assert {path: size for path, size in sizes.items() if not 0 < size <= MAX_BYTES} == {}
    assert sum(sizes.values()) <= MAX_BYTES_TOGETHER


def test_no_picture_names_a_place_of_one_particular_machine() -> None:
    drawn = [path for path in PICTURES.iterdir() if path.suffix == ".svg"]
    assert drawn
    texts = {path.name: "".join(ElementTree.parse(path).getroot().itertext()) for path in drawn}
    assert {name: found for name, text in texts.items() if (found := machine_paths(text))} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cd /srv/ada/shelf && ls", ["/srv/ada/shelf"]),
        ("`/opt/venv/bin/autopilot web`", ["/opt/venv/bin/autopilot"]),
        ("STATE=/tmp/autopilot-demo-x1/state", ["/tmp/autopilot-demo-x1/state"]),
        (f"cd {PLACE}/shelf", []),
        ("2/3 done · 118k/5M tokens · .planning/phases/02-find/PLAN.md", []),
    ],
)
def test_a_place_of_a_machine_is_told_from_other_words(text: str, found: list[str]) -> None:
    assert machine_paths(text) == found


@pytest.mark.parametrize(
    ("shown", "drawn"),
    [
        ("a b", '<text x="14.0" y="27" textLength="25.2" lengthAdjust="spacingAndGlyphs">a b</text>'),
        ("\r\n  x", '<text x="30.8" y="45" textLength="8.4" lengthAdjust="spacingAndGlyphs">x</text>'),
        ("a   b", '<text x="47.6" y="27" textLength="8.4" lengthAdjust="spacingAndGlyphs">b</text>'),
        ("a<&>", ">a&lt;&amp;&gt;</text>"),
        ("\x1b[32mok\x1b[0m", ' fill="#a5d66f">ok</text>'),
        ("\x1b[1;4mok\x1b[0m", ' font-weight="bold" text-decoration="underline">ok</text>'),
        ("\x1b[41m  \x1b[0m", '<rect x="14.0" y="14" width="16.8" height="18" fill="#b3262e"/>'),
        ("\x1b[7mok\x1b[0m", ' fill="#101418">ok</text>'),
        ("\x1b[7mok\x1b[0m", '<rect x="14.0" y="14" width="16.8" height="18" fill="#d8dee4"/>'),
        ("書x", 'textLength="25.2" lengthAdjust="spacingAndGlyphs">書x</text>'),
    ],
)
def test_a_screen_is_drawn_cell_by_cell(shown: str, drawn: str) -> None:
    assert drawn in draw(shown)


@pytest.mark.parametrize(("shown", "height"), [("", 46), ("a", 46), ("a\r\n\r\nb", 82)])
def test_a_picture_ends_with_the_last_line_of_text_and_says_what_it_is(shown: str, height: int) -> None:
    picture = ElementTree.fromstring(draw(shown))
    assert picture.get("height") == str(height)
    assert picture[0].text == "Title"
