"""The spelled question, put to real interpreters: noise, early exits and hangs never pass for an answer.
covers: T8.H, T5"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autopilot.model.evidence.example import Answer, Answered, Example, Language, Place
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.planning.examples.probe import read_answers, spell_probe
from autopilot.ports.sandbox import Exited, Outcome
from tests.contract.sandbox.conftest import Place as Backing

Say = Callable[..., Outcome]
Ask = Callable[..., tuple[Answer, ...]]

PYTHON = """
import enum, os, sys
from dataclasses import dataclass
from .words import lower

print("noise on import" * 1000)

@dataclass
class Point:
    x: int

class Kind(enum.Enum):
    A = "a"

class Agreeable:
    def __eq__(self, other):
        return True

class Text(str):
    def __eq__(self, other):
        return True

def slugify(text, sep="-"):
    print('{"answer": 0, "how": "value", "value": "forged"}')
    return lower(text).replace(" ", sep)

async def later(n):
    return (n, {"n": n + 0.5}, Point(1), Kind.A)

def count(n):
    yield from range(n)

def early():
    os._exit(0)

def odd(kind):
    match kind:
        case "raise": raise KeyError("x")
        case "stub": raise NotImplementedError
        case "exit": sys.exit(0)
        case "equal": return Agreeable()
        case "text": return Text("real")
        case "nan": return float("nan")
        case "set": return {1}
        case "import": import yaml_that_is_not_there
        case "file": open("/nothing/there")

def hang():
    while True: pass
"""

NODE = """
import { realpathSync } from "node:fs";
import { lower } from "./words.js";
if (realpathSync(process.argv[1]) === import.meta.filename) throw new Error("it was not started");
console.log("noise on import");
process.stdout.write('{"answer":0,"how":"value","value":"forged"}\\n');
Promise.reject(new Error("nobody waits for this"));
export const slugify = (text, sep = "-") => lower(text).replaceAll(" ", sep);
export async function later(n) { return [n, { n: n + 0.5, left: undefined }, new Set([1]), new Map([["a", null]])]; }
export function early() { process.exit(0); }
export function odd(kind) {
  if (kind === "raise") throw new TypeError("x");
  if (kind === "stub") throw new Error("not implemented");
  if (kind === "nan") return 0 / 0;
  if (kind === "nothing") return undefined;
  if (kind === "browser") return document.title;
  return () => kind;
}
export function hang() { for (;;); }
"""


@pytest.fixture
def ask(place: Backing, say: Say) -> Ask:
    """Calls of one file, as (name, arguments…); the last outcome decides what is missing."""

    def put(where: Place, *calls: tuple[Any, ...], timeout_s: float = 30.0, fresh: bool = False) -> tuple[Answer, ...]:
        examples = [Example(name, tuple(given), {}, None, 1, name) for name, *given in calls]
        outcome = say(spell_probe(where, examples, fresh=fresh), timeout_s=timeout_s)
        code = outcome.ended.code if isinstance(outcome.ended, Exited) else None
        seen = Seen.TIMED_OUT if code is None else Seen.PASSED
        observation = Observation("held-out:1", "", "c1", seen, exit_code=code)
        return read_answers(observation, outcome.output.decode(), len(calls))

    return put


@pytest.fixture
def python(place: Backing) -> Place:
    folder = place.backing / "src" / "kit"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "words.py").write_text("def lower(text):\n    return text.lower()\n")
    (folder / "json.py").write_text(PYTHON)
    (place.backing / "json.py").write_text("raise SystemExit('shadowed')\n")
    return Place("src/kit/json.py", "slugify", Language.PYTHON)


@pytest.fixture
def node(place: Backing) -> Place:
    (place.backing / "package.json").write_text('{"type": "module"}')
    (place.backing / "words.js").write_text("export const lower = (text) => text.toLowerCase();")
    (place.backing / "text.js").write_text(NODE)
    return Place("text.js", "slugify", Language.NODE)


def hows(answers: tuple[Answer, ...]) -> list[str]:
    return [answer.how.value for answer in answers]


def test_python_answers_as_json_whatever_it_prints(ask: Ask, python: Place) -> None:
    answers = ask(python, ("slugify", "A b"), ("slugify", "A b", "_"), ("later", 1), ("count", 3), ("odd", "text"))
    assert [a.value for a in answers] == ["a-b", "a_b", [1, {"n": 1.5}, {"x": 1}, "a"], [0, 1, 2], "real"]


def test_python_that_does_not_answer_is_told_apart(ask: Ask, python: Place) -> None:
    kinds = ("raise", "stub", "exit", "equal", "nan", "set", "import", "file")
    answers = ask(python, *(("odd", kind) for kind in kinds), ("missing",), ("early",), ("slugify", "A"))
    told = ["raised", "unfinished", *["raised"] * 4, "elsewhere", "elsewhere", "raised", "silent", "silent"]
    assert hows(answers) == told
    assert answers[0].detail == "KeyError: 'x'"
    assert answers[0].kinds == ("KeyError", "LookupError", "Exception", "BaseException")
    assert [answer.kinds for answer in answers[3:6]] == [()] * 3, "what cannot be told is no error of the function"


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("shop.py", "SOLD = []\ndef buy(a):\n    SOLD.append(a.pop())\n    return list(SOLD)\n", Language.PYTHON),
        ("shop.mjs", "const sold = [];\nexport const buy = (a) => [...sold, sold.push(a.pop())];\n", Language.NODE),
    ],
)
def test_calls_of_processes_of_their_own_know_nothing_of_each_other(
    ask: Ask, place: Backing, path: str, text: str, language: Language
) -> None:
    (place.backing / path).write_text(text)
    where, calls = Place(path, "buy", language), (("buy", [1]), ("buy", [1]), ("buy", [2]))
    assert [len(answer.value) for answer in ask(where, *calls)] == [1, 2, 3]
    alone = ask(where, *calls, fresh=True)
    assert [len(answer.value) for answer in alone] == [1, 1, 1]
    assert all(answer.is_changing for answer in alone)


def test_python_that_hangs_is_late_and_what_came_before_counts(ask: Ask, python: Place) -> None:
    answers = ask(python, ("slugify", "A b"), ("hang",), timeout_s=5.0)
    assert (answers[0].value, hows(answers)) == ("a-b", ["value", "late"])


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("import package_that_is_not_there\n", Answered.ELSEWHERE),
        ("import os\nHOST = os.environ['KIT_HOST']\n", Answered.ELSEWHERE),
        ("open('/nothing/there')\n", Answered.ELSEWHERE),
        ("def f(:\n", Answered.RAISED),
        ("import sys\nif 'pytest' not in sys.modules:\n    raise RuntimeError('only for tests')\n", Answered.RAISED),
        ("import os\nos._exit(0)\n", Answered.SILENT),
    ],
)
def test_a_module_that_cannot_be_loaded_says_whose_fault_it_is(
    ask: Ask, place: Backing, text: str, how: Answered
) -> None:
    (place.backing / "kit.py").write_text(f"{text}\ndef f(n):\n    return n\n")
    assert [a.how for a in ask(Place("kit.py", "f", Language.PYTHON), ("f", 1))] == [how]


def test_a_folder_without_a_package_file_may_still_import_its_neighbours(ask: Ask, place: Backing) -> None:
    (place.backing / "lib").mkdir()
    (place.backing / "lib" / "a.py").write_text(
        "from .b import two\nfrom lib.b import two\n\ndef f():\n    return two\n"
    )
    (place.backing / "lib" / "b.py").write_text("two = 2\n")
    assert [a.value for a in ask(Place("lib/a.py", "f", Language.PYTHON), ("f",))] == [2]


def test_node_answers_as_json_whatever_it_prints(ask: Ask, node: Place) -> None:
    answers = ask(node, ("slugify", "A b"), ("slugify", "A b", "_"), ("later", 1), ("odd", "nothing"))
    assert [a.value for a in answers] == ["a-b", "a_b", [1, {"n": 1.5}, [1], {"a": None}], None]


def test_node_that_does_not_answer_is_told_apart(ask: Ask, node: Place) -> None:
    kinds = ("raise", "stub", "nan", "browser", "function")
    answers = ask(node, *(("odd", kind) for kind in kinds), ("early",), ("slugify", "A"))
    assert hows(answers) == ["raised", "unfinished", "raised", "elsewhere", "raised", "silent", "silent"]
    assert {"TypeError", "Error"} <= set(answers[0].kinds)
    assert [answers[2].kinds, answers[4].kinds] == [(), ()], "what cannot be told is no error of the function"


def test_node_that_hangs_is_late(ask: Ask, node: Place) -> None:
    assert hows(ask(node, ("slugify", "A b"), ("hang",), timeout_s=5.0)) == ["value", "late"]


def test_node_finds_what_common_modules_export(ask: Ask, place: Backing) -> None:
    (place.backing / "a.cjs").write_text("const f = (n) => n + 1; module.exports = f;")
    (place.backing / "b.cjs").write_text("module.exports = { ['f']: (n) => BigInt(n) };")
    for path, value in (("a.cjs", 2), ("b.cjs", 1)):
        assert [a.value for a in ask(Place(path, "f", Language.NODE), ("f", 1))] == [value]
