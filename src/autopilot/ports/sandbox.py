"""Running a command where it can do no harm, and knowing how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.conditions import Daemon, SearchPath
from autopilot.model.egress import Egress

# HOME inside every confined sandbox: a throw-away folder unless layers or a mount stand there.
HOME = PurePosixPath("/tmp/home")

KEPT_BYTES = 32 * 1024
# The longest line that is left out because a gap cuts it; longer ones are cut.
CUT_LINE = 4096


class Profile(StrEnum):
    VERIFY = "verify"  # no network; the project is a throw-away overlay
    SETUP = "setup"  # network; the overlay's upper layer is kept as the dependency layer
    AGENT = "agent"  # the hosts it may reach; the agent's own clone is writable, its own config folder too


class Mount(Struct, frozen=True):
    source: PurePosixPath
    target: PurePosixPath
    writable: bool = False


class CommandSpec(Struct, frozen=True):
    """One command. ``project`` is the user's repository path: every sandbox shows the project there."""

    argv: tuple[str, ...]
    profile: Profile
    project: PurePosixPath
    backing: PurePosixPath  # the checkout or clone that stands at ``project``
    layers: tuple[PurePosixPath, ...] = ()  # dependency layers, read-only, below the checkout or clone
    keep_upper: PurePosixPath | None = None  # SETUP: where the written layer is kept
    home_layers: tuple[PurePosixPath, ...] = ()  # lower layers of HOME (VERIFY, SETUP)
    keep_home: PurePosixPath | None = None  # SETUP: where HOME's written layer is kept
    mounts: tuple[Mount, ...] = ()
    env: Mapping[str, str] = {}
    search: SearchPath = SearchPath()  # programs of the project, beside those of the machine
    network: bool = False  # the machine's own, with its loopback
    egress: Egress | None = None  # without that network: what it reaches through a proxy of ours
    services: tuple[Daemon, ...] = ()  # started beside it, ready before it begins, ended with it
    grants: tuple[str, ...] = ()  # names of variables of the user's; the sandbox knows their values
    nested: bool = False  # AGENT: it brings a sandbox of its own, which needs user namespaces and mounts
    timeout_s: float = 60.0
    stall_s: float | None = None  # no output for this long ends it as Stalled
    stdin: PurePosixPath | None = None  # a file, or a terminal of ours; otherwise /dev/null
    keep_bytes: int = KEPT_BYTES  # of its output: so many from the beginning, and from the end
    attended: bool = False  # who starts it waits for its end at once, and needs no lines: it gets no thread of its own
    watched: bool = False  # the files of the checkout that it opens and changes are told in its outcome
    report: bool = False  # the command may write up to 64 MB to the descriptor $REPORT_FD
    label: str = ""  # run/phase/step, written to the process registry before the child may exec
    shown: str = ""  # what who watches the run is told is running; "" for what tells of itself, as agents do


class Exited(Struct, frozen=True):
    code: int


class TimedOut(Struct, frozen=True):
    after_s: float


class Stalled(Struct, frozen=True):
    after_s: float


class Killed(Struct, frozen=True):
    """Ended by us (stop, cancel) or by a signal the command did not expect."""

    reason: str


class OverLimit(Struct, frozen=True):
    """Ended by us because it used too much memory or disk: its own doing, and the run goes on."""

    reason: str


class DaemonLost(Struct, frozen=True):
    """The command ended, and a service beside it was gone by then: whatever it says, it says of something else."""

    reason: str
    code: int = 1  # with which the command ended


class NeverRan(Struct, frozen=True):
    """The sandbox failed, or a service was not ready: not the command. Never evidence."""

    reason: str
    daemon: str = ""  # the service that was not ready


Ended = Exited | TimedOut | Stalled | Killed | OverLimit | DaemonLost | NeverRan


def describe_ended(ended: Ended) -> str:
    """As a sentence for people."""
    match ended:
        case Exited(code):
            return f"the command ended with exit status {code}"
        case TimedOut(after_s) | Stalled(after_s):
            return f"the command did not finish within {after_s:g} s"
        case OverLimit(reason) | Killed(reason):
            return f"the command was stopped: {reason}"
        case DaemonLost(reason) | NeverRan(reason):
            return reason


class DaemonRun(Struct, frozen=True):
    """A service that was ready before its command began."""

    name: str
    ready_ms: int
    printed: int = 0  # bytes


class Outcome(Struct, frozen=True):
    """How a command ended and what was kept of its output (stdout and stderr in the order they came)."""

    ended: Ended
    head: bytes = b""  # the first 32 KB
    tail: bytes = b""  # the last 32 KB, when there was more
    dropped: int = 0  # bytes between them, counted and thrown away
    duration_ms: int = 0
    report: bytes = b""  # what was written to the report's descriptor
    refused_hosts: tuple[str, ...] = ()  # that it asked the proxy for, and may not reach
    unreached_hosts: tuple[str, ...] = ()  # that it may reach, and the proxy could not; each with the reason
    opened: tuple[str, ...] | None = None  # files of the checkout; None where that was not asked, or not all was seen
    changed: tuple[str, ...] = ()  # files of the checkout that it wrote to, replaced or deleted on its way
    services: tuple[DaemonRun, ...] = ()  # those that were ready

    @property
    def output(self) -> bytes:
        """Lines that the gap cuts in two are left out with it: half a secret would not be known as one."""
        if not self.dropped:
            return self.head + self.tail
        end = self.head.rfind(b"\n", -CUT_LINE) + 1 or len(self.head)
        begin = self.tail.find(b"\n", 0, CUT_LINE) + 1
        dropped = len(self.head) - end + self.dropped + begin
        return self.head[:end] + f"\n… {dropped} bytes left out …\n".encode() + self.tail[begin:]


class Running(Protocol):
    def lines(self) -> Iterator[bytes]:
        """Standard output, line by line, as it comes; ends when the command ends. Lines longer than 1 MiB are cut.

        Standard error is kept in the outcome only.
        """

    def stop(self, grace_s: float = 0.5) -> None:
        """End the whole tree; safe to call twice and from another thread."""

    def wait(self) -> Outcome:
        """Wait for the end (timeout and stall included) and reap. Nothing of the tree is left alive afterwards."""


class Probe(Struct, frozen=True):
    """Whether this machine can confine commands, and if not, what to do."""

    usable: bool
    detail: str
    remedy: str = ""


class Sandbox(Protocol):
    def start(self, spec: CommandSpec) -> Running:
        """Start one command. What cannot be started is an outcome (NeverRan), not an exception."""

    def probe(self) -> Probe: ...

    def give_away(self, folder: Path) -> None:
        """Let commands write into a folder of ours: inside, they may be another user than we are."""

    def end_orphans(self) -> tuple[str, ...]:
        """End whatever an earlier, killed run of this repository left behind; return their labels."""


def run(sandbox: Sandbox, spec: CommandSpec) -> Outcome:
    """Start a command and wait for its end."""
    return sandbox.start(replace(spec, attended=True)).wait()
