"""Paths that documents name.

covers: TYPE
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.inspection.types.references import cross_references, known_paths

TREE = known_paths(
    ["protocols/run.md", "protocols/schemas.md", "src/pkg/model/run.py", "src/pkg/cli.py", "docs/a b.md", "README.md"]
)


def broken(text: str, path: str = "protocols/run.md") -> list[str]:
    return [finding.split("`")[1] for finding in cross_references(path, text, TREE)]


@pytest.mark.parametrize(
    "words",
    [
        "`protocols/schemas.md`",
        "`schemas.md`",
        "`./schemas.md`",
        "`../README.md`",
        "`../src/pkg/cli.py:12`",
        "`src/pkg/cli.py:12-30`",
        "`schemas.md#section-2`",
        "`src/pkg/`",
        "`model/run.py`",
        "[schemas](schemas.md#x)",
        "[two](../docs/a%20b.md)",
    ],
)
def test_what_is_there_is_found_from_the_root_the_folder_or_by_the_end_of_its_path(words: str) -> None:
    assert broken(f"See {words}.") == []


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("`protocols/gone.md`", "protocols/gone.md"),
        ("`gone.md`", "gone.md"),
        ("`src/pkg/gone.py:12`", "src/pkg/gone.py"),
        ("`src/pkg/gone/`", "src/pkg/gone/"),
        ("`src/pkg/gone`", "src/pkg/gone"),
        ("`./gone.md`", "./gone.md"),
        ("[x](gone.md)", "gone.md"),
        ("[x](../gone.md#a)", "../gone.md"),
    ],
)
def test_what_is_not_there_is_named_with_its_line(words: str, named: str) -> None:
    assert cross_references("protocols/run.md", f"# A\n\nSee {words}.\n", TREE) == (
        f"protocols/run.md:3: `{named}` does not exist",
    )


@pytest.mark.parametrize(
    "words",
    [
        "`src/**/*.py`",
        "`phases/{phase}/PLAN.md`",
        "`phases/<id>/notes.md`",
        "`phases/NN-name/notes.md`",
        "`logs/YYYY-MM-DD.md`",
        "`path/to/file.md`",
        "`__BASE__/protocols/run.md`",
        "`https://example.org/a.md`",
        "[x](https://example.org/a.md)",
        "[x](#here)",
        "[x](mailto:a@b.c)",
        "`cat src/gone.py`",
        "`/usr/lib/gone.md`",
        "`~/notes/gone.md`",
        "`$HOME/gone.md`",
        "`origin/main`",
        "`and/or`",
        "`application/json`",
        "`model/thing`",
        "`PLAN.md`",
        "`PLAN.autopilot.md`",
        "`state.json`",
        "`node_modules/a/b.js`",
        "`.planning/phases/x.md`",
        "`../../elsewhere/x.md`",
        "`a...b.md`",
        "`v1.2`",
        "`e.g.`",
        "for example `src/gone.py`",
        "e.g. `src/gone.py`",
        "Write the summary to `reports/gone.md`",
        "creates the file `out2/gone.json`",
        "```\n`src/gone.py`\n```",
        "<!-- `src/gone.py` -->",
    ],
)
def test_what_only_looks_like_a_path_of_the_repository_is_left_alone(words: str) -> None:
    assert broken(words) == []


def test_one_path_named_twice_in_a_line_is_one_finding() -> None:
    assert broken("`protocols/x.md` and `protocols/x.md`\n`protocols/x.md`") == ["protocols/x.md"] * 2


SEGMENT = st.text(st.sampled_from("abcz01_-"), min_size=1, max_size=6).filter(lambda word: word[0].isalpha())
FILES = st.lists(st.lists(SEGMENT, min_size=1, max_size=4).map(lambda parts: "/".join(parts) + ".md"), max_size=8)


@given(FILES)
def test_whatever_is_in_the_tree_exists_with_all_its_folders_and_endings(paths: list[str]) -> None:
    exists = known_paths(paths)
    for path in paths:
        parts = path.split("/")
        spans = [(start, end) for end in range(1, len(parts) + 1) for start in range(end)]
        assert all(exists("/".join(parts[start:end])) for start, end in spans)
        assert cross_references("z.md", f"`{path}` [x]({path})", exists) == ()
    assert not exists("never/there.md")


@given(st.text(st.sampled_from("`[](). /#:1ax-<>{}.md\n\\"), max_size=200))
def test_any_text_can_be_looked_at_and_everything_found_stands_in_it(text: str) -> None:
    for finding in cross_references("a/b.md", text, lambda path: False):
        assert finding.split("`")[1] in text


def test_hostile_lines_are_looked_at_like_any_other() -> None:
    for hostile in ("`a" + ":1" * 140 + "x`", "`" + "a/" * 150 + "`", "](" * 5000, "`" * 9999, "`" + ".." * 140 + "/`"):
        assert cross_references("a.md", hostile * 20, TREE) == ()
