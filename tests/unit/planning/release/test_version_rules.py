"""What a project's instructions say about its version: found, and understood only where they are plain.

covers: DONE-1
"""

from __future__ import annotations

import pytest

from autopilot.planning.release.rules import Plain, find_rules, is_quoted, rests_on, understand

TEXT = """# Project

Use Node version 20 and run the tests. Keep functions short.

## Releases

- **Never** bump the version; the pipeline does it.
- Tests go beside the code.

```
Do not bump anything here.
```
The wire protocol is version
two. Versioning follows semver.
"""


def test_sentences_about_versions_are_found_and_others_are_not() -> None:
    assert find_rules(TEXT) == ("**Never** bump the version; the pipeline does it.", "Versioning follows semver.")


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("Never bump the version.", "none"),
        ("Do not change the version.", "none"),
        ("Don't touch version numbers.", "none"),
        ("You must not edit the version in package.json.", "none"),
        ("No version bumps, please do not raise it.", "none"),
        ("Patch only.", "patch"),
        ("Version bumps: patch only.", "patch"),
        ("Only bump the patch version.", "patch"),
        ("Never bump the version without a changelog entry.", ""),
        ("Do not bump the major version.", ""),
        ("Bump the minor version when a command is added.", ""),
        ("Versioning follows semver.", ""),
        ("If unsure, do not bump the version.", ""),
    ],
)
def test_only_a_rule_without_conditions_is_understood_by_code(rule: str, part: str) -> None:
    assert understand((rule,)) == (Plain(part, rule) if part else None)


def test_rules_that_do_not_agree_are_left_to_a_reader() -> None:
    assert understand(("Never bump the version.", "Patch only.")) is None
    assert understand(("Never bump the version.", "Versioning follows semver.")) is None
    assert understand(()) is None


def test_a_quote_is_looked_up_without_marks_and_line_breaks() -> None:
    assert is_quoted("never bump the version; the pipeline does it.", [TEXT])
    assert is_quoted("The wire protocol is version two.", [TEXT])
    assert not is_quoted("Bump the minor version.", [TEXT])
    assert not is_quoted("", [TEXT]) and not is_quoted("the", [TEXT])


def test_only_a_sentence_about_the_version_settles_it() -> None:
    rules = ("Bump the minor version after every phase.", "Tag each release.")
    assert rests_on("bump the **minor** version", rules)
    assert rests_on("Bump the minor version after every phase. Tag each release.", rules)
    assert not rests_on("Use four spaces.", rules) and not rests_on("", rules) and not rests_on("bump", rules)
