"""The user's checkout is touched by landing alone, and only while nothing of the user's is in the way.

INV-5, T4.5, T4.7, RES-1
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.events.happened import LandingDeferred, PhaseStarted, RunStarted, Warned
from autopilot.model.run import RunRequest
from tests.scenario.kit.looking import photograph
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world

PART = "part-01-01.sh"


def make_dirty(world: World) -> None:
    """One file of each kind: staged, staged and changed again, changed, deleted, untracked, untracked in a folder."""
    for path in ("kept.txt", "changed.txt", "gone.txt"):
        world.write(path, f"{path}\n")
    world.commit("some files")
    world.write("staged.txt", "staged\n")
    world.write("kept.txt", "staged, then\n")
    world.git("add", "staged.txt", "kept.txt")
    world.write("kept.txt", "changed again\n")
    world.write("changed.txt", "not staged\n")
    (world.project / "gone.txt").unlink()
    world.write("untracked.txt", "untracked\n")
    world.write("notes/of mine.txt", "more\n")
    (world.project / "notes" / "link").symlink_to("of mine.txt")


def test_uncommitted_work_is_the_same_at_every_moment_of_a_run_and_landing_waits_for_it(world: World) -> None:
    make_dirty(world)
    before, head, state = photograph(world.project), world.head, None
    for recorded in world.drive():
        state = recorded.state
        assert photograph(world.project) == before, f"changed by {[stored.key for stored in recorded.entries]}"
    assert state is not None
    assert photograph(world.project) == before
    assert (state.status.value, state.session.exit_status) == ("waiting", 3)
    assert world.head == head
    assert world.git("show", f"autopilot/{state.run}:{PART}") == "echo part 01-01"


def test_work_that_waits_is_offered_as_a_branch_saved_as_a_snapshot_and_landed_by_resume(world: World) -> None:
    make_dirty(world)
    status = world.git("status", "--porcelain")
    ran = world.run()
    assert ran.status == 3, ran.err
    branch = next(name for name in world.branches if name.startswith("autopilot/run-"))
    assert "[Phase 1] Landing waits: tracked files have changes that are not committed" in ran.err
    assert f"The work is on branch {branch}." in ran.err
    assert f"or commit, then `git merge {branch} && autopilot resume" in ran.out
    assert "phase 1 passed: 1/1 proven, 9.6/10, not landed yet" in ran.out
    snapshot = world.git("for-each-ref", "--format=%(refname)", "refs/autopilot/wip")
    assert world.git("show", f"{snapshot}:changed.txt") == "not staged"
    assert world.git("show", f"{snapshot}:notes/of mine.txt") == "more"
    world.git("stash", "push", "-q", "--include-untracked")
    again = world.resume()
    assert again.status == 0, again.err
    assert "[Phase 1] Landed on main at " in again.err
    assert world.read(PART) == "echo part 01-01\n"
    world.git("stash", "pop", "-q", "--index")
    assert world.git("status", "--porcelain") == status


def test_untracked_files_that_do_not_collide_never_hold_up_landing(world: World) -> None:
    world.write("untracked.txt", "untracked\n")
    ran = world.run()
    assert ran.status == 0, ran.err
    assert world.read("untracked.txt") == "untracked\n"
    assert world.git("status", "--porcelain") == "?? untracked.txt"


def test_an_untracked_file_where_the_work_would_stand_makes_landing_wait_and_is_named(world: World) -> None:
    world.write(PART, "my own draft\n")
    ran = world.run()
    assert ran.status == 3, ran.err
    assert f"stand where the landing would write: {PART}" in ran.err
    assert world.read(PART) == "my own draft\n"
    (world.project / PART).rename(world.project / "draft.sh")
    assert world.resume().status == 0
    assert world.read(PART) == "echo part 01-01\n"
    assert world.read("draft.sh") == "my own draft\n"


def test_a_branch_the_user_moved_meanwhile_is_left_where_it_is(world: World) -> None:
    state = world.drive_until(PhaseStarted)
    world.write("mine.txt", "mine\n")
    head = world.commit("meanwhile")
    ran = world.resume()
    assert ran.status == 3, ran.err
    moved = f"main has new commits since the run last saw it (now {head[:12]}, then {state.line.head[:12]})"
    assert f"[Phase 1] Landing waits: {moved}." in ran.err
    assert world.head == head
    assert world.git("status", "--porcelain") == ""
    assert world.resume().status == 3, "waiting does not become landing by asking again"


@pytest.mark.parametrize("begun", [1, 2])
def test_a_roadmap_that_the_user_goes_on_writing_is_landed_over_and_loses_no_tick(tmp_path: Path, begun: int) -> None:
    """Also where the last phase has begun already, so that the run never took the edit in."""
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    more = "\n### Phase 9: More\n**Goal**: More of it\n"
    state = None
    for recorded in world.drive():
        state = recorded.state
        if any(isinstance(e.event, PhaseStarted) and e.event.phase == str(begun) for e in recorded.entries):
            path = state.inputs.roadmap
            world.write(path, world.read(path).replace("\n## Progress", f"{more}\n## Progress"))
            world.commit("a phase more")
    assert state is not None and state.session.exit_status == 0, state and state.session.stop_reason
    roadmap = world.read(state.inputs.roadmap)
    assert more in roadmap and "a phase more" in world.subjects
    assert roadmap.count("- [x] **Phase") == 2 and roadmap.count("| 1/1 | Complete") == 2
    assert world.git("status", "--porcelain") == ""


def test_a_phase_that_the_user_asks_more_of_while_it_is_built_is_not_ticked_as_done(tmp_path: Path) -> None:
    """It passed by the text that it began with; what was added since nobody has run."""
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    state, warned = None, list[str]()
    for recorded in world.drive():
        state = recorded.state
        for event in (entry.event for entry in recorded.entries):
            if isinstance(event, PhaseStarted) and event.phase == "1":
                path = state.inputs.roadmap
                asked, more = (
                    "  1. Part 1 says its name",
                    "  2. Part 1 bows -- verified by: `sh bow.sh` (expect EXIT:0)",
                )
                lines = world.read(path).splitlines()
                place = next(n for n, line in enumerate(lines) if line.startswith(asked))
                world.write(path, "\n".join((*lines[: place + 1], more, *lines[place + 1 :], "")))
                world.commit("it shall bow too")
            warned += [event.text] if isinstance(event, Warned) else []
    assert state is not None and state.session.exit_status == 0, state and state.session.stop_reason
    roadmap = world.read(state.inputs.roadmap)
    assert "- [ ] **Phase 1" in roadmap and "- [x] **Phase 2" in roadmap
    [warning] = [text for text in warned if "asks for more since" in text]
    assert "phase 1" in warning and "Part 1 bows" in warning and "`autopilot run --force 1`" in warning


def test_a_branch_the_user_merges_himself_counts_as_landed(world: World) -> None:
    world.drive_until(PhaseStarted)
    world.write("mine.txt", "mine\n")
    world.commit("meanwhile")
    assert world.resume().status == 3
    branch = next(name for name in world.branches if name.startswith("autopilot/run-"))
    world.git("merge", "-q", "-m", "take it", branch)
    merged = world.head
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert "phase 1 passed: 1/1 proven, 9.6/10, landed" in ran.out
    assert world.head == merged
    assert world.read(PART) == "echo part 01-01\n"


def test_a_detached_head_makes_landing_wait(world: World) -> None:
    head = world.head
    world.git("checkout", "-q", "--detach")
    ran = world.run()
    assert ran.status == 3, ran.err
    assert "[Phase 1] Landing waits: HEAD is on no branch." in ran.err
    assert world.head == head
    assert not (world.project / PART).exists()


def test_later_phases_build_on_work_that_waits_and_land_with_it(tmp_path: Path) -> None:
    # covers: LOOP-1
    world = make_world(tmp_path, Plot(phases=2, depends={2: [1]}, planned=True))
    world.write("README.md", "# mine\n")
    assert world.run().status == 3
    world.git("stash", "push", "-q")
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert [line.rpartition(", ")[2].split(";")[0] for line in ran.out.splitlines()[1:3]] == ["landed", "landed"]
    assert [world.read(f"part-0{n}-01.sh") for n in (1, 2)] == ["echo part 01-01\n", "echo part 02-01\n"]


@pytest.mark.parametrize("happened", [RunStarted, LandingDeferred])
def test_git_status_of_the_user_never_sees_the_folder_of_reports(world: World, happened: type) -> None:
    world.write("README.md", "# mine\n")
    world.drive_until(happened, RunRequest())
    assert (world.project / ".autopilot" / "state.json").exists()
    assert world.git("status", "--porcelain") == "M README.md"
    assert not (world.project / ".gitignore").exists()


def test_work_that_its_user_merges_into_another_branch_counts_as_landed(world: World) -> None:
    """The run began without a branch: the remedy names a merge, and after it nothing may wait any more."""
    world.git("checkout", "-q", "--detach")
    assert world.run().status == 3
    world.git("switch", "-q", "main")
    waits = world.resume()
    assert waits.status == 3, waits.err
    assert "the checkout is on main, the run began on no branch" in waits.err
    branch = next(name for name in world.branches if name.startswith("autopilot/run-"))
    assert f"merge it into your current branch: `git merge {branch} && autopilot resume" in waits.out
    world.git("merge", "-q", branch)
    merged = world.head
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert "phase 1 passed: 1/1 proven, 9.6/10, landed" in ran.out
    assert world.head == merged
