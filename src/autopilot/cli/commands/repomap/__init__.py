"""``autopilot repomap``"""

from autopilot.cli.commands.repomap.actions import main

__all__ = ["main"]
