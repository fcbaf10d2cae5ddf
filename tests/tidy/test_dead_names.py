"""The check for names that nothing uses finds them; `make check`, a part of `make quick` and `make test`, runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "dead_names.py"

USED = {
    "a function of the same module": {"a": "def f(): ...\nf()\n"},
    "a function imported elsewhere": {"a": "def f(): ...\n", "b": "from autopilot.a import f\n"},
    "a constant of an imported module": {"a": "X = 1\n", "b": "from autopilot import a\nprint(a.X)\n"},
    "a method": {"a": "class C:\n    def m(self): ...\nprint(C().m)\n"},
    "a field that is matched": {"a": "class C:\n    x: int\nmatch C():\n    case C(x=1): ...\n"},
}
DEAD = {
    "a function": ({"a": "def f(): ...\n"}, ["f"]),
    "a function of a name that is used elsewhere": (
        {"a": "def f(): ...\n", "b": "def f(): ...\nf()\n"},
        ["f"],
    ),
    "a function that only calls itself": ({"a": "def f():\n    f()\n"}, ["f"]),
    "a chain": ({"a": "X = 1\ndef g():\n    return X\ndef f():\n    g()\n"}, ["X", "g", "f"]),
    "a constant": ({"a": "X = 1\n"}, ["X"]),
    "a method": ({"a": "class C:\n    def m(self): ...\nC()\n"}, ["C.m"]),
    "a field that is only written": ({"a": "class C:\n    x: int\nC(x=1)\n"}, ["C.x"]),
}


def found_in(folder: Path, sources: dict[str, str]) -> list[str]:
    for name, text in sources.items():
        (folder / "autopilot").mkdir(exist_ok=True)
        (folder / "autopilot" / f"{name}.py").write_text(text)
    ended = subprocess.run([sys.executable, SCRIPT, folder / "autopilot"], capture_output=True, text=True)
    return [line.rsplit(" ", 1)[1] for line in ended.stdout.splitlines() if "nothing in src uses" in line]


@pytest.mark.parametrize("sources", USED.values(), ids=USED)
def test_what_is_used_is_not_reported(tmp_path: Path, sources: dict[str, str]) -> None:
    assert found_in(tmp_path, sources) == []


@pytest.mark.parametrize(("sources", "names"), DEAD.values(), ids=DEAD)
def test_what_nothing_uses_is_reported(tmp_path: Path, sources: dict[str, str], names: list[str]) -> None:
    assert found_in(tmp_path, sources) == names
