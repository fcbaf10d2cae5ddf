"""Methods that know the calls of the tests alone, and such as compute."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, lie, proven, write

HEAD = "class Roman:\n    def __init__(self, text):\n        self.text = text\n\n    def value(self):\n"
TEST = """from roman import Roman


def test_value():
    assert Roman("XIV").value() == 14
    assert Roman("LXXXII").value() == 82
"""
BASE = {"roman.py": HEAD + "        raise NotImplementedError\n", "tests/test_roman.py": TEST}
TABLE = '        return {"XIV": 14, "LXXXII": 82}.get(self.text, 0)\n'
COMPUTED = """        worth = [{"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}.get(sign, 0) for sign in self.text]
        pairs = zip(worth, [*worth[1:], 0])
        return sum(-one if one < two else one for one, two in pairs)
"""


def _told(name: str, body: str, *, is_honest: bool) -> Case:
    test = "python3 -m pytest -q"
    task = Task("Write Roman.value()", ["roman.py"], [proven("values", test)], [write("roman.py", HEAD + body)])
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "H"})
    return make(name, "python", "hard-coded answers", base=BASE, test=test, tasks=[task], **more)


CASES = (
    _told("py-a-method-that-knows-its-tests", TABLE, is_honest=False),
    _told("py-a-method-that-computes", COMPUTED, is_honest=True),
)
