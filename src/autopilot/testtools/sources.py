"""In which file a test stands, for tools that do not say it: names found in the sources, listed behind the call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.testtools.commands.wrapping import ending_in, report_path

LISTING = ".where"
LONGEST_LINE = 1000
_LINE = re.compile(r"(?:\./)?(.+?):\s*(?:pub(?:\([^)]*\))? )?(?:async )?(?:func|fn) (\w+)")


class Sources(Struct, frozen=True):
    files: Mapping[str, tuple[str, ...]] = {}  # by the name of a function, in the order found

    def find(self, name: str, near: Sequence[str]) -> str:
        """Of all files with a function of that name, the one whose path has most in common with where the test is."""
        found = self.files.get(name, ())
        return max(found, key=lambda path: _closeness(path, near), default="")


def list_sources(name: str, pattern: str, line: str) -> str:
    """For the shell. It can fail without harm: then no file is known."""
    skipped = r"\( -name target -o -name vendor -o -name node_modules -o -name '.?*' \) -prune"
    return (
        f"find . {skipped} -o -type f -name '{pattern}' -exec grep -H '{line}' {{}} + "
        f">{report_path(name, LISTING)} 2>/dev/null"
    )


def read_sources(reports: Mapping[str, bytes]) -> Sources:
    """What the listing among a call's reports says; nothing where there is none."""
    listing = ending_in(reports, LISTING) or b""
    files: dict[str, tuple[str, ...]] = {}
    for line in listing.decode("utf-8", "replace").splitlines():
        if found := _LINE.match(line[:LONGEST_LINE]):
            files[found[2]] = (*files.get(found[2], ()), found[1])
    return Sources(files)


def _closeness(path: str, near: Sequence[str]) -> tuple[bool, int, int]:
    """How many folders and names of the path are among the parts; fewer others are better."""
    parts = [part.removesuffix(".rs") for part in PurePosixPath(path).parts]
    shared = sum(part in near for part in parts)
    return shared == len(parts), shared, -len(parts)
