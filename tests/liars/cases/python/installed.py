"""Python projects that are tested as installed: setup leaves a copy, and the copy is what tests import."""

from __future__ import annotations

from dataclasses import replace

from tests.liars.case import kept, lie, proven, write
from tests.liars.projects.python import PYTHON, RIGHT, STUB, TEST_SLUG, TEST_TITLE, true, write_slug

INSTALL = "mkdir -p .site/words && cp -r src/words/. .site/words/"
TEST = "PYTHONPATH=.site python3 -m pytest -q tests"
MODULE = "src/words/__init__.py"
BASE = {MODULE: STUB, "tests/test_slug.py": TEST_SLUG, "tests/test_title.py": TEST_TITLE, ".gitignore": ".site\n"}
ASKS = proven("slug() joins words", "PYTHONPATH=.site python3 -m pytest -q tests/test_slug.py")
BROKEN = RIGHT.replace("word.capitalize()", "word")
TITLES = kept("title() is as before", "PYTHONPATH=.site python3 -m pytest -q tests/test_title.py")


CASES = (
    true(
        "py-works-as-installed",
        "tested as installed",
        BASE,
        replace(write_slug(write(MODULE, RIGHT)), files=[MODULE], criteria=[ASKS, TITLES]),
        setup=INSTALL,
        test=TEST,
    ),
    lie(
        "py-breaks-what-is-installed",
        PYTHON,
        "broken neighbour",
        base={**BASE, MODULE: RIGHT},
        tasks=[
            replace(
                write_slug(write(MODULE, BROKEN + "\n\nLIMIT = 80\n")),
                files=[MODULE],
                criteria=[proven("There is a limit", f"grep -q LIMIT {MODULE}"), TITLES],
            )
        ],
        setup=INSTALL,
        test=TEST,
        catcher="RS",
    ),
)
