"""Phase types by code.

covers: TYPE
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.phase_type import PhaseType
from autopilot.planning.roadmap.phase_type import classify, facets
from autopilot.text.file_kind import is_data, is_protocol, is_test

UI, PROTOCOL, DATA, MIXED = PhaseType


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["web/src/Button.tsx"], UI),
        (["static/site.css", "README.md"], UI),
        (["src/components/list.ts"], UI),
        (["src/list.ts"], MIXED),
        (["web/Button.tsx", "web/Button.test.tsx", "package.json"], UI),
        (["web/Button.tsx", "server/api.py"], MIXED),
        (["docs/site.html"], MIXED),
        (["protocols/run.md"], PROTOCOL),
        (["plugin/protocols/deep/run.md", "CHANGELOG.md"], PROTOCOL),
        (["CLAUDE.md"], PROTOCOL),
        (["packages/a/AGENTS.md"], PROTOCOL),
        ([".claude/commands/go.md"], PROTOCOL),
        ([".claude/agents/judge.md", "agents/rater.md"], PROTOCOL),
        (["agents/README.md"], MIXED),
        (["docs/agents/how.md"], MIXED),
        (["protocols/run.md", "data/x.json"], MIXED),
        (["data/x.json"], DATA),
        (["catalogue.json", "tests/test_catalogue.py"], DATA),
        (["i18n/de.yaml"], DATA),
        (["deploy/app.yaml"], MIXED),
        (["package.json"], MIXED),
        (["tsconfig.build.json", "config/routes.json", ".vscode/settings.json"], MIXED),
        (["tests/fixtures/broken.json"], MIXED),
        (["rows.csv", "rows.schema.json"], DATA),
        (["src/a.py", "src/b.go"], MIXED),
        (["data/x.json", "src/a.py"], MIXED),
        (["README.md"], MIXED),
        ([], MIXED),
        ([".planning/phases/01-a/PLAN.md", ".planning/x.json", "data/x.json"], DATA),
        ([".planning/protocols/x.md"], MIXED),
    ],
)
def test_the_files_tell_the_type(paths: list[str], expected: PhaseType) -> None:
    assert classify(paths) is expected


@pytest.mark.parametrize(
    ("path", "folder", "extensions", "expected"),
    [
        ("app/ui/main.py", "app/ui", (), UI),
        ("app/ui/main.py", "./app/ui/", (), UI),
        ("app/uix/main.py", "app/ui", (), MIXED),
        ("app/ui/main.py", "app/ui", (".ts",), MIXED),
        ("app/ui/main.ts", "app/ui", ("*.{ts,tsx}",), UI),
        ("server/main.ts", "app/ui", ("ts",), MIXED),
        ("server/main.dart", "", ("dart",), UI),
        ("lib/page.dart", ".", (), UI),
    ],
)
def test_the_configured_source_folder_is_user_interface(
    path: str, folder: str, extensions: tuple[str, ...], expected: PhaseType
) -> None:
    assert classify([path], folder, extensions) is expected


PATHS = st.lists(
    st.sampled_from(
        [
            "a.tsx",
            "b.py",
            "data/c.json",
            "protocols/d.md",
            "README.md",
            ".planning/x.json",
            "tests/t.py",
            "x/y.csv",
            "z",
        ]
    )
    | st.text(max_size=12)
)


@given(PATHS, PATHS)
def test_more_files_never_make_fewer_demands(some: list[str], more: list[str]) -> None:
    assert facets(some) <= facets(some + more)


@given(PATHS)
def test_neither_order_nor_our_own_files_matter(paths: list[str]) -> None:
    shuffled = [*reversed(paths), *paths, ".planning/data/x.json", ".autopilot/a.tsx"]
    assert classify(shuffled) is classify(paths)


@given(st.text(max_size=40))
def test_any_path_has_a_kind_and_no_fixture_is_data(path: str) -> None:
    assert not (is_data(path) and is_test(path))
    assert is_protocol(f"protocols/a{path.replace('/', '')}x.md")
