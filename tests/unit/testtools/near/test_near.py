"""Near mutants: values of the same type and shape, from functions that otherwise do what they did. covers: T8.M"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from autopilot.testtools.mutants.mutant import Mutant
from autopilot.testtools.near.effects import has_effects
from autopilot.testtools.near.near import near_mutant


def near(path: str, new: str, old: str | None = None) -> Mutant:
    made = near_mutant({path: (None if old is None else old.encode(), new.encode())})
    assert made is not None
    return made


def loaded(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "product"}
    exec(near("a.py", text).edits["a.py"].decode(), names)
    return names


@pytest.mark.parametrize(
    ("returned", "other"),
    [
        ("3", 4),
        ("1.5", 2.5),
        ("True", False),
        ("'Ab 9!'", "Bc 0!"),
        ("''", "x"),
        ("'--'", "xx"),
        ("b'a'", b"b"),
        ("[1, 'a']", [2, "b"]),
        ("(1, [2])", (2, [3])),
        ("{'a': 1}", {"a": 2}),
        ("[]", [1]),
        ("None if f else 2", 1),
    ],
)
def test_a_value_is_of_the_same_type_and_not_the_same(returned: str, other: object) -> None:
    assert loaded(f"def f():\n    return {returned}\n")["f"]() == other


def test_an_object_is_a_copy_with_other_contents() -> None:
    names = loaded("class A:\n    def __init__(self):\n        self.n = 1\n\ndef make():\n    return A()\n")
    made = names["make"]()
    assert isinstance(made, names["A"])
    assert made.n == 2
    assert names["A"]().n == 1


def test_only_the_answer_to_the_caller_is_another() -> None:
    """Two wrongs inside would make it right again, or never come to an end."""
    text = "def even(n):\n    return n % 2 == 0\n\ndef odd(n):\n    return not even(n)\n"
    names = loaded(text)
    assert (names["even"](2), names["odd"](2)) == (False, True)


def test_what_raises_returns_and_what_returns_nothing_does_nothing() -> None:
    names = loaded(
        "seen = []\ndef f(x):\n    if x:\n        raise ValueError\n    return 1\ndef g():\n    seen.append(1)\n"
    )
    names["g"]()
    assert (names["f"](1), names["seen"]) == (None, [])


def test_what_is_printed_is_another_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert loaded("def main():\n    print('Hi')\n    return 0\n")["main"]() == 1
    assert capsys.readouterr().out == "Ij\n"


def test_generators_lambdas_and_decorated_methods_keep_their_kind() -> None:
    names = loaded(
        "from __future__ import annotations\n\nclass A:\n    @property\n    def p(self):\n        return 1\n\n"
        "    @staticmethod\n    def s(): return 'a'\n\ndef items():\n    yield 1\n\nf = lambda x: x\n"
    )
    assert (names["A"]().p, names["A"].s(), list(names["items"]()), names["f"](1)) == (2, "b", [2], 2)


def test_a_generator_that_raises_or_has_nothing_to_give_does_otherwise() -> None:
    """Tests that expect an exception of it, or nothing, compare as well as others do."""
    names = loaded("def f(n):\n    if n < 0:\n        raise ValueError\n    yield from range(n)\n")
    assert (list(names["f"](-1)), list(names["f"](0)), list(names["f"](2))) == ([], [1], [1, 2])


@pytest.mark.parametrize("answer", ["any(good(n))", "[*good(n)][0]"])
def test_what_a_changed_generator_gives_to_another_changed_function_stays_as_it_is(answer: str) -> None:
    names = loaded(f"def good(n):\n    yield n > 1\n\ndef are_good(n):\n    return {answer}\n")
    assert (names["are_good"](2), next(names["good"](2))) == (False, False)


def test_an_answer_that_is_computed_later_is_changed_once() -> None:
    names = loaded("def good(n):\n    yield n > 1\n\ndef every(n):\n    return good(n)\n")
    assert list(names["every"](2)) == [False]


def test_only_what_the_work_changed_answers_otherwise() -> None:
    old = "def f():\n    return 1\n"
    made = near("a.py", old + "def g():\n    return 1\n", old)
    assert "`g` returning other values of the same type" in made.description
    assert "`f`" not in made.description


@pytest.mark.parametrize(
    "text", ["X = 1\n", "def f():\n    print(1)\n", "class A:\n    def __init__(self): self.a = 1\n"]
)
def test_without_a_value_that_comes_back_there_is_no_near_one(text: str) -> None:
    assert near_mutant({"a.py": (None, text.encode())}) is None


SCRIPT = """export function total(items) { return items.reduce((sum, one) => sum + one, 0); }
export const name = (text) => text.trim();
export const later = async (text) => { return [text]; };
export class Box { constructor(n) { this.n = n; } get twice() { return this.n * 2; } *each() { yield this.n; } }
export function fails() { throw new Error("no"); return 1; }
"""
ASKED = """import { total, name, later, Box, fails } from "./a.mjs";
const asked = [total([1, 2]), name(" ab "), await later("a"), new Box(2).twice, [...new Box(2).each()], fails()];
console.log(JSON.stringify(asked));
"""


@pytest.mark.parametrize("path", ["a.mjs", "a.js"])
def test_functions_of_a_script_answer_near_by(path: str, tmp_path: Path) -> None:
    made = near(path, SCRIPT).edits[path]
    (tmp_path / "a.mjs").write_bytes(made)
    (tmp_path / "b.mjs").write_text(ASKED)
    ran = subprocess.run(["node", str(tmp_path / "b.mjs")], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == '[4,"bc",["b"],5,[3],null]'


def test_types_are_not_checked_in_a_near_mutant() -> None:
    text = near("a.ts", "export function f(n: number): number { return n; }\n").edits["a.ts"]
    assert text.startswith(
        b"// @ts-nocheck\nexport function f(n: number): number { return _nearCall(() => { return n; }"
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(x):\n    out = []\n    out.append(x)\n    return out", False),
        ("def f(x):\n    return os.path.join(x, 'a')", False),
        ("function f(x) { const out = new Map(); out.set(x, 1); return out; }", False),
        ("def f(self, x):\n    self.items.append(x)\n    return x", True),
        ("def f(self, x):\n    self.total += x\n    return x", True),
        ("def f(x):\n    x.append(1)\n    return x", True),
        ("def f(path):\n    path.write_text('a')\n    return 1", True),
        ("def f():\n    return uuid.uuid4().hex", True),
        ("const f = () => new Date()", True),
        ("function f(p) { fs.writeFileSync(p, 'a'); return 1; }", True),
        ("func f() int { fmt.Println(1); return 1 }", True),
        ("fn f(x: i32) -> i32 { assert!(x > 0); x }", True),
    ],
)
def test_what_does_more_than_to_return_is_known_by_its_text(source: str, expected: bool) -> None:
    assert has_effects(source) is expected


def test_a_near_mutant_is_certain_where_values_are_all_there_is_to_ask_for() -> None:
    pure, saving = "def f(x):\n    return x\n", "def g(self):\n    self.n = 1\n    return 2\n"
    assert near("a.py", pure).is_certain
    assert not near("a.py", pure + saving).is_certain
    assert not near("a.py", pure.replace("def ", "def _")).is_certain  # what other code makes of it may be the same
    beside = {"a.py": (None, pure.encode()), "b.rb": (None, b"x"), "__init__.py": (None, b"from a import f\n")}
    alone = near_mutant(beside)
    both = near_mutant({**beside, "c.rs": (None, b"pub fn now() -> Instant { Instant::now() }\n")})
    assert alone is not None
    assert both is not None
    assert alone.is_certain
    assert not both.is_certain  # the tests may ask what is written in Rust


def test_functions_and_scripts_of_the_shell_print_something_near(tmp_path: Path) -> None:
    library = near("lib.sh", 'name() { echo Ada; }\nhello() { echo "Hello $(name)"; }\nis_ok() { [ "$1" = ok ]; }\n')
    script = near("run.sh", '#!/bin/bash\necho "Hi $1"\nexit 3\n')
    (tmp_path / "lib.sh").write_bytes(library.edits["lib.sh"])
    (tmp_path / "run.sh").write_bytes(script.edits["run.sh"])
    asked = 'source ./lib.sh; hello; if is_ok ok; then echo yes; else echo no; fi; bash run.sh Bo; echo "$?"'
    ran = subprocess.run(["bash", "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n")[:4] == ["Ifmmp Beb", "no", "Ij Cp", "3"]
    assert library.is_certain
    assert not near("lib.sh", 'save() { echo "$1" > "$2"; }\n').is_certain


def test_a_long_type_of_rust_is_read_in_one_way() -> None:
    """A lifetime may end in the name of a type: forty of them, and a type of which nothing is known (T1)."""
    long = "&'astr str, " * 40
    assert near_mutant({"a.rs": (None, f"fn f() -> ({long}Other) {{ made() }}\n".encode())}) is None
    changed = near("a.rs", f"fn f() -> ({long}i32) {{ made() }}\n")
    assert b"near_result" in changed.edits["a.rs"]
