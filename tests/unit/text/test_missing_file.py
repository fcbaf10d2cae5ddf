"""A complaint about a missing program, script or file is no answer of it. covers: CRIT"""

from __future__ import annotations

import pytest

from autopilot.text.missing_file import missing_file

FILES = {"app.sh", "src/tool.py", "web/cli.js"}


@pytest.mark.parametrize(
    ("command", "output", "missing"),
    [
        ("sh hello.sh", "sh: 0: cannot open hello.sh: No such file", "hello.sh"),
        ("LANG=C sh hello.sh | head", "sh: 0: cannot open hello.sh", "hello.sh"),
        ("python3 hello.py", "python3: can't open file '/x/hello.py': [Errno 2] No such file", "hello.py"),
        ("node dist/hello.js --a", "Error: Cannot find module '/x/dist/hello.js'", "dist/hello.js"),
        ("cd web && node hello.js", "Error: Cannot find module '/x/web/hello.js'", "web/hello.js"),
        ("php hello.php", "Could not open input file: hello.php", "hello.php"),
        # The script is there, and complains itself of what it was given.
        ("sh app.sh hello.txt", "app.sh: hello.txt: No such file or directory", ""),
        ("cd web && node cli.js hello", "cli.js: hello not found", ""),
        # Built, so not among the files: what it says is not that it is missing.
        ("node dist/cli.js hello", "unknown command hello", ""),
        ("python3 -m hello", "No module named hello: not found", ""),
        ("sh -c 'echo hello'", "hello not found", ""),
        ("sh /opt/hello.sh", "sh: 0: cannot open /opt/hello.sh", ""),
        ("make hello", "No rule to make target 'hello'", ""),
    ],
)
def test_a_script_that_is_not_there_is_told_from_one_that_complains(command: str, output: str, missing: str) -> None:
    assert missing_file(command, 2, output, FILES) == missing


@pytest.mark.parametrize(
    ("command", "status", "output", "missing"),
    [
        ("cat other.txt", 1, "cat: other.txt: No such file or directory", "other.txt"),
        ("cd docs && grep -c x guide.md", 2, "grep: guide.md: No such file or directory", "docs/guide.md"),
        ("head -n 2 'notes.txt' | sort", 1, "head: cannot open 'notes.txt' for reading: No such file", "notes.txt"),
        ("./hello Ada", 127, "sh: 1: ./hello: not found", "hello"),
        ("hello Ada", 127, "bash: hello: command not found", "hello"),
        # A file that is there, or that the command makes, and a program that answers about what it was given.
        ("cat app.sh none", 1, "hello not found", ""),
        ("./tool hello", 1, "tool: hello not found", ""),
        ("tool hello", 1, "tool: hello not found", ""),
    ],
)
def test_what_a_reader_or_the_shell_says_of_a_missing_file_is_no_content(
    command: str, status: int, output: str, missing: str
) -> None:
    assert missing_file(command, status, output, FILES) == missing
