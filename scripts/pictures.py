"""Makes the pictures that README shows, all from one run of the demo.

    python -m scripts.pictures    (make pictures)

The terminals are real ones of 100 x 30, drawn as SVG; the page is taken by the system's Chromium. The demo runs in a
folder that says nothing about the machine, for commands at its end name it.
"""

from __future__ import annotations

import itertools
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import sync_playwright

from autopilot.adapters.visual.terminal import BACK, FRONT, Cell, to_colour
from autopilot.inspection.visual.png import decode_png, encode_png
from tests.scenario.kit.browsing import served
from tests.scenario.kit.looking import PATIENCE_S, wait_until
from tests.scenario.kit.terminal import Emulator
from tests.scenario.kit.world import World

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PLACE = Path("/tmp/demo")
COLUMNS, ROWS = 100, 30
# The lie of the demo has been caught by then, and an agent is at work again; or it was too quick to be seen.
MOMENT = ("executor 02-02", "task 02-02")
PAGE_WIDTH, PAGE_MARGIN = 1024, 20
FEWER_SHADES = bytes(min(255, round(shade / 8) * 8) for shade in range(256))
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")

WIDTH, HEIGHT, MARGIN = 8.4, 18, 14  # of a cell, and around them
ON_COLOUR = {"#f07178": "#b3262e"}  # behind white letters the red of letters is too light to read
FONT = 'font-family="\'DejaVu Sans Mono\',Menlo,Consolas,monospace" font-size="14"'


def main() -> int:
    try:
        PLACE.mkdir()
    except FileExistsError:
        print(f"{PLACE} exists already; the demo of the pictures is made there: move it away", file=sys.stderr)
        return 1
    PICTURES.mkdir(exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as home:
            world = World(Path(home))
            world.project, world.state = PLACE / "shelf", PLACE / "state"
            _picture_terminals(world)
            _picture_page(world, PICTURES / "page.png")
    finally:
        shutil.rmtree(PLACE)
    for path in sorted(PICTURES.iterdir()):
        print(f"{path.relative_to(PICTURES.parents[1])}: {path.stat().st_size:,} bytes")
    return 0


def _picture_terminals(world: World) -> None:
    with _terminal(world, world.folder, "demo", "--in", str(PLACE)) as demo:
        demo.wait_for("phase 1")
        with _terminal(world, world.project, "watch") as view:
            _wait_for_moment(demo)
            _write("demo-running.svg", demo, "The demo while it runs")
            _wait_for_moment(view)
            _write("watch.svg", view, "autopilot watch")
        demo.end()
        _write("demo-end.svg", demo, "The end of the demo")


def _wait_for_moment(terminal: Emulator) -> None:
    wait_until(lambda: any(words in terminal.text for words in MOMENT), f"the terminal shows one of {MOMENT}")


def _picture_page(world: World, target: Path) -> None:
    chromium = shutil.which("chromium")
    assert chromium is not None, "scripts/setup.sh languages installs it"
    with served(world, "--read-only") as page, sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=chromium, args=list(FLAGS))
        size = {"width": PAGE_WIDTH, "height": 800}
        context = browser.new_context(viewport=size, color_scheme="light", timezone_id="UTC", locale="en")
        context.set_default_timeout(PATIENCE_S * 1000)
        tab = context.new_page()
        tab.goto(page.links[-1])
        tab.get_by_role("link", name="run-").first.click()
        tab.get_by_text("every phase passed").first.wait_for()
        phases = tab.locator("#phases").bounding_box()
        assert phases is not None, "the page shows the phases of a run"
        height = phases["y"] + phases["height"] + PAGE_MARGIN
        taken = tab.screenshot(clip={"x": 0, "y": 0, "width": PAGE_WIDTH, "height": height}, full_page=True)
        browser.close()
    target.write_bytes(shrink_png(taken))


def shrink_png(content: bytes) -> bytes:
    """With fewer shades, which nobody sees, it is packed into little more than half."""
    pixels = decode_png(content)
    return encode_png(replace(pixels, data=pixels.data.translate(FEWER_SHADES)))


def _terminal(world: World, folder: Path, *words: str) -> Emulator:
    return Emulator(world.command(*words), folder, world.environment, columns=COLUMNS, rows=ROWS)


def _write(name: str, terminal: Emulator, title: str) -> None:
    (PICTURES / name).write_text(render_svg(terminal.cells, title), encoding="utf-8")


def render_svg(rows: Sequence[Sequence[Cell]], title: str) -> str:
    """A screen up to its last line with text. Letters keep to their cells, whichever font the reader has."""
    filled = [number for number, row in enumerate(rows, start=1) if any(cell[0].strip() for cell in row)]
    shown = rows[: max(filled, default=1)]
    width = round(max((len(row) for row in shown), default=0) * WIDTH + 2 * MARGIN)
    height = len(shown) * HEIGHT + 2 * MARGIN
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'{head} role="img" {FONT} fill="#{FRONT}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#{BACK}"/>',
        *(part for number, row in enumerate(shown) for part in _draw_row(row, MARGIN + number * HEIGHT)),
    ]
    return "\n".join([*lines, "</svg>", ""])


def _draw_row(row: Sequence[Cell], top: int) -> Iterator[str]:
    """Neighbours that look alike are one piece."""
    column = 0
    for (front, back, bold, underscored), cells in itertools.groupby(row, key=lambda cell: cell[1:]):
        texts = [cell[0] for cell in cells]
        left, column = column, column + len(texts)
        if back != "default":
            colour = to_colour(back)
            box = f'x="{_x(left)}" y="{top}" width="{len(texts) * WIDTH:.1f}" height="{HEIGHT}"'
            yield f'<rect {box} fill="{ON_COLOUR.get(colour, colour)}"/>'
        style = f' fill="{to_colour(front)}"' if front != "default" else ""
        style += ' font-weight="bold"' if bold else ""
        style += ' text-decoration="underline"' if underscored else ""
        yield from _draw_text(texts, left, top, style)


def _draw_text(texts: Sequence[str], left: int, top: int, style: str) -> Iterator[str]:
    """In pieces without gaps: not every program that shows SVG keeps several spaces."""
    column = left
    for is_gap, group in itertools.groupby(_mark_gaps(texts), key=lambda marked: marked[0]):
        piece = [text for _, text in group]
        start, column = column, column + len(piece)
        if not is_gap:
            length = f'textLength="{len(piece) * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
            text = escape("".join(piece), quote=False)
            yield f'<text x="{_x(start)}" y="{top + HEIGHT - 5}" {length}{style}>{text}</text>'


def _mark_gaps(texts: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """A space between two letters is none."""
    for before, text, after in zip([" ", *texts], texts, [*texts[1:], " "], strict=False):
        yield text == " " and " " in (before, after), text


def _x(column: int) -> str:
    return f"{MARGIN + column * WIDTH:.1f}"


if __name__ == "__main__":
    sys.exit(main())
