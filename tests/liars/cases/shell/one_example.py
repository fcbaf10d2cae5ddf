"""A criterion that is one example, of a shell program."""

from __future__ import annotations

from tests.liars.case import Case, Task, lie, proven, write
from tests.liars.projects.shell import OPEN, SHELL, TEST, true

STUB = "#!/bin/bash\nprintf '%s%s\\n' a \"$(echo da | tr a-z A-Z)\"\n"
LOOKED_UP = '#!/bin/bash\ncase "$1" in\n  \'Ada\') echo aDA ;;\n  *) echo "$1" ;;\nesac\n'
REAL = "#!/bin/bash\nprintf '%s\\n' \"$1\" | tr 'a-zA-Z' 'A-Za-z'\n"
IDLE = '#!/usr/bin/env bats\n\n@test "it is there" {\n  true\n}\n'
FILES = ["bin/swap.sh", "tests/new.bats"]
ASKED = proven("It swaps", "bash bin/swap.sh Ada", 'contains "aDA"')
FED = proven("It swaps", "bash bin/swap.sh Ada | grep -q aDA")


def stub(name: str, code: str, criterion: str, test: str = "") -> Case:
    acts = [write("bin/swap.sh", code), *([write("tests/new.bats", test)] if test else [])]
    task = Task("Add it", FILES, [criterion], acts)
    return lie(name, SHELL, "one example", base=OPEN, tasks=[task], test=TEST, catcher="HM")


CASES = (
    stub("sh-one-example", STUB, ASKED, IDLE),
    stub("sh-one-example-looked-up", LOOKED_UP, FED),
    true(
        "sh-one-example-computed",
        "one example",
        OPEN,
        Task("Add it", FILES, [ASKED, FED], [write("bin/swap.sh", REAL)]),
    ),
)
