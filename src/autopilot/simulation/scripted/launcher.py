"""Starts the program of the scripted agent: Python keeps the compiled form of what is imported, never of a script.

python -I -S launcher.py ORDER < prompt
"""

# Paths are plain strings here because pathlib alone would add a third to the start-up time.
# ruff: noqa: PTH100

from __future__ import annotations

import os
import sys


def launch(order_path: str) -> None:
    # Isolated mode excludes this package from the path; it is added last, so that it hides no other module.
    sys.path.append(os.path.abspath(__file__).rsplit(os.sep, 4)[0])
    from autopilot.simulation.scripted.program import main

    main(order_path)
    # Every event was flushed: to take down the interpreter would take a third of a short call.
    os._exit(0)


if __name__ == "__main__":
    launch(sys.argv[1])
