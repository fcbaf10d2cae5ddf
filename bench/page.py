"""The page of `autopilot web`: its views over a static file of the same server, live delay, weight, memory, idle CPU.

The record is made, not run: one run of 10,000 events, and fifty repositories with twenty runs each.
"""

from __future__ import annotations

import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.home import open_home
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import open_key
from autopilot.events.entry import Entry
from autopilot.events.happened import PhaseStarted, RunStarted, RunStopped, StepEnded, StepStarted
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, RunStatus, SpecLock, Step, StepStatus

ROUNDS = 15
EVENTS, REPOSITORIES, RUNS = 10_000, 50, 20
IDLE_S = 20.0
ONE = PhaseId("1")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(REPOSITORIES):
            fill(folder, f"repository-{number:02}", RUNS, 20)
        journal = fill(folder, "long", 1, EVENTS)
        with served(folder) as server:
            static = median(lambda: server.read("/static/page.css"))
            index = median(lambda: server.read("/"))
            repository = re.findall(r'href="(/r/[0-9a-f]+)">long<', server.read("/"))[0]
            run = median(lambda: server.read(f"{repository}/runs/run-0"))
            weight = sum(len(server.read(path)) for path in ("/static/page.css", "/static/page.js", f"{repository}"))
            delay = median(lambda: live_delay(server, repository, journal))
            stream = server.open("/changes")  # an open page follows all of them
            idle = idle_share(server.process.pid)
            stream.close()
            memory = resident_mb(server.process.pid)
    print(f"floor: a static file {static * 1000:.1f} ms")
    print(f"PAGE run of {EVENTS} events: {run / static:.1f}x, {run * 1000:.0f} ms")
    print(f"PAGE index of {REPOSITORIES} repositories with {RUNS} runs: {index / static:.1f}x, {index * 1000:.0f} ms")
    print(f"PAGE live delay: {delay * 1000:.0f} ms (goal <= 300 ms)")
    print(f"PAGE weight: {weight / 1024:.0f} KB (goal <= 150 KB)")
    print(f"PAGE memory: {memory:.0f} MB (goal <= 80 MB)")
    print(f"PAGE idle: {idle:.2%} of a core (goal <= 0.5%)")


def fill(folder: Path, name: str, runs: int, events: int) -> SqliteJournal:
    """The record of a repository that is not there: the page needs nothing else of it."""
    git = folder / name / ".git"
    git.mkdir(parents=True)
    home = open_home(folder / "state", git)
    journal = SqliteJournal(home.journal, open_key(home.key, home.journal), SystemClock())
    for run in range(runs):
        entries = [Entry(f"run-{run}", f"run-{run}/{place}", event) for place, event in enumerate(story(run, events))]
        journal.append(entries)
    return journal


def story(run: int, events: int) -> Iterator[RunStarted | PhaseStarted | StepStarted | StepEnded | RunStopped]:
    brief = PhaseBrief(ONE, "Part", "A part", (), (), ".planning/phases/01-part")
    spec = SpecLock(".planning/REQUIREMENTS.md", "5" * 64)
    commits = {"head": "a" * 40, "base": "a" * 40, "branch": "main"}
    lists = {"ticked": (), "agents": (), "pinned": (), "proven": (), "phases": (brief,), "outline": (brief,)}
    names = {"run": f"run-{run}", "version": "0", "model": "", "roadmap": ".planning/ROADMAP.md"}
    yield RunStarted(spec=spec, policy=Policy(), **commits, **lists, **names)
    yield PhaseStarted(ONE, 1, "a" * 40)
    for number in range(events // 2):
        yield StepStarted(ONE, Step.EXECUTE, number, 1)
        yield StepEnded(ONE, Step.EXECUTE, number, StepStatus.COMPLETED)
    yield RunStopped(RunStatus.FAILED, "it is over", 1)


class Server:
    def __init__(self, process: subprocess.Popen[str], link: str) -> None:
        self.process = process
        self.host = urlsplit(link).netloc
        self.cookie = ""
        connection = self.open(link.partition(self.host)[2])
        self.cookie = (connection.getheader("set-cookie") or "").partition(";")[0]

    def open(self, path: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self.host, timeout=120)
        connection.request("GET", path, headers={"Cookie": self.cookie})
        return connection.getresponse()

    def read(self, path: str) -> str:
        return self.open(path).read().decode()


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    env = {**os.environ, "AUTOPILOT_STATE_HOME": str(folder / "state")}
    words = [sys.executable, "-m", "autopilot", "web", "--no-open", "--port", "0"]
    process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    link = re.search(r"http://\S+", process.stdout.readline())
    assert link is not None, "the page printed no link"
    threading.Thread(target=process.stdout.read, daemon=True).start()
    try:
        yield Server(process, link[0])
    finally:
        process.terminate()
        process.wait()


def median(act: Callable[[], object]) -> float:
    act()
    return statistics.median(_timed(act) for _ in range(ROUNDS))


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    taken = act()
    return taken if isinstance(taken, float) else time.perf_counter() - began


def live_delay(server: Server, repository: str, journal: SqliteJournal) -> float:
    """From an append until the page that shows it has been fetched again, as the browser does."""
    stream = server.open(f"{repository}/changes")
    stream.readline()
    time.sleep(0.3)  # the server has had its first look
    began = time.perf_counter()
    key = f"run-0/{time.monotonic_ns()}"
    journal.append([Entry("run-0", key, StepStarted(ONE, Step.EXECUTE, time.monotonic_ns(), 1))])
    while not stream.readline().startswith(b"event: changed"):
        pass
    server.read(repository)
    stream.close()
    return time.perf_counter() - began


def idle_share(pid: int) -> float:
    """Processor time over the time on the clock, while an open page follows and nothing happens."""
    before = _ticks(pid)
    time.sleep(IDLE_S)
    return (_ticks(pid) - before) / os.sysconf("SC_CLK_TCK") / IDLE_S


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) / 1024


if __name__ == "__main__":
    main()
