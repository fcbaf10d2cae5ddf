"""``autopilot init``"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from autopilot.api.agents import find_installed_agents
from autopilot.api.assembly import assemble, find_repository
from autopilot.api.command_trials import Trial
from autopilot.api.initialization import Prepared, prepare_repository
from autopilot.cli.output import print_output
from autopilot.cli.waiting import waiting
from autopilot.engine.inputs import NO_BUMP
from autopilot.engine.planning_files import CONFIG
from autopilot.model.pasting import write_default
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.planning.detecting.lacking import find_lacks
from autopilot.settings.reading import Settings, read_settings


def main(arguments: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    assembly.interruption.install()
    with waiting(assembly.ports.clock) as report:
        prepared = prepare_repository(
            assembly,
            report,
            tries=not arguments.no_try,
            confined=settings.confined,
            conditions=settings.conditions,
        )
    lines = [f"wrote {name}" for name in prepared.written]
    lines += [f"kept {name} as it is" for name in prepared.kept]
    lines += prepared.understood
    lines += _command_lines(prepared)
    lines += _agent_lines(settings)
    lines += [f"version: {prepared.bump}; {NO_BUMP}"] if prepared.bump and settings.version_bump else []
    lines += _next_steps(prepared)
    print_output("".join(f"{strip_controls(line)}\n" for line in lines))
    return 0


def _command_lines(prepared: Prepared) -> list[str]:
    """Each command, and whether it was seen to work; then what was tried in vain, with what it printed."""
    trials = prepared.tried.trials if prepared.tried else ()
    worked = _that_ran(trials)
    lines = ["commands, each tried in the sandbox on the last commit:" if trials else "commands:"]
    for name in prepared.commands.__struct_fields__:
        command = getattr(prepared.commands, name)
        trial = worked.get((name, command))
        lines.append(f"  {name}: {command or 'none'}")
        lines += [f"      {_describe(trial)}"] if trial else []
    if prepared.untried_because:
        lines.append(f"  none of them was tried: {prepared.untried_because}")
    failed = {(trial.check, trial.command): trial for trial in trials if trial.result != "worked"}
    lines += [line for trial in failed.values() for line in _failure_lines(trial)]
    return lines + _missing_lines(prepared)


def _that_ran(trials: Sequence[Trial]) -> dict[tuple[str, str], Trial]:
    """A command is tried once for each setup: chosen is the first that worked, else the first that ran."""
    found: dict[tuple[str, str], Trial] = {}
    ran = [trial for trial in trials if trial.result != "failed"]
    for trial in sorted(ran, key=lambda trial: trial.result != "worked"):
        found.setdefault((trial.check, trial.command), trial)
    return found


def _describe(trial: Trial) -> str:
    tests = trial.tests
    count = f": {tests.in_words}" if tests and tests.ran else ""
    return f"{trial.result} in {trial.seconds:.1f} s{count}; named by {trial.source}"


def _failure_lines(trial: Trial) -> list[str]:
    lines = [f"tried {trial.check}, {trial.result}: {trial.command}   (named by {trial.source})"]
    return lines + [f"    {line}" for line in trial.detail.splitlines()]


def _missing_lines(prepared: Prepared) -> list[str]:
    """What a person has to do before a run can prove anything by tests."""
    if prepared.tried is None:
        return []
    if prepared.tried.red:
        accept = "`autopilot run next --accept-red all`"
        return [f"some tests fail before any work: fix them, or begin a run with them red: {accept}"]
    if any(_is_idle(trial, prepared.commands.test) for trial in prepared.tried.trials):
        return [f"the test command finds no test yet: add the first one, or correct project.commands.test in {CONFIG}"]
    if prepared.commands.test is None:
        is_tried = any(trial.check in ("setup", "test") for trial in prepared.tried.trials)
        found = "works here yet: correct what the lines above name, or" if is_tried else "was found:"
        lacks = find_lacks(trial.detail for trial in prepared.tried.trials if trial.result == "failed")
        example = (
            []
            if is_tried
            else ['  for example `"test": "python3 -m pytest -q"`, `"test": "node --test"` or `"test": "make test"`']
        )
        message = f"no test command {found} write one into {CONFIG} as project.commands.test"
        return [message, *(f"  missing: {lack}" for lack in lacks), *example]
    return []


def _is_idle(trial: Trial, chosen: str | None) -> bool:
    return (trial.check, trial.command, trial.result) == ("test", chosen, "ran no test")


def _agent_lines(settings: Settings) -> list[str]:
    """The installed agents and how to choose one; the settings are the user's, so nothing is written there."""
    found = find_installed_agents(settings)
    if not found:
        return ["no installed agent was found; `autopilot agents` lists the supported ones"]
    lines = [f"agents found: {', '.join(found)}"]
    if not settings.agents and not settings.profiles:
        lines.append(f"  to choose one, {write_default(found[0], settings.written)}")
    return lines


def _next_steps(prepared: Prepared) -> list[str]:
    """Uncommitted files would block landing, so the next step is to commit them."""
    steps = ["fill in .planning/ROADMAP.md"] if prepared.template else []
    if prepared.to_commit:
        files = shlex.join(prepared.to_commit)
        add = "git add -f" if prepared.forced else "git add"
        steps.append(f"commit the new files: `{add} {files} && git commit -m 'Plan for Autopilot' -- {files}`")
    steps.append(f"{'then ' if steps else ''}`autopilot doctor` and `autopilot run next`")
    return [f"next: {', '.join(steps)}"]
