"""Constant mutants of Python: what is replaced, what is kept, and that the rest is untouched. covers: T8.M"""

from __future__ import annotations

import ast
import inspect
import json
import tokenize
from collections.abc import Sequence
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.testtools.mutants.mutant import MAX_BYTES, can_mutate, mutants
from autopilot.testtools.mutants.python_values import other_value
from autopilot.text.python_tree import compiles


def mutate(new: str | bytes, old: str | bytes | None = None) -> list[str]:
    """The text of every mutant."""
    raw = [text.encode() if isinstance(text, str) else text for text in (new, old) if text is not None]
    made = mutants({"a.py": (raw[1] if len(raw) > 1 else None, raw[0])})
    return [mutant.edits["a.py"].decode() for mutant in made]


BODIES: Sequence[tuple[str, str, str, str]] = (
    ("one line", "def f(x): return x\n", "def f(x): return None\n", "def f(x): return True\n"),
    (
        "docstring, decorators and signature stay",
        '@deco\ndef f(a: int = 1) -> int:\n    """Say."""\n    b = a\n    return b  # why\n',
        '@deco\ndef f(a: int = 1) -> int:\n    """Say."""\n    return None  # why\n',
        '@deco\ndef f(a: int = 1) -> int:\n    """Say."""\n    return True  # why\n',
    ),
    ("docstring on one line", 'def f(): "d"; return 1\n', 'def f(): "d"; return None\n', 'def f(): "d"; return True\n'),
    ("async", "async def f():\n  await g()\n", "async def f():\n  return None\n", "async def f():\n  return True\n"),
    ("generator", "def f():\n  yield 1\n", "def f():\n  return None; yield\n", "def f():\n  yield True\n"),
    (
        "async generator",
        "async def f():\n  async for x in y:\n    yield x\n",
        "async def f():\n  return; yield\n",
        "async def f():\n  yield True\n",
    ),
    (
        "a nested function goes with its outer one",
        "def f():\n    @d\n    def g():\n        yield 1\n    return g\n",
        "def f():\n    return None\n",
        "def f():\n    return True\n",
    ),
    (
        "class in an if, tabs, property",
        "if X:\n\tclass A:\n\t\t@property\n\t\tdef p(self):\n\t\t\treturn 1\n",
        "if X:\n\tclass A:\n\t\t@property\n\t\tdef p(self):\n\t\t\treturn None\n",
        "if X:\n\tclass A:\n\t\t@property\n\t\tdef p(self):\n\t\t\treturn True\n",
    ),
    ("lambda", "f = lambda x: (x, 1)\n", "f = lambda x: None\n", "f = lambda x: True\n"),
    ("semicolons", "def f(): a(); b();\n", "def f(): return None;\n", "def f(): return True;\n"),
    (
        "wide characters before it",
        "class Ä:\n    def ü(self, s='日本'): return s + 'ß'\n",
        "class Ä:\n    def ü(self, s='日本'): return None\n",
        "class Ä:\n    def ü(self, s='日本'): return True\n",
    ),
    ("CRLF", "def f():\r\n  a = 1\r\n  return a\r\n", "def f():\r\n  return None\r\n", "def f():\r\n  return True\r\n"),
)


@pytest.mark.parametrize(("new", "nothing", "true"), [row[1:] for row in BODIES], ids=[row[0] for row in BODIES])
def test_a_body_gives_way_to_a_constant(new: str, nothing: str, true: str) -> None:
    assert mutate(new) == [nothing, true]


def test_a_constructor_does_nothing_and_is_one_mutant() -> None:
    new = "class A:\n  def __init__(self, a):\n    self.a = a\n"
    assert mutate(new) == ["class A:\n  def __init__(self, a):\n    pass\n"]


@pytest.mark.parametrize(
    "new",
    [
        "",
        "import os\n",
        "def f(): ...\n",
        "def f():\n  '''Only words.'''\n",
        "@overload\ndef f(a: int) -> int: return 1\n",
        "class A:\n  @abc.abstractmethod\n  def f(self): return 1\n",
        "__all__ = ['a']\n",
        "X = re.compile('a')\nY = None\nZ = []\n",
        "def f(:\n",
        "if __name__ == '__main__':\n  X = 1\n",
        "x = 1\0",
        "# coding: nonsense\ndef f(): return 1\n",
        "(" * 5000,
        "x = " + "-" * 100_000 + "1",
        "x = " + ".a" * 50_000,
    ],
)
def test_what_cannot_be_mutated_is_left_out(new: str) -> None:
    assert mutate(new) == []


def test_a_function_that_was_never_written_counts_where_nothing_else_was_built() -> None:
    """Tests that pass with it ask somebody else."""
    unwritten, written = "def f(x): raise NotImplementedError('later')\n", "def g(x): return x\n"
    assert mutate(unwritten) == ["def f(x): return None\n", "def f(x): return True\n"]
    assert mutate(unwritten + written) == [unwritten + f"def g(x): return {value}\n" for value in (None, True)]


VALUES = {
    "5": "6",
    "-2": "-1",
    "1.5": "2.5",
    "1e999": "0",
    "True": "False",
    "'a'": "'a_'",
    "b'a'": "b'a_'",
    "'—'": r"'\u2014_'",
    "('a'\n 'b')": "('ab_')",
    "[1, 2]": "[]",
    "1, 2": "()",
    "{'a': 1}": "{}",
    "{1}": "set()",
    "[x for x in y]": "[]",
    "60 * 60": "(60 * 60) + 1",
    "f'{a}'": "'_'",
}


@pytest.mark.parametrize(("value", "other"), VALUES.items())
def test_a_value_with_a_name_becomes_another_of_its_kind(value: str, other: str) -> None:
    assert mutate(f"A = {value}\n") == [f"A = {other}\n"]
    assert mutate(f"class C:\n    A: int = {value}\n") == [f"class C:\n    A: int = {other}\n"]


def test_values_that_were_distinct_stay_distinct() -> None:
    changed = [other_value(ast.parse(value, mode="eval").body) for value in ("1", "2", "'a'", "'b'")]
    assert len(set(changed)) == 4


def test_only_what_the_task_changed_is_mutated() -> None:
    old = "A = 1\ndef f(): return 1\ndef g(): return 2\n"
    new = "B = 2\nA = 1\n# moved\ndef g():\n    return 2\ndef f(): return 3\n"
    assert mutate(new, old)[0] == "B = 2\nA = 1\n# moved\ndef g():\n    return 2\ndef f(): return None\n"
    assert mutate(old, old) == []
    assert mutate(new, "def f(:")[0].count("return None") == 2  # nobody knows what was there before


def test_what_is_needed_while_loading_is_left_alone_where_something_else_is_there() -> None:
    new = "LIST = [1]\nX, = LIST\ndef early(): return [2]\nY = early()[0]\ndef late(): return 3\n"
    assert mutate(new)[0] == new.replace("return 3", "return None")
    assert mutate("def early(): return [2]\nY = early()[0]\n")[0] == "def early(): return None\nY = early()[0]\n"
    assert "def main(): return None" in mutate("def main(): return 1\nif __name__ == '__main__':\n  exit(main())\n")[0]


def test_the_encoding_of_a_file_is_kept() -> None:
    raw = "# coding: cp1252\nA = 'é'\ndef f():\r\n    return 'ü'\r\n".encode("cp1252")
    (mutant, _) = mutants({"a.py": (None, raw)})
    assert mutant.edits["a.py"] == "# coding: cp1252\nA = 'é'\ndef f():\r\n    return None\r\n".encode("cp1252")
    marked = b"\xef\xbb\xbfdef f(): return 1\n"
    assert mutants({"a.py": (None, marked)})[0].edits["a.py"] == b"\xef\xbb\xbfdef f(): return None\n"


def test_all_files_are_mutated_at_once_and_told_by_name() -> None:
    changed = {
        "b.py": (None, b"LIMIT = 3\n"),
        "a.py": (None, b"class A:\n  def f(self): return 1\n"),
        "c.kt": (None, b"fun f(): Int { return 1 }\n"),
        "d.py": (None, b"def f(): return 1\n" + b"#" * MAX_BYTES),
    }
    nothing, true = mutants(changed)
    assert nothing.description == "`A.f` returning None"
    assert true.description == "`A.f` returning true"
    assert set(nothing.edits) == set(true.edits) == {"a.py"}
    assert mutants({}) == ()
    (value,) = mutants({"b.py": changed["b.py"]})
    assert value.description == "`LIMIT` given another value"


def test_a_function_that_only_got_a_decorator_or_hints_has_the_same_work() -> None:
    assert mutate("@cache\ndef f(a: int = 2) -> int: return a\n", "def f(a): return a\n") == []


def test_a_function_without_work_is_given_a_constant_where_there_is_no_other() -> None:
    assert mutate("def f(): pass\n") == ["def f(): return None\n", "def f(): return True\n"]
    assert mutate("def f(): pass\ndef g(): return 1\n")[0] == "def f(): pass\ndef g(): return None\n"


def test_the_languages_are_known_by_their_files() -> None:
    assert [path for path in ("a.py", "a.ts", "a.d.ts", "a.pyi", "a.kt", "a.cjs", "a.tsx") if can_mutate(path)] == [
        "a.py",
        "a.ts",
        "a.cjs",
        "a.tsx",
    ]


@pytest.mark.parametrize("module", [tokenize, json.decoder])
def test_a_real_module_mutates_into_code_whose_other_functions_are_untouched(module: ModuleType) -> None:
    new = inspect.getsource(module).replace("\r\n", "\n")
    nodes = [node for node in ast.parse(new).body if isinstance(node, ast.FunctionDef)]
    functions = [node for node in nodes if not node.decorator_list]
    kept = [ast.get_source_segment(new, function) or "" for function in functions[::2]]
    old = "\n".join(kept)
    for mutated in mutate(new, old):
        names = {node.name: node for node in ast.parse(mutated).body if isinstance(node, ast.FunctionDef)}
        assert [ast.get_source_segment(mutated, names[function.name]) for function in functions[::2]] == kept
        assert mutated != new


SOURCE = inspect.getsource(tokenize)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 6000), st.integers(1, 400), st.sampled_from(["", "(", '"""', "\\", "\r", "\0", "é", "\tx", "@"]))
def test_spoiled_code_never_raises_and_a_mutant_always_compiles(start: int, length: int, put: str) -> None:
    spoiled = SOURCE[:start] + put + SOURCE[start + length : start + 6000]
    for mutated in mutate(spoiled, SOURCE[:6000]):
        assert compiles(mutated)
