"""kill -9 of an issue that pushes to a forge, at random instants: nothing is pushed, opened or said twice.

The forge is a bare repository on disk and a `gh` that writes down what it is asked.

covers: R-KILL, RES-1, T7.resume
"""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tests.chaos.ending import strays
from tests.chaos.killing import Kill, Run, check_record, kill_run
from tests.chaos.level import LEVEL
from tests.scenario.kit.issue_world import BRANCH, NUMBER, IssueWorld, honest_calls, make_issue_world

KILLS_PER_RUN_TIME = 6
ANNOUNCING = (b"/present/", b"/hand_off/")  # steps that talk to the forge
GH = r"""#!/bin/sh
case "$*" in *--body-file*) cat >/dev/null;; esac
case "$1 $2" in
  "issue view") printf '{"title":"Shouting","body":"","labels":[]}';;
  "pr view")
    test -f "$HOME/pull" || { echo "no pull requests found" >&2; exit 1; }
    printf '{"url":"https://forge.example.org/o/r/pull/7","state":"OPEN"}';;
  "pr create") : >"$HOME/pull"; echo "$1 $2" >>"$HOME/asked"; echo "https://forge.example.org/o/r/pull/7";;
  *) echo "$1 $2" >>"$HOME/asked";;
esac
"""


class ForgeWorld(IssueWorld):
    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "PATH": f"{self.folder}/bin:/usr/bin:/bin"}


class Published(Struct, frozen=True):
    """What others see in the end, and what the user's own branch holds."""

    remote: str
    branch: str
    tree: str
    checkout: str
    drafts: int
    comments: int
    strays: tuple[str, ...]


def test_an_issue_killed_at_random_instants_publishes_everything_once(place: Path, rng: random.Random) -> None:
    began = time.monotonic()
    undisturbed_world = make_forge_world(place / "undisturbed")
    assert crash_until_handed_off(undisturbed_world, iter(()), 0) == 0
    undisturbed, took_s = look(undisturbed_world), time.monotonic() - began
    assert undisturbed.drafts == 1 and undisturbed.comments >= 1 and not undisturbed.strays
    left, runs = LEVEL.kills_of_issues, 0
    kills = draw_kills(rng, took_s)
    while left > 0:
        world = make_forge_world(place / f"world-{runs}")
        left, runs = left - crash_until_handed_off(world, kills, left), runs + 1
        found = look(world)
        # A comment that may have been made already is not made again.
        assert found.comments <= undisturbed.comments
        assert [found.remote, found.branch, found.tree, found.checkout] == [
            *(undisturbed.remote, undisturbed.branch, undisturbed.tree, undisturbed.checkout)
        ]
        assert (found.drafts, found.strays) == (1, ())
        shutil.rmtree(world.folder)


def draw_kills(rng: random.Random, took_s: float) -> Iterator[Kill]:
    while True:
        whole_group = rng.random() < 0.3
        if rng.random() < 0.4:
            yield Kill(rng.uniform(0, 0.03 * took_s), rng.choice(ANNOUNCING), whole_group)
        else:
            yield Kill(rng.expovariate(KILLS_PER_RUN_TIME / took_s), b"", whole_group)


def crash_until_handed_off(world: ForgeWorld, kills: Iterator[Kill], most: int) -> int:
    """How many kills it took. First to the gate after the design, then, approved, to the hand-off."""
    counted = number = 0
    for wanted in (3, 0):
        if wanted == 0:
            approved = world.autopilot("approve")
            assert approved.status == 0, approved.err
        while True:
            number += 1
            run = start(world, number)
            if counted < most and kill_run(run, next(kills)):
                counted += 1
                check_record(world, run)
                continue
            status = run.finish()
            check_record(world, run)
            # Killed when all was recorded, the next start finds nothing to do.
            assert status == wanted or (status == 2 and "for you to merge" in run.said()), run.said()
            break
    return counted


def start(world: ForgeWorld, number: int) -> Run:
    talk = world.folder.with_name(f"{world.folder.name}-talk-{number}")
    with talk.open("wb") as file:
        process = subprocess.Popen(
            world.command("issue", str(NUMBER), "--script", str(world.script), "-v"),
            cwd=world.project,
            env=world.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
            start_new_session=True,
        )
    return Run(process, talk)


def make_forge_world(folder: Path) -> ForgeWorld:
    made = make_issue_world(folder, honest_calls())
    world = ForgeWorld(made.folder)
    remote = folder / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    world.set_settings(f'[forge]\nkind = "gh"\nremote = "{remote}"\n')
    program = folder / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(GH, encoding="utf-8")
    program.chmod(0o755)
    return world


def look(world: ForgeWorld) -> Published:
    asked = Counter((world.home / "asked").read_text(encoding="utf-8").splitlines())
    remote = ["--git-dir", str(world.folder / "remote.git")]
    return Published(
        remote=world.git(*remote, "log", "--all", "--format=%s"),
        branch=world.git("log", "--format=%s", BRANCH),
        tree=world.git("ls-tree", "-r", "--name-only", BRANCH),
        checkout=world.git("status", "--porcelain"),
        drafts=asked["pr create"],
        comments=asked["pr comment"],
        strays=tuple(strays(world)),
    )
