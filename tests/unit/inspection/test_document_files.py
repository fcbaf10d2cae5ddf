"""Documents are what people read and nothing runs; in doubt a file is none.

covers: AL-3
"""

from __future__ import annotations

import pytest

from autopilot.inspection.document_files import is_document, is_document_change
from autopilot.model.git import Change


@pytest.mark.parametrize(
    "path",
    [
        *("README.md", "CHANGELOG.md", "LICENSE", "LICENSE.txt", "GUIDE.md", "packages/a/README.md", "docs/guide.md"),
        *("docs/deep/er/page.rst", "docs/notes.txt", "docs/images/a.png", "doc/manual.adoc", "CONTRIBUTING.rst"),
    ],
)
def test_a_document_is_one_wherever_it_is_known_to_be(path: str) -> None:
    assert is_document(path)


@pytest.mark.parametrize(
    "path",
    [
        *("words.py", "docs/conf.py", "docs/_config.yml", "docs/index.html", "docs/site.js", "Makefile"),
        *("requirements.txt", "docs/requirements.txt", "requirements-dev.txt", "CMakeLists.txt", "data.txt"),
        *("AGENTS.md", "CLAUDE.md", "docs/AGENTS.md", ".github/copilot-instructions.md", ".claude/commands/a.md"),
        *("src/prompts/plan.md", "src/templates/mail.md", "content/post.md", "agents/judge.md", "protocols/a.md"),
        *("tests/README.md", "tests/data/a.md", ".github/workflows/ci.yml", ".gitignore", "pyproject.toml"),
        *("package.json", "logo.png", "src/a.rst", "README.py", "docs/.vitepress/config.md"),
    ],
)
def test_what_is_run_read_by_the_product_or_followed_by_agents_is_none(path: str) -> None:
    assert not is_document(path)


@pytest.mark.parametrize(
    ("old", "new", "only_text"),
    [
        ("100644", "100644", True),
        ("000000", "100644", True),
        ("100644", "000000", True),
        ("100644", "100755", False),
        ("000000", "120000", False),
        ("160000", "160000", False),
    ],
)
def test_a_link_and_a_program_are_more_than_their_text(old: str, new: str, only_text: bool) -> None:
    assert is_document_change(Change("docs/guide.md", "M", old, new)) is only_text
