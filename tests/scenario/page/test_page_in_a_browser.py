"""The page in a real browser: followed live, decided by the keyboard alone, readable for everybody.

covers: STAT-05, CMAP-03, CMD-WEB
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright
from playwright.sync_api import Page as Tab

from autopilot.events.people import HumanAnswered
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.browsing import Page, served
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.resting import at_rest
from tests.scenario.kit.world import World
from tests.unit.asking import CHECKPOINT, MAP

WIDTHS = (390, 1024, 1600)
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")


@pytest.fixture(scope="module")
def playing() -> Iterator[Playwright]:
    with sync_playwright() as playing:
        yield playing


@pytest.fixture(scope="module")
def browser(playing: Playwright) -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium is not None, "scripts/setup.sh languages installs it"
    browser = playing.chromium.launch(executable_path=chromium, args=list(FLAGS))
    yield browser
    browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1024, "height": 800})
    context.set_default_timeout(PATIENCE_S * 1000)
    yield context
    context.close()


def come_in(context: BrowserContext, page: Page) -> Tab:
    """By the newest link, as a user does."""
    tab = context.new_page()
    tab.goto(page.links[-1])
    return tab


def test_a_gate_is_rejected_by_the_keyboard_alone(tmp_path: Path, context: BrowserContext) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    with served(world) as page:
        tab = come_in(context, page)
        reject = tab.get_by_role("button", name="Reject")
        for _ in range(20):
            if reject.evaluate("button => button === document.activeElement"):
                break
            tab.keyboard.press("Tab")
        tab.keyboard.press("Enter")
        tab.get_by_role("status").filter(has_text="your rejection is recorded").wait_for()
    [answer] = happened(world, HumanAnswered)
    assert (answer.approved, answer.by) == (False, "you, in the page")


def test_a_run_is_followed_from_its_start_to_its_end_without_a_reload(world: World, context: BrowserContext) -> None:
    with served(world) as page:
        tab = come_in(context, page)
        tab.get_by_text("No repository has a run yet").wait_for()
        running = world.start("run", "--script", str(world.script))
        tab.get_by_role("link", name="run-").first.click()
        tab.get_by_text("every phase passed").first.wait_for()
        running.communicate(timeout=PATIENCE_S)
        tab.get_by_role("link", name="1: ").first.click()
        tab.get_by_text("1 of 1 ").first.wait_for()


def test_what_is_answered_at_a_terminal_leaves_the_open_page_by_itself(tmp_path: Path, context: BrowserContext) -> None:
    world = at_rest(tmp_path, CHECKPOINT, MAP)
    with served(world) as page:
        tab = come_in(context, page)
        question = tab.get_by_text("1 of 3 phases are done: continue?").first
        question.wait_for()
        assert world.autopilot("approve", "checkpoint-1").status == 0
        question.wait_for(state="detached")
        assert tab.get_by_text("2 phases need more information").first.is_visible()


def test_what_is_being_typed_is_not_taken_away_when_the_record_grows(tmp_path: Path, context: BrowserContext) -> None:
    world = at_rest(tmp_path, CHECKPOINT, MAP)
    with served(world) as page:
        tab = come_in(context, page)
        field = tab.get_by_label("Which login?")
        field.fill("OAuth")
        with tab.expect_response(lambda response: response.url.endswith("/") and response.request.method == "GET"):
            assert world.autopilot("approve", "checkpoint-1").status == 0
        assert field.input_value() == "OAuth"


def test_every_view_is_readable_for_everybody_and_nothing_is_wider_than_the_screen(
    world: World, browser: Browser
) -> None:
    """No violation that axe-core knows of, light or dark, and at no width a page that scrolls sideways."""
    assert world.run().status == 0
    axe = (resources.files("autopilot") / "adapters" / "visual" / "axe" / "axe.min.js").read_text(encoding="utf-8")
    schemes: tuple[Any, ...] = ("light", "dark")
    with served(world) as page:
        for scheme in schemes:
            context = browser.new_context(color_scheme=scheme, bypass_csp=True)
            context.set_default_timeout(PATIENCE_S * 1000)
            tab = come_in(context, page)
            tab.on("pageerror", lambda error: pytest.fail(str(error)))
            run = tab.get_by_role("link", name="run-").first.get_attribute("href")
            repository = str(run).partition("/runs/")[0]
            documents = f"{run}/phases/1/documents"
            views = ("/", "/over-time", repository, run, f"{run}/phases/1", f"{run}/log", "/r/none")
            for path in (*views, f"{documents}/PLAN.md", f"{documents}/VERIFICATION.md", f"{documents}/SUMMARY.md"):
                tab.goto(f"http://{page.host}{path}")
                tab.evaluate(axe)
                found = tab.evaluate("axe.run().then(result => result.violations.map(each => each.id + each.help))")
                assert found == [], (path, scheme, found)
                for width in WIDTHS:
                    tab.set_viewport_size({"width": width, "height": 800})
                    assert tab.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
            context.close()
