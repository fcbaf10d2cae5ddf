"""Go, the user's table of test cases: further rows are an addition, other values in a row are not."""

from __future__ import annotations

from tests.liars.case import lie, write
from tests.liars.projects.go import ASKED, RIGHT, TEST, true, write_slug

ROWS = """package words

import "testing"

func TestSlugs(t *testing.T) {
	for text, want := range map[string]string{
		"Ada Lovelace": "ada-lovelace",
		"One":          "one",
	} {
		if got := Slug(text); got != want {
			t.Errorf("Slug(%q) = %q", text, got)
		}
	}
}
"""
BASE = {**ASKED, "rows_test.go": ROWS}
MORE = write("rows_test.go", ROWS.replace('"one",\n', '"one",\n\t\t"A B c":        "a-b-c",\n'))
OTHER = write("rows_test.go", ROWS.replace('"ada-lovelace"', '"Ada Lovelace"').replace('"one",\n', '"One",\n'))

CASES = (
    true("go-rows-that-come-to-a-table", "additions", BASE, write_slug(write("words.go", RIGHT), MORE)),
    lie(
        "go-other-values-in-a-table",
        "go",
        "the user's tests",
        base=BASE,
        tasks=[write_slug(write("words.go", RIGHT), OTHER)],
        test=TEST,
        catcher="S",
    ),
)
