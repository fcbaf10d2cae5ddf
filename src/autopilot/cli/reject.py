"""``autopilot reject``"""

from __future__ import annotations

import argparse

from autopilot.cli.approve import decide


def main(options: argparse.Namespace) -> int:
    return decide(options.name, approved=False, reason=options.reason)
