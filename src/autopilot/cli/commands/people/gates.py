"""``autopilot gates``"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from autopilot.api.people.open_requests import OpenRequest, UnreadRepository, find_open_requests
from autopilot.cli.output import print_json, print_output
from autopilot.model.errors import Unavailable
from autopilot.reports.markdown import one_line
from autopilot.reports.status.gates import DEBUG_SESSION
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    found = list(find_open_requests(read_settings(), Path.cwd()))
    waiting = [item for item in found if isinstance(item, OpenRequest)]
    unread = [item for item in found if isinstance(item, UnreadRepository)]
    if options.json:
        document = {"waiting": msgspec.to_builtins(waiting), "unread": msgspec.to_builtins(unread)}
        print_json(document)
    else:
        print_output("".join(f"{line}\n" for line in render(waiting, unread)))
    # Whether something waits is unknown then: a script must not take it for "nothing".
    return Unavailable.exit_status if unread and not waiting else 0


def render(waiting: Sequence[OpenRequest], unread: Sequence[UnreadRepository]) -> Iterator[str]:
    """Grouped by repository; the command that answers a request is on a line of its own below it."""
    if not waiting:
        yield _nothing_waits(unread)
    for repository in dict.fromkeys(item.repository for item in waiting):
        yield one_line(repository)
        for item in waiting:
            if item.repository == repository:
                since = f", since {item.since}" if item.since else ""
                subject = item.name if item.name.startswith(DEBUG_SESSION) else f"phase {item.name}"
                label = f"{item.kind} of {subject}" if item.kind in ("verdict", "landing") else item.name
                yield one_line(f"  {label} ({item.run}{since}): {item.title}")
                yield one_line(f"    {item.command}")
    for problem in unread:
        yield one_line(f"{problem.repository}: {problem.problem}")


def _nothing_waits(unread: Sequence[UnreadRepository]) -> str:
    gone = [item for item in unread if item.waiting]
    if not unread:
        return "nothing is waiting for you"
    if len(gone) < len(unread):
        where = "in a repository that is still there, with records that could be read" if gone else ""
        where = where or "in the records that could be read"
        return f"nothing is waiting for you {where}; not read: {len(unread) - len(gone)}"
    which = "in one that is gone" if len(gone) == 1 else "in those that are gone"
    return f"nothing is waiting for you in a repository that is still there; {which}:"
