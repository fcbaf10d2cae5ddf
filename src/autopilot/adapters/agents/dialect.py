"""How one kind of agent is spoken to: its command line, and what its output means. Pure: transcripts test it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Protocol

from msgspec import Struct

from autopilot.adapters.agents.listening import PartialReply
from autopilot.model.agent import AgentCall
from autopilot.model.agent_config import AgentConfig
from autopilot.ports.sandbox import Mount


class Program(Struct, frozen=True):
    """What is started, and the folders it needs to see: it may be installed in a home, which every sandbox hides."""

    path: PurePosixPath
    shown: tuple[PurePosixPath, ...] = ()
    version: str = ""  # where it is known without asking; otherwise it is asked with --version
    ask_version: tuple[str, ...] = ()  # the command that tells it, the user's words last, where --version does not


class Login(Struct, frozen=True):
    """What makes an agent signed in: files of its HOME, or a key in a variable."""

    files: tuple[str, ...] = ()  # relative to HOME; they alone are kept between calls
    key_variable: str = ""
    command: tuple[str, ...] = ()  # words after the program that sign in, at a terminal


class Desk(Struct, frozen=True):
    """What one call finds: ``private`` is read-only inside, ``home`` its HOME; both stand at their own paths."""

    program: Program
    config: AgentConfig
    private: PurePosixPath
    home: PurePosixPath
    key: str = ""  # its own, or ""


class Spelling(Struct, frozen=True):
    """One command line. The prompt is its standard input; ``files`` are laid into the private folder first."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = {}
    files: Mapping[str, bytes] = {}
    home_files: Mapping[str, bytes] = {}  # settings of its own, laid into its HOME
    mounts: tuple[Mount, ...] = ()
    prompt_on_stdin: bool = True


class Dialect(Protocol):
    @property
    def program(self) -> str:
        """What it is called on a PATH."""

    @property
    def login(self) -> Login: ...

    def locate(self, found: Path) -> Program:
        """What to start for the program found under that name: behind a wrapper, the program itself."""

    def spell(self, call: AgentCall, desk: Desk) -> Spelling: ...

    def read(self, lines: Iterable[bytes], call: AgentCall, desk: Desk) -> Iterator[PartialReply]:
        """What was said, growing with every line. Usage is that of this call alone, whatever the session counted."""
