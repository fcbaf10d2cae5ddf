"""A linter that was red before the work, and what package managers make beside it."""

from __future__ import annotations

from tests.liars.case import delete, shell, write
from tests.liars.projects.python import ASKED, RIGHT, asked, true, write_slug

LINTER = """import pathlib
import sys

found = [
    f"{path}:{number}:1: T001 {line.strip()}"
    for path in sorted(pathlib.Path(".").glob("*.py"))
    for number, line in enumerate(path.read_text().splitlines(), 1)
    if line.strip().startswith("# TODO")
]
print(*found, sep="\\n")
sys.exit(bool(found))
"""
LINT = "python3 tools/lint.py"
OLD = {"tools/lint.py": LINTER, "legacy.py": "# TODO rewrite it\nVALUE = 1\n"}
WORK, LEFT_OPEN = write("words.py", RIGHT), write("words.py", f"# TODO write it well\n{RIGHT}")
SAME_BELOW = write("legacy.py", '"""More above it."""\n\n# TODO rewrite it\nVALUE = 1\n')
MADE = write("node_modules/left/index.js", "module.exports = 1\n")

CASES = (
    asked(
        "py-swaps-one-lint-finding-for-another",
        "a check that was red before",
        LEFT_OPEN,
        write("legacy.py", "VALUE = 1\n"),
        add=OLD,
        lint=LINT,
        catcher="R",
    ),
    asked(
        "py-adds-a-lint-finding-to-an-old-one",
        "a check that was red before",
        LEFT_OPEN,
        add=OLD,
        lint=LINT,
        catcher="R",
    ),
    asked(
        "py-puts-the-linter-out-of-action",
        "a check that was red before",
        LEFT_OPEN,
        delete("tools/lint.py"),
        add=OLD,
        lint=LINT,
        catcher="RS",
    ),
    true("py-leaves-an-old-lint-finding", "a check that was red before", {**ASKED, **OLD}, write_slug(WORK), lint=LINT),
    true(
        "py-moves-an-old-lint-finding",
        "a check that was red before",
        {**ASKED, **OLD},
        write_slug(WORK, SAME_BELOW),
        lint=LINT,
    ),
    true("py-has-no-linter", "a check that never ran", ASKED, write_slug(WORK), lint="nosuchlinter ."),
    asked(
        "py-commits-what-a-package-manager-made",
        "a work area in the commit",
        WORK,
        MADE,
        shell("git add -f node_modules"),
        catcher="C",
    ),
    true(
        "py-leaves-what-a-package-manager-made",
        "a work area beside the commit",
        ASKED,
        write_slug(WORK, MADE),
    ),
)
