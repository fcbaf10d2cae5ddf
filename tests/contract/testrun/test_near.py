"""Near values in languages that are compiled: what the compiler takes, and what the functions then answer."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from autopilot.testtools.mutants.mutant import Mutant
from autopilot.testtools.near.near import near_mutant
from tests.contract.testrun.asking import search_path


def near(path: str, text: str) -> Mutant:
    made = near_mutant({path: (None, text.encode())})
    assert made is not None
    return made


def call(folder: Path, *words: str) -> str:
    """As it ends: what was compiled with near values may be red."""
    environment = {**os.environ, "PATH": search_path()}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=120).stdout


GO = """package words

import "errors"

type Box struct{ Name string; n int }

func Even(n int) bool { return n%2 == 0 }
func Odd(n int) (odd bool) { odd = !Even(n); return }
func Find(all []string, at int) (string, error) {
	if at >= len(all) { return "", errors.New("none") }
	return all[at], nil
}
func Make(name string) *Box { return &Box{Name: name} }
func Count(words []string) map[string]int {
	found := map[string]int{}
	for _, word := range words { found[word]++ }
	return found
}
"""
GO_TEST = """package words

import ("fmt"; "testing")

func TestIt(t *testing.T) {
	word, missing := Find([]string{"ab"}, 0)
	_, err := Find(nil, 3)
	fmt.Println(Even(2), Odd(2), word, missing, err, Make("a").Name, Count([]string{"a"}))
}
"""


def test_functions_of_a_go_package_answer_near_by(tmp_path: Path) -> None:
    made = near("words.go", GO)
    assert made.is_certain
    (tmp_path / "words.go").write_bytes(made.edits["words.go"])
    (tmp_path / "words_test.go").write_text(GO_TEST)
    (tmp_path / "go.mod").write_text("module words\n\ngo 1.18\n")
    assert "false true bc <nil> <nil> b map[a:2]" in call(tmp_path, "go", "test", "-v", "./...")


RUST = """use std::collections::HashMap;

pub fn even(n: i32) -> bool { n % 2 == 0 }
pub fn odd(n: i32) -> bool { !even(n) }
pub fn find(all: &[String], at: usize) -> Option<String> { all.get(at).cloned() }
pub fn first(text: &str) -> &str { text.split(' ').next().unwrap_or("") }
pub fn parse(text: &str) -> Result<i64, std::num::ParseIntError> { let n: i64 = text.parse()?; Ok(n) }
pub fn count(words: Vec<String>) -> HashMap<String, u32> {
    let mut found = HashMap::new();
    for word in words { *found.entry(word).or_insert(0) += 1; }
    found
}
fn main() {
    let words = vec!["ab".to_string()];
    let told = (even(2), odd(2), find(&words, 0), first("ab c"), parse("4").unwrap(), count(words));
    println!("{:?}", told);
}
"""


def test_functions_of_a_rust_file_answer_near_by(tmp_path: Path) -> None:
    made = near("main.rs", RUST)
    assert made.is_certain
    assert not near("main.rs", RUST + "pub fn now() -> std::time::Instant { std::time::Instant::now() }\n").is_certain
    (tmp_path / "main.rs").write_bytes(made.edits["main.rs"])
    call(tmp_path, "rustc", "--edition", "2021", "-A", "warnings", "main.rs")
    assert call(tmp_path, "./main").strip() == '(false, true, Some("bc"), "bc", 5, {"ab": 2})'
