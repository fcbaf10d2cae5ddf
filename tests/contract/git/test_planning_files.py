"""Which planning files of a checkout count. covers: FMT-01, FMT-LISTS"""

from __future__ import annotations

import os

import msgspec
import pytest

from autopilot.engine.drafting import find_planned_elsewhere
from autopilot.engine.planning_files import find_choice, find_planned
from autopilot.model.errors import UsageError
from autopilot.model.planning.outline import Proven
from autopilot.model.policy import Commands, Policy
from autopilot.planning.formats.marking import apply_edits
from autopilot.planning.formats.reading import MOST_BYTES, read_texts, readable
from autopilot.planning.formats.registry import format_named
from tests.contract.git.world import World


def test_a_list_without_boxes_is_no_plan_and_one_with_boxes_is(world: World) -> None:
    world.user.write("TODO.md", "- milk\n")
    world.user.commit()
    assert find_choice(world.checkout, roadmap=False, wanted="").format is None
    with pytest.raises(UsageError, match="there is no roadmap"):
        find_planned(world.checkout, Policy())
    world.user.write("TODO.md", "- [ ] milk\n")
    world.user.commit()
    planned = find_planned(world.checkout, Policy())
    assert planned.files.format == "checklist"
    assert [phase.id for phase in planned.outline.roadmap.phases] == ["milk"]


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("prd.json", b'[{"id": 1}', "prd.json:1: is not JSON"),
        ("prd.json", b'{"phases": [{"id": 1}]}', "prd.json:1: has no list of stories"),
        (".taskmaster/tasks/tasks.json", b"{", ".taskmaster/tasks/tasks.json:1: is not valid JSON"),
        (".taskmaster/tasks/tasks.json", b" " * (MOST_BYTES + 1), "is too large to be read as a plan"),
        ("fix_plan.md", b"# Plan\n\n### Task 1: Pour\n", "fix_plan.md: no box"),
    ],
)
def test_a_plan_of_which_no_phase_can_be_read_is_not_at_its_end(
    world: World, path: str, content: bytes, reason: str
) -> None:
    world.user.write(path, content.decode())
    world.user.commit()
    with pytest.raises(UsageError, match=f"no phase can be read: .*{reason}") as raised:
        find_planned(world.checkout, Policy())
    assert raised.value.hint
    assert find_planned_elsewhere(world.checkout), "and no roadmap is drafted beside it"


def test_a_mark_of_byte_order_hides_nothing_and_stays(world: World) -> None:
    task = b'\xef\xbb\xbf{"master": {"tasks": [{"id": 1, "title": "Pour", "status": "pending"}]}}'
    world.user.write(".taskmaster/tasks/tasks.json", task.decode())
    world.user.write("specs/001-tea/spec.md", "\ufeff# Feature Specification: Tea\n\n- **FR-001**: It pours\n")
    world.user.commit()
    feature = find_planned(world.checkout, Policy(), wanted="spec-kit").outline.roadmap.phases
    assert [phase.name for phase in feature] == ["Tea"]
    planned = find_planned(world.checkout, Policy(), wanted="task-master")
    phase = planned.outline.roadmap.phases[0]
    assert phase.name == "Pour" and not planned.outline.roadmap.complaints[1:]
    texts, _ = read_texts(planned.files.paths, world.checkout.read)
    format = format_named("task-master")
    assert format is not None
    changed = apply_edits(texts, format.mark(readable(texts), Proven(phase.id, frozenset(), "2026-01-01")))
    assert changed[planned.files.paths[0]].encode() == task.replace(b"pending", b"done")


PLACES = ("specs", "tasks", "prd.json", "TODO.md", "backlog")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["link", "large", "folder", "pipe"])
def test_what_stands_where_other_tools_have_their_plans_is_in_the_way_of_no_roadmap(
    world: World, place: str, kind: str
) -> None:
    world.user.write(".planning/ROADMAP.md", "### Phase 1: Mine\n")
    put(world, place, kind)
    planned = find_planned(world.checkout, Policy())
    assert [phase.name for phase in planned.outline.roadmap.phases] == ["Mine"]


@pytest.mark.parametrize("place", PLACES)
def test_without_a_roadmap_it_is_said_what_cannot_be_read_there(world: World, place: str) -> None:
    put(world, place, "link")
    with pytest.raises(UsageError, match="leads out of the repository"):
        find_planned(world.checkout, Policy())


def put(world: World, place: str, kind: str) -> None:
    path = world.user.path / place
    if kind == "link":
        outside = world.user.path.parent / "outside"
        (outside / "tasks").mkdir(parents=True)
        (outside / "tasks.json").write_text("{}")
        path.symlink_to(outside)
    elif kind == "large":
        with path.open("wb") as file:
            file.truncate(70_000_000)
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)


HALF = {
    "TODO.md": b"- [ ] caf\xe9\n  - [ ] write \xff\n",
    ".taskmaster/tasks/tasks.json": rb'{"master": {"tasks": [{"id": "a\ud800", "title": "b \udfff", '
    rb'"testStrategy": "c \ud83d d."}]}}',
    "prd.json": rb'[{"id": "\udc00x", "title": "a \ud800", "acceptanceCriteria": ["b \udfff c"], "passes": false}]',
}


@pytest.mark.parametrize("path", HALF)
def test_what_is_no_whole_character_can_be_recorded_and_every_byte_of_its_file_stays(world: World, path: str) -> None:
    """A letter of Latin-1 in a check list ended the run."""
    world.user.path.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
    world.user.path.joinpath(path).write_bytes(HALF[path])
    planned = find_planned(world.checkout, Policy())
    assert msgspec.json.encode(planned)
    (phase,) = planned.outline.roadmap.phases
    format = format_named(planned.files.format)
    assert format is not None
    texts, _ = read_texts([path], world.checkout.read)
    with pytest.raises(UnicodeEncodeError):  # the control
        msgspec.json.encode(format.read(texts, Commands()))
    listed = planned.outline.listed.get(phase.id)
    tasks = frozenset(task.id for task in listed.plan.tasks) if listed else frozenset()
    (marked,) = apply_edits(texts, format.mark(readable(texts), Proven(phase.id, tasks, "2026-01-01"))).values()
    written = marked.encode("utf-8", "surrogateescape")
    assert written != HALF[path]
    for sign in (b"\xe9", b"\xff", rb"\ud800", rb"\udfff", rb"\ud83d", rb"\udc00x"):
        assert (sign in written) == (sign in HALF[path])


def test_a_name_that_is_not_utf8_is_left_out_and_said_where_nothing_else_is_planned(world: World) -> None:
    folder = world.user.path / ".kiro" / "specs" / os.fsdecode(b"a\xff")
    folder.mkdir(parents=True)
    (folder / "tasks.md").write_text("- [ ] 1. a\n")
    with pytest.raises(UsageError, match="has a name that is not UTF-8"):
        find_planned(world.checkout, Policy())
    world.user.write(".kiro/specs/b/tasks.md", "- [ ] 1. b\n")
    assert [phase.name for phase in find_planned(world.checkout, Policy()).outline.roadmap.phases] == ["b"]
