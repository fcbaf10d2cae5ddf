"""Eyes made of Playwright and the system's Chromium: both run inside the sandbox, next to the app."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.beneath import read_beneath
from autopilot.adapters.git.removal import remove_tree
from autopilot.model.conditions import Daemon
from autopilot.model.visual.facts import Facts
from autopilot.model.visual.subject import VisualTesting
from autopilot.ports.eyes import Look, Pictures, Taken
from autopilot.ports.sandbox import CommandSpec, DaemonLost, Exited, Mount, Probe, Sandbox, describe_ended, run

INSIDE = Path(__file__).with_name("inside.py")  # never imported here: it brings an event loop along
APP = "app"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("playwright", "greenlet")
BESIDE = ("pyee", "typing_extensions")  # which some versions of them need
TERMINAL_PACKAGES = ("pyte", "wcwidth")
EXTRA = "pip install 'autopilot-roadmap[visual]'"
MOST_BYTES = 32 << 20  # of one picture, and of all facts
MOST_TOGETHER = 256 << 20  # of all pictures: the app, which runs beside the browser, may have written them
AT_ONCE = 4
PER_SHOT_S = 60.0
START_S = 60.0
# Any answer is one: a page that fails is found by looking at it. Light, for a busy machine asks it within seconds.
ASK = (
    "import socket,sys\n"
    "with socket.create_connection((sys.argv[1],int(sys.argv[2])),5) as asked:\n"
    " asked.sendall(b'GET / HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n')\n"
    " sys.exit(0 if asked.recv(1) else 'it does not answer')"
)


class _Job(Struct, frozen=True, rename={"number": "pass"}):
    key: str
    number: int
    path: str
    command: str
    keys: str
    wait_ms: int
    ignore: tuple[str, ...]
    width: int
    height: int
    scheme: str


class Order(Struct, frozen=True):
    """What the program inside is asked to do."""

    browser: str
    libraries: tuple[str, ...]
    base_url: str
    at_once: int
    jobs: tuple[_Job, ...]


class _Written(Struct, frozen=True):
    browser: str
    facts: dict[str, Facts]


class ChromiumEyes:
    def __init__(self, sandbox: Sandbox, pictures: Pictures, search_path: str = "") -> None:
        self._sandbox = sandbox
        self.pictures = pictures
        self._search_path = search_path or None

    def probe(self) -> Probe:
        return probe_browser(self._search_path)

    def look(self, spec: CommandSpec, subject: VisualTesting) -> Look:
        folder = Path(tempfile.mkdtemp(prefix="autopilot-visual-"))
        try:
            out = folder / "out"
            out.mkdir()
            self._sandbox.give_away(out)
            (folder / "order.json").write_bytes(msgspec.json.encode(self._order(subject)))
            folder.chmod(0o755)
            outcome = run(self._sandbox, self._spell(spec, subject, folder))
            # Whether the app still answers when everything was seen is no question: what it did not answer was seen.
            # Our own program has to have ended well: what it did not finish, the app may have written.
            if outcome.ended != Exited(0) and not (isinstance(outcome.ended, DaemonLost) and outcome.ended.code == 0):
                return Look(outcome, problem=describe_ended(outcome.ended))
            written = _read_facts(out)
            if isinstance(written, str):
                is_lost = isinstance(outcome.ended, DaemonLost)
                return Look(outcome, problem=describe_ended(outcome.ended) if is_lost else written)
            taken = _take_all(out, written.facts, subject)
            if taken is None:
                return Look(outcome, problem=f"its pictures have over {MOST_TOGETHER >> 20} MB together")
            return Look(outcome, written.browser, taken)
        finally:
            remove_tree(folder)

    def _order(self, subject: VisualTesting) -> Order:
        libraries = {str(path.parent) for path in list_packages(subject)}
        at_once = max(1, min(AT_ONCE, len(os.sched_getaffinity(0))))
        return Order(
            find_browser(self._search_path), tuple(sorted(libraries)), subject.base_url, at_once, _list_jobs(subject)
        )

    def _spell(self, spec: CommandSpec, subject: VisualTesting, folder: Path) -> CommandSpec:
        here, out = INSIDE.parent, folder / "out"
        shown = (here, folder, *list_packages(subject))
        python = str(Path(sys.base_prefix, "bin", "python3"))
        mounts = (Mount(PurePosixPath(path), PurePosixPath(path)) for path in shown)
        app = (_describe_app(subject, python),) if subject.launch_command else ()
        return replace(
            spec,
            argv=(python, "-I", "-S", str(INSIDE), str(folder / "order.json"), str(out)),
            mounts=(*spec.mounts, *mounts, Mount(PurePosixPath(out), PurePosixPath(out), writable=True)),
            services=(*spec.services, *app),
            network=False,
            timeout_s=START_S + PER_SHOT_S * len(subject.shots()),
        )


def probe_browser(search_path: str | None) -> Probe:
    if any(importlib.util.find_spec(name) is None for name in PACKAGES):
        return Probe(usable=False, detail="the Python package playwright is not installed", remedy=f"`{EXTRA}`")
    if not (browser := find_browser(search_path)):
        remedy = "`apt-get install chromium`, or the package of that name of your system"
        return Probe(usable=False, detail="Chromium is not installed", remedy=remedy)
    return Probe(usable=True, detail=f"Playwright, with {browser}")


def find_browser(search_path: str | None) -> str:
    return next((found for name in BROWSERS if (found := shutil.which(name, path=search_path))), "")


def list_packages(subject: VisualTesting) -> list[Path]:
    """Where what the program imports lies; a module of one file is its file."""
    names = (*PACKAGES, *BESIDE, *(TERMINAL_PACKAGES if any(route.command for route in subject.routes) else ()))
    found = (importlib.util.find_spec(name) for name in names)
    origins = [Path(spec.origin) for spec in found if spec is not None and spec.origin]
    return [origin.parent if origin.name == "__init__.py" else origin for origin in origins]


def _list_jobs(subject: VisualTesting) -> tuple[_Job, ...]:
    """Both passes of one shot stand apart, so that they are not taken in the same instant."""
    routes = {route.name: route for route in subject.routes}
    return tuple(
        _Job(
            *(shot.key, number, route.path, route.command, route.keys, route.wait_ms),
            ignore=(*subject.ignore, *route.ignore),
            width=shot.viewport.width if route.path else 720,
            height=shot.viewport.height if route.path else 450,
            scheme=shot.scheme.value,
        )
        for number in (1, 2)
        for shot in subject.shots()
        for route in (routes[shot.route],)
    )


def _describe_app(subject: VisualTesting, python: str) -> Daemon:
    url = urlsplit(subject.base_url)
    port = url.port or (443 if url.scheme == "https" else 80)
    ready = shlex.join((python, "-I", "-S", "-c", ASK, url.hostname or "localhost", str(port)))
    return Daemon(APP, subject.launch_command, ready, port, subject.ready_s)


def _read_facts(out: Path) -> _Written | str:
    content = read_beneath(out, "facts.json", MOST_BYTES)
    if content is None:
        return "the browser's program ended without a result"
    try:
        return msgspec.json.decode(content, type=_Written)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return f"what the browser's program wrote is no result of it: {error}"


def _take_all(out: Path, facts: Mapping[str, Facts], subject: VisualTesting) -> dict[str, Taken] | None:
    """Of the shots that were asked for, whatever else is named there; None when they are too large."""
    taken, size = dict[str, Taken](), 0
    for key in (shot.key for shot in subject.shots() if shot.key in facts):
        first, second = (read_beneath(out, f"{key}.{number}.png", MOST_BYTES) or b"" for number in (1, 2))
        size += len(first) + len(second)
        if size > MOST_TOGETHER:
            return None
        taken[key] = Taken(facts[key], first, second)
    return taken
