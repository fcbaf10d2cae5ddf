"""``autopilot gates``"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from autopilot.api.people.waiting import Unread, Waits, find_everywhere
from autopilot.cli.saying import say
from autopilot.reports.markdown import one_line
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    found = list(find_everywhere(read_settings(), Path.cwd()))
    waits = [each for each in found if isinstance(each, Waits)]
    unread = [each for each in found if isinstance(each, Unread)]
    if options.json:
        document = {"waiting": msgspec.to_builtins(waits), "unread": msgspec.to_builtins(unread)}
        say(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    else:
        say("".join(f"{line}\n" for line in render(waits, unread)))
    return 0


def render(waits: Sequence[Waits], unread: Sequence[Unread]) -> Iterator[str]:
    """By repository; below each thing that waits, the command for it, alone on its line."""
    if not waits:
        yield "nothing waits for you"
    for repository in dict.fromkeys(each.repository for each in waits):
        yield one_line(repository)
        for each in waits:
            if each.repository == repository:
                since = f", since {each.since}" if each.since else ""
                named = f"{each.kind} of phase {each.name}" if each.kind in ("verdict", "landing") else each.name
                yield one_line(f"  {named} ({each.run}{since}): {each.title}")
                yield one_line(f"    {each.command}")
    for problem in unread:
        yield one_line(f"{problem.repository}: {problem.problem}")
