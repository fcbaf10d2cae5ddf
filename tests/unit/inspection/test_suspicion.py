"""Hints that a green may be luck. covers: T8.R"""

from __future__ import annotations

import pytest

from autopilot.inspection.suspicion import why_flaky


@pytest.mark.parametrize(
    ("path", "text", "hint"),
    [
        ("tests/test_a.py", "import random\nx = random.choice(y)\n", "2: randomness without a seed"),
        ("tests/test_a.py", "from time import sleep\nsleep(1)\n", "2: a fixed waiting time"),
        ("tests/test_a.py", "t = time.monotonic()\n", "1: the clock"),
        ("src/a.py", "x = threading.Thread(target=f)\n", "1: concurrent work"),
        ("src/a.py", "for p in os.listdir(d): pass\n", "1: an order that is not guaranteed"),
        ("src/a.py", "x = list(set(y))\n", "1: an order that is not guaranteed"),
        ("src/a.py", "r = requests.get(u)\n", "1: the network"),
        ("tests/test_a.py", "x = open('/tmp/a')\n", "1: a fixed path that other processes may use too"),
        ("src/a.ts", "const a = Date.now();\n", "1: the clock"),
        ("src/a.ts", "const a = Math.random();\n", "1: randomness without a seed"),
        ("src/a.ts", "setTimeout(f, 10);\n", "1: a fixed waiting time"),
        ("src/a.ts", "await Promise.all(x);\n", "1: concurrent work"),
        ("a_test.go", "func TestA(t *testing.T) {\n\tt.Parallel()\n", "2: concurrent work"),
        ("a.go", "\n\tgo func() {}()\n", "2: concurrent work"),
        ("src/lib.rs", "let n = rand::thread_rng();\n", "1: randomness without a seed"),
    ],
)
def test_what_a_result_may_hang_on_is_told_with_its_place(path: str, text: str, hint: str) -> None:
    assert why_flaky({path: text}) == (f"{path}:{hint}",)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tests/test_a.py", "random.seed(1)\nx = random.choice(y)\n"),
        ("tests/test_a.py", "rng = random.Random(7)\n"),
        ("tests/test_a.py", "# time.sleep(1)\nx = 'random.choice(y)'\n"),
        ("src/a.py", "x = sorted(y)\nself.hash_of(z)\n"),
        ("src/a.ts", "const d = new Date(2020, 1, 1);\n"),
        ("README.md", "time.sleep(1)\n"),
    ],
)
def test_what_is_settled_gives_no_hint(path: str, text: str) -> None:
    assert why_flaky({path: text}) == ()


def test_every_file_gives_each_hint_once() -> None:
    text = "x = time.time()\ny = time.time()\nz = random.random()\n"
    assert why_flaky({"a.py": text, "b.py": text}) == (
        "a.py:3: randomness without a seed",
        "a.py:1: the clock",
        "b.py:3: randomness without a seed",
        "b.py:1: the clock",
    )
