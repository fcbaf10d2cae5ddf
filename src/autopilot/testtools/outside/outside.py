"""The two calls of the program, and what they answered."""

from __future__ import annotations

import base64
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.testtools.outside.bats_program import DRIVER
from autopilot.testtools.outside.bats_shell import TEST
from autopilot.testtools.outside.python_program import PROGRAM
from autopilot.testtools.outside.script_program import PROGRAM as SCRIPT_PROGRAM

_LINE = re.compile(r"^\{\"test\":.*\}$", re.MULTILINE)
# A project brings its own Python where setup made one.
OWN_PYTHON = "for own in .venv/bin/python venv/bin/python; do [ -x $own ] && break; own=python3; done; "
# In a form that names no tool: code may look at the arguments of the process that started it.
_START = "import sys,base64;exec(base64.b64decode(sys.stdin.readline()))"

_START_SCRIPT = (
    'const [program, line] = require("fs").readFileSync(0, "latin1").split("\\n");'
    'const read = (text) => Buffer.from(text, "base64").toString();'
    'require("vm").runInThisContext(read(program), "main.js")(require, read(line), (place) => import(place))'
)


def spell_outside(files: Sequence[str], *, signs: bool) -> str:
    asked = msgspec.json.encode({"files": list(files), "signs": signs}).decode()
    sign = " -m pytest" if signs else ""
    return (
        f"{OWN_PYTHON}base64 -d <<< {_encode(asked)} | "
        f"{{ printf '%s\\n' {_encode(PROGRAM)}; cat; echo; }} | $own -c '{_START}'{sign} 3>&1 >/dev/null 2>&1"
    )


def spell_script_outside(files: Sequence[str], *, signs: bool) -> str:
    """Each file in a process of its own, as its tool has it; one that ends its process takes no other along."""
    asked = {file: msgspec.json.encode({"file": file, "signs": signs}).decode() for file in files}
    calls = [
        f"call {_encode(line)}" + (f" -- --test {shlex.quote(file)}" if signs else "") for file, line in asked.items()
    ]
    define = (
        f"call() {{ printf '%s\\n' {_encode(SCRIPT_PROGRAM)} \"$1\" | "
        f"timeout 60 node -e '{_START_SCRIPT}' \"${{@:2}}\" 3>&1 >/dev/null 2>&1; }}"
    )
    return "\n".join((define, *calls, "true"))


def spell_bats_outside(files: Sequence[str], *, signs: bool, beside: Sequence[str] = ()) -> str:
    """The names of the files are in no argument: those of a process can be read by all that it starts.

    ``beside`` are other files that may ask for the variables of bats, as a library for its tests does.
    """
    asked = "\n".join(("1" if signs else "", *files, ""))
    kept = {"a": DRIVER, "b": asked, "d": "".join(f"{path}\n" for path in beside), "t": TEST}
    writes = [f'base64 -d <<< "{_encode(text)}" > "$place/{name}"' for name, text in kept.items()]
    return "\n".join(("place=$(mktemp -d)", *writes, 'bash "$place/a" "$place" 2>/dev/null'))


class Outside(Struct, frozen=True):
    tests: Mapping[str, str] = {}  # why it failed, "" where it passed
    replaced: Mapping[str, str] = {}  # what the product put its own in place of, and where
    unbuilt: Mapping[str, str] = {}  # packages whose tests are no part of an ordinary program, and why
    accepting: Mapping[str, str] = {}  # exceptions of the product that take every other for theirs, and where
    unreached: Mapping[str, str] = {}  # tests that passed and came to none of their assertions
    unequal: Mapping[str, str] = {}  # classes (`shop.py::Order`) that call different values equal, and what differed


_LISTED = {
    "replaced": "replaces ",
    "unbuilt": "",
    "accepting": "accepts ",
    "unequal": "equal ",
    "unreached": "reaches ",
}


def read_outside(output: str) -> Outside:
    tests: dict[str, str] = {}
    listed: dict[str, dict[str, str]] = {ended: {} for ended in _LISTED}
    for line in _LINE.findall(output):
        try:
            message = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue
        name, ended, why = str(message.get("test")), str(message.get("ended")), str(message.get("why") or "failed")
        if ended in _LISTED:
            listed[ended].setdefault(name.removeprefix(_LISTED[ended]), why)
        elif ended == "left out":
            tests.pop(name, None)
        else:
            tests[name] = why if ended != "passed" else ""
    return Outside(tests, **listed)


def _encode(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
