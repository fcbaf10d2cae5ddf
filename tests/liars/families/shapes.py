"""Shapes of a project: where its code and its tests stand, with which tool, and how each is spelled."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.liars.families.aims import Aim, Value, spelled

Example = tuple[Value, Value]


@dataclass(frozen=True)
class Shape:
    """``{}`` in a command stands for a test file."""

    name: str
    language: str
    code: str  # the product's file
    tests: str  # its folder, "" or ending in a slash
    module: str  # by which tests import it
    command: str
    unittest: bool = False
    files: Mapping[str, str] = field(default_factory=dict)

    def test_path(self, name: str) -> str:
        return f"{self.tests}test_{name}.py" if self.language == "python" else f"{self.tests}{name}.test.js"

    def run(self, *names: str) -> str:
        return self.command.format(" ".join(self.test_path(name) for name in names)).rstrip()

    def module_of(self, aim: Aim, body: str, head: str = "") -> str:
        """The product: a function that works, and the one that is asked for with this body."""
        if self.language == "python":
            return f"{head}def shout(value):\n    return value.upper()\n\n\ndef {aim.name}(value):\n{indent(body, 4)}\n"
        shout = "export function shout(value) {\n  return value.toUpperCase();\n}\n"
        return f"{head}{shout}\nexport function {aim.name}(value) {{\n{indent(body, 2)}\n}}\n"

    def unwritten(self, aim: Aim) -> str:
        throws = "raise NotImplementedError" if self.language == "python" else 'throw new Error("not written yet");'
        return self.module_of(aim, throws)

    def answer(self, aim: Aim, *, right: bool, head: str = "") -> str:
        place = 0 if right else 1
        if self.language == "python":
            return self.module_of(aim, f"return {aim.python[place]}", head)
        return self.module_of(aim, f"return {aim.javascript[place]};", head)

    def test_file(self, function: str, examples: Iterable[Example], title: str = "example") -> str:
        """One test for each example."""
        lines = [self._test(function, one, f"{title}_{number}") for number, one in enumerate(examples, start=1)]
        if self.language == "javascript":
            head = 'import assert from "node:assert/strict";\nimport test from "node:test";\n'
            return head + f'import {{ {function} }} from "{self.module}";\n' + "".join(lines)
        head = f"from {self.module} import {function}\n"
        if not self.unittest:
            return head + "".join(lines)
        name = function.capitalize() + title.capitalize()
        return f"import unittest\n\n{head}\n\nclass {name}(unittest.TestCase):\n" + "\n".join(lines)

    def _test(self, function: str, example: Example, title: str) -> str:
        call, result = f"{function}({spelled(example[0])})", spelled(example[1])
        if self.language == "javascript":
            return f'\ntest("{title}", () => {{\n  assert.equal({call}, {result});\n}});\n'
        if self.unittest:
            return f"    def test_{title}(self):\n        self.assertEqual({call}, {result})\n"
        return f"\n\ndef test_{title}():\n    assert {call} == {result}\n"

    def base(self, aim: Aim, *, asked: bool) -> dict[str, str]:
        """The repository. ``asked``: with the user's own tests of what is to be written."""
        files = {**self.files, self.code: self.unwritten(aim)}
        files[self.test_path("shout")] = self.test_file("shout", [("a b", "A B")])
        if asked:
            files[self.test_path(aim.name)] = self.test_file(aim.name, aim.asked)
        return files


def indent(text: str, width: int) -> str:
    return "\n".join(" " * width + line if line else line for line in text.splitlines())


PACKAGE = json.dumps({"name": "words", "version": "1.0.0", "type": "module"}, indent=2) + "\n"
SRC = '[project]\nname = "words"\nversion = "1.0"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\n'
PYTEST, UNITTEST = "python3 -m pytest -q {}", "python3 -m unittest {}"
SHAPES = (
    Shape("py-flat", "python", "words.py", "tests/", "words", PYTEST),
    Shape("py-src", "python", "src/words/core.py", "tests/", "words.core", PYTEST, files={"pyproject.toml": SRC}),
    Shape("py-beside", "python", "words.py", "", "words", PYTEST),
    Shape("py-unittest", "python", "words.py", "", "words", UNITTEST, unittest=True),
    Shape("py-deep", "python", "app/text/words.py", "tests/unit/", "app.text.words", PYTEST),
    Shape(
        "js-flat", "javascript", "words.js", "test/", "../words.js", "node --test {}", files={"package.json": PACKAGE}
    ),
    Shape(
        "js-src",
        "javascript",
        "src/words.js",
        "test/",
        "../src/words.js",
        "node --test {}",
        files={"package.json": PACKAGE},
    ),
    Shape(
        "js-beside",
        "javascript",
        "lib/words.js",
        "lib/",
        "./words.js",
        "node --test {}",
        files={"package.json": PACKAGE},
    ),
)
