"""P-VIS: time per shot of a visual check over a bare Playwright script that takes the same pictures once.

Both run in the same sandbox beside the same app, turn by turn in one run, and are compared by their medians, with the
start of the browser, since both need it. The check shoots every page twice and measures it; the bare script opens each
page once and takes its picture.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.user import give_away
from autopilot.adapters.visual.chromium import ChromiumEyes, find_browser, list_packages
from autopilot.inspection.visual.baseline import Pins
from autopilot.model.conditions import Daemon
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.visual.subject import Route, Viewport, VisualTesting
from autopilot.ports.sandbox import CommandSpec, Exited, Mount, Profile, run
from autopilot.steps.visual.comparing import compare_with, pin_all
from autopilot.steps.visual.looking import look_at

GOAL = 1.5
ROUNDS = 3
PAGES = 6
SIZES = (Viewport(), Viewport(390, 844))
BARE = """
import sys
sys.path.extend(sys.argv[2:])
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=sys.argv[1], args=["--no-sandbox", "--disable-gpu"])
    for number in range(%d):
        for width, height in %r:
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(f"http://localhost:8123/{number}.html", wait_until="networkidle")
            page.screenshot(path=f"/tmp/{number}.{width}.png", full_page=True)
            page.close()
    browser.close()
"""


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    routes = tuple(Route(f"page{number}", f"/{number}.html") for number in range(PAGES))
    subject = VisualTesting(True, "python3 -m http.server 8123", 60.0, "http://localhost:8123", routes, SIZES)
    with tempfile.TemporaryDirectory() as folder:
        spec = make_site(Path(folder))
        sandbox = Bubblewrap(Path(folder) / "state")
        eyes = ChromiumEyes(sandbox, FileBlobs(Path(folder) / "pictures", Redactor({})))
        pins = pin_all(eyes.pictures, look_at(eyes, spec, subject, "base"))
        bare = spell_bare(spec, subject)
        took: dict[str, list[float]] = {"check": [], "bare": []}
        for _ in range(rounds):
            took["check"].append(measure_check(eyes, spec, subject, pins))
            began = time.monotonic()
            assert run(sandbox, bare).ended == Exited(0)
            took["bare"].append(time.monotonic() - began)
    shots = len(subject.shots())
    median = {name: statistics.median(times) for name, times in took.items()}
    for name, value in median.items():
        print(f"{name}: {value / shots * 1000:.0f} ms a shot, {shots} shots")
    ratio = median["check"] / median["bare"]
    print(f"P-VIS: {ratio:.2f}x (goal <= {GOAL}x)")
    return 0 if ratio <= GOAL else 1


def make_site(folder: Path) -> CommandSpec:
    site = folder / "site"
    site.mkdir()
    for number in range(PAGES):
        rows = "".join(f"<tr><td>Tool {row}</td><td>{row * number}</td></tr>" for row in range(40))
        main = f"<main><h1>Tools {number}</h1><table>{rows}</table></main>"
        text = f"<!doctype html><html lang=en><title>Tools</title>{main}"
        (site / f"{number}.html").write_text(text, encoding="utf-8")
    folder.chmod(0o755)
    give_away(site)
    place = PurePosixPath(site)
    return CommandSpec(("true",), Profile.VERIFY, project=place, backing=place, label="bench")


def spell_bare(spec: CommandSpec, subject: VisualTesting) -> CommandSpec:
    libraries = list_packages(subject)
    mounts = tuple(Mount(PurePosixPath(path), PurePosixPath(path)) for path in libraries)
    program = BARE % (PAGES, [(size.width, size.height) for size in SIZES])
    python = str(Path(sys.base_prefix, "bin", "python3"))
    folders = sorted({str(path.parent) for path in libraries})
    app = Daemon("app", subject.launch_command, port=8123)
    argv = (python, "-I", "-S", "-c", program, find_browser(None), *folders)
    return replace(spec, argv=argv, mounts=mounts, services=(app,), timeout_s=600.0)


def measure_check(eyes: ChromiumEyes, spec: CommandSpec, subject: VisualTesting, pins: Pins) -> float:
    began = time.monotonic()
    check = compare_with(eyes.pictures, look_at(eyes, spec, subject, "work"), pins, subject)
    assert not check.problem and not check.new, check.problem
    return time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
