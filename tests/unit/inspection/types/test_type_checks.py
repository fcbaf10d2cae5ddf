"""Checks by phase type over the files of a phase.

covers: TYPE, STAT-01
"""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from autopilot.inspection.types.references import known_paths
from autopilot.inspection.types.type_checks import check_files, new_findings

FILES = {
    "protocols/a.md": "See `protocols/gone.md`.\n\n```json\n{,}\n```\n",
    "data/x.json": '{"a": 1}',
    "data/y.yaml": "a: 1",
    "src/a.py": "`protocols/gone.md`",
    ".planning/data/z.json": "{",
    "tests/data/broken.json": "{",
}
TREE = known_paths(FILES)


def test_each_file_is_looked_at_by_the_checks_of_its_kind() -> None:
    checks = {check.name: check for check in check_files(FILES, TREE, FILES.get)}
    assert {name: check.files for name, check in checks.items()} == {
        "cross-references": ("protocols/a.md",),
        "json-blocks": ("protocols/a.md",),
        "contracts": ("protocols/a.md",),
        "data-parses": ("data/x.json", "data/y.yaml"),
        "data-schema": ("data/x.json", "data/y.yaml"),
    }
    assert checks["cross-references"].checked.findings == ("protocols/a.md:1: `protocols/gone.md` does not exist",)
    assert len(checks["json-blocks"].checked.findings) == 1
    assert checks["data-parses"].checked.unseen == ("data/y.yaml: yaml is not parsed",)


def test_a_look_is_told_as_a_command_with_its_result() -> None:
    told = [str(check) for check in check_files(FILES, TREE, FILES.get)]
    assert told[0] == "cross-references of 1 file -> 1 finding"
    assert "data-parses of 2 files -> no findings, 1 not checked" in told


def test_code_alone_asks_for_no_check() -> None:
    assert check_files({"src/a.py": "x"}, TREE, FILES.get) == ()


def test_a_finding_that_only_moved_is_not_new() -> None:
    before = ["a.md:3: `x/y.md` does not exist", "d.json:9: /items/4/name is not of type string"]
    after = ["a.md:7: `x/y.md` does not exist", "d.json:12: /items/5/name is not of type string"]
    assert new_findings(before, after) == ()
    assert new_findings(before, [*after, after[0]]) == (after[0],)
    assert new_findings(before, ["b.md:3: `x/y.md` does not exist"]) == ("b.md:3: `x/y.md` does not exist",)
    assert new_findings(after, []) == ()


FINDINGS = st.lists(
    st.builds("{}:{}: {}".format, st.sampled_from(["a.md", "b/c.json"]), st.integers(1, 99), st.sampled_from("xyz"))
)


@given(FINDINGS, FINDINGS)
def test_new_findings_are_what_is_there_more_often_than_before(before: list[str], added: list[str]) -> None:
    assert new_findings(before, before) == ()
    assert new_findings([], added) == tuple(added)
    fresh = new_findings(before, before + added)
    assert Counter(one.split(": ")[1] for one in fresh) == Counter(one.split(": ")[1] for one in added)
