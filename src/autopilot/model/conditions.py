"""What checks are given besides the code: services beside them, what they reach, variables of the user's."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class Reach(StrEnum):
    """What checks reach besides their own sandbox."""

    NONE = "none"
    LOOPBACK = "loopback"  # named ports of this machine
    OPEN = "open"  # any host, and every service of this machine


WIDTH = {Reach.NONE: 0, Reach.LOOPBACK: 1, Reach.OPEN: 2}


class Daemon(Struct, frozen=True):
    """A service that checks need. It runs beside each of them in the same sandbox, and begins anew for each."""

    name: str
    start: str  # a command of the shell, run in the project's folder
    ready: str = ""  # a command of the shell that succeeds as soon as it can be used
    port: int = 0  # of the sandbox: free before it starts; where no command says it, ready when it accepts connections
    ready_s: float = 30.0
    env: Mapping[str, str] = {}  # for the checks and all services


class Conditions(Struct, frozen=True):
    """The services are described by the repository; all else is what the user's settings allow."""

    services: tuple[Daemon, ...] = ()
    network: Reach = Reach.NONE
    ports: tuple[int, ...] = ()  # of this machine's loopback, with ``Reach.LOOPBACK``
    env: tuple[str, ...] = ()  # names of variables of the user's that checks are given
    setup_env: tuple[str, ...] = ()  # the same, of setup

    def describe_reach(self) -> str:
        """Why evidence is weaker: what checks may have asked outside of the tree; "" where that is nothing."""
        if self.network is Reach.OPEN:
            return "any host and every service of this machine"
        ports = ", ".join(f"127.0.0.1:{port}" for port in self.ports) if self.network is Reach.LOOPBACK else ""
        return f"{ports} of this machine" if ports else ""
