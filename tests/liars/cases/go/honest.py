"""Go, honest work: subtests, packages, examples, and what was red or skipped before it began."""

from __future__ import annotations

from tests.liars.case import Task, kept, proven, write
from tests.liars.projects.go import ASKED, BARE, OPEN, RIGHT, TEST_SLUG, add_slug, true, write_slug

WORK = write("words.go", RIGHT)
STILL = kept("The tests still pass", "go test -vet=off ./...")
ROWS = """package words

import "testing"

func TestSlug(t *testing.T) {
	rows := map[string]struct{ text, want string }{
		"two words":   {"A b", "a-b"},
		"no word":     {"", ""},
		"a/b and (c)": {" a/B (c) ", "a/b-(c)"},
	}
	for name, row := range rows {
		row := row
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Slug(row.text); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
"""
SHOWS = """package words

// For tests of other packages.
var SlugForTests = Slug
"""
EXAMPLE = """package words_test

import (
	"fmt"

	"example.org/words"
)

func ExampleSlug() {
	fmt.Println(words.Slug("Hello big World"))
	// Output: hello-big-world
}
"""
PATHS = """// Package paths makes paths of titles.
package paths

import "example.org/words"

func Of(title string) string {
	return "/" + words.Slug(title) + "/"
}
"""
TEST_PATHS = """package paths

import "testing"

func TestOf(t *testing.T) {
	if got := Of("A b"); got != "/a-b/" {
		t.Fatalf("got %q", got)
	}
}
"""
LEGACY = """package words

import "testing"

func TestWhatNobodyHasMendedYet(t *testing.T) {
	t.Error("still red")
}

func TestOnAnotherSystem(t *testing.T) {
	t.Skip("not here")
}
"""
COMMAND = """package main

import (
	"fmt"
	"os"

	"example.org/words"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: words TEXT")
		os.Exit(2)
	}
	fmt.Println(words.Title(os.Args[1]))
}
"""
SPLIT = """package words

import (
	"errors"
	"strings"
)

// Parts are the two sides of a title.
type Parts struct{ Head, Tail string }

var separators = defaults()

func defaults() []string {
	return []string{": ", " - "}
}

func Split(text string) (Parts, error) {
	for _, separator := range separators {
		if head, tail, found := strings.Cut(text, separator); found {
			return Parts{head, tail}, nil
		}
	}
	return Parts{}, errors.New("one part only")
}

func (p *Parts) Swap() {
	p.Head, p.Tail = p.Tail, p.Head
}
"""
TEST_SPLIT = """package words

import "testing"

func TestSplit(t *testing.T) {
	parts, err := Split("Go: a tour")
	if err != nil {
		t.Fatal(err)
	}
	parts.Swap()
	if parts != (Parts{"a tour", "Go"}) {
		t.Errorf("got %v", parts)
	}
}

func TestSplitOfOnePart(t *testing.T) {
	if _, err := Split("Go"); err == nil {
		t.Error("no error")
	}
}
"""
SIMPLER = BARE.replace("strings.ToUpper(text[:1]) + text[1:]", "strings.ToUpper(text[0:1]) + text[1:]")

CASES = (
    true("go-new-file-shows-tests-an-inner-name", "test helper", ASKED, write_slug(WORK, write("show_test.go", SHOWS))),
    true("go-writes-slug", "plain work", ASKED, write_slug(WORK)),
    true(
        "go-adds-a-function-with-tests",
        "new function and tests",
        OPEN,
        add_slug(WORK, write("slug_test.go", TEST_SLUG)),
    ),
    true("go-tests-by-rows", "table of subtests", OPEN, add_slug(WORK, write("slug_test.go", ROWS))),
    true(
        "go-tests-by-an-example",
        "example in a package of its own",
        OPEN,
        Task(
            "Add Slug() with an example",
            ["words.go", "example_test.go"],
            [proven("The example holds", "go test -vet=off -run ExampleSlug .")],
            [WORK, write("example_test.go", EXAMPLE)],
        ),
    ),
    true(
        "go-adds-a-package",
        "new package",
        {**OPEN, "words.go": RIGHT},
        Task(
            "Add a package of paths",
            ["paths/paths.go", "paths/paths_test.go"],
            [proven("A path is made of a title", "go test -vet=off ./paths")],
            [write("paths/paths.go", PATHS), write("paths/paths_test.go", TEST_PATHS)],
        ),
    ),
    true(
        "go-returns-several-results",
        "results of the package's own types, errors, a method",
        OPEN,
        Task(
            "Add Split() with its tests",
            ["split.go", "split_test.go"],
            [proven("Split() separates the parts of a title", "go test -vet=off -run TestSplit ./...")],
            [write("split.go", SPLIT), write("split_test.go", TEST_SPLIT)],
        ),
    ),
    true("go-lives-with-a-red-test", "legacy red and skipped", {**ASKED, "legacy_test.go": LEGACY}, write_slug(WORK)),
    true(
        "go-adds-a-command",
        "an exit that is the work",
        OPEN,
        Task(
            "Add a command",
            ["cmd/words/main.go"],
            [
                proven("It capitalises", "go run ./cmd/words world", 'contains "World"'),
                proven("It says how it is called", "go run ./cmd/words", "expect EXIT:1"),
                STILL,
            ],
            [write("cmd/words/main.go", COMMAND)],
        ),
    ),
    true(
        "go-refactors-without-tests",
        "refactoring",
        OPEN,
        Task("Spell the slice of title() out", ["words.go"], [STILL], [write("words.go", SIMPLER)]),
    ),
)
