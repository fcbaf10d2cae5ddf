"""A changelog gets its new section in its own style.

covers: DONE-1
"""

from __future__ import annotations

import pytest

from autopilot.planning.release.changelog import add_section

DATE, LINES = "2025-03-04", ("Phase 4: search",)


def renew(text: str) -> str:
    return add_section(text, "1.2.0", "1.3.0", DATE, LINES)


KEPT = """# Changelog

All notable changes to this project are told here.

## [Unreleased]

### Added
- search

## [1.2.0] - 2024-01-01

- first

[Unreleased]: https://example.invalid/compare/v1.2.0...HEAD
[1.2.0]: https://example.invalid/releases/v1.2.0
"""


def test_what_was_unreleased_becomes_the_new_section_and_the_links_follow() -> None:
    text = renew(KEPT)
    assert "## [Unreleased]\n\n## [1.3.0] - 2025-03-04\n\n### Added\n- search\n\n## [1.2.0] - 2024-01-01\n" in text
    assert "[Unreleased]: https://example.invalid/compare/v1.3.0...HEAD\n" in text
    assert "[1.3.0]: https://example.invalid/compare/v1.2.0...v1.3.0\n[1.2.0]: " in text
    assert renew(text) == text, "said twice, it is there once"


def test_where_nothing_was_unreleased_the_phases_are_named() -> None:
    text = renew("# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2024-01-01\n- first\n")
    assert text == (
        "# Changelog\n\n## [Unreleased]\n\n## [1.3.0] - 2025-03-04\n\n- Phase 4: search\n\n"
        "## [1.2.0] - 2024-01-01\n- first\n"
    )


def test_a_changelog_that_has_only_begun_gets_a_heading_like_its_first() -> None:
    text = renew("# Changelog\n\n## Unreleased\n- search\n")
    assert text == "# Changelog\n\n## Unreleased\n\n## [1.3.0] - 2025-03-04\n- search\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## 1.2.0 (2024-01-01)", "## 1.3.0 (2025-03-04)"),
        ("## v1.2.0", "## v1.3.0"),
        ("# v1.2.0 - 2024/01/01", "# v1.3.0 - 2025/03/04"),
        ("### 1.2.0 / 2024-01-01", "### 1.3.0 / 2025-03-04"),
        ("## Version 1.2.0 — January 1, 2024", "## Version 1.3.0 — March 4, 2025"),
        ("## 1.2.0 (1 Jan 2024)", "## 1.3.0 (4 Mar 2025)"),
        ("## [1.2.0] 2024.01.01", "## [1.3.0] 2025.03.04"),
        (
            "## [1.2.0](https://example.invalid/compare/v1.1.0...v1.2.0) (2024-01-01)",
            "## [1.3.0](https://example.invalid/compare/v1.2.0...v1.3.0) (2025-03-04)",
        ),
        ("1.2.0 / 2024-01-01\n==================", "1.3.0 / 2025-03-04\n=================="),
        ("v1.2.0\n------", "v1.3.0\n------"),
    ],
)
def test_a_new_heading_is_made_like_the_one_before(before: str, after: str) -> None:
    text = f"# History\n\n{before}\n\n- first\n"
    assert renew(text) == f"# History\n\n{after}\n\n- Phase 4: search\n\n{before}\n\n- first\n"
    windows = text.replace("\n", "\r\n")
    assert renew(windows) == renew(text).replace("\n", "\r\n")


def test_an_example_in_a_fence_is_no_section() -> None:
    text = renew("# Changes\n\n```\n## 1.2.0\n```\n\n## 1.2.0\n\n- first\n")
    assert text == "# Changes\n\n```\n## 1.2.0\n```\n\n## 1.3.0\n\n- Phase 4: search\n\n## 1.2.0\n\n- first\n"


@pytest.mark.parametrize("text", ["", "# Changelog\n", "# Changelog\n\nNothing yet.\n"])
def test_a_changelog_without_a_version_gets_its_first(text: str) -> None:
    assert "## [1.3.0] - 2025-03-04\n\n- Phase 4: search\n" in renew(text)
    assert renew(text).startswith(text.splitlines()[0] if text else "## [1.3.0]")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# C\r\n\n## 1.2.0\nfirst\n", "# C\r\n\n## 1.3.0\n\n- Phase 4: search\n\n## 1.2.0\nfirst\n"),
        ("# C\r\n\r\n## 1.2.0\r\nfirst\n", "# C\r\n\r\n## 1.3.0\r\n\r\n- Phase 4: search\r\n\r\n## 1.2.0\r\nfirst\n"),
        ("## Unreleased\n- a\r\n\n## 1.2.0\n", "## Unreleased\n\n## 1.3.0\n- a\r\n\n## 1.2.0\n"),
    ],
)
def test_line_ends_of_both_kinds_in_one_file_stay_as_they_are(before: str, after: str) -> None:
    assert renew(before) == after
