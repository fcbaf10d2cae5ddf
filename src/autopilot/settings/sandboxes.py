"""The sandbox that the user's settings ask for."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.sandbox.bell import ShouldStop, never_stop
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.ports.sandbox import Sandbox
from autopilot.settings.reading import Settings


def make_sandbox(
    root: Path, settings: Settings, toolchains: tuple[Path, ...], should_stop: ShouldStop = never_stop
) -> Sandbox:
    """``root`` is the sandbox's own folder; whatever is kept below the state home is hidden inside."""
    if not settings.confined:
        return Unconfined(root, toolchains=toolchains, should_stop=should_stop)
    hidden = (settings.state, *_user_home(settings))
    return Bubblewrap(root, hidden=hidden, toolchains=toolchains, should_stop=should_stop)


def _user_home(settings: Settings) -> tuple[Path, ...]:
    """The user's home may lie outside the places where homes usually are. One that holds the system is no home."""
    home = Path(settings.environment.get("HOME", "/")).absolute()
    return () if home in Path("/usr/bin").parents or not home.is_dir() else (home,)
