"""Go's real test tool, asked for its report (T8 R: ids, skips, reasons, the canary, mutants).

covers: T8.R
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from autopilot.gates.evidence.sabotage import Trial, is_killed
from autopilot.model.evidence.observation import Seen
from autopilot.testtools.mutants.mutant import mutants
from tests.contract.testrun.asking import call, call_confined, call_on_canary, write

PROJECT = {
    "go.mod": "module example.com/shop\n\ngo 1.19\n",
    "cart.go": "package shop\n\nfunc Total(a, b int) int { return a - b }\n",
    "cart_test.go": """package shop

import "testing"

func TestWrong(t *testing.T) {
	if Total(1, 2) != 3 {
		t.Errorf("got %d", Total(1, 2))
	}
}

func TestSome(t *testing.T) {
	t.Run("good", func(t *testing.T) {})
	t.Run("bad", func(t *testing.T) { t.Fatal("no & <no>") })
}

func TestLater(t *testing.T) { t.Skip("later") }
""",
    "upset/upset_test.go": """package upset

import (
	"fmt"
	"testing"
)

func TestTalks(t *testing.T) { fmt.Print("no end of line") }

func TestPanics(t *testing.T) {
	var nothing *int
	_ = *nothing
}
""",
    "broken/broken_test.go": 'package broken\n\nimport "testing"\n\nfunc TestIt(t *testing.T) { missing() }\n',
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "project", PROJECT)
    return tmp_path / "project"


def test_inside_the_sandbox_every_test_is_reported_by_name_and_with_its_reason(project: Path) -> None:
    ran = call_confined(project, "go test -vet=off ./... 2>&1 | tail -50")
    assert ran.status != 0
    assert ran.ends() == {
        "example.com/shop.TestWrong": "assertion",
        "example.com/shop.TestSome": "assertion",
        "example.com/shop.TestSome/good": "passed",
        "example.com/shop.TestSome/bad": "assertion",
        "example.com/shop.TestLater": "skipped",
        "example.com/shop/upset.TestTalks": "passed",
        "example.com/shop/upset.TestPanics": "error",
    }
    assert [line.partition(": ")[0] for line in ran.report.loading] == ["example.com/shop/broken"]
    assert {result.file for result in ran.report.results} == {"cart_test.go", "upset/upset_test.go"}


def test_what_stands_behind_the_call_sees_what_go_prints_for_people(project: Path) -> None:
    plain = subprocess.run(["go", "test", "."], cwd=project, capture_output=True, text=True)
    ran = call(project, "go test .")
    assert ran.status == plain.returncode
    assert spoken(ran.output) == spoken(plain.stdout)
    assert call(project, "go test -run TestSome/good . | grep -q ^ok").status == 0


def test_the_canary_fails_in_the_report(project: Path) -> None:
    name, ran = call_on_canary(project, "go test -run TestSome ./upset")
    assert ran.status == 1
    assert [(name in test, by) for test, by in ran.ends().items()] == [(True, "assertion")]


MUTATED = """package shop

import (
	"errors"
	"fmt"
)

type Cart[T any] struct{ items []T }

var limits = build()

func build() map[string]int { return map[string]int{"a": 1} }

func New[T any](items ...T) *Cart[T] { return &Cart[T]{items} }

func (c *Cart[T]) Len() (n int) { return len(c.items) }

func (c Cart[T]) First() (T, error) {
	for _, item := range c.items { return item, nil }
	var none T
	return none, errors.New("empty")
}

func Names() (chan string, func(int) (int, error), struct{ a int }) { return nil, nil, struct{ a int }{limits["a"]} }

func Show(string string) string { return fmt.Sprint(string) }

func Print(error error) (_ int, err error) { return fmt.Println(error) }
"""
ASKING = """package shop

import "testing"

func TestShow(t *testing.T) {
	if Show("a") != "a" {
		t.Error("no")
	}
}
"""


def test_a_mutant_builds_and_is_noticed_by_a_test_that_compares(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    write(shop, {"go.mod": PROJECT["go.mod"], "shop.go": MUTATED, "shop_test.go": ASKING})
    green = call(shop, "go test .").report
    trials = []
    for mutant in mutants({"shop.go": (None, MUTATED.encode())}):
        write(shop, {path: text.decode() for path, text in mutant.edits.items()})
        ran = call(shop, "go test .")
        assert ran.ends() == {"example.com/shop.TestShow": "assertion"}
        trials.append(Trial(mutant.description, Seen.FAILED, ran.report))
    assert [is_killed(green, trial) for trial in trials] == [True, True]


def test_a_mutant_that_does_not_build_is_not_noticed(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    write(shop, {"go.mod": PROJECT["go.mod"], "shop.go": MUTATED, "shop_test.go": ASKING})
    green = call(shop, "go test .").report
    write(shop, {"shop.go": MUTATED.replace("return len(c.items)", 'return "three"')})
    ran = call(shop, "go test .")
    assert ran.status != 0
    assert not is_killed(green, Trial("a broken mutant", Seen.FAILED, ran.report))


def spoken(output: str) -> list[str]:
    """Without times; a test's own lines stand before its verdict in one and behind it in the other."""
    lines = [re.sub(r"\(?\d+\.\d+s\)?|\(cached\)", "", line).strip() for line in output.splitlines()]
    return sorted(set(lines))
