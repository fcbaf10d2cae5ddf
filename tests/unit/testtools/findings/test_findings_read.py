"""Findings as tools print them, read without their lines. Recorded from the real tools unless a row says otherwise."""

from __future__ import annotations

import pytest

from autopilot.testtools.findings.finding import make_finding, without_numbers, without_times
from autopilot.testtools.findings.reading import read_findings

# covers: T8.R, GATE
PROJECT = "/home/me/project"

RUFF = """F401 [*] `os` imported but unused
 --> py/a.py:1:8
  |
1 | import os
  |        ^^
2 | def f(x: int) -> str:
  |
help: Remove unused import: `os`

invalid-syntax: Expected `)`, found newline
 --> py/b.py:1:13
  |
1 | def broken(:
  |             ^

Found 2 errors.
[*] 1 fixable with `--fix`.
"""
ESLINT = """
/home/me/project/src/a.js
  1:5   error    'x' is assigned a value but never used               no-unused-vars
  2:1   warning  This line has a length of 79. Maximum allowed is 40  max-len

/home/me/project/src/b.js
  1:1  error  Parsing error: The keyword 'let' is reserved

✖ 3 problems (2 errors, 1 warning)
"""
ESLINT_UNIX = """/home/me/project/src/a.js:1:5: 'x' is assigned a value but never used. [Error/no-unused-vars]
/home/me/project/src/b.js:1:1: Parsing error: The keyword 'let' is reserved [Error]

2 problems
"""
TSC = """src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.
src/a.ts(2,19): error TS2307: Cannot find module './missing' or its corresponding type declarations.
"""
TSC_PRETTY = """src/a.ts:1:7 - error TS2322: Type 'string' is not assignable to type 'number'.

1 const n: number = "text";
        ~

Found 1 error in src/a.ts:1
"""
MYPY = """py/a.py:3: error: Incompatible return value type (got "int", expected "str")  [return-value]
py/a.py:3: note: See the documentation
Found 1 error in 1 file (checked 1 source file)
"""
PYRIGHT = """/home/me/project/py/a.py
  /home/me/project/py/a.py:3:12 - error: Type "int" is not assignable to return type "str"
    "int" is not assignable to "str" (reportReturnType)
1 error, 0 warnings, 0 informations
"""
CARGO = """   Compiling x v0.1.0 (/home/me/project)
error[E0308]: mismatched types
 --> src/main.rs:1:45
  |
1 | fn main() { let s: String = 5; }
  |                    ------   ^ expected `String`, found integer
  |                    |
  |                    expected due to this

warning: unused variable: `unused`
 --> src/main.rs:1:17

note: the lint level is defined here
 --> src/main.rs:1:9

For more information about this error, try `rustc --explain E0308`.
error: could not compile `x` (bin "x") due to 1 previous error; 1 warning emitted
"""
JAVAC = """A.java:1: error: cannot find symbol
class A { void g() { foo(); } }
                     ^
  symbol:   method foo()
  location: class A
1 error
"""
GCC = """a.c: In function 'f':
a.c:1:19: warning: unused variable 'x' [-Wunused-variable]
    1 | int f(void) { int x; return "a"; }
      |                   ^
a.c:2:8: error: expected declaration specifiers or '...' before '{' token
"""
COMPILEALL = """*** Error compiling 'py/b.py'...
  File "py/b.py", line 1
    def broken(:
               ^
SyntaxError: invalid syntax
"""
GOLANGCI = """internal/a.go:12:9: Error return value of `f.Close` is not checked (errcheck)
\tf.Close()
\t       ^
1 issues:
* errcheck: 1
"""  # by its documentation

READ = {
    "ruff": (
        RUFF,
        ["py/a.py: F401 [*] `os` imported but unused", "py/b.py: invalid-syntax: Expected `)`, found newline"],
    ),
    "ruff, concise": (
        "py/a.py:1:8: F401 [*] `os` imported but unused\n",
        ["py/a.py: F401 [*] `os` imported but unused"],
    ),
    "ruff format": (
        "unformatted: File would be reformatted\n --> a.py:2:1\n",
        ["a.py: unformatted: File would be reformatted"],
    ),
    "flake8": (
        "py/a.py:2:1: E302 expected 2 blank lines, found 0\n",
        ["py/a.py: E302 expected 2 blank lines, found 0"],
    ),
    "eslint": (
        ESLINT,
        [
            "src/a.js: error 'x' is assigned a value but never used no-unused-vars",
            "src/a.js: warning This line has a length of 79. Maximum allowed is 40 max-len",
            "src/b.js: error Parsing error: The keyword 'let' is reserved",
        ],
    ),
    "eslint, unix": (
        ESLINT_UNIX,
        [
            "src/a.js: 'x' is assigned a value but never used. [Error/no-unused-vars]",
            "src/b.js: Parsing error: The keyword 'let' is reserved [Error]",
        ],
    ),
    "tsc": (
        TSC,
        [
            "src/a.ts: error TS2322: Type 'string' is not assignable to type 'number'.",
            "src/a.ts: error TS2307: Cannot find module './missing' or its corresponding type declarations.",
        ],
    ),
    "tsc, pretty": (TSC_PRETTY, ["src/a.ts: error TS2322: Type 'string' is not assignable to type 'number'."]),
    "mypy": (MYPY, ['py/a.py: error: Incompatible return value type (got "int", expected "str") [return-value]']),
    "pyright": (PYRIGHT, ['py/a.py: error: Type "int" is not assignable to return type "str"']),
    "cargo": (
        CARGO,
        ["src/main.rs: error[E0308]: mismatched types", "src/main.rs: warning: unused variable: `unused`"],
    ),
    "go vet": (
        '# x\n./a.go:5:15: fmt.Printf format %d has arg "x" of wrong type string\n',
        ['a.go: fmt.Printf format %d has arg "x" of wrong type string'],
    ),
    "go vet, broken": ("# x\nvet: ./a.go:5:40: undeclared name: f\n", ["a.go: undeclared name: f"]),
    "golangci-lint": (GOLANGCI, ["internal/a.go: Error return value of `f.Close` is not checked (errcheck)"]),
    "javac": (JAVAC, ["A.java: error: cannot find symbol"]),
    "gcc": (
        GCC,
        [
            "a.c: warning: unused variable 'x' [-Wunused-variable]",
            "a.c: error: expected declaration specifiers or '...' before '{' token",
        ],
    ),
    "compileall": (COMPILEALL, ["py/b.py: Error compiling 'py/b.py'..."]),
    "prettier": ("[warn] src/a.ts\n[warn] Code style issues found in the above file.\n", ["src/a.ts: [warn] src/a.ts"]),
    "black": ("would reformat a.py\n", ["a.py: would reformat a.py"]),
}


@pytest.mark.parametrize("tool", READ)
def test_the_findings_of_a_tool_are_read_without_their_lines(tool: str) -> None:
    printed, findings = READ[tool]
    reading = read_findings(printed, PROJECT)
    assert [str(finding) for finding in reading.findings] == findings
    assert reading.is_whole


@pytest.mark.parametrize(
    "line",
    [
        "12:30:45 something happened",
        "localhost:3000 is taken",
        "127.0.0.1:8080: connection refused",
        "https://example.org:8443 is unreachable",
        "3 problems",
        "> project@1.0.0 lint",
        "   1:2  error  without a file above it",
        "a.py:3: note: this is no finding",
    ],
)
def test_what_is_no_finding_is_not_taken_for_one(line: str) -> None:
    assert read_findings(line).findings == ()


@pytest.mark.parametrize(
    ("printed", "others"),
    [
        (PYRIGHT, ["py/a.py", '"int" is not assignable to "str" (reportReturnType)']),
        (JAVAC, ["class A { void g() { foo(); } }", "symbol: method foo()", "location: class A"]),
        ("a.rs:1:2: error: x\n1 | f(y)\n  | ^ expected `String`\n", ["^ expected `String`"]),
        ("a.py:1: E1 x\nTraceback (most recent call last):\n", ["Traceback (most recent call last):"]),
        ("a.py:1: E1 x\nFound 3 errors in 2 files\n3 problems\n-----\n   Compiling x v0.1.0 (src)\n", []),
        ("a.py:1: E1 x\n3 problems: a key\nCompiling x failed\n", ["# problem: a key", "Compiling x failed"]),
        ("old.go:1:1: bad\nnew.go\n| new.py | bad |\n", ["new.go", "| new.py | bad |"]),
        ("a.py:1: E1 x\n" + "b" * 301 + ".py:1: E1 x\n", ["b" * 301 + ".py:#: E1 x"]),
    ],
)
def test_every_line_that_is_not_understood_is_kept_beside_the_findings(printed: str, others: list[str]) -> None:
    assert sorted(read_findings(printed, PROJECT).others) == sorted(others)


@pytest.mark.parametrize("file", ["app/(auth)/page.ts", "app/[id]/page.ts", "my pages/page one.ts"])
@pytest.mark.parametrize(
    "form",
    [
        "\n{0}\n  1:1  error  odd  rule\n",
        "./{0}\n1:1  Error: odd\n",
        "{0}(1,2): error TS1: odd\n",
        "{0}:1:1: odd\n",
        "odd\n --> {0}:1:1\n",
        "[warn] {0}\n",
    ],
)
def test_the_name_of_a_file_may_hold_brackets_and_spaces(form: str, file: str) -> None:
    assert [finding.file for finding in read_findings(form.format(file)).findings] == [file]


def test_a_row_belongs_to_the_file_just_above_it_only() -> None:
    printed = "a.ts\n  1:1  error  odd\n\nWhat is this?\n  2:1  error  strange\n\n  3:1  error  lost\n"
    reading = read_findings(printed)
    assert [str(finding) for finding in reading.findings] == ["a.ts: error odd"]
    assert reading.others == ("#:# error strange", "What is this?", "#:# error lost")


@pytest.mark.parametrize(
    "line",
    ["b.js:5:1: 'info' is not defined", "b.py:1:1: info is not used", "b.sh:1:1: note: Quote this [SC2086]"],
)
def test_a_message_that_begins_like_a_note_is_a_finding(line: str) -> None:
    assert len(read_findings(line).findings) == 1


def test_what_the_tools_say_they_counted_is_added_up() -> None:
    assert read_findings("✖ 3 problems (2 errors, 1 warning)\nFound 2 errors.\nchecked 9 files\n").total == 8


@pytest.mark.parametrize(
    "printed",
    [
        "./a.go:1:1: undefined: x\n./a.go:9:1: too many errors\n",
        "a.py:1: error: invalid syntax\nFound 1 error in 1 file (errors prevented further checking)\n",
        "a.py:1: E1 x\n\n… 1234 bytes left out …\na.py:9: E1 x\n",
    ],
)
def test_a_tool_that_leaves_some_out_is_noticed(printed: str) -> None:
    assert not read_findings(printed).is_whole


def test_numbers_that_count_are_left_out_and_those_in_names_stay() -> None:
    assert (
        without_numbers("E501 line too long (91 > 88): foo2 has 3 errors")
        == "E501 line too long (# > #): foo2 has # error"
    )
    assert make_finding("./a.py", ": F401 unused").file == "a.py"


def test_times_dates_and_addresses_are_left_out_and_counts_stay() -> None:
    line = "built 3 files in 1.25s at 2026-11-17T15:35:30Z, 0xdeadbeef, /tmp/tmp.x1/out.js"
    assert without_times(line) == "built 3 files in … at …, …, …/out.js"
