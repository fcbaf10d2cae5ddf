"""What this run may do and how strict it is: read once at start, then pinned."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

CHECKS = ("compile", "lint", "build", "test")


class Commands(Struct, frozen=True):
    """Project commands; None means the gate does not apply."""

    setup: str | None = None
    compile: str | None = None
    lint: str | None = None
    build: str | None = None
    test: str | None = None

    def checks(self) -> tuple[tuple[str, str], ...]:
        """The configured checks in the order they are run."""
        pairs = ((name, getattr(self, name)) for name in CHECKS)
        return tuple((name, command) for name, command in pairs if command)


class Timeouts(Struct, frozen=True):
    criterion: float = 60.0
    setup: float = 1800.0
    compile: float = 600.0
    lint: float = 600.0
    build: float = 1800.0
    test: float = 1800.0
    agent: float = 3600.0
    agent_stall: float = 900.0


class Budget(Struct, frozen=True):
    tokens: int = 5_000_000
    tokens_per_phase: int = 500_000
    usd: float = 20.0
    minutes: float = 1440.0


class Policy(Struct, frozen=True):
    pass_threshold: float = 9.0
    commands: Commands = Commands()
    research: bool = True
    timeouts: Timeouts = Timeouts()
    budget: Budget = Budget()
    agents: Mapping[str, str] = {}  # role -> agent name; "default" for every role not named
    model_profile: str = "balanced"
    commit_docs: bool = True
    confined: bool = True  # False only by the user's written opt-out; shown in every report
    max_plan_rounds: int = 3
    max_task_debugs: int = 2
    max_observations: int = 3  # one, and two more when the first saw nothing
    max_phase_attempts: int = 2  # resume retries a failed phase once
