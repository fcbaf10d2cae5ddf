"""`make test` runs the few tests that failed once more by themselves, and still fails for every real fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "run_tests.py"

FIRST_TIME = """
from pathlib import Path
def test_it():
    done = Path("done")
    if not done.exists():
        done.touch()
        raise AssertionError("the first time")
"""
MANY = "import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_it(n):\n    assert False\n"


def run_tests(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_one.py").write_text(text, encoding="utf-8")
    words = [sys.executable, SCRIPT, "test_one.py"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


def test_a_test_that_passes_alone_is_named_as_unstable(tmp_path: Path) -> None:
    ended = run_tests(tmp_path, FIRST_TIME)
    assert ended.returncode == 0
    assert "the first time" in ended.stdout
    assert ended.stdout.splitlines()[-1].startswith("UNSTABLE test_one.py::test_it: ")


@pytest.mark.parametrize(
    ("text", "status", "runs"),
    [
        ("def test_it():\n    assert True\n", 0, 1),
        ("def test_it():\n    assert False\n", 1, 2),
        (MANY, 1, 1),
        ("import no_such_module_at_all\n", 2, 1),
    ],
    ids=["passes", "fails again", "too many failures", "cannot be collected"],
)
def test_every_other_end_is_the_end_of_the_whole(tmp_path: Path, text: str, status: int, runs: int) -> None:
    ended = run_tests(tmp_path, text)
    assert (ended.returncode, ended.stdout.count("test session starts")) == (status, runs)
    assert "UNSTABLE" not in ended.stdout
