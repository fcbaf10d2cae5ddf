"""What agents, tests and repositories say is text on every page: it runs nothing, leads nowhere, breaks nothing.

covers: T5, R-SECRET, CMD-WEB
"""

from __future__ import annotations

import json
import os
import re
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

from autopilot.adapters.lock import FileLock
from autopilot.events import happened as h
from tests.scenario.kit.browsing import Page, served
from tests.scenario.kit.resting import write_events
from tests.scenario.kit.world import World, make_world
from tests.scenario.page.hostile import TEXTS, hostile_run
from tests.unit.making import ONE, make_started

DOCUMENTS = ("VERIFICATION.md", "SUMMARY.md", "JUDGE-REPORT.md", "SCORECARD.md", "POST-MORTEM.json")
NEVER = {"img", "iframe", "base", "object", "embed", "style", "video", "math", "template"}
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


class Found(HTMLParser):
    """Elements and attributes that a page really has."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links |= {value or "" for name, value in attrs if name in ("href", "src", "action")}


def check(page: Page, path: str) -> str:
    answer = page.read(path)
    assert answer.status == 200, (path, answer.text[-600:])
    found = Found()
    found.feed(answer.text)
    assert found.elements.isdisjoint(NEVER), path
    assert not {name for name in found.attributes if name.startswith("on") or name in ("style", "srcdoc")}, path
    assert all(link.startswith(("/", "#", "?")) and not link.startswith("//") for link in found.links), path
    assert answer.text.count("<script") == 1, path
    assert not CONTROLS.search(answer.text), path
    assert answer.text.rstrip().endswith("</html>"), path
    return answer.text


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = make_world(tmp_path_factory.mktemp("hostile"))
    for place, text in enumerate(TEXTS):
        write_events(world, hostile_run(text), f"run-{place}")
    return world


def test_sixty_texts_in_every_field_are_text_on_every_page(hostile: World) -> None:
    assert len(TEXTS) >= 60
    with served(hostile) as page:
        repository = page.repository
        for path in ("/", "/over-time", repository):
            check(page, path)
        for place in range(len(TEXTS)):
            run = f"{repository}/runs/run-{place}"
            for path in (run, f"{run}/log", f"{run}/phases/1"):
                check(page, path)
            check(page, f"{run}/phases/1/documents/{DOCUMENTS[place % len(DOCUMENTS)]}")


def test_a_form_sends_back_what_a_query_said_only_as_text(hostile: World) -> None:
    with served(hostile) as page:
        log = f"{page.repository}/runs/run-0/log"
        check(page, f"{log}?words=%3Cscript%3Ealert(1)%3C/script%3E&phase=%22%3E%3Cimg%3E&event=x&page=-1")
        check(page, f"{log}?page=99999999999999999999999&note=%3Cb%3E")


@pytest.mark.parametrize("line", [b"<script>alert(1)</script>", b"\xff\xfe \x1b[31m \xc0\x80", b"[" * 50_000])
def test_what_an_agent_is_saying_now_is_text(tmp_path: Path, line: bytes) -> None:
    world = make_world(tmp_path)
    write_events(world, [make_started(), h.PhaseStarted(ONE, 1, "base")])
    speak(world, b"earlier\n" + line + b"\nthe last whole line\n" + b"half of a li")
    lock = FileLock(world.repository.home.lock)
    lock.take("a test")
    try:
        with served(world) as page:
            for path in ("/", f"{page.repository}/runs/run-1"):
                shown = check(page, path)
                assert "the last whole line" in shown
                assert "half of a li" not in shown
                assert "reading &lt;script&gt;alert(1)" in shown
    finally:
        lock.release()


def speak(world: World, transcript: bytes) -> None:
    live = world.repository.home.live
    live.mkdir()
    doing = {
        **{"label": "x", "agent": "scripted", "role": "executor", "phase": "1", "task": "01-01"},
        **{"since": time.clock_gettime(time.CLOCK_BOOTTIME), "listener": os.getpid()},
        "activity": "reading <script>alert(1)",
        "usage": {"tokens_in": 5, "tokens_out": 2, "usd": 0.0},
    }
    (live / "0123456789abcdef.json").write_text(json.dumps(doing), encoding="utf-8")
    (live / "0123456789abcdef.0.log").write_bytes(transcript)
