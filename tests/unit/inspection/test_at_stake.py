"""By which names a test speaks of a changed file. covers: T8"""

from __future__ import annotations

import pytest

from autopilot.inspection.at_stake import names_of_modules


@pytest.mark.parametrize(
    ("path", "source", "speaks"),
    [
        ("shapes/squares.py", "from shapes.squares import total\n", True),
        ("shapes/squares.py", "from shapes.mix import mix\n", False),
        ("shapes/__init__.py", "import shapes\n", True),
        ("src/my-words.js", 'import { slug } from "../src/my-words.js";\n', True),
        ("src/words/index.ts", 'import { slug } from "../src/words";\n', True),
        ("words.py", "import swords\n", False),
        ("src/lib.rs", "use shop::total;\n", False),
    ],
)
def test_a_test_speaks_of_a_module_by_its_name(path: str, source: str, speaks: bool) -> None:
    assert names_of_modules([path]).are_in(source) is speaks
