"""A module of this package as a program of its own, run on the machine itself and not in the sandbox."""

from __future__ import annotations

import sys


def run_own_module(name: str) -> tuple[str, ...]:
    """The command. ``-P``: else Python imports from the folder we stand in, a checkout whose author chose its files."""
    return (sys.executable, "-P", "-m", name)
