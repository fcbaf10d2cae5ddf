"""The program inside the sandbox that opens every route in a browser and writes down what it sees.

    python -I -S inside.py ORDER OUT

ORDER is a JSON file, see ``Order`` in chromium.py; OUT a folder for ``<key>.<pass>.png`` and ``facts.json``. It imports
nothing of Autopilot but its neighbour. The app runs beside it, on the loopback that only this sandbox has.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

HERE = Path(__file__).parent
NOON = 1735732800000  # 2025-01-01 12:00 UTC
OPEN_MS = 30_000
TALLEST = 12_000
MOST_LINKS = 200
LOOPBACK = ("localhost", "127.0.0.1", "::1")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--font-render-hinting=none"),
    *("--disable-lcd-text", "--force-color-profile=srgb"),
    # A part that is painted again, as around a cursor that comes late, differs by a shade from one painted at once.
    *("--disable-partial-raster", "--disable-skia-runtime-opts"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
)
WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}


class Page:
    """One page that is opened anew, and what came of it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.console: list[tuple[str, str]] = []
        self.failed: dict[str, dict[str, str]] = {}
        self.blocked: set[str] = set()
        page.on("pageerror", lambda error: self.errors.append(str(error)[:500]))
        page.on("console", self._note_message)
        page.on("requestfailed", self._fail)
        page.on("response", self._answer)

    def _note_message(self, message: Any) -> None:
        if message.type == "error":
            self.console.append((message.text[:500], message.location.get("url", "")))

    def _fail(self, request: Any) -> None:
        host = urlsplit(request.url).hostname or ""
        if host not in LOOPBACK and not request.url.startswith(("data:", "blob:")):
            self.blocked.add(host)
        elif "ERR_ABORTED" not in (request.failure or ""):  # the page itself thought better of it
            self._note(request, request.failure or "failed")

    def _answer(self, response: Any) -> None:
        if response.status >= 400:
            self._note(response.request, str(response.status))

    def _note(self, request: Any, problem: str) -> None:
        self.failed[request.url] = {"url": request.url[:500], "problem": problem[:100], "kind": request.resource_type}

    def facts(self) -> dict[str, Any]:
        """A console message about a request that is listed already says nothing more."""
        messages = [text for text, url in self.console if not self._is_listed(url)]
        return {
            "errors": sorted(set(self.errors)),
            "console": sorted(set(messages)),
            "failed": sorted(self.failed.values(), key=lambda request: request["url"]),
            "blocked": sorted(self.blocked),
        }

    def _is_listed(self, url: str) -> bool:
        """The icon that browsers ask every site for, named or not, is none of its defects."""
        return url in self.failed or (urlsplit(url).hostname or "") in self.blocked or url.endswith("/favicon.ico")


async def shoot(browser: Any, order: dict[str, Any], job: dict[str, Any], out: Path) -> dict[str, Any]:
    """The facts of the first pass; the second takes its picture alone."""
    context = await browser.new_context(
        viewport={"width": job["width"], "height": job["height"]},
        device_scale_factor=1,
        color_scheme=job["scheme"],
        reduced_motion="reduce",
        locale="en-US",
        timezone_id="UTC",
        ignore_https_errors=True,
        service_workers="block",
    )
    try:
        await context.add_init_script(path=HERE / "before.js")
        page = await context.new_page()
        await page.clock.set_fixed_time(NOON)
        seen = Page(page)
        facts = await _open(page, order, job)
        if not facts.get("unreached"):
            tall = await page.evaluate("document.documentElement.scrollHeight")
            clip = {"x": 0, "y": 0, "width": job["width"], "height": TALLEST} if tall > TALLEST else None
            name = out / f"{job['key']}.{job['pass']}.png"
            await page.screenshot(path=name, full_page=True, clip=clip, animations="disabled", caret="hide")
            if job["pass"] == 1:
                facts |= await _measure(page, job)
        return {**facts, **seen.facts()}
    finally:
        await context.close()


async def _open(page: Any, order: dict[str, Any], job: dict[str, Any]) -> dict[str, Any]:
    from playwright.async_api import Error

    if job["command"]:
        from autopilot.adapters.visual import terminal

        rows, status = await asyncio.to_thread(terminal.show, job["command"], job["keys"], job["wait_ms"])
        await page.set_content(terminal.render(rows))
        return {"status": status, "text": terminal.plain(rows)}
    try:
        answer = await page.goto(order["base_url"].rstrip("/") + job["path"], wait_until="load", timeout=OPEN_MS)
        await page.evaluate(order["settle"])
        if job["wait_ms"]:
            await page.wait_for_timeout(job["wait_ms"])
    except Error as error:
        return {"unreached": error.message.splitlines()[0][:300]}
    return {"status": answer.status if answer else 0}


async def _measure(page: Any, job: dict[str, Any]) -> dict[str, Any]:
    if job["command"]:
        return {}
    facts = await page.evaluate((HERE / "facts.js").read_text(encoding="utf-8"), job["ignore"])
    await page.evaluate((HERE / "axe" / "axe.min.js").read_text(encoding="utf-8"))
    found = await page.evaluate("(options) => axe.run(document, options)", WCAG)
    facts["violations"] = [
        {
            "rule": violation["id"],
            "impact": violation["impact"] or "minor",
            "help": violation["help"],
            "where": [" ".join(map(str, node["target"]))[:300] for node in violation["nodes"][:20]],
        }
        for violation in found["violations"]
    ]
    return dict(facts)


async def follow(browser: Any, urls: list[str]) -> dict[str, str]:
    """What is wrong with each link of the app's own, asked for once."""
    from playwright.async_api import Error

    context = await browser.new_context(ignore_https_errors=True)
    wrong: dict[str, str] = {}
    for url in urls[:MOST_LINKS]:
        try:
            answer = await context.request.get(url, timeout=OPEN_MS, max_redirects=5)
        except Error as error:
            wrong[url] = error.message.splitlines()[0][:100]
        else:
            if answer.status >= 400:
                wrong[url] = str(answer.status)
    await context.close()
    return wrong


async def run(order: dict[str, Any], out: Path) -> None:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=order["browser"], args=list(FLAGS))
        places = asyncio.Semaphore(order["at_once"])
        facts: dict[str, Any] = {}

        async def work(job: dict[str, Any]) -> None:
            async with places:
                seen = await shoot(browser, order, job, out)
            if job["pass"] == 1:
                facts[job["key"]] = seen

        await asyncio.gather(*(work(job) for job in order["jobs"]))
        wrong = await follow(browser, sorted({url for seen in facts.values() for url in seen.get("links", ())}))
        for seen in facts.values():
            links = seen.get("links", ())
            seen["links"] = [{"url": url, "problem": wrong[url]} for url in links if url in wrong]
        version = browser.version
        await browser.close()
    (out / "facts.json").write_text(json.dumps({"browser": version, "facts": facts}), encoding="utf-8")


def main(order: str, out: str) -> None:
    described = json.loads(Path(order).read_text(encoding="utf-8"))
    # Of Autopilot only this folder is there; the folders above it are found without a module of their own.
    sys.path.extend([*described["libraries"], str(HERE.parents[2])])
    described["settle"] = (HERE / "settle.js").read_text(encoding="utf-8")
    asyncio.run(run(described, Path(out)))


if __name__ == "__main__":
    with contextlib.suppress(KeyError):
        del os.environ["DISPLAY"]
    main(*sys.argv[1:])
