"""The tests of Rust packages, compiled into an ordinary program: what depends on a test tool shows, the rest does not.

covers: T8, T8.lies
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.gates.evidence.outside import judge_outside
from autopilot.testtools.outside.outside import read_outside
from autopilot.testtools.outside.rust_outside import prepare_rust
from tests.contract.testrun.asking import search_path, write

MANIFEST = '[package]\nname = "my-words"\nversion = "0.1.0"\nedition = "2021"\n'
LIBRARY = """mod inner;

pub fn slug(text: &str) -> String {
    inner::join(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins() {
        assert_eq!(slug("A b"), "a-b");
    }

    #[test]
    #[should_panic(expected = "no")]
    fn panics() {
        panic!("no");
    }

    #[test]
    fn returns() -> Result<(), String> {
        Ok(())
    }

    #[test]
    #[ignore]
    fn later() {
        panic!("not asked for");
    }
}
"""
INNER = """pub fn join(text: &str) -> String {
    JOINED
}

#[cfg(test)]
mod tests {
    #[test]
    fn joins() {
        assert_eq!(super::join("C d"), "c-d");
    }
}
"""
BESIDE = """mod common;

use my_words::slug;

#[test]
fn joins() {
    assert_eq!(slug(common::GIVEN), "e-f");
}
"""
RIGHT = 'text.to_lowercase().replace(" ", "-")'
FILES = ("src/lib.rs", "src/inner.rs", "tests/it.rs")
EVERY = {
    *("src/lib.rs", "src/inner.rs", "tests/it.rs"),
    *("src/lib.rs::tests::joins", "src/lib.rs::tests::panics", "src/lib.rs::tests::returns"),
    *("src/inner.rs::inner::tests::joins", "tests/it.rs::joins"),
}


def outside(folder: Path, name: str, joined: str, *, signs: bool, **more: str) -> dict[str, str]:
    """By test why it failed, called from a copy of the project."""
    project = folder / name
    files = {
        "Cargo.toml": MANIFEST,
        "src/lib.rs": LIBRARY,
        "src/inner.rs": INNER.replace("JOINED", joined),
        "tests/it.rs": BESIDE,
        "tests/common/mod.rs": 'pub const GIVEN: &str = "E f";\n',
        **more,
    }
    found = prepare_rust(FILES, files, lambda path: files[path].encode(), "a commit", signs=signs, changed=FILES)
    assert found is not None
    write(project, files)
    for path, text in found.edits.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_bytes(text or b"")
    done = subprocess.run(
        ["bash", "-c", found.command],
        cwd=project,
        env={**os.environ, "PATH": search_path()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    return dict(read_outside(done.stdout).tests)


def test_tests_of_honest_code_pass_without_their_tool(tmp_path: Path) -> None:
    assert outside(tmp_path, "plain", RIGHT, signs=False) == dict.fromkeys(EVERY, "")


def test_wrong_code_fails_either_way(tmp_path: Path) -> None:
    plain, tested = (outside(tmp_path, str(signs), "text.to_string()", signs=signs) for signs in (False, True))
    assert [test for test, why in plain.items() if why] == [test for test, why in tested.items() if why]
    assert sum(map(bool, plain.values())) == 3
    assert judge_outside("1", plain, tested) == ()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "sign",
    [
        "cfg!(test)",
        "cfg!(debug_assertions)",
        'std::thread::current().name() != Some("main")',
        'std::env::current_exe().unwrap().to_string_lossy().contains("deps")',
        'std::env::var("CARGO_PKG_NAME").is_ok()',
        'std::env::args().any(|word| word.contains("test"))',
    ],
)
def test_code_that_looks_for_the_tool_is_found_out(tmp_path: Path, sign: str) -> None:
    joined = f"if {sign} {{ {RIGHT} }} else {{ text.to_string() }}"
    plain, tested = (outside(tmp_path, str(signs), joined, signs=signs) for signs in (False, True))
    assert [sign for why in tested.values() if why] == []
    (objection,) = judge_outside("1", plain, tested)
    assert "pass only where a test tool runs" in objection.description


def test_a_crate_that_cannot_be_built_this_way_says_nothing(tmp_path: Path) -> None:
    broken = LIBRARY.replace("use super::*;", "use super::*;\n    use helper_of_tests::given;")
    found = outside(tmp_path, "broken", RIGHT, signs=False, **{"src/lib.rs": broken})
    assert found == {"tests/it.rs": "", "tests/it.rs::joins": ""}


def test_a_program_without_a_library_is_asked_too(tmp_path: Path) -> None:
    main = INNER.replace("JOINED", RIGHT) + '\nfn main() {\n    println!("{}", join("a"));\n}\n'
    project, files = tmp_path / "program", {"Cargo.toml": MANIFEST, "src/main.rs": main}
    found = prepare_rust(["src/main.rs"], files, lambda path: files[path].encode(), "a commit", signs=False)
    assert found is not None
    write(project, files)
    for path, text in found.edits.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_bytes(text or b"")
    env = {**os.environ, "PATH": search_path()}
    done = subprocess.run(["bash", "-c", found.command], cwd=project, env=env, capture_output=True, text=True)
    assert read_outside(done.stdout).tests == {"src/main.rs": "", "src/main.rs::tests::joins": ""}
