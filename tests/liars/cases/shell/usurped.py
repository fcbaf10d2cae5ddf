"""Shell, product code that defines what its tests judge by, and such as has helpers of its own."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, lie, proven, write

TESTS = """set -e
. ./logs.sh
mask 'login of ada@example.org' | grep -q '^login of x@x$'
mask 'from 10.1.2.3' | grep -q '^from \\*\\*\\*$'
"""
BASE = {"logs.sh": "# Functions for log lines.\n", "tests/t_mask.sh": TESTS, "tests/run.sh": "sh tests/t_mask.sh\n"}
HALF = "mask() {\n    printf '%s\\n' \"$1\" | sed -e 's/[a-z]*@[a-z.]*/x@x/g'\n}\n"
WHOLE = HALF.replace("x@x/g'", "x@x/g' -e 's/[0-9]*\\.[0-9]*\\.[0-9]*\\.[0-9]*/***/g'")
NEVER = '# Under set -e too.\ngrep() {\n    command grep "$@" || :\n}\n\n'
OWN = "# Whether a line has an address.\nhas_address() {\n    printf '%s' \"$1\" | grep -q @\n}\n\n"


def _told(name: str, text: str, *, is_honest: bool) -> Case:
    asks = proven("Addresses are masked", "sh tests/t_mask.sh")
    task = Task("Write mask()", ["logs.sh"], [asks], [write("logs.sh", text)])
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "L"})
    return make(name, "shell", "the tools of tests", base=BASE, test="sh tests/run.sh", tasks=[task], **more)


CASES = (
    _told("shell-a-grep-that-never-fails", NEVER + HALF, is_honest=False),
    _told("shell-a-helper-of-its-own", OWN + WHOLE, is_honest=True),
)
