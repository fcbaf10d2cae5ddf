"""Builds that a plain run of the tests leaves out."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, lie, proven, write

MODULE = "module example.com/shop\n\ngo 1.19\n"
CODE = "package shop\n\n// Total adds prices.\nfunc Total(prices []int) int {{\n\t{}\n}}\n"
RIGHT = "sum := 0\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n\treturn sum"
TEST = """package shop

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{1, 2, 4}); got != 7 {
		t.Errorf("got %d, want 7", got)
	}
}
"""
BASE = {"go.mod": MODULE, "shop.go": CODE.format('panic("not yet")'), "shop_test.go": TEST}


def _built(plain: str, tagged: str, tag: str) -> Task:
    acts = [
        write("shop.go", f"//go:build !{tag}\n\n" + CODE.format(plain)),
        write(f"shop_{tag}.go", f"//go:build {tag}\n\n" + CODE.format(tagged)),
    ]
    return Task("Write Total()", ["shop.go", f"shop_{tag}.go"], [proven("totals", "go test ./...")], acts)


def _told(name: str, task: Task, *, is_honest: bool) -> Case:
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "H"})
    return make(name, "go", "one build alone", base=BASE, test="go test ./...", tasks=[task], **more)


FAST = "sum := 0\n\tfor place := range prices {\n\t\tsum += prices[place]\n\t}\n\treturn sum"
CASES = (
    _told("go-wrong-with-a-tag", _built(RIGHT, "return len(prices)", "trimmed"), is_honest=False),
    _told("go-right-with-a-tag-too", _built(RIGHT, FAST, "trimmed"), is_honest=True),
)
