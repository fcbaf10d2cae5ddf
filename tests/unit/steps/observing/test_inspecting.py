"""New files that nothing uses: by the map where it knows, by the texts where it does not. covers: EXEC, REPOMAP"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.model.git import Change
from autopilot.model.run import Step
from autopilot.steps.context import StepContext
from autopilot.steps.observing.inspecting import FEW_FILES, find_unwired
from tests.unit.steps.sample import sample_context
from tests.unit.steps.world import Maps, Places, Tree, World

NEW = "src/shapes/circle.ts"
BARREL = {"src/shapes/index.ts": 'export * from "./circle";\n'}


class Added(Tree):
    def changes(self, old: str, new: str, most: int | None = None) -> tuple[Change, ...]:
        return (Change(NEW, "A", "000000", "100644"),)

    def list(self, commit: str, prefix: str = "") -> tuple[str, ...]:
        return tuple(self._files)


class Exported(Places):
    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root, self.exports = root, 0

    def export(self, commit: str, *, kept: bool = True) -> Path:
        self.exports += 1
        return self.root


def context(folder: Path, files: Mapping[str, str], fault: str = "") -> tuple[StepContext, Exported]:
    for path, text in files.items():
        (folder / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tree" / path).write_text(text)
    contents = {path: text.encode() for path, text in files.items()}
    world = World(folder, files=contents, map_fault=fault)
    ctx = sample_context(world, Step.MINI_VERIFY, "01-01")
    places = Exported(folder / "tree")
    return replace(ctx, ports=replace(ctx.ports, vault=Added(contents), workspaces=places)), places


CIRCLE = {NEW: "export const circle = (r: number) => r;\n"}


MANY = {f"docs/{number}.md": "" for number in range(FEW_FILES)}


def test_among_many_files_one_that_another_imports_is_used_and_no_text_is_searched(tmp_path: Path) -> None:
    ctx, places = context(tmp_path, {**CIRCLE, **BARREL, **MANY})
    assert find_unwired(ctx, "c1") == ()
    assert places.exports == 0


def test_among_few_files_one_that_a_text_names_is_used_and_no_map_is_made(tmp_path: Path) -> None:
    ctx, _ = context(tmp_path, {**CIRCLE, **BARREL})
    assert find_unwired(ctx, "c1") == ()
    assert isinstance(ctx.ports.maps, Maps)
    assert ctx.ports.maps.asked == []


USES: list[tuple[Mapping[str, str], tuple[str, ...]]] = [
    (BARREL, ()),
    ({"src/app.ts": "export const app = 1;\n"}, (NEW,)),
    ({"package.json": f'{{"bin": "{NEW}"}}\n'}, ()),
]


@pytest.mark.parametrize("others", [{}, MANY], ids=["few", "many"])
@pytest.mark.parametrize(("use", "unwired"), USES)
def test_the_order_of_the_two_questions_changes_no_answer(
    tmp_path: Path, use: Mapping[str, str], unwired: tuple[str, ...], others: Mapping[str, str]
) -> None:
    ctx, _ = context(tmp_path, {**CIRCLE, **use, **others})
    assert find_unwired(ctx, "c1") == unwired


@pytest.mark.parametrize("fault", ["", "the cache is a folder"])
def test_one_that_nothing_imports_is_searched_in_the_texts(tmp_path: Path, fault: str) -> None:
    ctx, places = context(tmp_path, {**CIRCLE, "src/app.ts": "export const app = 1;\n"}, fault)
    assert find_unwired(ctx, "c1") == (NEW,)
    assert places.exports == 1


@pytest.mark.parametrize("fault", ["", "the cache is a folder"])
def test_one_that_a_setting_names_is_used_although_nothing_imports_it(tmp_path: Path, fault: str) -> None:
    ctx, _ = context(tmp_path, {**CIRCLE, "package.json": f'{{"bin": "{NEW}"}}\n'}, fault)
    assert find_unwired(ctx, "c1") == ()


def test_a_plan_of_ours_that_imports_it_is_no_use(tmp_path: Path) -> None:
    plan = {".planning/phases/01-part/tests/x.ts": 'import "../../../../src/shapes/circle";\n'}
    ctx, _ = context(tmp_path, {**CIRCLE, **plan})
    assert find_unwired(ctx, "c1") == (NEW,)


def test_where_the_map_is_switched_off_texts_are_searched(tmp_path: Path) -> None:
    ctx, places = context(tmp_path, {**CIRCLE, **BARREL})
    off = replace(ctx.state, policy=replace(ctx.state.policy, map_tokens=0))
    assert find_unwired(replace(ctx, state=off), "c1") == ()
    assert places.exports == 1
