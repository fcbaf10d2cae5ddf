"""`make test` runs the few tests that failed once more by themselves, and still fails for every real fault."""

from __future__ import annotations

import os
import subprocess
import sys
import time
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
WAITS = """
import os, time
from pathlib import Path
def test_it():
    Path("pid").write_text(str(os.getpid()))
    time.sleep(300)
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


def test_ending_it_ends_the_tests(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(WAITS, encoding="utf-8")
    started = subprocess.Popen([sys.executable, SCRIPT, "test_one.py"], cwd=tmp_path, stdout=subprocess.DEVNULL)
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        assert started.poll() is None, "the tests have begun"
        time.sleep(0.05)
    started.terminate()
    assert started.wait() == 2, "pytest was interrupted"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
