"""Small projects in four languages whose tests take about a second of real work, each with a phase of one task.

The task adds a function together with its own tests, so every kind of evidence is asked for: red at the base, green
after, a canary, the implementation reverted, and mutants where the language has them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

IDENTITY = ("-c", "user.name=Bench", "-c", "user.email=bench@localhost")
FOLDER = ".planning/phases/01-squares"


class Sample(Struct, frozen=True):
    language: str
    test: str  # the project's own command
    criterion: str  # the new test alone
    base: Mapping[str, str]
    work: Mapping[str, str]  # what the agent writes
    example: str  # in the spec


PYTHON = Sample(
    "Python",
    "python3 -m pytest -q",
    "python3 -m pytest -q tests/test_squares.py",
    {
        "shapes/__init__.py": "",
        "shapes/mix.py": """def mix(rounds):
    value = 1
    for _ in range(rounds):
        value = (value * 1103515245 + 12345) % 2147483648
    return value
""",
        "tests/test_mix.py": """import pytest

from shapes.mix import mix


@pytest.mark.parametrize("start", range(4))
def test_mixing_repeats_itself(start):
    assert mix(4_000_000 + start) == mix(4_000_000 + start)
""",
    },
    {
        "shapes/squares.py": "def sum_of_squares(n):\n    return sum(i * i for i in range(1, n + 1))\n",
        "tests/test_squares.py": """from shapes.squares import sum_of_squares


def test_the_sum_of_squares():
    assert [sum_of_squares(n) for n in (0, 1, 3)] == [0, 1, 14]


def test_it_agrees_with_the_formula():
    assert sum_of_squares(2_000_000) == 2_000_000 * 2_000_001 * 4_000_001 // 6
""",
    },
    "sum_of_squares(2) -> 5",
)

NODE = Sample(
    "JavaScript",
    "node --test",
    "node --test test/squares.test.js",
    {
        "package.json": '{"name": "shapes", "type": "module", "scripts": {"test": "node --test"}}\n',
        "src/mix.js": """export function mix(rounds) {
  let value = 1;
  for (let i = 0; i < rounds; i++) value = (Math.imul(value, 1103515245) + 12345) | 0;
  return value;
}
""",
        "test/mix.test.js": """import test from "node:test";
import assert from "node:assert/strict";
import { mix } from "../src/mix.js";

for (const start of [1, 2, 3, 4]) {
  test(`mixing repeats itself ${start}`, () => {
    assert.equal(mix(150_000_000 + start), mix(150_000_000 + start));
  });
}
""",
    },
    {
        "src/squares.js": """export function sumOfSquares(n) {
  let sum = 0;
  for (let i = 1; i <= n; i++) sum += i * i;
  return sum;
}
""",
        "test/squares.test.js": """import test from "node:test";
import assert from "node:assert/strict";
import { sumOfSquares } from "../src/squares.js";

test("the sum of squares", () => {
  assert.deepEqual([0, 1, 3].map(sumOfSquares), [0, 1, 14]);
});

test("it agrees with the formula", () => {
  for (let round = 0; round < 1000; round++) assert.equal(sumOfSquares(50_000), (50_000 * 50_001 * 100_001) / 6);
});
""",
    },
    "sumOfSquares(2) -> 5",
)

GO = Sample(
    "Go",
    "go test ./...",
    "go test ./squares",
    {
        "go.mod": "module shapes\n\ngo 1.19\n",
        "mix/mix.go": """package mix

func Mix(rounds int) uint32 {
	value := uint32(1)
	for i := 0; i < rounds; i++ {
		value = value*1103515245 + 12345
	}
	return value
}
""",
        "mix/mix_test.go": """package mix

import "testing"

func TestMixingRepeatsItself(t *testing.T) {
	for start := 1; start < 5; start++ {
		if Mix(300000000+start) != Mix(300000000+start) {
			t.Fatal("it does not repeat itself")
		}
	}
}
""",
    },
    {
        "squares/squares.go": """package squares

func SumOfSquares(n int) int {
	sum := 0
	for i := 1; i <= n; i++ {
		sum += i * i
	}
	return sum
}
""",
        "squares/squares_test.go": """package squares

import "testing"

func TestSumOfSquares(t *testing.T) {
	for n, want := range []int{0, 1, 5, 14} {
		if got := SumOfSquares(n); got != want {
			t.Errorf("SumOfSquares(%d) is %d, not %d", n, got, want)
		}
	}
}
""",
    },
    "SumOfSquares(2) -> 5",
)

RUST = Sample(
    "Rust",
    "cargo test --offline",
    "cargo test --offline --test squares",
    {
        "Cargo.toml": '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shapes"\nversion = "0.1.0"\n',
        "src/lib.rs": "pub mod mix;\n",
        "src/mix.rs": """pub fn mix(rounds: u32) -> u32 {
    (0..rounds).fold(1u32, |value, _| value.wrapping_mul(1103515245).wrapping_add(12345))
}
""",
        "tests/mix.rs": """use shapes::mix::mix;

#[test]
fn mixing_repeats_itself() {
    assert_eq!(mix(60_000_000), mix(60_000_000));
}
""",
    },
    {
        "src/lib.rs": "pub mod mix;\npub mod squares;\n",
        "src/squares.rs": "pub fn sum_of_squares(n: u64) -> u64 {\n    (1..=n).map(|i| i * i).sum()\n}\n",
        "tests/squares.rs": """use shapes::squares::sum_of_squares;

#[test]
fn the_sum_of_squares() {
    assert_eq!([0, 1, 3].map(sum_of_squares), [0, 1, 14]);
}
""",
    },
    "sum_of_squares(2) -> 5",
)

SAMPLES = (PYTHON, NODE, GO, RUST)


def make_project(folder: Path, sample: Sample) -> Path:
    project = folder / "project"
    for path, text in {**sample.base, **_planning(sample)}.items():
        target = project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*IDENTITY, "commit", "-q", "-m", "a beginning")):
        subprocess.run(("git", *words), cwd=project, check=True)
    return project


def make_script(folder: Path, sample: Sample) -> Path:
    work = [{"write": path, "text": text} for path, text in sample.work.items()]
    commits = [{"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", "feat: sum of squares"]}]
    checker = {"role": "plan_checker", "reply": {"passed": True, "issues": [], "confidence": 9.0}}
    calls = [checker, {"role": "executor", "do": [*work, *commits], "usage": {"tokens_in": 900, "tokens_out": 100}}]
    script = folder / "script.json"
    script.write_text(json.dumps({"calls": calls, "default": "honest"}), encoding="utf-8")
    return script


def _planning(sample: Sample) -> dict[str, str]:
    commands = {"setup": None, "compile": None, "lint": None, "build": None, "test": sample.test}
    return {
        ".gitignore": "target/\n__pycache__/\n.pytest_cache/\n",
        ".planning/config.json": json.dumps({"project": {"commands": commands}}),
        ".planning/REQUIREMENTS.md": f"# Requirements\n\n- [ ] **SQR-01**: Squares are summed up: `{sample.example}`\n",
        ".planning/ROADMAP.md": (
            "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Squares** - sums of them\n\n## Phase Details\n\n"
            "### Phase 1: Squares\n**Goal**: The squares of 1 to n can be summed up\n**Depends on**: Nothing\n"
            "**Requirements**: SQR-01\n**Success Criteria** (what must be TRUE):\n  1. The sum of squares is right\n"
        ),
        f"{FOLDER}/PLAN.md": (
            "# Phase 1 Plan\n\n## Traceability\n\n| Requirement | Task(s) | Description |\n|---|---|---|\n"
            "| SQR-01 | 01-01 | the sum |\n\n## Wave 1\n\n"
            '<task id="01-01" type="auto" complexity="simple">\n### Task 01-01: Sum up squares\n\n'
            f"**Files:** {', '.join(sample.work)}\n\n**Action:** Add the sum of squares with its tests.\n\n"
            f"**Verify:**\n- The sum of squares is right -- verified by: `{sample.criterion}`\n\n"
            "**Done:** It is right.\n</task>\n"
        ),
    }
