"""Code that is not written yet is shown, in every language with a grammar here, and never what is meant so. T8.L"""

from __future__ import annotations

import pytest

from autopilot.inspection.second_look.look import look_for_unfinished
from autopilot.model.evidence.objection import Weight

# covers: T8.L


def seen(path: str, text: str, old: str | None = None) -> list[str]:
    found = look_for_unfinished(path, old, text)
    assert all(objection.weight is Weight.FLAG for objection in found)
    return [objection.description for objection in found]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("a.py", "def f(x):\n    raise NotImplementedError('later')\n", "`f` raises NotImplementedError"),
        ("a.py", "def f(x):\n    if x:\n        return 1\n    raise NotImplementedError\n", "raises NotImpl"),
        ("a.py", 'def f(x):\n    """Does it."""\n', "`f` has no code of its own yet"),
        ("a.py", "class A:\n    def save(self):\n        pass\n", "`save` has no code of its own yet"),
        ("a.py", "def total(items, tax):\n    return sum(items)\n", "`total` never uses its parameter `tax`"),
        ("a.rs", "pub fn f() -> u8 { todo!() }\n", "is not written yet (`todo!(`)"),
        ("a.rs", "pub fn f(a: u8, tax: u8) -> u8 { a }\n", "`f` never uses its parameter `tax`"),
        ("a.go", 'package a\nfunc F() { panic("not implemented") }\n', "is not written yet"),
        ("a.go", "package a\nfunc F(a int, tax int) int { return a }\n", "`F` never uses its parameter `tax`"),
        ("a.js", "export function f() { throw new Error('f is not implemented'); }\n", "is not written yet"),
        ("a.js", "export function f(a, tax = a) { return a; }\n", "`f` never uses its parameter `tax`"),
        ("a.ts", "export function f(a: number, tax: number) { return a; }\n", "`f` never uses its parameter `tax`"),
        ("a.rb", "def f\n  raise NotImplementedError\nend\n", "is not written yet"),
        ("A.kt", "fun f(): Int = TODO()\n", "is not written yet"),
        ("A.java", 'int f() { throw new RuntimeException("Not implemented yet"); }\n', "is not written yet"),
    ],
)
def test_what_is_not_there_yet_is_shown(path: str, text: str, said: str) -> None:
    assert any(said in description for description in seen(path, text)), seen(path, text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def f(self, x): ...\n"),
        ("a.py", "from typing import Protocol\nclass A(Protocol):\n    def f(self, x: int) -> int: ...\n"),
        ("a.py", "class A(B):\n    def on_click(self, event):\n        return 1\n"),
        ("a.py", "@app.route('/')\ndef index(request):\n    return 1\n"),
        ("a.py", "def f(x, _y):\n    def g():\n        return x\n    return g\n"),
        ("a.py", "def f(x):\n    try:\n        g(x)\n    except NotImplementedError:\n        return 1\n"),
        ("a.go", "package a\nfunc f(a int, tax int) int { return a }\n// TODO(ann): not implemented\n"),
        ("a.rs", "impl T for A { fn f(&self, x: u8) -> u8 { 1 } }\n"),
        ("a.js", "export function f({ a, b }, ...rest) { return a + rest.length; }\n"),
        ("tests/test_a.py", "def test_a(fixture):\n    pass\n"),
    ],
)
def test_what_others_write_prescribe_or_leave_out_on_purpose_is_not(path: str, text: str) -> None:
    assert seen(path, text) == []


def test_what_was_there_before_the_work_is_not() -> None:
    old = "def f(x):\n    raise NotImplementedError\n"
    assert seen("a.py", old + "def g(x):\n    return x\n", old) == []


@pytest.mark.parametrize(
    ("promised", "weight"),
    [
        ("Totals include tax: total(items, tax)", Weight.REFUSE),
        ("`--tax` is added", Weight.REFUSE),
        ("Totals include taxes", Weight.FLAG),
        ("", Weight.FLAG),
    ],
)
def test_a_parameter_that_the_phase_speaks_of_may_not_be_ignored(promised: str, weight: Weight) -> None:
    text = "def total(items, tax):\n    return sum(items)\n"
    (seen,) = look_for_unfinished("a.py", None, text, promised=promised)
    assert seen.weight is weight


@pytest.mark.parametrize("parameter", ["ctx", "event", "to", "a", "request"])
def test_a_parameter_of_a_prescribed_form_or_an_everyday_word_may_be(parameter: str) -> None:
    text = f"def handle(body, {parameter}):\n    return body\n"
    (seen,) = look_for_unfinished("a.py", None, text, promised="a handler is given ctx, an event, a request to answer")
    assert seen.weight is Weight.FLAG
