"""P-EVID: the time of all evidence of one phase over one plain run of its project's tests, for each language.

python bench/evidence.py [LANGUAGE …]

Counted is every command that Autopilot ran to believe the phase: the criterion and the tests at the base (red), after
the task (green), with the implementation reverted and mutated, the canary, the spec's examples, what was repeated. The
plain run is the project's own test command in the same sandbox on the same kind of clean export, without a report.

Six to eight of these runs start the test tool: of a project whose tests take less time than their tool takes to start,
the ratio is higher than what is printed here.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace
from worlds.languages import SAMPLES, Sample, make_project, make_script

from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.running import run
from autopilot.events.happened import Event, PhaseObserved, RedObserved, TaskVerified
from autopilot.events.recovery import BaselineObserved
from autopilot.events.state import RunState
from autopilot.model.evidence.observation import Observation
from autopilot.model.run import RunRequest
from autopilot.ports.sandbox import CommandSpec, Exited, Profile
from autopilot.settings.reading import Settings, read_settings
from autopilot.settings.sandboxes import make_sandbox

GOAL = 4.0
PLAIN_RUNS = 3


class Measured(Struct, frozen=True):
    plain_s: float
    seen: tuple[Observation, ...]

    @property
    def evidence_s(self) -> float:
        return sum(o.duration_ms for o in self.seen) / 1000

    @property
    def ratio(self) -> float:
        return self.evidence_s / self.plain_s


def main() -> None:
    wanted = [word.lower() for word in sys.argv[1:]]
    ratios = []
    for sample in (one for one in SAMPLES if not wanted or one.language.lower() in wanted):
        measured = measure(sample)
        if isinstance(measured, str):
            print(f"{sample.language}: left out, {measured}")
            continue
        ratios.append(measured.ratio)
        print(f"{sample.language}: {len(measured.seen)} runs {measured.evidence_s:.2f} s", end="")
        print(f", plain {measured.plain_s:.2f} s, {measured.ratio:.2f}x")
        for one in measured.seen:
            print(f"    {one.duration_ms / 1000:6.2f} s  {one.subject} {one.seen.text} at {one.commit[:7]}")
    print(f"P-EVID: worst {max(ratios, default=0.0):.1f}x (goal {GOAL:g}x)")


def measure(sample: Sample) -> Measured | str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project, script = make_project(folder, sample), make_script(folder, sample)
        settings = replace(read_settings(), state=folder / "state", agents={"default": "scripted"}, script=script)
        assembly = with_rust(assemble(find_repository(project, settings), settings), settings)
        head = assembly.ports.checkout.facts().head
        assembly.ports.vault.adopt(head)
        if plain_run(sample, assembly, head) is None:
            return f"`{sample.test}` does not run in the sandbox here"
        policy = replace(settings.policy(), self_audit=False, version_bump=False)
        state, events = RunState(), list[Event]()
        for recorded in run(RunRequest(), policy, assembly, "bench"):
            state = recorded.state
            events += (stored.event for stored in recorded.entries)
        if state.session.exit_status != 0:
            reasons = [phase.ending.failure or phase.gate.reason for phase in state.phases.values()]
            return f"its phase did not pass: {reasons}"
        commit = next(phase.observed.commit for phase in state.phases.values())
        times = [plain_run(sample, assembly, commit) or 0.0 for _ in range(PLAIN_RUNS)]
        return Measured(statistics.median(times), tuple(evidence(events)))


def evidence(events: list[Event]) -> Iterator[Observation]:
    """Each run once: what a task's look saw at the last commit is part of the phase's observations too."""
    seen: set[tuple[str, str, int]] = set()
    for event in events:
        match event:
            case RedObserved(observations=runs) | BaselineObserved(observations=runs):
                probes: tuple[Observation, ...] = ()
            case TaskVerified(observations=runs, probes=probes) | PhaseObserved(observations=runs, probes=probes):
                pass
            case _:
                continue
        for one in (*runs, *probes):
            key = (one.command, one.commit, one.duration_ms)  # one run may be known under two subjects
            if one.duration_ms and key not in seen:
                seen.add(key)
                yield one


def plain_run(sample: Sample, assembly: Assembly, commit: str) -> float | None:
    ports = assembly.ports
    spec = CommandSpec(
        ("bash", "-o", "pipefail", "-c", sample.test),
        Profile.VERIFY,
        PurePosixPath(ports.checkout.path),
        PurePosixPath(ports.workspaces.export(commit)),
        timeout_s=600.0,
    )
    outcome = ports.sandbox.start(spec).wait()
    return outcome.duration_ms / 1000 if outcome.ended == Exited(0) else None


def with_rust(assembly: Assembly, settings: Settings) -> Assembly:
    """Rust usually lives in the user's home, which every sandbox hides: its toolchain alone is shown."""
    if not (rustc := shutil.which("rustc")):
        return assembly
    asked = subprocess.run((rustc, "--print", "sysroot"), capture_output=True, text=True, check=False)
    if asked.returncode or not asked.stdout.strip():
        return assembly
    shown = (*find_toolchains(settings.environment.get("PATH", "")), Path(asked.stdout.strip()))
    sandbox = make_sandbox(assembly.repository.home.root, settings, shown)
    return replace(assembly, ports=replace(assembly.ports, sandbox=sandbox))


if __name__ == "__main__":
    main()
