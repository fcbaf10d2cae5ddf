"""An interpreter's complaint about a missing script is no answer of the script. covers: CRIT"""

from __future__ import annotations

import pytest

from autopilot.text.missing_script import missing_script

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
    assert missing_script(command, output, FILES) == missing
