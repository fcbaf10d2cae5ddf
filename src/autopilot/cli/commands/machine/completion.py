"""``autopilot completion``"""

from __future__ import annotations

import argparse

from autopilot.cli.output import print_output
from autopilot.cli.parser import build_parser
from autopilot.cli.shells.commands import read_commands
from autopilot.cli.shells.completion import render_completion


def main(options: argparse.Namespace) -> int:
    print_output(render_completion(options.shell, tuple(read_commands(build_parser()))))
    return 0
