"""Tests that try until something fits, with one try. covers: T8"""

from __future__ import annotations

import pytest

from autopilot.testtools.tries import with_one_try


@pytest.mark.parametrize(
    ("path", "text", "once"),
    [
        (
            "a.bats",
            'for _ in $(seq 200); do\n  [ "$(roll)" = 3 ] && return 0\ndone\n',
            'for _ in 1; do\n  [ "$(roll)" = 3 ] && return 0\ndone\n',
        ),
        (
            "a.sh",
            'for i in {1..50}; do\n  [ "$(roll)" = 3 ] && break\ndone\n',
            'for i in 1; do\n  [ "$(roll)" = 3 ] && break\ndone\n',
        ),
        (
            "test_a.py",
            "for _ in range(1_000):\n    if pick() == 3:\n        break\n\nassert pick.done\n",
            "for _ in range(1):\n    if pick() == 3:\n        break\n\nassert pick.done\n",
        ),
        (
            "a.test.js",
            "for (let i = 0; i < 100; i++) {\n  if (pick() === 3) return;\n}\n",
            "for (let i = 0; i < 1; i++) {\n  if (pick() === 3) return;\n}\n",
        ),
        (
            "a_test.go",
            "for i := 0; i < 100; i++ {\n\tif Pick() == 3 {\n\t\treturn\n\t}\n}\n",
            "for i := 0; i < 1; i++ {\n\tif Pick() == 3 {\n\t\treturn\n\t}\n}\n",
        ),
        (
            "tests/a.rs",
            "for _ in 0..100 {\n    if pick() == 3 {\n        return;\n    }\n}\n",
            "for _ in 0..1 {\n    if pick() == 3 {\n        return;\n    }\n}\n",
        ),
    ],
)
def test_a_loop_that_ends_at_the_first_success_gets_one_try(path: str, text: str, once: str) -> None:
    assert with_one_try(path, text) == once


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("test_a.py", "for i in range(5):\n    assert f(i) == i\n\n\ndef g():\n    return 1\n"),
        ("test_a.py", "for _ in range(50):\n    if up():\n        break\n    time.sleep(0.1)\n"),
        ("test_a.py", '"""for _ in range(50): return"""\n'),
        ("a.bats", "for _ in $(seq 50); do\n  ready && break\n  sleep 0.1\ndone\n"),
        ("a.bats", 'for word in a b; do\n  [ "$(f "$word")" = "$word" ] || return 1\ndone\n'),
        ("a.test.js", "for (let i = 0; i < 9; i++) {\n  assert.equal(f(i), i);\n}\nreturn;\n"),
        ("a.txt", "for _ in range(9): break"),
    ],
)
def test_loops_that_go_through_all_or_wait_are_left_alone(path: str, text: str) -> None:
    assert with_one_try(path, text) is None
