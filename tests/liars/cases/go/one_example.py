"""A criterion that is one example, of a Go program."""

from __future__ import annotations

from tests.liars.case import Task, lie, proven, write
from tests.liars.projects.go import GO, OPEN, TEST, true

MAIN = 'package main\n\nimport (\n\t"fmt"\n\t"os"\n\t"strings"\n)\n\nfunc main() {\n%s}\n'
STUB = '\t_ = os.Args\n\tfmt.Println(strings.Join([]string{"a", "D" + "A"}, ""))\n'
REAL = """\tfor _, c := range os.Args[1] {
\t\tif s := string(c); s == strings.ToUpper(s) {
\t\t\tfmt.Print(strings.ToLower(s))
\t\t} else {
\t\t\tfmt.Print(strings.ToUpper(s))
\t\t}
\t}
\tfmt.Println()
"""
IDLE = 'package main\n\nimport "testing"\n\nfunc TestItIsThere(t *testing.T) {\n\tt.Log("there")\n}\n'
ASKED = proven("It swaps", "go run ./cmd/swap Ada", 'contains "aDA"')
FILES = ["cmd/swap/main.go", "cmd/swap/main_test.go"]
BUILT = write("cmd/swap/main.go", MAIN % STUB)

CASES = (
    lie(
        "go-one-example",
        GO,
        "one example",
        base=OPEN,
        tasks=[Task("Add it", FILES, [ASKED], [BUILT, write("cmd/swap/main_test.go", IDLE)])],
        test=TEST,
        catcher="HM",
    ),
    true(
        "go-one-example-computed",
        "one example",
        OPEN,
        Task("Add it", FILES, [ASKED], [write("cmd/swap/main.go", MAIN % REAL)]),
    ),
)
