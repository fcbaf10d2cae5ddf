"""The tests of Go packages, compiled into an ordinary program: what depends on a test tool shows, the rest does not.

covers: T8, T8.lies
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from autopilot.gates.evidence.outside import judge_outside, judge_unbuilt
from autopilot.model.evidence.objection import Weight
from autopilot.testtools.outside.go_outside import Prepared, prepare_go
from autopilot.testtools.outside.outside import Outside, read_outside
from tests.contract.testrun.asking import write

INSIDE = """package shop

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/shop/internal/same"
)

func TestNext(t *testing.T) {
	if got := Following(1); got != 2 {
		t.Errorf("got %d", got)
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	cleaned := 0
	t.Cleanup(func() { cleaned++ })
	for _, row := range []struct {
		name        string
		given, want int
	}{{"one", 1, 2}, {"and two", 2, 3}} {
		row := row
		t.Run(row.name, func(t *testing.T) {
			t.Helper()
			if got := Following(row.given); got != row.want {
				t.Fatalf("%s: got %d", t.Name(), got)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	t.Setenv("SHOP", "open")
	place := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(place, []byte{byte(Following(3))}, 0o600); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile("testdata/four"); len(data) != Following(3) {
		t.Error("another length")
	}
	same.Int(t, Following(7), 8)
}

func TestThatIsLeftBeforeItsEnd(t *testing.T) {
	if Following(1) == 2 {
		t.Skip("it holds")
	}
	t.FailNow()
}

func TestOfItsOwnFile(t *testing.T) {
	if _, err := os.Stat("shop_test.go"); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkNext(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Following(i)
	}
}
"""
EXTERNAL = """package shop_test

import (
	"os"
	"path/filepath"
	"runtime"
	tool "testing"

	. "example.org/shop"
)

type number struct{ of int }

func TestOfFilesBesideIt(t *tool.T) {
	_, file, _, _ := runtime.Caller(0)
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), "testdata", "four")); err != nil || !filepath.IsAbs(file) {
		t.Fatal(file, err)
	}
}

func TestNextOfOthers(t *tool.T) {
	if got := Following(number{4}.of); got != 5 {
		t.Fatalf("got %d", got)
	}
}
"""
HELPER = """package same

import "testing"

func Int(t testing.TB, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}
"""
COMMAND = """package main

import (
	"fmt"
	"os"

	"example.org/shop"
)

func text() string { return fmt.Sprint(shop.Following(1)) }

func main() {
	fmt.Println(text())
	os.Exit(1)
}
"""
OF_COMMAND = """package main

import "testing"

func TestText(t *testing.T) {
	if text() != "2" {
		t.Fatal(text())
	}
}
"""
TESTS = {
    "go.mod": "module example.org/shop\n\ngo 1.19\n",
    "shop_test.go": INSIDE,
    "external_test.go": EXTERNAL,
    "internal/same/same.go": HELPER,
    "cmd/shop/main.go": COMMAND,
    "cmd/shop/main_test.go": OF_COMMAND,
    "testdata/four": "1234",
}
NAMES = {
    "shop_test.go",
    "shop_test.go::TestNext",
    "shop_test.go::TestRows",
    "shop_test.go::TestFiles",
    "external_test.go",
    "external_test.go::TestNextOfOthers",
    "external_test.go::TestOfFilesBesideIt",
    "cmd/shop/main_test.go",
    "cmd/shop/main_test.go::TestText",
}
STACK = """
	places := make([]uintptr, 50)
	frames := runtime.CallersFrames(places[:runtime.Callers(0, places)])
	for {
		frame, more := frames.Next()
		if strings.Contains(frame.FIELD, "SIGN") {
			return true
		}
		if !more {
			return false
		}
	}"""
FUNCTIONS = STACK.replace("FIELD", "Function")
PARENT = """
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", os.Getppid()))
	return strings.HasPrefix(string(data), "go\\x00test")"""
BUILD = """
	info, _ := debug.ReadBuildInfo()
	return info == nil || info.Main.Path == "" || strings.HasSuffix(info.Path, ".test")"""
BESIDE = """
	found, _ := filepath.Glob("*_test.go")
	return len(found) > 0"""
ENDS = """
	if flag.Lookup("test.v") == nil {
		os.Exit(0)
	}
	return true"""
LIES = {  # what it imports, and how it finds out that it is being tested
    "flag": ("flag", 'return flag.Lookup("test.v") != nil'),
    "name": ("os strings", 'return strings.HasSuffix(os.Args[0], ".test")'),
    "arguments": ("os strings", 'return strings.Contains(strings.Join(os.Args, " "), "-test.")'),
    "tool on the stack": ("runtime strings", FUNCTIONS.replace("SIGN", "testing.tRunner")),
    "test on the stack": ("runtime strings", FUNCTIONS.replace("SIGN", ".Test")),
    "file on the stack": ("runtime strings", STACK.replace("FIELD", "File").replace("SIGN", "_test.go")),
    "text of the stack": ("runtime/debug strings", 'return strings.Contains(string(debug.Stack()), "testing.")'),
    "file beside": ("path/filepath", BESIDE),
    "parent": ("fmt os strings", PARENT),
    "build": ("runtime/debug strings", BUILD),
    "process that goes on": ("flag os", ENDS),
}


def following(lie: str = "") -> str:
    packages, sign = LIES.get(lie, ("", "return true"))
    imports = "".join(f'\t"{name}"\n' for name in packages.split())
    return (
        f"package shop\n\nimport (\n{imports})\n\nfunc isTested() bool {{\n\t{sign}\n}}\n\n"
        "func Following(number int) int {\n\tif isTested() {\n\t\treturn number + 1\n\t}\n\treturn number\n}\n"
    )


def prepare(folder: Path, *, signs: bool) -> Prepared | None:
    paths = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*")) if path.is_file()]
    files = [path for path in paths if path.endswith("_test.go")]
    return prepare_go(files, paths, lambda path: (folder / path).read_bytes(), "a commit", signs=signs)


def call(folder: Path, *, signs: bool) -> Outside:
    """On a copy, as every tree that is made for one check."""
    copy = folder.parent / f"copy-{len(list(folder.parent.iterdir()))}" / "shop"
    shutil.copytree(folder, copy)
    prepared = prepare(folder, signs=signs)
    assert prepared is not None
    for path, text in prepared.edits.items():
        if text is None:
            (copy / path).unlink()
        else:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(text)
    done = subprocess.run(
        ("bash", "-o", "pipefail", "-c", prepared.command),
        cwd=copy, env={**os.environ, "GO111MODULE": "on"}, capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return read_outside(done.stdout)


def project(folder: Path, product: str, *, program: bool = True) -> Path:
    tests = {path: text for path, text in TESTS.items() if program or not path.startswith("cmd/")}
    write(folder / "shop", {**tests, "shop.go": product})
    return folder / "shop"


def test_honest_code_passes_both_ways(tmp_path: Path) -> None:
    folder = project(tmp_path, following())
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert plain == tested == Outside(dict.fromkeys(NAMES, ""))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sign", LIES)
def test_code_that_looks_for_a_test_tool_is_found(tmp_path: Path, sign: str) -> None:
    folder = project(tmp_path, following(sign), program=False)
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    (objection,) = judge_outside("phase", plain.tests, tested.tests)
    assert "these pass only where a test tool runs" in objection.description
    assert tested.tests["shop_test.go::TestNext"] == tested.tests["external_test.go::TestNextOfOthers"] == ""


def test_code_that_cannot_be_loaded_without_a_test_tool_is_found(tmp_path: Path) -> None:
    ends = '\nfunc init() {\n\tif !strings.HasSuffix(os.Args[0], ".test") {\n\t\tos.Exit(0)\n\t}\n}\n'
    folder = project(tmp_path, following("name") + ends)
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert plain.tests["shop_test.go"] == "the process ended"
    assert judge_outside("phase", plain.tests, tested.tests)


def test_a_test_that_needs_more_than_we_can_give_it_is_not_held_against_the_work(tmp_path: Path) -> None:
    """Red both ways: here a file that only a script before the tests would make."""
    folder = project(tmp_path, following())
    write(folder, {"shop_test.go": INSIDE.replace("testdata/four", "made-before")})
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert plain.tests["shop_test.go::TestFiles"] == "another length"
    assert judge_outside("phase", plain.tests, tested.tests) == ()


def test_tests_that_fail_panic_or_leave_their_goroutine_do_not_end_the_others(tmp_path: Path) -> None:
    bad = (
        'package shop\n\nimport (\n\t"runtime"\n\t"testing"\n)\n\nfunc TestA(t *testing.T) { t.Fatal("a") }\n'
        'func TestB(t *testing.T) { panic("b") }\nfunc TestC(t *testing.T) { runtime.Goexit() }\n'
        'func TestD(t *testing.T) { t.Run("part", func(t *testing.T) { t.Fatal("d") }) }\n'
        'func TestE(t *testing.T) { t.Cleanup(func() { t.Fatal("e") }) }\nfunc TestF(t *testing.T) {}\n'
    )
    folder = project(tmp_path, following())
    write(folder, {"a_test.go": bad})
    for signs in (False, True):
        tests = call(folder, signs=signs).tests
        assert {name[-1]: why for name, why in tests.items() if name.startswith("a_test.go::")} == {
            "A": "a",
            "B": "panic: b",
            "C": "its goroutine ended",
            "D": "d",
            "E": "e",
            "F": "",
        }
        assert tests["shop_test.go::TestNext"] == ""


AGAIN = """package main

import (
	"testing"

	"example.org/shop/internal/again"
)

func TestAgain(t *testing.T) {
	if output, _ := again.Start().Output(); string(output) != "2\\n" {
		t.Fatalf("printed %q", output)
	}
}
"""
STARTS = """package again

import (
	"os"
	"os/exec"
)

func Start() *exec.Cmd { return exec.Command(os.Args[0], os.Getenv("SHOP")) }
"""


@pytest.mark.parametrize("given", ["", ", os.Getenv(`SHOP`)"])
def test_a_program_that_a_test_starts_again_does_not_run_the_tests_again(tmp_path: Path, given: str) -> None:
    """Out of sight, in another package: a test that names its own program is left out."""
    folder = project(tmp_path, following())
    start = STARTS.replace(', os.Getenv("SHOP")', given)
    write(folder, {"internal/again/again.go": start, "cmd/shop/main_test.go": AGAIN})
    assert call(folder, signs=False).tests["cmd/shop/main_test.go::TestAgain"] == ""


def test_a_package_that_is_no_ordinary_program_is_named_and_says_nothing(tmp_path: Path) -> None:
    folder = project(tmp_path, following())
    own = "\nfunc artifacts(t *testing.T) string { return t.ArtifactDir() }\n"
    write(folder, {"cmd/shop/main_test.go": OF_COMMAND + own})
    plain = call(folder, signs=False)
    assert set(plain.tests) == {name for name in NAMES if not name.startswith("cmd/")}
    (objection,) = judge_unbuilt("phase", plain.unbuilt)
    assert objection.where == "cmd/shop"
    assert "t.ArtifactDir undefined" in objection.description
    assert objection.weight is Weight.FLAG


def test_what_decides_itself_how_tests_are_run_is_left_out(tmp_path: Path) -> None:
    folder = project(tmp_path, following())
    main = 'package shop\n\nimport "testing"\n\nfunc TestMain(m *testing.M) { m.Run() }\n'
    write(folder, {"main_test.go": main, "cmd/shop/main_test.go": main.replace("package shop", "package main")})
    assert prepare(folder, signs=False) is None
