"""The user's settings: the only word that can widen a permission. Read once, from the file and the environment."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.adapters.home import state_home
from autopilot.model.agent import Role
from autopilot.model.errors import UsageError
from autopilot.model.policy import Budget, Policy


class Settings(Struct, frozen=True):
    state: Path
    environment: Mapping[str, str]
    budget: Budget = Budget()
    agents: Mapping[str, str] = {}  # role -> agent; "default" for every role not named
    script: Path | None = None  # what the scripted agent plays
    confined: bool = True
    source: str = ""
    unknown: tuple[str, ...] = ()  # keys of the file that say nothing to us: for `doctor`

    def policy(self) -> Policy:
        return Policy(budget=self.budget, agents=self.agents, confined=self.confined)


class _Scripted(Struct, frozen=True):
    script: str = ""


class _File(Struct, frozen=True):
    """What settings.toml may say. Unknown keys belong to other versions and are left alone."""

    sandbox: str = "on"
    agents: Mapping[str, str] = {}
    budget: Budget = Budget()
    scripted: _Scripted = _Scripted()


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    environment = os.environ if environment is None else environment
    path = _config_home(environment) / "autopilot" / "settings.toml"
    file, unknown = _read(path)
    script = Path(file.scripted.script).expanduser() if file.scripted.script else None
    return Settings(
        state=state_home(environment),
        environment=dict(environment),
        budget=file.budget,
        agents=dict(file.agents),
        script=script,
        confined=file.sandbox != "off",
        source=str(path),
        unknown=unknown,
    )


def _read(path: Path) -> tuple[_File, tuple[str, ...]]:
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        file = msgspec.convert(data, _File)
    except FileNotFoundError:
        return _File(), ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise UsageError(f"{path}: {error}", "correct the file; docs/settings.md lists what it may say") from error
    if file.sandbox not in ("on", "off"):
        raise UsageError(f'{path}: sandbox is "{file.sandbox}"', 'write sandbox = "on" or sandbox = "off"')
    return file, tuple(_unknown(data))


def _unknown(data: Mapping[str, Any]) -> Iterator[str]:
    """A misspelt cap would be no cap at all. Another version may know the key, so it is told, not refused."""
    sections = {"": _File, "budget": Budget, "scripted": _Scripted}
    known = {name: kind.__struct_fields__ for name, kind in sections.items()}
    known["agents"] = ("default", *Role)
    for section, names in known.items():
        for key in data.get(section, {}) if section else data:
            if key not in names:
                where = f"{section}.{key}" if section else key
                yield f"{where} (known {'in ' + section if section else 'there'}: {', '.join(names)})"


def _config_home(environment: Mapping[str, str]) -> Path:
    xdg = Path(environment.get("XDG_CONFIG_HOME", ""))
    return xdg if xdg.is_absolute() else Path(environment.get("HOME", "/")) / ".config"
