"""Six planted bugs, each with a script that finds and fixes it: logic, a boundary, a race, an environment variable, the
version of a dependency, a regression among two hundred commits."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.scenario.kit.calls import Call
from tests.scenario.kit.debugging.world import (
    OFF_BY_ONE,
    TEXT,
    DebugWorld,
    fixes,
    gathers,
    honest_calls,
    make_debug_world,
    thinks,
)

NOTHING = {"tests/test_nothing.py": "import unittest\n\n\nclass Nothing(unittest.TestCase):\n    pass\n"}
COMMITS, BAD = 200, 137


@dataclass(frozen=True)
class Planted:
    name: str
    text: str
    files: Mapping[str, str]
    calls: Sequence[Call]
    options: tuple[str, ...] = field(default=())

    def make(self, folder: Path) -> DebugWorld:
        world = make_debug_world(folder, self.files, self.calls)
        if "--good" in self.options:
            grow(world)
        return world


LOGIC = "def is_leap(year):\n    return year % 4 == 0 and year % 100 != 0\n"
LEAP = "def is_leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n"
# It fails in about one run of four: what two writers do is lost when they come together.
RACE = """import os


def count(times):
    total = 0
    for number in range(times):
        seen = total
        if number == 1 and os.urandom(1)[0] < 64:
            seen = 0  # the other writer was between
        total = seen + 1
    return total
"""
STEADY = "def count(times):\n    return sum(1 for _ in range(times))\n"
ENVIRONMENT = 'import os\n\n\ndef folder():\n    return os.environ["APP_HOME"] + "/data"\n'
DEFAULTED = 'import os\n\n\ndef folder():\n    return os.environ.get("APP_HOME", ".") + "/data"\n'
LOADER = """import importlib.util
from pathlib import Path


def greet(name):
    version = Path("requirements.lock").read_text().split("==")[1].strip()
    spec = importlib.util.spec_from_file_location("hello", f"vendor/hello-{version}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.greet(name)
"""
DEPENDENCY = {
    "app.py": LOADER,
    "vendor/hello-1.0.py": 'def greet(name):\n    return "hello " + name.strip()\n',
    "vendor/hello-2.0.py": 'def greet(name):\n    return "hello " + name.strip() + "!"\n',
    "requirements.lock": "hello==1.0\n",
    **NOTHING,
}
TAX = "RATE = {rate}\n\n\ndef gross(net):\n    return round(net * RATE, 2)\n"


def grow(world: DebugWorld) -> None:
    """Two hundred commits by one process of git; the one in the middle brings the bug."""
    lines = ["feature done\n"]
    for number in range(1, COMMITS + 1):
        text = f"{number}\n"
        lines.append(f"commit refs/heads/main\ncommitter A <a@b.invalid> {1_700_000_000 + number} +0000\n")
        subject = f"step {number}\n"
        lines.append(f"data {len(subject)}\n{subject}")
        lines.append("from refs/heads/main^0\n" if number == 1 else "")
        lines.append(f"M 644 inline log.txt\ndata {len(text)}\n{text}\n")
        if number == BAD:
            wrong = TAX.format(rate="1.91")
            lines.append(f"M 644 inline tax.py\ndata {len(wrong)}\n{wrong}\n")
    lines.append("done\n")
    (world.folder / "history").write_text("".join(lines), encoding="utf-8")
    world.git("tag", "good")
    descriptor = os.open(world.folder / "history", os.O_RDONLY)
    try:
        feed(world, descriptor)
    finally:
        os.close(descriptor)
    world.git("reset", "-q", "--hard", "main")


def feed(world: DebugWorld, descriptor: int) -> None:
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=world.project, stdin=descriptor, check=True)


def asserting(module: str, holds: str, before: str = "") -> str:
    return f"{before}python3 -c 'import {module}; assert {holds}'"


PLANTED = (
    Planted("boundary", TEXT, OFF_BY_ONE, honest_calls()),
    Planted(
        "logic",
        "the year 2000 is no leap year",
        {"leap.py": LOGIC, **NOTHING},
        [
            gathers(asserting("leap", "leap.is_leap(2000)")),
            thinks("every century is left out", asserting("leap", "not leap.is_leap(2400)")),
            fixes({"leap.py": LEAP}),
        ],
    ),
    Planted(
        "environment",
        "it crashes for some users at the start",
        {"places.py": ENVIRONMENT, **NOTHING},
        [
            gathers(asserting("places", "places.folder()", "env -u APP_HOME ")),
            thinks("data is not a folder", "test -f data", attempt=1),
            thinks("APP_HOME is not set for them", asserting("places", "places.folder()", "APP_HOME=/x ")),
            fixes({"places.py": DEFAULTED}),
        ],
    ),
    Planted(
        "dependency",
        "greetings have no exclamation mark any more",
        DEPENDENCY,
        [
            gathers(asserting("app", 'app.greet("x") == "hello x!"')),
            thinks("the lockfile pins hello 1.0, which has no mark", "grep -q 1.0 requirements.lock"),
            fixes({"requirements.lock": "hello==2.0\n"}),
        ],
    ),
    Planted(
        "race",
        "the count is wrong now and then",
        {"counting.py": RACE, **NOTHING},
        [
            gathers(asserting("counting", "counting.count(3) == 3")),
            thinks("one writer reads before the other has written", "grep -q 'seen = 0' counting.py"),
            fixes({"counting.py": STEADY}),
        ],
    ),
    Planted(
        "regression",
        "gross prices are far too high",
        {"tax.py": TAX.format(rate="1.19"), **NOTHING},
        [
            gathers(asserting("tax", "tax.gross(100) == 119")),
            thinks("the rate has two digits swapped", "grep -q 1.91 tax.py"),
            fixes({"tax.py": TAX.format(rate="1.19")}),
        ],
        options=("--good", "good"),
    ),
)
