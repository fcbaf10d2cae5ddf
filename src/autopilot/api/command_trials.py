"""Candidates for a project's commands, run in the sandbox on one commit: what works is chosen, the rest is reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.conditions import Conditions, SearchPath, activate
from autopilot.model.errors import Interrupted
from autopilot.model.evidence.testing import By, Grade, Tally, tally
from autopilot.model.policy import CHECKS, Commands, Timeouts
from autopilot.planning.detecting.way import Candidate, Way
from autopilot.ports.bundle import Ports
from autopilot.ports.layers import Layer, SetupRun
from autopilot.ports.sandbox import (
    CommandSpec,
    DaemonLost,
    Exited,
    Killed,
    NeverRan,
    Outcome,
    Profile,
    Stalled,
    TimedOut,
)
from autopilot.steps.observing.surroundings import under
from autopilot.steps.observing.test_reports import read_outcome, spell_reported
from autopilot.steps.observing.texts import text_in
from autopilot.testtools.findings.reading import read_findings
from autopilot.testtools.instrument import ask_for_reports
from autopilot.text.last_lines import telling_lines

MOST_WAYS, MOST_CANDIDATES = 5, 4
_LABEL = "commands/try"

Progress = Callable[[str], None]  # receives a line for each command that is started
_RED = ("tests failed", "has findings")
Result = Literal["worked", "failed", "tests failed", "ran no test", "has findings"]


class Trial(Struct, frozen=True):
    """One command that was run, and how it ended."""

    check: str  # setup or a check
    command: str
    source: str
    result: Result
    detail: str  # the lines that say why, of what it printed
    seconds: float
    tests: Tally | None = None  # where its test tool leaves a report


class Settled(Struct, frozen=True):
    commands: Commands
    trials: tuple[Trial, ...] = ()
    red: Trial | None = None  # the chosen test command, where some of its tests fail
    packages: Mapping[str, Commands] = {}  # by folder, where the repository has several

    @property
    def not_working(self) -> frozenset[str]:
        """Checks that were tried and are none here; where no way could be set up, nothing is known of them."""
        tried = {trial.check for trial in self.trials if trial.check in CHECKS}
        return frozenset(name for name in tried if getattr(self.commands, name) is None)


class _World(Struct, frozen=True):
    ports: Ports
    project: PurePosixPath
    commit: str
    timeouts: Timeouts
    conditions: Conditions
    progress: Progress


def try_commands(
    ports: Ports,
    commit: str,
    packages: Mapping[str, Sequence[Way]],
    timeouts: Timeouts,
    conditions: Conditions,
    progress: Progress,
) -> Settled:
    """Of each package the first way whose tests pass, else the first whose tests run at all; joined where several."""
    ports.vault.adopt(commit)
    world = _World(ports, PurePosixPath(ports.checkout.path), commit, timeouts, conditions, progress)
    found = {folder: _try_package(world, ways[:MOST_WAYS]) for folder, ways in packages.items()}
    return replace(join_packages(list(found.values())), packages=list_packages(found))


def _try_package(world: _World, ways: Sequence[Way]) -> Settled:
    trials: list[Trial] = []
    best: tuple[Way, Layer | None, Trial | None] | None = None
    for way in ways:
        layer = _set_up(world, way, trials)
        if isinstance(layer, Outcome):
            continue
        test = _first_working(world, layer, "test", way.candidates("test"), trials)
        is_green = test is not None and test.result == "worked" and not _runs_less(test, best[2] if best else None)
        done = is_green or not way.candidates("test")
        if done or best is None or _is_better(test, best[2]):
            _forget(world, best[1] if best else None, layer)
            best = (way, layer, test)
        else:
            _forget(world, layer, best[1])
        if done:
            break
    if best is None:
        return Settled(Commands(), tuple(trials))
    way, layer, test = best
    chosen = {"test": test.command} if test else {}
    for check in (name for name in CHECKS if name != "test"):
        found = _first_working(world, layer, check, way.candidates(check), trials)
        chosen |= {check: found.command} if found else {}
    commands = Commands(setup=way.setup.command if way.setup else None, **chosen)
    return Settled(commands, tuple(trials), test if test and test.result in _RED else None)


def _runs_less(green: Trial, red: Trial | None) -> bool:
    """Whether fewer tests pass here than beside those that fail: a part of the tests is no answer to a red one."""
    if red is None or red.tests is None or green.tests is None or Grade.EXIT in (green.tests.grade, red.tests.grade):
        return False
    return green.tests.passed < red.tests.passed


def _is_better(test: Trial | None, best: Trial | None) -> bool:
    """Tests that run and fail say more than a command that finds none, and that one more than none at all."""
    if test is None:
        return False
    return best is None or (best.result == "ran no test" and test.result in _RED)


def _forget(world: _World, layer: Layer | None, kept: Layer | None) -> None:
    """What a way installed that is not chosen: no run would use it, and each may be as large as the one that is."""
    if layer and (kept is None or layer.key != kept.key):
        world.ports.layers.forget(layer)


def _set_up(world: _World, way: Way, trials: list[Trial]) -> Layer | Outcome | None:
    if way.setup is None:
        return None
    world.progress(f"trying setup: {way.setup.command}")
    backing = PurePosixPath(world.ports.workspaces.export(world.commit))
    clock = world.ports.clock.now()
    timeout_s, grants = world.timeouts.setup, world.conditions.setup_env
    asked = SetupRun(way.setup.command, world.project, timeout_s, _LABEL, grants=grants)
    layer = world.ports.layers.ensure(asked, backing)
    seconds = (world.ports.clock.now() - clock).total_seconds()
    if isinstance(layer, Outcome):
        _stop_if_killed(layer)
        trials.append(_trial(world, "setup", way.setup, "failed", layer))
    else:
        trials.append(Trial("setup", way.setup.command, way.setup.source, "worked", "", seconds))
    return layer


def _first_working(
    world: _World, layer: Layer | None, check: str, candidates: Sequence[Candidate], trials: list[Trial]
) -> Trial | None:
    """The first that passes, else the first that ran and is red: a run compares with what was red before.

    Else the first that works and finds no test: where there is none yet, it will run those that a phase adds.
    """
    red, idle = None, None
    for candidate in candidates[:MOST_CANDIDATES]:
        trial = _try_one(world, layer, check, candidate)
        trials.append(trial)
        if trial.result == "worked" and not _runs_less(trial, red):
            return trial
        if trial.result in _RED:
            red = red or trial
        elif trial.result == "ran no test":
            idle = idle or trial
    return red or idle


def _try_one(world: _World, layer: Layer | None, check: str, candidate: Candidate) -> Trial:
    world.progress(f"trying {check}: {candidate.command}")
    vault, commit = world.ports.vault, world.commit
    asked = ask_for_reports(candidate.command, text_in(vault, commit), str(world.project)) if check == "test" else None
    spec = CommandSpec(
        argv=("bash", "-o", "pipefail", "-c", spell_reported(asked, commit) if asked else candidate.command),
        profile=Profile.VERIFY,
        project=world.project,
        backing=PurePosixPath(world.ports.workspaces.export(commit)),
        layers=(layer.project,) if layer else (),
        home_layers=(layer.home,) if layer else (),
        search=activate(layer.environment, layer.environment) if layer else SearchPath(),
        timeout_s=getattr(world.timeouts, check),
        report=asked is not None,
        label=_LABEL,
    )
    outcome = world.ports.sandbox.start(under(world.conditions, spec)).wait()
    _stop_if_killed(outcome)
    printed = outcome.output.decode("utf-8", "replace")
    tests = tally(read_outcome(vault, commit, asked, outcome, printed)) if asked else None
    result = _judge(outcome, tests)
    if check != "test" and result == "failed" and read_findings(printed, str(world.project)).findings:
        result = "has findings"
    return replace(_trial(world, check, candidate, result, outcome), tests=tests)


def _judge(outcome: Outcome, tests: Tally | None) -> Result:
    """By the report of the test tool, where there is one; a tool that could not load its tests has run none."""
    if tests is not None and not tests.problem and tests.grade is not Grade.EXIT:
        if tests.by is By.LOADING:
            return "failed"
        if tests.failed:
            return "tests failed"
        if not tests.ran:
            return "ran no test" if outcome.ended == Exited(0) else "failed"
    return "worked" if outcome.ended == Exited(0) else "failed"


def _trial(world: _World, check: str, candidate: Candidate, result: Result, outcome: Outcome) -> Trial:
    detail = telling_text(outcome, world.ports.blobs.clean)
    return Trial(check, candidate.command, candidate.source, result, detail, outcome.duration_ms / 1000)


def telling_text(outcome: Outcome, clean: Callable[[str], str]) -> str:
    """Why a command did not work. Secrets go before lines are cut: half a secret would not be known as one."""
    match outcome.ended:
        case TimedOut(after_s) | Stalled(after_s):
            return f"it did not finish within {after_s:g} s"
        case NeverRan(reason) | DaemonLost(reason):
            return clean(reason)
    return "\n".join(telling_lines(clean(outcome.output.decode("utf-8", "replace"))))


def _stop_if_killed(outcome: Outcome) -> None:
    if isinstance(outcome.ended, Killed):
        raise Interrupted("stopped while a command was tried", outcome.ended.reason)


def list_packages(found: Mapping[str, Settled]) -> dict[str, Commands]:
    """The commands of each package by its folder, of those that the joined ones run; none where one is the whole."""
    works = {folder: settled.commands for folder, settled in found.items() if "test" not in settled.not_working}
    return works if len(works) > 1 else {}


def join_packages(found: Sequence[Settled]) -> Settled:
    """One command for all packages: each in its folder, and the first that fails ends it. Those with red tests come
    last, so that they keep no other package from being tested; one whose tests cannot be run is left out."""
    if len(found) == 1:
        return found[0]
    joined = Commands()
    trials = tuple(trial for settled in found for trial in settled.trials)
    works = [settled for settled in found if "test" not in settled.not_working] or found
    found = sorted(works, key=lambda settled: settled.red is not None)
    for name in Commands.__struct_fields__:
        parts = [command for settled in found if (command := getattr(settled.commands, name))]
        joined = replace(joined, **{name: " && ".join(f"({part})" for part in parts) or None})
    return Settled(
        joined,
        trials,
        next((settled.red for settled in found if settled.red), None),
    )
