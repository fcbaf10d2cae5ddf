"""What is stored and never read is a parameter that is ignored. covers: T8.L"""

from __future__ import annotations

import pytest

from autopilot.inspection.second_look.look import refuse_stored

PYTHON = """class Limiter:
    def __init__(self, calls, per):
        self.calls = calls
        self.per = per

    def allow(self):
        return self.calls > 0
"""
SCRIPT = """export class Limiter {
  #per;
  constructor(calls, per) {
    this.calls = calls;
    this.#per = per;
  }
  allow() { return this.calls > 0; }
}
"""


def objections(path: str, text: str, *, others: str = "", promised: str = "`Limiter(calls, per)` counts") -> list[str]:
    found = refuse_stored(path, None, text, lambda: f"{text}\n{others}", promised=promised)
    return [objection.description for objection in found]


@pytest.mark.parametrize(("path", "text"), [("a.py", PYTHON), ("a.js", SCRIPT)])
def test_what_the_phase_names_and_no_code_reads_is_refused(path: str, text: str) -> None:
    assert objections(path, text) == ["`per` is kept, and no code reads it again"]


@pytest.mark.parametrize(
    ("path", "text", "others", "promised"),
    [
        ("a.py", PYTHON.replace("> 0", "> self.per"), "", "`Limiter(calls, per)`"),
        ("a.py", PYTHON, "assert limiter.per == 60", "`Limiter(calls, per)`"),  # a test asks for it
        ("a.py", PYTHON, "getattr(limiter, 'per')", "`Limiter(calls, per)`"),
        ("a.py", PYTHON, "", "Calls are counted per minute"),  # a word of any sentence
        ("a.py", PYTHON.replace("Limiter:", "Limiter(Base):"), "", "`Limiter(calls, per)`"),  # the base may read it
        ("a.py", PYTHON.replace("calls > 0", "calls > 0, vars(self)"), "", "`Limiter(calls, per)`"),
        ("a.py", PYTHON.replace("= calls\n", "= calls\n        self.a = f'{per}'\n"), "", "`Limiter(calls, per)`"),
        ("a.js", SCRIPT.replace("> 0", "> this.#per"), "", "`Limiter(calls, per)`"),
        ("tests/test_a.py", PYTHON, "", "`Limiter(calls, per)`"),
    ],
)
def test_what_is_read_somewhere_or_may_be_is_not(path: str, text: str, others: str, promised: str) -> None:
    assert objections(path, text, others=others, promised=promised) == []
