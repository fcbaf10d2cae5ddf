"""Whether and how an agent is signed in: a folder of its own under our state home, never the user's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from autopilot.adapters.agents.dialect import Login
from autopilot.adapters.beneath import read_beneath, write_beneath
from autopilot.adapters.files import translated, write_atomically
from autopilot.model.agent_config import AgentConfig

LARGEST_FILE = 1_000_000


class Credentials:
    """``<folder>/files/…`` as they stand in its HOME, and ``<folder>/key``.

    Every call gets a fresh HOME with these files alone, so that no agent can leave a hook, a memory or a setting for
    the next one; what it refreshed of them is taken back.
    """

    def __init__(self, folder: Path, login: Login) -> None:
        self.folder = folder
        self._login = login

    def key(self, config: AgentConfig, environment: Mapping[str, str]) -> str:
        if config.key_env:
            return environment.get(config.key_env, "")
        try:
            return (self.folder / "key").read_text(encoding="utf-8").strip()
        except OSError:
            return ""

    def keep_key(self, key: str) -> None:
        _make_private(self.folder)
        write_atomically(self.folder / "key", key.strip().encode() + b"\n", mode=0o600)

    def home(self) -> Path:
        """The HOME its own sign-in writes into; made where missing, for us alone."""
        home = self.folder / "files"
        _make_private(home)
        return home

    def kept(self) -> tuple[Path, ...]:
        """Of its credentials, those that are there; closed to others, whatever made them."""
        existing = tuple(file for file in self.files() if file.is_file())
        for file in existing:
            with translated(file):
                file.chmod(0o600)
        return existing

    def forget(self) -> tuple[Path, ...]:
        """Remove its credentials and nothing else; what was removed."""
        existing = tuple(file for file in self.files() if file.is_file())
        for file in existing:
            with translated(file):
                file.unlink()
        return existing

    def files(self) -> tuple[Path, ...]:
        """Where its credentials lie: what stands in them must never be shown."""
        return (self.folder / "key", *(self.folder / "files" / name for name in self._login.files))

    def put_into(self, home: Path) -> Mapping[str, bytes]:
        """Lay them into a HOME; what was given, by name."""
        kept = {name: self.folder / "files" / name for name in self._login.files}
        given = {name: file.read_bytes() for name, file in kept.items() if file.is_file()}
        for name, content in given.items():
            write_beneath(home, name, content)
        return given

    def take_back(self, home: Path, given: Mapping[str, bytes]) -> None:
        """Only what we gave, only a plain file, only when the agent changed it.

        Another call may have refreshed the same login meanwhile: to put back what was given would sign both out.
        """
        for name, before in given.items():
            kept = self.folder / "files" / name
            content = read_beneath(home, name, LARGEST_FILE)
            if content and content != before and _is_like(content, before) and kept.is_file():
                write_atomically(kept, content, mode=0o600)

    def state(self, config: AgentConfig, environment: Mapping[str, str]) -> str:
        """ "key", "signed in" or "" when neither."""
        if self.key(config, environment):
            return "key"
        signed_in = any(os.access(self.folder / "files" / name, os.R_OK) for name in self._login.files)
        return "signed in" if signed_in else ""


def _is_like(content: bytes, before: bytes) -> bool:
    """Of the same form: half a file, written by a program that was killed, would be the end of the login."""
    if len(content) > LARGEST_FILE:
        return False
    fields = _fields(before)
    return not fields or bool(fields & (_fields(content) or set()))


def _fields(content: bytes) -> set[str] | None:
    """None for what is no JSON object."""
    try:
        return set(msgspec.json.decode(content, type=dict[str, Any]))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def _make_private(folder: Path) -> None:
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    with translated(folder):
        for place in reversed(missing):
            place.mkdir(mode=0o700, exist_ok=True)
