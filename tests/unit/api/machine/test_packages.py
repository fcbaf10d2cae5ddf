"""The one command that installs what is missing, by distribution and by the way Autopilot was installed."""

from __future__ import annotations

import tomllib
from pathlib import PurePosixPath

import pytest

from autopilot.api.machine.extras import EXTRAS, parse_requirements
from autopilot.api.machine.packages import (
    AGENTS,
    Machine,
    find_family,
    install_agent,
    install_beside,
    install_system,
)
from tests.tidy.house import ROOT

# covers: CMD-SELF


def machine(family: str = "debian", *, root: bool = True, npm: bool = True, prefix: str = "/opt/venv") -> Machine:
    return Machine(family, root, npm, PurePosixPath(prefix))


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ('PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n', "debian"),
        ('ID=ubuntu\nID_LIKE="debian"\n', "debian"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "rhel"),
        ('ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n', "opensuse"),
        ("ID=arch\n", "arch"),
        ("ID=alpine\n", "alpine"),
        ("ID=nixos\n", ""),
        ("no field\n=\n", ""),
        ("", ""),
    ],
)
def test_the_distribution_is_known_by_itself_or_by_what_it_is_like(text: str, family: str) -> None:
    assert find_family(text) == family


@pytest.mark.parametrize(
    ("where", "command"),
    [
        (machine(), "apt-get update && apt-get install -y bubblewrap util-linux mount"),
        (machine(root=False), "sudo apt-get update && sudo apt-get install -y bubblewrap util-linux mount"),
        (machine("fedora", root=False), "sudo dnf install -y bubblewrap util-linux"),
        (machine("alpine"), "apk add bubblewrap util-linux"),
        (machine(""), "install bubblewrap and util-linux with the package manager of this system"),
    ],
)
def test_a_package_of_the_system_is_installed_by_its_manager(where: Machine, command: str) -> None:
    assert install_system(where, "bubblewrap", "util-linux") == command


def test_an_agent_is_installed_by_npm_which_is_installed_first_where_it_is_missing() -> None:
    assert install_agent(machine(), "codex") == "npm install -g @openai/codex"
    assert install_agent(machine("arch", npm=False), "codex") == (
        "pacman -S --needed --noconfirm npm && npm install -g @openai/codex"
    )
    assert list(AGENTS) == ["claude", "codex", "opencode", "gemini"]


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/opt/venv", "/opt/venv/bin/python -m pip install 'pyte>=0.8'"),
        ("/home/a b/venv", "'/home/a b/venv/bin/python' -m pip install 'pyte>=0.8'"),
        ("/opt/u/.local/share/pipx/venvs/autopilot-roadmap", "pipx inject autopilot-roadmap 'pyte>=0.8'"),
        (
            "/opt/u/.local/share/uv/tools/autopilot-roadmap",
            "uv pip install --python /opt/u/.local/share/uv/tools/autopilot-roadmap/bin/python 'pyte>=0.8'",
        ),
    ],
)
def test_an_extra_is_installed_where_autopilot_is(prefix: str, command: str) -> None:
    assert install_beside(machine(prefix=prefix), ("pyte>=0.8",)) == command


def test_every_extra_for_users_is_checked_and_what_it_needs_is_read_from_the_metadata() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert EXTRAS.keys() <= extras.keys() and "dev" not in EXTRAS
    lines = [
        "msgspec>=0.20",
        'pyte>=0.8.2; extra == "visual"',
        "playwright>=1.55 ; extra == 'visual'",
        'x; extra == "dev"',
    ]
    assert parse_requirements(lines, "visual") == ("pyte>=0.8.2", "playwright>=1.55")
