"""Makes the sandbox that the user's settings choose."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.caches import find_caches
from autopilot.adapters.egress.upstream import choose_dial
from autopilot.adapters.sandbox.bell import ShouldStop, never_stop
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.adapters.sandbox.user import kernel_uid
from autopilot.ports.sandbox import Sandbox
from autopilot.settings.reading import Settings


def make_sandbox(
    root: Path, settings: Settings, toolchains: tuple[Path, ...], should_stop: ShouldStop = never_stop
) -> Sandbox:
    """``root`` is the sandbox's own folder; everything below the state home is hidden inside the sandbox."""
    if not settings.confined:
        granted, allowed = settings.granted, settings.conditions
        return Unconfined(root, toolchains=toolchains, should_stop=should_stop, granted=granted, allowed=allowed)
    hidden = (settings.state, *_user_home(settings))
    return Bubblewrap(
        root,
        hidden=hidden,
        toolchains=toolchains,
        shown=settings.shown,
        should_stop=should_stop,
        memory_mb=settings.memory_mb,
        scratch_mb=settings.scratch_mb,
        dial=choose_dial(settings.environment),
        granted=settings.granted,
        allowed=settings.conditions,
        caches=find_caches(settings.caches, settings.environment, is_owner=kernel_uid() is None),
    )


def _user_home(settings: Settings) -> tuple[Path, ...]:
    """The user's home, wherever it is. A home that contains the system, such as /, is not hidden."""
    home = Path(settings.environment.get("HOME", "/")).absolute()
    return () if home in Path("/usr/bin").parents or not home.is_dir() else (home,)
