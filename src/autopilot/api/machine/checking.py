"""``self check``: what every feature needs of this machine; no repository is needed, no agent is started."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

from msgspec import Struct, field

from autopilot.adapters.visual.chromium import find_browser
from autopilot.api.agents import find_installed_agents, trial_sandbox
from autopilot.api.findings.finding import Finding
from autopilot.api.findings.machine_findings import find_git, find_room, find_sandbox
from autopilot.api.machine.extras import EXTRAS, find_missing, read_requirements
from autopilot.api.machine.packages import (
    AGENTS,
    Machine,
    find_family,
    install_agent,
    install_beside,
    install_system,
)
from autopilot.settings.reading import Settings

OS_RELEASE = Path("/etc/os-release")
FROM_SOURCES = "scripts/setup.sh dev"
RUNS = "every run"


class Part(Struct, frozen=True):
    """``missing``: a feature is not there, all else works. ``problem``: no run can begin."""

    subject: str = field(name="what")
    feature: str = field(name="for")
    state: Literal["ok", "missing", "problem"]
    detail: str
    remedy: str = ""


def check_machine(settings: Settings) -> Iterator[Part]:
    path = settings.environment.get("PATH", "") or None
    machine = _describe_machine(path)
    yield _part(find_git(), install_system(machine, "git"))
    yield _sandbox(settings, machine)
    yield _part(find_room(settings.state))
    yield from _agents(settings, machine)
    yield _browser(path, machine)
    yield from (_extra(name, machine) for name in EXTRAS)


def _describe_machine(path: str | None) -> Machine:
    try:
        family = find_family(OS_RELEASE.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        family = ""
    return Machine(family, os.geteuid() == 0, shutil.which("npm", path=path) is not None, PurePosixPath(sys.prefix))


def _part(found: Finding, install: str = "") -> Part:
    """A warning does not keep a run from beginning."""
    state: Literal["ok", "missing", "problem"] = "problem" if found.state == "problem" else "ok"
    remedy = install if install and state == "problem" else found.remedy
    return Part(found.subject, RUNS, state, found.detail, remedy)


def _sandbox(settings: Settings, machine: Machine) -> Part:
    """What is not installed is installed; what the kernel or a container refuses has a remedy of its own."""
    needed = {"bwrap": "bubblewrap", "unshare": "util-linux", "mount": "util-linux"}
    gone = sorted({package for program, package in needed.items() if settings.confined and not _is_system(program)})
    with trial_sandbox(settings) as (sandbox, _):
        found = find_sandbox(sandbox, settings)
    return _part(found, install_system(machine, *gone) if gone else "")


def _is_system(program: str) -> bool:
    """As the sandbox looks for them: in the folders of the system alone."""
    return shutil.which(program, path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin") is not None


def _agents(settings: Settings, machine: Machine) -> Iterator[Part]:
    installed = find_installed_agents(settings)
    roster = settings.roster()
    real = [name for name in installed if not roster.is_scripted(name)]
    if not real:
        detail = f"none is installed; {', '.join(AGENTS)} are known by name, your settings can describe others"
        yield Part(
            "agents", "runs with a model; the demo needs none", "problem", detail, install_agent(machine, "claude")
        )
    for name in dict.fromkeys((*real, *AGENTS)):
        feature = f"runs by {roster.preset(name).about}"
        if name in real:
            yield Part(f"agent {name}", feature, "ok", "installed; `autopilot agents` says whether it is signed in")
        else:
            yield Part(f"agent {name}", feature, "missing", "not installed", install_agent(machine, name))


def _browser(path: str | None, machine: Machine) -> Part:
    feature = EXTRAS["visual"][0]
    if browser := find_browser(path):
        return Part("chromium", feature, "ok", browser)
    return Part("chromium", feature, "missing", "not installed", install_system(machine, "chromium"))


def _extra(name: str, machine: Machine) -> Part:
    feature, modules = EXTRAS[name]
    missing = find_missing(name)
    if not missing:
        return Part(f"extra {name}", feature, "ok", ", ".join(modules))
    requirements = read_requirements(name)
    remedy = install_beside(machine, requirements) if requirements else FROM_SOURCES
    return Part(f"extra {name}", feature, "missing", f"not installed: {', '.join(missing)}", remedy)
