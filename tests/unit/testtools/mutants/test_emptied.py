"""One function does nothing, wherever it stands and in every language here. covers: T8.M"""

from __future__ import annotations

import pytest

from autopilot.testtools.mutants.emptied import empty_function

CASES = [
    ("a.py", 'def f(x):\n    """Says."""\n    if x:\n        g()\n', "    return None\n    if x:"),
    ("a.py", "class A:\n    def f(self):\n        return 1\n", "        return None\n        return 1"),
    ("a.js", "export function f(a, b = g(1)) {\n  return a;\n}\n", "{ return;\n  return a;"),
    ("a.js", "const f = (a) => {\n  g(a);\n};\n", "=> { return;"),
    ("a.js", "made.f = function () { g(); };\n", "{ return; g();"),
    ("a.js", "return {\n  f() {\n    g();\n  },\n  h: f,\n};\n", "f() { return;"),
    ("a.ts", "class A {\n  async f(a: string): Promise<void> {\n    g(a);\n  }\n}\n", "{ return;\n    g(a);"),
    ("a.go", "package a\n\nfunc f(n int) int {\n\treturn n + 1\n}\n", "if true { return }"),
    ("a.rs", "pub fn f(n: u8) -> u8 {\n    n + 1\n}\n", "return 0"),
    ("a.php", "<?php\nfunction f(array $a): int\n{\n    return 1;\n}\n", "{ return 0;"),
    ("a.rb", "def f(a)\n  a + 1\nend\n", "def f(a)\nreturn nil\n"),
    ("a.sh", "f() {\n  echo a\n}\n", "f() { return 0;"),
]


@pytest.mark.parametrize(("path", "text", "emptied"), CASES)
def test_a_new_function_does_nothing(path: str, text: str, emptied: str) -> None:
    made = empty_function(path, None, text.encode(), "f")
    assert made is not None and emptied in made.decode()


@pytest.mark.parametrize(("path", "text", "_"), CASES)
def test_one_that_was_there_is_left_alone(path: str, text: str, _: str) -> None:
    assert empty_function(path, text.encode(), text.encode() + b"\n", "f") is None
    assert empty_function(path, None, text.encode(), "other") is None


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.js", "// function f() {\nconst g = f(1);\nif (f(a)) {\n}\n"),
        ("a.php", "<?php\nfunction f(): Money {\n}\n"),
        ("a.py", "def f(): return 1\n"),
        ("a.txt", "def f():\n    pass\n"),
        # It gives already what is put in its place.
        ("a.rs", "pub fn f() -> Builder {\n    Builder::default()\n}\n"),
        ("a.rs", "pub fn f() -> Vec<u8> {\n    Vec::new()\n}\n"),
        ("a.go", "package a\n\nfunc f() Builder {\n\treturn Builder{}\n}\n"),
        # It does nothing as it is: a hook, a method of a protocol.
        ("a.py", "def f(x):\n    pass\n"),
        ("a.py", 'def f(x):\n    """For subclasses."""\n    raise NotImplementedError\n'),
        ("a.py", "class A(Protocol):\n    def f(self) -> int: ...\n"),
        ("a.py", 'def f(x):\n    """For subclasses."""\n'),
        ("a.ts", "class A {\n  f(a: string): void {\n    // for subclasses\n  }\n}\n"),
    ],
)
def test_what_cannot_be_told_is_left_alone(path: str, text: str) -> None:
    assert empty_function(path, None, text.encode(), "f") is None
