"""``autopilot uninstall``"""

from __future__ import annotations

from autopilot.cli.commands.machine.install import main

__all__ = ["main"]
