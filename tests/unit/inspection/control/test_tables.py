"""Rows that come to a table of tests are an addition, in every language that is read here. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.inspection.control.meaning.meaning import compare_tests
from autopilot.model.evidence.control import Meaning

GO = """package dur

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]int{
		"5m":  5,
		"90m": 90,
	} {
		if got := Parse(text); got != want {
			t.Error(got)
		}
	}
}
"""
NAMED = """package dur

import "testing"

func TestParse(t *testing.T) {
	cases := []struct{ text string }{{"5m"}, {"6m"}}
	for _, c := range cases {
		Check(t, c.text)
	}
}
"""
SCRIPT = """import test from "node:test";

test("parse", () => {
  for (const [text, want] of [["5m", 5], ["90m", 90]]) {
    assert.equal(parse(text), want);
  }
});
"""
EACH = 'test.each([["5m", 5], ["90m", 90]])("%s", (text, want) => {\n  expect(parse(text)).toBe(want);\n});\n'
TYPED = SCRIPT.replace("of [", "of ROWS").replace('ROWS["5m", 5], ["90m", 90]]', "ROWS")
TYPED += '\nconst ROWS: [string, number][] = [["5m", 5], ["90m", 90]];\n'
RUST = """#[test]
fn parses() {
    for (text, want) in [("5m", 5), ("90m", 90)] {
        assert_eq!(parse(text), want);
    }
}
"""
TYPED = """import test from "node:test";

const rows: [string, number][] = [["5m", 5], ["90m", 90]];

test("parse", () => {
  for (const [text, want] of rows) {
    assert.equal(parse(text), want);
  }
});
"""
RUST_NAMED = """const CASES: &[(&str, u32)] = &[("5m", 5), ("90m", 90)];

#[test]
fn parses() {
    let sizes: [(&str, u32); 2] = [("5m", 5), ("90m", 90)];
    for (text, want) in CASES {
        assert_eq!(parse(text), *want);
    }
    for (text, want) in sizes {
        assert_eq!(parse(text), want);
    }
}
"""
SORTED = SCRIPT.replace("of [[", "of sorted([[").replace("]]", "]])")


@pytest.mark.parametrize(
    ("path", "old", "part", "instead", "meaning"),
    [
        ("dur_test.go", GO, '\t\t"90m": 90,\n', '\t\t"90m": 90,\n\t\t"0m":  0,\n', Meaning.ADDS),
        ("dur_test.go", GO, '"90m": 90', '"90m": 91', Meaning.OTHER),
        ("dur_test.go", GO, '\t\t"90m": 90,\n', "", Meaning.OTHER),
        ("dur_test.go", GO, '"90m": 90,', '"90m": 90,\n\t\tname(): 1,', Meaning.OTHER),
        ("dur_test.go", GO, "got != want", "got > want", Meaning.OTHER),
        ("dur_test.go", NAMED, '{"6m"}', '{"6m"}, {"7m"}', Meaning.ADDS),
        ("dur_test.go", NAMED.replace("range cases", "range cases[1:]"), '{"6m"}', '{"6m"}, {"7m"}', Meaning.ADDS),
        ("dur_test.go", NAMED.replace("c.text)", "len(cases))"), '{"6m"}', '{"6m"}, {"7m"}', Meaning.OTHER),
        ("dur.test.js", SCRIPT, '["90m", 90]', '["90m", 90], ["0m", 0]', Meaning.ADDS),
        ("dur.test.js", SCRIPT, "parse(text)", "parse([text, text])", Meaning.OTHER),
        (
            "dur.test.js",
            SCRIPT.replace("of [[", "of sorted([[").replace("]]", "]])"),
            '"5m", 5',
            '"5m", 5, 6',
            Meaning.OTHER,
        ),
        ("dur.test.ts", EACH, '["90m", 90]', '["90m", 90], ["0m", 0]', Meaning.ADDS),
        ("dur.test.ts", TYPED, '["90m", 90]', '["90m", 90], ["0m", 0]', Meaning.ADDS),
        ("dur.rs", RUST, '("90m", 90)', '("90m", 90), ("0m", 0)', Meaning.ADDS),
        ("dur.rs", RUST, '("90m", 90)', '("90m", 91)', Meaning.OTHER),
        ("dur.test.ts", TYPED, '["90m", 90]', '["90m", 90], ["0m", 0]', Meaning.ADDS),
        ("dur.test.ts", TYPED.replace("of rows", "of rows.slice(1)"), '["90m", 90]', '["90m", 91]', Meaning.OTHER),
        ("dur.rs", RUST_NAMED, '= &[("5m", 5)', '= &[("0m", 0), ("5m", 5)', Meaning.ADDS),
        ("dur.rs", RUST_NAMED, '2] = [("5m", 5)', '3] = [("0m", 0), ("5m", 5)', Meaning.ADDS),
        ("dur.rs", RUST_NAMED, '2] = [("5m", 5)', '2] = [("0m", 0)', Meaning.OTHER),
    ],
)
def test_what_rows_of_a_table_mean(path: str, old: str, part: str, instead: str, meaning: Meaning) -> None:
    assert part in old
    assert compare_tests(old, old.replace(part, instead), path) is meaning
