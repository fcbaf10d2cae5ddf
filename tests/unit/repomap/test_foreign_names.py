"""What a call names outside of the project is no call of something with the same name inside. covers: REPOMAP"""

from __future__ import annotations

import pytest

from tests.unit.repomap.small_map import map_of

FOREIGN = {
    "python, a module": {
        "use.py": "import os.path\nos.path.join(1)\n",
        "own.py": "class Own:\n    def join(self): ...\n",
    },
    "python, a name": {"use.py": "from itertools import chain\nchain()\n", "own.py": "def chain(): ...\n"},
    "python, built in": {"use.py": "open(1)\n", "own.py": "def open(): ...\n"},
    "go": {
        "a/use.go": 'package a\nimport "strings"\nfunc f() { strings.Trim("") }\n',
        "b/own.go": "package b\nfunc Trim() {}\n",
    },
    "go, built in": {"a/use.go": "package a\nfunc f() { clear(1) }\n", "b/own.go": "package b\nfunc clear() {}\n"},
    "rust, a type": {"a.rs": "fn f() { String::new(); u8::new(); }\n", "b.rs": "struct B;\nimpl B { fn new() {} }\n"},
    "rust, a path": {"a.rs": "fn f() { std::fs::read(1); }\n", "b.rs": "pub fn read() {}\n"},
    "java": {
        "U.java": "package u; import java.util.Objects; class U { void f() { Objects.hash(1); Math.max(1, 2); } }",
        "O.java": "package o; class O { void hash() {} void max() {} }",
    },
    "php, in a namespace below": {
        "U.php": "<?php\nnamespace A;\nfunction f() { Far\\Utils::make(); }\n",
        "Utils.php": "<?php\nnamespace A;\nclass Utils { static function make() {} }\n",
    },
    "script": {"use.ts": "JSON.parse('')\n", "own.ts": "export class Own { parse() {} }\n"},
}


@pytest.mark.parametrize("case", FOREIGN)
def test_what_is_named_outside_of_the_project_is_nothing_of_it(case: str) -> None:
    _, links = map_of(FOREIGN[case])
    assert not links.calls and not links.ambiguous


OURS = {
    "python, under the same name": {
        "use.py": "try:\n    import fast as core\nexcept ImportError:\n    import own as core\ncore.run()\n",
        "own.py": "def run(): ...\n",
    },
    "python, by an unknown star": {"use.py": "from .gone import *\nrun()\n", "own.py": "def run(): ...\n"},
    "rust, a variable": {"a.rs": "fn f(x: X) { x.run(); }\n", "b.rs": "struct B;\nimpl B { fn run(&self) {} }\n"},
    "php, by its whole name": {
        "U.php": "<?php\nnamespace A;\nfunction f() { Near\\Utils::make(); }\n",
        "Utils.php": "<?php\nnamespace A\\Near;\nclass Utils { static function make() {} }\n",
    },
    "script, own": {
        "use.ts": "class JSON { static parse() {} }\nJSON.parse('')\n",
    },
}


@pytest.mark.parametrize("case", OURS)
def test_what_may_be_of_the_project_is_still_listed(case: str) -> None:
    _, links = map_of(OURS[case])
    assert [(edge.path, edge.callee.rpartition(".")[2]) for edge in links.calls] in (
        [("use.py", "run")],
        [("a.rs", "run")],
        [("U.php", "make")],
        [("use.ts", "parse")],
    )
