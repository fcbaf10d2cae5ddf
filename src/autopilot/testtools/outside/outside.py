"""The two calls of the program, and what they answered."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.testtools.outside.python_program import PROGRAM

_LINE = re.compile(r"^\{\"test\":.*\}$", re.MULTILINE)
# A project brings its own Python where setup made one.
_OWN_PYTHON = "for own in .venv/bin/python venv/bin/python; do [ -x $own ] && break; own=python3; done; "
# In a form that names no tool: code may look at the arguments of the process that started it.
_START = "import sys,base64;exec(base64.b64decode(sys.stdin.readline()))"


def spell_outside(files: Sequence[str], *, signs: bool) -> str:
    program = base64.b64encode(PROGRAM.encode()).decode()
    asked = msgspec.json.encode({"files": list(files), "signs": signs}).decode()
    sign = " -m pytest" if signs else ""
    return (
        f"{_OWN_PYTHON}base64 -d <<< {base64.b64encode(asked.encode()).decode()} | "
        f"{{ printf '%s\\n' {program}; cat; echo; }} | $own -c '{_START}'{sign} 3>&1 >/dev/null 2>&1"
    )


class Outside(Struct, frozen=True):
    tests: Mapping[str, str] = {}  # why it failed, "" where it passed
    replaced: Mapping[str, str] = {}  # what the product put its own in place of, and where


def read_outside(output: str) -> Outside:
    tests: dict[str, str] = {}
    replaced: dict[str, str] = {}
    for line in _LINE.findall(output):
        try:
            message = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            continue
        name, why = str(message.get("test")), str(message.get("why") or "failed")
        if message.get("ended") == "replaced":
            replaced[name.removeprefix("replaces ")] = why
        else:
            tests[name] = why if message.get("ended") != "passed" else ""
    return Outside(tests, replaced)
