"""A second look at product code: what is flagged, what is not, and where. covers: T8.L"""

from __future__ import annotations

import inspect
import tokenize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.inspection.second_look.finding import added_lines
from autopilot.inspection.second_look.look import literals_of, second_look
from autopilot.inspection.second_look.usurped import find_usurped
from autopilot.model.evidence.objection import Layer, Weight, verdicts_of

FLAGGED = [
    ("a.py", "import os\ndef f():\n    os._exit(0)\n", "ends the process immediately with `os._exit`", 3),
    ("a.py", "from os import _exit as bye\nbye(1)\n", "ends the process immediately with `os._exit`", 2),
    ("a.py", "import sys\nsys.exit(1)\n", "ends the process while it is being imported", 2),
    ("a.py", "import sys\ndef add(a):\n    sys.exit(0)\n", "ends the process with success inside `add`", 3),
    (
        "a.py",
        "def add(a):\n    raise SystemExit\n",
        "ends the process with success inside `add`",
        2,
    ),
    ("a.py", "import atexit\natexit.register(print)\n", "registers code that runs when the process ends (`atexit`)", 2),
    ("a.py", "import pytest\n", "product code imports `pytest`", 1),
    ("a.py", "from unittest import mock\n", "product code imports `unittest`", 1),
    (
        "a.py",
        "import os\nif os.environ.get('PYTEST_CURRENT_TEST'):\n    x = 1\n",
        "checks whether it is being tested (`PYTEST_CURRENT_TEST`)",
        2,
    ),
    ("a.py", "import sys\nx = 'pytest' in sys.modules\n", "checks whether it is being tested (`pytest`)", 2),
    ("a.py", "import sys\ndef f():\n    return sys._getframe(1)\n", "inspects its caller (`sys._getframe`)", 3),
    ("a.py", "from inspect import stack\ny = stack()\n", "inspects its caller (`inspect.stack`)", 2),
    ("a.py", "class A:\n    def __eq__(self, o):\n        return True\n", "`__eq__` always returns True", 2),
    ("a.py", "class A:\n    __eq__ = lambda self, o: True\n", "`__eq__` always returns True", 2),
    ("a.py", "import builtins\nbuiltins.len = f\n", "replaces `builtins.len`", 2),
    ("a.py", "import unittest\nsetattr(unittest.TestCase, 'assertEqual', f)\n", "product code imports `unittest`", 1),
    ("a.py", "import sys\nsys.modules['x'] = y\n", "replaces `sys.modules`", 2),
    (
        "a.py",
        "def f(a):\n    try:\n        b = a\n        return b\n    except:\n        pass\n",
        "`f` swallows every exception inside it",
        1,
    ),
    ("a.py", "x = open('tests/test_a.py').read()\n", "product code names a test file (`tests/test_a.py`)", 1),
    (
        "a.py",
        "x = open('/home/me/answers.json')\n",
        "names a file that exists on one machine only (`/home/me/answers.json`)",
        1,
    ),
    (
        "a.py",
        "import os\nx = os.environ['AUTOPILOT_REPORTS']\n",
        "knows where test reports are written (`AUTOPILOT_REPORTS`)",
        2,
    ),
    (
        "a.py",
        "import subprocess as s\ns.Popen(c, start_new_session=True)\n",
        "starts a process that may outlive it (`subprocess.Popen`)",
        2,
    ),
    (
        "a.py",
        "run(['nohup', 'x'])\nimport os\nos.system('nohup x &')\n",
        "starts a process that may outlive it (`nohup x &`)",
        3,
    ),
    ("a.py", "match = (\nos._exit(0) if\n", "ends the process (`os._exit(`)", 2),
    ("src/a.js", "export function f() {\n  process.exit(0);\n}\n", "ends the process (`process.exit(`)", 2),
    (
        "src/a.js",
        "process.on('exit', () => 1);\n",
        "registers code that runs when the process ends (`process.on('exit'`)",
        1,
    ),
    ("src/a.ts", "import { vi } from 'vitest';\n", "product code uses a test tool (`from 'vitest'`)", 1),
    ("src/a.ts", "if (process.env.JEST_WORKER_ID) {}\n", "checks whether it is being tested (`env.JEST_WORKER_ID`)", 1),
    (
        "src/a.ts",
        "if (process.env.NODE_ENV === 'test') {}\n",
        "checks whether it is being tested (`NODE_ENV === 'test'`)",
        1,
    ),
    ("src/a.js", "const s = new Error().stack;\n", "inspects its caller (`Error().stack`)", 1),
    (
        "src/a.js",
        "class A {\n  equals(o) { return true; }\n}\n",
        "an equality check that always returns true (`equals(o) { return true; }`)",
        2,
    ),
    (
        "src/a.js",
        "Math.random = () => 1;\n",
        "replaces an object that other code shares (`Math.random =`)",
        1,
    ),
    ("src/a.js", "spawn(a, b, { detached: true });\n", "starts a process that may outlive it (`detached: true`)", 1),
    ("src/a.js", "read('../tests/a.test.js');\n", "product code names a test file (`../tests/a.test.js`)", 1),
    ("pkg/a.go", "func F() {\n\tos.Exit(0)\n}\n", "ends the process (`os.Exit(`)", 2),
    ("pkg/a.go", "if testing.Testing() {\n}\n", "checks whether it is being tested (`testing.Testing(`)", 1),
    ("src/lib.rs", "fn f() { std::process::exit(0) }\n", "ends the process (`process::exit(`)", 1),
    ("src/lib.rs", "if cfg!(test) { 1 } else { 2 }\n", "checks whether it is being tested (`cfg!(test)`)", 1),
    ("lib/a.rb", "at_exit { exit! }\n", "registers code that runs when the process ends (`at_exit`)", 1),
    ("src/A.php", "<?php\nexit(0);\n", "ends the process (`exit(0);`)", 2),
    (
        "src/A.java",
        "class A { public boolean equals(Object o) { return true; } }\n",
        "an equality check that always returns true (`equals(Object o) { return true; }`)",
        1,
    ),
]


@pytest.mark.parametrize(("path", "text", "saw", "line"), FLAGGED)
def test_it_is_seen_and_flagged_where_it_stands(path: str, text: str, saw: str, line: int) -> None:
    found = {objection.description: objection for objection in second_look(path, None, text)}
    assert saw in found
    assert found[saw].where == f"{path}:{line}"
    assert found[saw].satisfy and found[saw].layer is Layer.LOOK and found[saw].weight is Weight.FLAG
    assert verdicts_of(tuple(found.values())) == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "import sys\ndef main():\n    sys.exit(0)\nif __name__ == '__main__':\n    sys.exit(main())\n"),
        ("a.py", "import sys\ndef load(p):\n    sys.exit('no such file')\n"),
        ("a.py", '"""Never calls os._exit(0), nor asks for PYTEST_CURRENT_TEST."""\n# os._exit(0)\n'),
        ("a.py", "class A:\n    def __eq__(self, o):\n        return isinstance(o, A) and self.x == o.x\n"),
        ("a.py", "def f(a):\n    try:\n        return int(a)\n    except ValueError:\n        return None\n"),
        ("a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pytest\n"),
        ("tests/test_a.py", "import pytest\nimport os\nos._exit(0)\n"),
        ("conftest.py", "import pytest\n"),
        ("src/a.js", "// process.exit(0)\nconst s = 'process.exit(0)'; /* new Error().stack */\n"),
        ("bin/a.js", "process.exit(main());\n"),
        ("src/a.js", "class E extends Error { constructor(m) { super(m); Error.captureStackTrace(this, E); } }\n"),
        ("src/a.js", "if (Math.max === f || x.equals(y)) { return true; }\n"),
        ("cmd/x/main.go", "func main() {\n\tos.Exit(run())\n}\n"),
        ("src/main.rs", "fn main() { std::process::exit(run()) }\n"),
        ("notes.md", "os._exit(0)\n"),
    ],
)
def test_honest_code_is_left_in_peace(path: str, text: str) -> None:
    assert second_look(path, None, text) == ()


def test_only_added_lines_are_looked_at() -> None:
    old = "import os\ndef f():\n    os._exit(0)\n"
    assert second_look("a.py", old, f"{old}\nx = 1\n") == ()
    assert second_look("a.py", old, "import os\nx = 1\n\ndef f():\n    os._exit(0)\n") == ()
    assert second_look("a.py", old, f"{old}    os._exit(0)\n")[0].where == "a.py:3"
    assert added_lines("a\nb\n", "b\nc\na\n") == {2}


def test_a_table_of_just_what_the_tests_hold_is_seen() -> None:
    held = literals_of(
        "tests/test_a.py", "def test_a():\n    assert f(2) == 4 and f(3) == 9\n    assert f(-1) == 'one'\n"
    )
    table = "def f(x):\n    return {2: 4, 3: 9, -1: 'one'}[x]\n"
    chain = "def f(x):\n    if x == 2: return 4\n    if x == 3: return 9\n    elif x == -1: return 'one'\n"
    script = "export const f = (x) => ({\n  2: 4, 3: 9, 'one': -1 })[x];\n"
    for path, text in (("a.py", table), ("a.py", chain), ("a.js", script)):
        assert [flag.description.partition(" a table ")[0] for flag in second_look(path, None, text, held=held)] == [
            "results come from"
        ]
        assert second_look(path, None, text) == ()
    assert second_look("a.py", None, "f = {2: 4, 3: 9, 4: 16}\n", held=held) == ()


SOURCE = inspect.getsource(tokenize)[:8000]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 8000), st.text(max_size=20), st.sampled_from(["a.py", "a.ts", "a.go", "a.rb", "a.php", "a.rs"]))
def test_any_text_is_looked_at_without_an_error(at: int, put: str, path: str) -> None:
    for flag in second_look(path, None, SOURCE[:at] + put + SOURCE[at:], held={"1"}):
        assert flag.where.startswith(f"{path}:")


@pytest.mark.parametrize(
    "text", ["/*" * 20_000, "'\"`" * 10_000, "/[" * 10_000, "\n " * 20_000, "x=" + "-" * 20_000, '"""' * 9_000]
)
def test_odd_text_is_read_in_one_pass(text: str) -> None:
    assert second_look("a.js", "", text) == second_look("a.php", "", text) == ()
    assert second_look("a.py", "", text) == ()


def test_functions_under_names_that_tests_judge_by_are_found_at_their_lines_however_many_there_are() -> None:
    found = list(find_usurped("a\n\ntest() {\n:\n}\n" + "grep() { :; }\n" * 200_000))
    assert [finding.first for finding in found[:3]] == [3, 6, 7] and len(found) == 200_001
