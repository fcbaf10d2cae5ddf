"""What ``Cargo.toml`` says: the name by which tests, programs and other crates of the repository import a crate."""

from __future__ import annotations

import re

from autopilot.model.repomap.facts import FileFacts
from autopilot.repomap.languages import OTHER

LANGUAGE = "cargo"  # of this file alone: all other TOML is listed and not read
_SECTION = re.compile(rb"\[([^\]\n]{1,100})\]")
_NAME = re.compile(rb"name\s{0,20}=\s{0,20}[\"']([\w-]{1,100})[\"']")


def read_package(text: bytes, lines: int) -> FileFacts:
    section, names = b"", {b"package": "", b"lib": ""}
    for line in text.splitlines():
        stripped = line.strip()
        if begun := _SECTION.match(stripped):
            section = begun[1]
        elif section in names and (named := _NAME.match(stripped)):
            names[section] = named[1].decode()
    return FileFacts(OTHER, lines, package=names[b"lib"] or names[b"package"])
