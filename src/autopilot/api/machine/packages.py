"""The one command that installs something: by the package manager of this distribution, by npm, or beside Autopilot."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

# By the family that ID or ID_LIKE of /etc/os-release names.
MANAGERS: Mapping[str, str] = {
    "debian": "apt-get install -y",
    "fedora": "dnf install -y",
    "rhel": "dnf install -y",
    "arch": "pacman -S --needed --noconfirm",
    "suse": "zypper install -y",
    "opensuse": "zypper install -y",
    "alpine": "apk add",
}
# A thing that has another name there; everywhere else it is called as it is here.
NAMES: Mapping[str, Mapping[str, str]] = {
    "debian": {"util-linux": "util-linux mount"},
    "fedora": {"npm": "nodejs-npm"},
}
AGENTS: Mapping[str, str] = {
    "claude": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "opencode": "opencode-ai",
    "gemini": "@google/gemini-cli",
}


class Machine(Struct, frozen=True):
    """``family`` is "" where the package manager is not known."""

    family: str
    is_root: bool
    has_npm: bool
    prefix: PurePosixPath  # where this Python and its packages are installed


def find_family(os_release: str) -> str:
    """The first of ID and ID_LIKE whose package manager we know."""
    fields = dict(line.split("=", 1) for line in os_release.splitlines()[:200] if "=" in line)
    families = " ".join(fields.get(name, "").strip("\"'") for name in ("ID", "ID_LIKE")).split()
    return next((family for family in families if family in MANAGERS), "")


def install_system(machine: Machine, *packages: str) -> str:
    if not machine.family:
        return f"install {' and '.join(packages)} with the package manager of this system"
    names = " ".join(NAMES.get(machine.family, {}).get(package, package) for package in packages)
    root = "" if machine.is_root else "sudo "
    # Lists of packages may be empty, as in a fresh container.
    refresh = f"{root}apt-get update && " if machine.family == "debian" else ""
    return f"{refresh}{root}{MANAGERS[machine.family]} {names}"


def install_agent(machine: Machine, name: str) -> str:
    command = f"npm install -g {AGENTS[name]}"
    return command if machine.has_npm else f"{install_system(machine, 'npm')} && {command}"


def install_beside(machine: Machine, requirements: Sequence[str]) -> str:
    """Into the environment that Autopilot itself is in, however that was made."""
    wanted = " ".join(map(shlex.quote, requirements))
    if machine.prefix.parent.name == "venvs" and "pipx" in machine.prefix.parts:
        return f"pipx inject {shlex.quote(machine.prefix.name)} {wanted}"
    python = shlex.quote(str(machine.prefix / "bin/python"))
    if "uv" in machine.prefix.parts and machine.prefix.parent.name == "tools":
        return f"uv pip install --python {python} {wanted}"
    return f"{python} -m pip install {wanted}"
