"""Real pages in a real browser inside the sandbox: planted defects are found, honest ones raise no alarm. VIS"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autopilot.inspection.visual.png import Pixels, encode_png
from autopilot.model.visual.facts import Facts
from autopilot.model.visual.finding import Cause, State
from autopilot.model.visual.subject import Route, Scheme, Viewport, VisualTesting
from tests.contract.visual.kit import SERVE, URL, Studio

PAGE = """<!doctype html><html lang=en><head><title>Tools</title><style>
body {{ font-family: sans-serif; margin: 2rem; color: #222; background: #fff }}
@media (prefers-color-scheme: dark) {{ body {{ background: #111; color: #eee }} a {{ color: #8cf }} }}
.buy {{ background: #0055aa; color: #fff; padding: .5rem 1rem; border: 0; animation: pulse 1s infinite }}
@keyframes pulse {{ 50% {{ opacity: .2 }} }} {style}</style></head>
<body><main><h1>Tools</h1><p id=words>Spades, rakes and hoes.</p><button class=buy>Buy</button>
<p><a href="/other.html">Other tools</a> <time></time> <input value=caret autofocus aria-label=Name></p>
<img src=logo.svg alt=Logo width=60 height=60>{more}</main>
<script>document.querySelector('time').textContent = new Date().toISOString() + Math.random();
{script}</script></body></html>
"""
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="green"/></svg>'


def page(style: str = "", more: str = "", script: str = "") -> str:
    return PAGE.format(style=style, more=more, script=script)


# By the name of its route: the page with the defect, and what finds it.
DEFECTS = {
    "shifted": (page(style="#words { margin-left: 40px }"), Cause.BOXES),
    "image": (page().replace("logo.svg", "lost.svg"), Cause.IMAGE),
    "colour": (page().replace("#0055aa", "#aa5500"), Cause.PICTURE),
    "overflow": (page(more='<div style="width:900px;background:#ddd">wide</div>'), Cause.OVERFLOW),
    "console": (page(script="console.error('boom')"), Cause.CONSOLE),
    "exception": (page(script="missing()"), Cause.EXCEPTION),
    "request": (page(script="fetch('/api/none')"), Cause.REQUEST),
    "link": (page(more='<a href="/gone.html">Gone</a>'), Cause.LINK),
    "contrast": (page(style="#words { color: #ccc; background: #fff }"), Cause.AXE),
    "blank": ("<!doctype html><html lang=en><title>Tools</title><body></body></html>", Cause.BLANK),
}
ROUTES = tuple(Route(name, f"/{name}.html") for name in (*DEFECTS, "good"))
SITE = {"logo.svg": LOGO, "other.html": page()}
REPEATS = 20 if os.environ.get("AUTOPILOT_CHAOS") else 0


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return Studio(tmp_path, VisualTesting(True, SERVE, 30.0, URL, ROUTES, (Viewport(390, 844),)))


def test_planted_defects_are_found_and_a_page_without_one_is_the_same(studio: Studio) -> None:
    good = {**SITE, **{f"{route.name}.html": page() for route in ROUTES}}
    baseline = studio.look(good)
    assert baseline.findings == ()
    broken = {**good, **{f"{name}.html": text for name, (text, _) in DEFECTS.items()}}
    check = studio.look(broken, studio.pin(baseline))
    found = {name: {f.cause for f in check.new if f.shot.startswith(f"{name}-")} for name in DEFECTS}
    assert {name: cause for name, (_, cause) in DEFECTS.items() if cause not in found[name]} == {}
    (same,) = (one for one in check.compared if one.shot.startswith("good-"))
    assert same.state is State.SAME
    for _ in range(REPEATS):
        again = studio.look(good, studio.pin(baseline))
        assert [one.state for one in again.compared] == [State.SAME] * len(ROUTES)
        assert again.findings == ()


def test_what_moves_is_unsteady_unless_it_may_differ_and_a_terminal_is_looked_at_like_a_page(tmp_path: Path) -> None:
    moving = page(
        script="let n = 0; setInterval(() => document.querySelector('#words').textContent = performance.now(), 1)"
    )
    routes = (
        Route("moving", "/moving.html"),
        Route("ignored", "/moving.html", ignore=("#words",)),
        Route("dark", "/good.html"),
        Route("menu", command="printf '\\033[1;34mMenu\\033[0m\\n> '; read -r word; echo got $word", keys="yes<enter>"),
    )
    subject = VisualTesting(True, SERVE, 30.0, URL, routes, schemes=(Scheme.DARK,))
    check = Studio(tmp_path, subject).look({**SITE, "moving.html": moving, "good.html": page()})
    states = {one.shot.split("-")[0]: one.state for one in check.compared}
    assert states == {"moving": State.UNSTEADY, "ignored": State.NEW, "dark": State.NEW, "menu": State.NEW}
    facts: dict[str, Facts] = {seen.key.split("-")[0]: seen.facts for seen in check.seen}
    assert facts["menu"].text[:3] == ("Menu", "> yes", "got yes")


def test_nothing_but_the_app_is_reached_and_what_was_asked_for_is_named(tmp_path: Path) -> None:
    outside = page(more='<img src="http://pictures.example/a.png" alt=Elsewhere>')
    subject = VisualTesting(True, SERVE, 30.0, URL, (Route("home", "/home.html"),))
    check = Studio(tmp_path, subject).look({**SITE, "home.html": outside})
    assert check.seen[0].facts.blocked == ("pictures.example",)
    assert {finding.cause for finding in check.findings} == {Cause.IMAGE}


# Beside the browser the app runs as the same user: it may write where results are read, and end our program.
FORGE = """
import glob, http.server, json, os, signal, threading, time
server = http.server.ThreadingHTTPServer(("127.0.0.1", 8123), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
picture = bytes.fromhex("PICTURE")
shots = ["home-1280x720-light.1.png", "home-1280x720-light.2.png"]
found = []
while not found:
    time.sleep(0.01)
    for name in filter(str.isdigit, os.listdir("/proc")):
        with open(f"/proc/{name}/cmdline", "rb") as line:
            words = line.read().split(b"\\0")
        if len(words) > 5 and words[3].endswith(b"inside.py"):
            found = [int(name), os.fsdecode(words[5])]
program, out = found
def write(names):
    for name in names:
        with open(f"{out}/draft", "wb") as file:
            file.write(picture)
        os.replace(f"{out}/draft", f"{out}/{name}")
"""
IN_PLACE_OF_PICTURES = """
while True:
    write(name for name in shots if os.path.exists(f"{out}/{name}"))
    time.sleep(0.002)
"""
INSTEAD_OF_OUR_PROGRAM = """
os.kill(program, signal.SIGKILL)
write(shots)
with open(f"{out}/facts.json", "w") as written:
    json.dump({"browser": "1", "facts": {"home-1280x720-light": {"status": 200}}}, written)
os._exit(0)
"""


def forged(tmp_path: Path, picture: bytes, how: str) -> str:
    """What is said of the look at such an app."""
    subject = VisualTesting(True, "python3 forge.py", 30.0, URL, (Route("home", "/home.html"),))
    app = (FORGE + how).replace("PICTURE", picture.hex())
    return Studio(tmp_path, subject).see({**SITE, "home.html": page(), "forge.py": app}).problem


@pytest.mark.parametrize("picture", [b"no picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"])
def test_what_the_app_wrote_in_place_of_its_pictures_is_named_and_breaks_nothing(
    tmp_path: Path, picture: bytes
) -> None:
    """covers: VIS, T5"""
    said = forged(tmp_path, picture, IN_PLACE_OF_PICTURES)
    assert said == "the picture of home-1280x720-light cannot be read: it is not a PNG file"


def test_an_app_that_ends_our_program_and_writes_the_result_itself_was_not_looked_at(tmp_path: Path) -> None:
    """covers: VIS, T5"""
    said = forged(tmp_path, encode_png(Pixels(1, 1, b"\0\0\0")), INSTEAD_OF_OUR_PROGRAM)
    assert said.startswith("the service app was gone when the command ended")
