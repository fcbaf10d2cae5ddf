"""The page of a world: served for real, asked over a real connection."""

from __future__ import annotations

import http.client
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.world import World

LINK = re.compile(r"http://\S+")


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass
class Page:
    """A server, and one browser that came in by its link."""

    process: subprocess.Popen[str]
    links: list[str] = field(default_factory=list)
    cookie: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.links[0]).netloc

    def ask(self, path: str, method: str = "GET", body: str = "", **headers: str) -> Answer:
        """A request as it is given, with nothing added."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body or None, named)
        response = connection.getresponse()
        text = response.read().decode("utf-8")
        connection.close()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)

    def enter(self) -> None:
        answer = self.ask(self.links[-1].partition(self.host)[2])
        assert answer.status == 303, answer.text
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def read(self, path: str) -> Answer:
        return self.ask(path, Cookie=self.cookie)

    def post(self, path: str, **fields: str) -> str:
        """Send a form as a browser does; the note on the page it leads to."""
        names = {name.replace("__", "."): value for name, value in fields.items()}
        form = {"Content_Type": "application/x-www-form-urlencoded", "Origin": f"http://{self.host}"}
        answer = self.ask(path, "POST", urlencode(names), Cookie=self.cookie, **form)
        assert answer.status == 303, (answer.status, answer.text)
        shown = self.read(answer.headers["location"]).text
        found = re.search(r'<p class="note (\w+)" role="status">(.*?)</p>', shown, re.DOTALL)
        assert found is not None, shown
        return f"{found[1]}: {found[2]}"

    @property
    def repository(self) -> str:
        found = re.search(r'href="(/r/[0-9a-f]+)"', self.read("/").text)
        assert found is not None
        return found[1]


@contextmanager
def served(world: World, *words: str) -> Iterator[Page]:
    process = world.start("web", "--no-open", "--port", "0", *words)
    page = Page(process)
    came = threading.Event()

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if found := LINK.search(line):
                page.links.append(found[0])
                came.set()

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        assert came.wait(PATIENCE_S), "the page printed no link"
        page.enter()
        yield page
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        listener.join()
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stderr.close()
