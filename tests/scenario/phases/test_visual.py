"""A phase whose interface is looked at: what is measured to be wrong goes to a debugger, then to a person. VIS"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.redaction import make_redactor
from autopilot.events.happened import PhaseObserved
from autopilot.events.recovery import PhaseDeferred
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.calls import Call, claim, commit_all
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import World, make_world

PAGE = """<!doctype html><html lang=en><head><title>Tools</title></head>
<body><main><h1>Tools</h1><p>Spades and rakes.</p><img src=logo.svg alt=Logo width=40 height=40></main></body></html>
"""
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="green"/></svg>\n'
BROKEN = PAGE.replace("src=logo.svg", "src=lost.svg")
LOOK = {
    "launch_command": "python3 -m http.server 8123",
    "base_url": "http://localhost:8123",
    "routes": [{"path": "/", "name": "home"}],
}
FOLDER = ".planning/phases/01-part-1"


@pytest.fixture
def site(tmp_path: Path) -> World:
    world = make_world(tmp_path, Plot(planned=True, files=("index.html",)))
    world.write("index.html", PAGE)
    world.write("logo.svg", LOGO)
    config = (
        json.loads(world.read(".planning/config.json")) if (world.project / ".planning/config.json").exists() else {}
    )
    config.setdefault("project", {})["visual_testing"] = LOOK
    world.write(".planning/config.json", json.dumps(config))
    world.commit("a site")
    return world


def site_pictures(world: World) -> Path:
    (folder,) = world.state.glob("autopilot/*/visual")
    return folder


def stored(pictures: Path) -> set[str]:
    return {f"{path.parent.name}{path.name.removesuffix('.z')}" for path in pictures.glob("??/*")}


def paint(page: str, role: str = "executor") -> Call:
    writes: tuple[Call, ...] = ({"write": "index.html", "text": page},)
    part: Call = {"write": "part-01-01.sh", "text": part_text("01-01")}
    call = claim("01-01", part, *writes, *commit_all("painted"), role=role)
    return call if role == "executor" else {key: value for key, value in call.items() if key != "task"}


def test_a_measured_defect_is_mended_although_every_reviewer_would_pass_it(site: World) -> None:
    site.play(paint(BROKEN), paint(PAGE.replace("rakes", "hoes"), role="debugger"))
    ran = site.run("1")
    assert ran.status == 0, ran.out + ran.err
    seen = [event.visual for event in happened(site, PhaseObserved)]
    assert [bool(check and check.defects) for check in seen] == [True, False], "refused once, then mended"
    report = site.read(f"{FOLDER}/VISUAL-BUGS.md")
    assert "home-1280x720-light" in report
    assert "differ from the baseline" in report, "what only changed is shown, and refuses nothing"
    assert "lost.svg" not in site.read("index.html")


def test_what_no_debugger_mends_waits_for_a_person_who_is_told_what_was_measured(site: World) -> None:
    stubborn: Call = {
        **paint(BROKEN, role="debugger"),
        "do": [{"run": "echo '<!-- again -->' >> index.html"}, *commit_all("again")],
    }
    site.play(paint(BROKEN), stubborn)
    ran = site.run("1")
    assert ran.status == 3, ran.out + ran.err
    assert state_of(site)["phases"]["1"]["status"] == "needs_human_verification"
    (deferred,) = happened(site, PhaseDeferred)
    assert any("an image is missing" in entry.why_insufficient for entry in deferred.evidence)
    assert "autopilot verdict 1 pass" in ran.out
    page = site.read(".autopilot/report.html")
    assert page.count('src="data:image/png;base64,') == 3, "before, after and what differs are in the report"
    pictures = site_pictures(site)
    stray = FileBlobs(pictures, make_redactor({})).keep(b"of a check that nothing refers to" * 9)
    assert site.autopilot("gc").status == 0
    assert stray not in stored(pictures) and len(stored(pictures)) >= 3
    assert site.autopilot("report", "--html", "-").out.count('src="data:image/png;base64,') == 3
