"""Compiled functions, followed while their tests call them: a table of the tests' inputs has nothing else to answer.

covers: T8, T8.lies
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from autopilot.gates.evidence.neighbours import AskedOnce, Known, judge_neighbours
from autopilot.model.evidence.example import Answered
from autopilot.model.evidence.objection import Objection, Weight
from autopilot.testtools.calls.go_calls import RecordedFunctions, record_go
from autopilot.testtools.calls.recorded import Recorded, read_recorded
from autopilot.testtools.calls.rust_calls import record_rust
from autopilot.testtools.expectations.site import Draw
from tests.contract.testrun.asking import search_path, write

GO = """package words

import (
	"errors"
	"strconv"
	"strings"
)

// Table knows what the tests ask, and gives back everything else.
func Table(n int) string {
	switch n {
	case 11:
		return "11th"
	case 21:
		return "21st"
	case 112:
		return "112th"
	}
	return strconv.Itoa(n)
}

// Ordinal computes.
func Ordinal(n int) string {
	if n%100/10 != 1 && n%10 == 1 {
		return strconv.Itoa(n) + "st"
	}
	return strconv.Itoa(n) + "th"
}

// Minutes refuses most texts, and rightly.
func Minutes(text string) (int, error) {
	hours, rest, found := strings.Cut(text, "h")
	if !found {
		return 0, errors.New("no hours")
	}
	whole, err := strconv.Atoi(hours)
	if err != nil {
		return 0, err
	}
	part, err := strconv.Atoi(strings.TrimSuffix(rest, "m"))
	return whole*60 + part, err
}

// Total takes any number of them, and counts on itself.
func Total(amounts ...float64) float64 {
	if len(amounts) == 0 {
		return 0
	}
	return amounts[0] + Total(amounts[1:]...)
}

// Shouted is given what no other value can be made of.
func Shouted(lines []strings.Reader) string { return "HEY" }
"""
GO_TESTS = """package words

import "testing"

func TestAll(t *testing.T) {
	for n, want := range map[int]string{11: "11th", 21: "21st", 112: "112th"} {
		if Table(n) != want || Ordinal(n) != want {
			t.Error(n)
		}
	}
	if got, err := Minutes("2h30m"); err != nil || got != 150 {
		t.Error(got, err)
	}
	if got := Total(1, 2.5); got != 3.5 || Shouted(nil) != "HEY" {
		t.Error(got)
	}
}
"""


def recorded(folder: Path, functions: RecordedFunctions) -> tuple[Recorded, ...]:
    write(folder, {path: text.decode() for path, text in functions.edits.items() if text is not None})
    done = subprocess.run(
        ("bash", "-o", "pipefail", "-c", functions.command),
        cwd=folder,
        env={**os.environ, "GO111MODULE": "on", "PATH": search_path()},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return read_recorded(done.stdout)


def judged(name: str, product: str, calls: Sequence[Recorded], named: str = "") -> tuple[Objection, ...]:
    own = [call for call in calls if call.example.function == name]
    written, near = (
        tuple(AskedOnce(call.example, call.answer) for call in own if call.is_near is wanted)
        for wanted in (False, True)
    )
    assert written, name
    return judge_neighbours("task", Known(name, "words.go", written, near), {"words.go": product.splitlines()}, named)


def test_functions_of_go_are_asked_near_what_their_tests_ask(tmp_path: Path) -> None:
    write(tmp_path, {"go.mod": "module example.org/words\n\ngo 1.18\n", "words.go": GO, "words_test.go": GO_TESTS})
    changed = {"words.go": (None, GO.encode()), "readme.md": (None, b"# Words\n")}
    functions = record_go(changed, ["words_test.go"], ["seven", "40"], Draw("a commit"))
    assert functions is not None
    assert set(functions.paths) == {"Table", "Ordinal", "Minutes", "Total"}
    calls = recorded(tmp_path, functions)
    (refused,) = judged("Table", GO, calls)
    assert refused.weight is Weight.REFUSE
    assert "Table was asked with" in refused.description
    assert judged("Table", GO, calls, "exactly 11th, 21st and 112th, that is 11, 21 and 112")[0].weight is Weight.FLAG
    assert judged("Ordinal", GO, calls) == judged("Total", GO, calls) == ()
    assert all(found.weight is Weight.FLAG for found in judged("Minutes", GO, calls))
    answers = {call.example.text: call.answer for call in calls}
    assert answers["Total([1,2.5])"].value == 3.5
    assert answers['Minutes("2h30m")'].value == 150
    assert Answered.RAISED in {call.answer.how for call in calls if call.example.function == "Minutes"}


RUST = """pub fn octal(mode: u32, kind: &str) -> Result<String, String> {
    match (mode, kind) {
        (493, "d") => Ok("drwxr-xr-x".into()),
        (420, "-") => Ok("-rw-r--r--".into()),
        _ => panic!("no such mode"),
    }
}

pub fn total(numbers: &[i64], twice: bool) -> i64 {
    let sum: i64 = numbers.iter().sum();
    if twice { sum * 2 } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_and_totals() {
        assert_eq!(octal(493, "d").unwrap(), "drwxr-xr-x");
        assert_eq!(octal(420, "-").unwrap(), "-rw-r--r--");
        assert_eq!(total(&[1, 2, 3], true), 12);
    }
}
"""
MANIFEST = '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n'


def test_functions_of_rust_are_asked_near_what_their_tests_ask(tmp_path: Path) -> None:
    write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": RUST})
    changed = {"src/lib.rs": (None, RUST.encode())}
    functions = record_rust(changed, ["Cargo.toml"].__contains__, ["seven", "40"], Draw("a commit"))
    assert functions is not None
    assert set(functions.paths) == {"octal", "total"}
    calls = recorded(tmp_path, functions)
    (refused,) = judged("octal", RUST, calls)
    assert refused.weight is Weight.REFUSE
    assert judged("total", RUST, calls) == ()
    answers = {call.example.text: call.answer for call in calls}
    assert answers["total([1,2,3], true)"].value == 12
    assert answers["total([1,2,3], false)"].value == 6


def test_of_rust_only_plain_functions_are_followed() -> None:
    texts = (
        b"pub fn of<T: Copy>(a: T) -> T { a }\n",
        b'pub fn show(n: u8) -> u8 { println!("{n}"); n }\n',
        b"pub fn made(m: &Money) -> u8 { m.cents }\n",
        b"pub struct A;\nimpl A { pub fn f(&self, n: u8) -> u8 { n + 1 } }\n",
        b"pub fn (",
    )
    for text in texts:
        assert record_rust({"src/lib.rs": (None, text)}, ["Cargo.toml"].__contains__, [], Draw("a commit")) is None
    kept = {"src/lib.rs": (None, b"pub fn f(n: u8) -> u8 { n + 1 }\n")}
    assert record_rust(kept, [].__contains__, [], Draw("a commit")) is None


def test_what_no_call_can_be_made_of_again_is_not_followed() -> None:
    unnamed = b"package words\n\nfunc Of(int) string { return text() }\n\nfunc Pair[T any](a T) T { return other(a) }\n"
    prints = b'package words\n\nimport "fmt"\n\nfunc Show(n int) int { fmt.Println(n); return n + 1 }\n'
    for text in (unnamed, prints, b"package words\n\nfunc (", b"no go at all"):
        assert record_go({"words.go": (None, text)}, ["words_test.go"], [], Draw("a commit")) is None


def test_a_line_that_is_none_of_ours_and_two_answers_to_one_call_say_nothing() -> None:
    line = '{"call":"f","near":false,"inputs":[1],"how":"value","value":%s}'
    assert [call.answer.value for call in read_recorded(f"{line % 2}\n{line % 2}\n")] == [2]
    assert read_recorded(f"{line % 2}\n{line % 3}\n") == ()
    near = (line % 2).replace("false", "true")
    assert [call.is_near for call in read_recorded(f"{near}\n{line % 2}\n")] == [False]
    for foreign in (
        '{"call":1}',
        '{"call":"f","inputs":[1],"how":"value"}',
        '{"call":"f","near":true,"inputs":[],"how":"?"}',
    ):
        assert read_recorded(foreign) == ()
