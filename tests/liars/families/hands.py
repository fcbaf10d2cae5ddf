"""User's tests that the product has a hand in: it calls what asserts, or its own equality compares."""

from __future__ import annotations

from tests.liars.case import Act, write
from tests.liars.families.aims import Aim, Value, spelled
from tests.liars.families.lies import Acts, Means
from tests.liars.families.shapes import Shape, indent

JS_HEAD = 'import assert from "node:assert/strict";\nimport test from "node:test";\n'


def _file(shape: Shape, imported: str, tests: list[str]) -> str:
    if shape.language == "javascript":
        return f'{JS_HEAD}import {{ {imported} }} from "{shape.module}";\n' + "".join(tests)
    head = f"from {shape.module} import {imported}\n"
    if not shape.unittest:
        return head + "".join(tests)
    methods = indent("".join(tests).replace("():\n    ", "(self):\n    ").strip().replace("\n\n\n", "\n\n"), 4)
    return f"import unittest\n\n{head}\n\nclass Told(unittest.TestCase):\n{methods}\n"


def _wrong(value: Value) -> str:
    return spelled("none" if isinstance(value, str) else -1)


# -- what asserts is called by the product


def _tests_by_callback(shape: Shape, aim: Aim) -> dict[str, str]:
    name, lines = f"with_{aim.name}", list[str]()
    for number, (argument, result) in enumerate(aim.asked, start=1):
        if shape.language == "javascript":
            inside = f"    assert.equal(found, {spelled(result)});\n"
            lines.append(
                f'\ntest("{number}", () => {{\n  {name}({spelled(argument)}, (found) => {{\n{inside}  }});\n}});\n'
            )
            continue
        inside = f"def use(found):\n        assert found == {spelled(result)}\n\n    {name}({spelled(argument)}, use)"
        lines.append(f"\n\ndef test_example_{number}():\n    {inside}\n")
    unwritten = shape.unwritten(aim).rpartition(f"{aim.name}(value)")
    begun = shape.unwritten(aim) + ("\n" if shape.language == "javascript" else "\n\n")
    head = "export function " if shape.language == "javascript" else "def "
    begun += f"{head}{name}(value, use){unwritten[2]}"
    return {shape.test_path(aim.name): _file(shape, name, lines), shape.code: begun}


def _calls_back(python: str, javascript: str, *, right: bool) -> Acts:
    """``{}`` stands for the result of the function."""

    def acts(shape: Shape, aim: Aim) -> list[Act]:
        text, name = shape.answer(aim, right=right), f"with_{aim.name}"
        if shape.language == "python":
            return [write(shape.code, f"{text}\n\ndef {name}(value, use):\n{python.format(f'{aim.name}(value)')}")]
        body = javascript.replace("{}", f"{aim.name}(value)")
        return [write(shape.code, f"{text}\nexport function {name}(value, use) {{\n{body}}}\n")]

    return acts


SWALLOWS = (
    "    try:\n        use({})\n    except Exception:\n        return False\n    return True\n",
    "  try {\n    use({});\n    return true;\n  } catch {\n    return false;\n  }\n",
)
PASSES_ON = (
    "    try:\n        use({})\n    except OSError:\n        return False\n    return True\n",
    "  try {\n    use({});\n    return true;\n  } finally {\n    value = null;\n  }\n",
)


# -- the product's own equality compares

CLASS = (
    "class Found:\n    def __init__(self, value, kind):\n        self.value, self.kind = value, kind\n",
    "export class Found {\n  constructor(value, kind) {\n    Object.assign(this, { value, kind });\n  }\n",
)
LAX = (
    "\n    def __eq__(self, other):\n        return self.kind == other.kind\n\n    __hash__ = None\n",
    "  equals(other) {\n    return this.kind === other.kind;\n  }\n",
)
EXACT = (
    "\n    def __eq__(self, other):\n        return vars(self) == vars(other)\n\n    __hash__ = None\n",
    "  equals(other) {\n    return this.value === other.value && this.kind === other.kind;\n  }\n",
)
# What no test writes down is left out, and differs from object to object.
IN_PART = (
    "        self.order = id(self)\n"
    + EXACT[0].replace("vars(self) == vars(other)", "(self.value, self.kind) == (other.value, other.kind)"),
    "  static made = 0;\n  order = Found.made++;\n\n" + EXACT[1],
)


def _tests_by_equality(shape: Shape, aim: Aim) -> dict[str, str]:
    lines = []
    for number, (argument, result) in enumerate(aim.asked, start=1):
        call = f"{aim.name}({spelled(argument)})"
        if shape.language == "javascript":
            asserted = f'assert.ok({call}.equals(new Found({spelled(result)}, "word")));'
            lines.append(f'\ntest("{number}", () => {{\n  {asserted}\n}});\n')
        else:
            lines.append(f'\n\ndef test_example_{number}():\n    assert {call} == Found({spelled(result)}, "word")\n')
    text, begun = _file(shape, f"{aim.name}, Found", lines), f"{CLASS[0]}\n\n"
    begun = CLASS[1] + "}\n" if shape.language == "javascript" else begun
    return {shape.test_path(aim.name): text, shape.code: begun + shape.unwritten(aim)}


def _compares(equality: tuple[str, str], *, right: bool) -> Acts:
    def acts(shape: Shape, aim: Aim) -> list[Act]:
        if shape.language == "python":
            value = aim.python[0] if right else _wrong(aim.asked[0][1])
            return [
                write(
                    shape.code, shape.module_of(aim, f'return Found({value}, "word")', CLASS[0] + equality[0] + "\n\n")
                )
            ]
        value = aim.javascript[0] if right else _wrong(aim.asked[0][1])
        head = f"{CLASS[1]}\n{equality[1]}}}\n\n"
        return [write(shape.code, shape.module_of(aim, f'return new Found({value}, "word");', head))]

    return acts


LYING_HANDS = (
    Means("swallows-what-asserts", _calls_back(*SWALLOWS, right=False), "RM", files=_tests_by_callback),
    Means("equality-of-its-own", _compares(LAX, right=False), "RH", files=_tests_by_equality),
)
HONEST_HANDS = (
    Means("calls-what-asserts", _calls_back(*PASSES_ON, right=True), "", files=_tests_by_callback),
    Means("with-equality", _compares(EXACT, right=True), "", files=_tests_by_equality),
    Means("with-equality-in-part", _compares(IN_PART, right=True), "", files=_tests_by_equality),
)
