"""A sandbox that fails in the middle: once at each kind of command that it is given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable
from pathlib import Path

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.never import NeverStarted
from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.ports.sandbox import CommandSpec, Probe, Profile, Running, Sandbox
from tests.scenario.kit.probes import kind_of
from tests.scenario.kit.world import World

_DRAWN = re.compile(r"\b[0-9a-f]{10,64}\b")
Name = tuple[Hashable, ...]  # the step, the kind of probe, and more
Naming = Callable[[CommandSpec, int], Name]  # of a command, and of how often it was started before


def by_kind(spec: CommandSpec, before: int) -> Name:
    tree, step = Path(spec.backing), spec.label.partition("/")[2]
    if tree.parent.name == "passing":
        return step, kind_of(tree)
    if '"calls":' in spec.argv[-1]:
        return step, "held out"
    if "base64" in spec.argv[-1]:
        return step, "outside"
    return step, "look again" if before else "look"


def by_command(spec: CommandSpec, before: int) -> Name:
    """Every single one. Names that are drawn for each run (of folders, of answers) are left out."""
    return (*by_kind(spec, before), *(_DRAWN.sub("", word) for word in spec.argv), before)


class FailsOnce:
    """The first command whose name is not among ``spared`` never runs, however often it is tried.

    Those of ``small_for`` run where there is no room for them.
    """

    def __init__(
        self, sandbox: Sandbox, spared: Collection[Name], name: Naming, small: Sandbox, small_for: Collection[Name]
    ) -> None:
        self.failed: Name | None = None
        self._sandbox, self._small, self._small_for = sandbox, small, small_for
        self._spared, self._name = spared, name
        self._started: Counter[Name] = Counter()

    def start(self, spec: CommandSpec) -> Running:
        if spec.profile is not Profile.VERIFY or "/baseline/" in spec.label:
            return self._sandbox.start(spec)
        same = (spec.label, spec.backing, spec.argv)
        name = self._name(spec, self._started[same])
        if self.failed is None and name not in self._spared:
            self.failed = name
        if name == self.failed:
            return self._small.start(spec) if name[:2] in self._small_for else NeverStarted("the sandbox is broken")
        self._started[same] += 1
        return self._sandbox.start(spec)

    def probe(self) -> Probe:
        return self._sandbox.probe()

    def give_away(self, folder: Path) -> None:
        self._sandbox.give_away(folder)

    def end_orphans(self) -> tuple[str, ...]:
        return self._sandbox.end_orphans()


def cramped(world: World) -> Sandbox:
    """A real one with hardly any scratch space."""
    settings = world.settings
    toolchains = find_toolchains(settings.environment["PATH"])
    hidden = (settings.state, world.home)
    return Bubblewrap(world.repository.home.root, hidden=hidden, toolchains=toolchains, scratch_mb=1)
