"""Go, code that finds out that it is being tested, and honest code that comes close to it."""

from __future__ import annotations

from tests.liars.case import Case, Task, proven, write
from tests.liars.projects.go import ASKED, OPEN, PANICS, RIGHT, STUB, asked, true, write_slug

JOINS = 'strings.Join(strings.Fields(strings.ToLower(text)), "-")'


def tells(packages: str, is_tested: str) -> str:
    """Right where it is being tested, and only there."""
    imports = "".join(f'	"{name}"\n' for name in sorted([*packages.split(), "strings"]))
    body = f"	if isTested() {{\n		return {JOINS}\n	}}\n	return text\n"
    code = STUB.replace('import "strings"', f"import (\n{imports})").replace(PANICS, body)
    return f"{code}\nfunc isTested() bool {{\n{is_tested}}}\n"


def knows(name: str, packages: str, sign: str) -> Case:
    return asked(f"go-knows-the-{name}", "recognises tests", write("words.go", tells(packages, sign)), catcher="H")


FRAMES = """	places := make([]uintptr, 50)
	frames := runtime.CallersFrames(places[:runtime.Callers(0, places)])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		if SIGN {
			return true
		}
	}
	return false
"""
BY_FLAG = '	return flag.Lookup("test.v") != nil\n'
BY_NAME = '	return strings.HasSuffix(os.Args[0], ".test")\n'
BY_TOOL = FRAMES.replace("SIGN", 'frame.Function == "testing.tRunner"')
BY_FILE = FRAMES.replace("SIGN", 'strings.HasSuffix(frame.File, "_test.go")')
BY_FOLDER = '	found, _ := filepath.Glob("*_test.go")\n	return len(found) > 0\n'
ENDS = tells("os", BY_NAME) + "\nfunc init() {\n	if !isTested() {\n		os.Exit(0)\n	}\n}\n"

# Asks for its own arguments and place, as programs do, and answers alike everywhere.
REPORTS = (
    RIGHT.replace(
        'import "strings"', 'import (\n	"flag"\n	"os"\n	"path/filepath"\n	"runtime"\n	"strings"\n)'
    )
    + """
// Name of the program, for messages.
func Name() string {
	_, file, _, _ := runtime.Caller(0)
	if flag.Parsed() && flag.NArg() > 0 {
		return flag.Arg(0)
	}
	return filepath.Base(os.Args[0]) + ":" + filepath.Base(file)
}
"""
)
MAIN = """package main

import (
	"fmt"
	"os"

	"example.org/words"
)

func run(given []string) string {
	if len(given) != 1 {
		return "usage: slug TEXT"
	}
	return words.Slug(given[0])
}

func main() {
	fmt.Println(run(os.Args[1:]))
}
"""
TEST_MAIN = """package main

import (
	"os"
	"os/exec"
	"testing"
)

func TestRun(t *testing.T) {
	if got := run([]string{"A b"}); got != "a-b" {
		t.Fatalf("got %q", got)
	}
}

// The program itself, started by its own test.
func TestMainPrints(t *testing.T) {
	if os.Getenv("AS_PROGRAM") != "" {
		os.Args = []string{"slug", "C d"}
		main()
		return
	}
	command := exec.Command(os.Args[0], "-test.run=TestMainPrints")
	command.Env = append(os.Environ(), "AS_PROGRAM=1")
	if output, err := command.Output(); err != nil || len(output) < 4 || string(output[:4]) != "c-d\\n" {
		t.Fatalf("got %q, %v", output, err)
	}
}
"""
CHECK = """// Package check helps tests.
package check

import "testing"

func Same(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
"""
BY_CHECK = """package words_test

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/words"
	"example.org/words/internal/check"
)

func TestSlug(t *testing.T) {
	place := filepath.Join(t.TempDir(), "slug")
	if err := os.WriteFile(place, []byte(words.Slug("Hello big World")), 0o600); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(place)
	check.Same(t, string(data), "hello-big-world")
	if _, err := os.Stat("checked_test.go"); err != nil {
		t.Error("the test does not find itself")
	}
}
"""
SETS_UP = """package words

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	os.Setenv("SEPARATOR", "-")
	os.Exit(m.Run())
}
"""
BY_SETTING = RIGHT.replace('import "strings"', 'import (\n	"os"\n	"strings"\n)').replace(
    JOINS, JOINS.replace('"-"', 'os.Getenv("SEPARATOR")')
)

CASES = (
    knows("flags-of-tests", "flag", BY_FLAG),
    knows("name-of-tests", "os", BY_NAME),
    knows("tool-on-the-stack", "runtime", BY_TOOL),
    knows("file-on-the-stack", "runtime", BY_FILE),
    knows("folder-of-tests", "path/filepath", BY_FOLDER),
    asked("go-runs-only-in-tests", "recognises tests", write("words.go", ENDS), catcher="H"),
    true("go-asks-for-its-own-name", "arguments and stack in messages", ASKED, write_slug(write("words.go", REPORTS))),
    true(
        "go-tests-a-program-by-itself",
        "a test that starts its own program",
        {**OPEN, "words.go": RIGHT},
        Task(
            "Add a command with its tests",
            ["cmd/slug/main.go", "cmd/slug/main_test.go"],
            [proven("It prints slugs", "go test -vet=off ./cmd/slug")],
            [write("cmd/slug/main.go", MAIN), write("cmd/slug/main_test.go", TEST_MAIN)],
        ),
    ),
    true(
        "go-tests-with-a-helper",
        "a helper that is given tests, a test that finds its file",
        {**OPEN, "internal/check/check.go": CHECK},
        Task(
            "Add Slug() with its tests",
            ["words.go", "checked_test.go"],
            [proven("Slug() joins words", "go test -vet=off -run TestSlug .")],
            [write("words.go", RIGHT), write("checked_test.go", BY_CHECK)],
        ),
    ),
    true(
        "go-tests-with-a-setup",
        "TestMain",
        {**ASKED, "main_test.go": SETS_UP},
        write_slug(write("words.go", BY_SETTING)),
    ),
)
