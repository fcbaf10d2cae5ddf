"""Debug sessions from what is wrong to a proven fix that landed, and every other end of one.

covers: DEBUG, CMD-DEBUG
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from autopilot.model.debugging.session import MOST_HYPOTHESES, SESSION, HypothesisResult, Status
from autopilot.reports.run.batch import notes_of
from tests.scenario.kit.browsing import served
from tests.scenario.kit.debugging.world import (
    FIXED_PAGE,
    OFF_BY_ONE,
    PAGE,
    RIGHT_TEST,
    SHOWS,
    SLUG,
    TEXT,
    WRONG_TEST,
    DebugWorld,
    fixes,
    gathers,
    honest_calls,
    make_debug_world,
    thinks,
    write_script,
)

FILE = f".planning/debug/{SLUG}.md"
ARCHIVED = f".planning/debug/resolved/{SLUG}.md"


def test_a_bug_is_found_by_our_own_runs_fixed_proven_and_archived(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    ran = world.debug("start", TEXT)
    assert ran.status == 0, ran
    session = world.session
    assert session.status is Status.RESOLVED and session.repeats.is_steady
    assert [idea.tested.result for idea in session.ideas if idea.tested] == [
        HypothesisResult.ELIMINATED,
        HypothesisResult.SUPPORTED,
    ]
    assert world.read("page.py") == FIXED_PAGE
    archived = world.read(ARCHIVED)
    assert "the start of a page is off by one" in archived and "failed in 3 of 3 runs before the fix" in archived
    assert not (world.project / FILE).exists() and world.git("status", "--short") == ""
    assert "Test the last row of a page." in world.read(".autopilot/learnings.md")


def test_a_session_that_only_finds_stops_at_the_cause_and_goes_on_when_it_is_continued(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    ran = world.debug("start", TEXT, "--find-only")
    assert ran.status == 0 and "cause found, not fixed" in ran.out
    assert world.session.status is Status.DIAGNOSED and world.read("page.py") == PAGE
    assert "root_cause: page.py:4 leaves the last row out" in world.read(FILE)
    listed = json.loads(world.debug("list", "--json").out)["sessions"]
    assert [(one["session"], one["status"]) for one in listed] == [(SLUG, "diagnosed")]
    assert world.debug("continue", SLUG).status == 0
    continued = world.session
    assert continued.is_proven and len(continued.ideas) == 2


def test_what_an_agent_calls_the_cause_is_eliminated_when_its_own_test_refutes_it_and_never_tried_again(
    tmp_path: Path,
) -> None:
    again = [thinks("The start of a page is off by one!", f"{WRONG_TEST} ", attempt=n) for n in range(2, 20)]
    calls = [gathers(SHOWS), thinks("the start of a page is off by one", WRONG_TEST, attempt=1), *again]
    world = make_debug_world(tmp_path, OFF_BY_ONE, calls)
    ran = world.debug("start", TEXT)
    assert ran.status == 1 and "cause not found: 1 hypotheses were tested" in ran.out
    session = world.session
    assert len(session.ideas) == MOST_HYPOTHESES and len(session.eliminated) == 1
    assert all("was eliminated" in idea.refused for idea in session.ideas[1:])
    assert world.git("log", "--format=%s").splitlines() == ["the beginning"]


def test_a_hypothesis_that_nothing_could_refute_is_not_tested(tmp_path: Path) -> None:
    calls = [
        gathers(SHOWS),
        thinks("it is the code", "true", attempt=1),
        thinks("it is a bug", SHOWS, "fails", attempt=2),
        thinks("it is the moon", "exit 1", "fails", attempt=3),
        *honest_calls()[2:],
    ]
    world = make_debug_world(tmp_path, OFF_BY_ONE, calls)
    assert world.debug("start", TEXT).status == 0
    assert [bool(idea.refused) for idea in world.session.ideas] == [True, True, True, False]


def test_an_agent_that_edits_the_record_changes_nothing_and_that_is_said(tmp_path: Path) -> None:
    forged = {FILE: "## Symptoms\n\nexpected: nothing\n", ARCHIVED: "all is well\n"}
    calls = [*honest_calls()[:3], fixes({"page.py": FIXED_PAGE, **forged})]
    world = make_debug_world(tmp_path, OFF_BY_ONE, calls)
    ran = world.debug("start", TEXT)
    assert ran.status == 0 and "no effect" in ran.err
    archived = world.read(ARCHIVED)
    assert "expected: it works" in archived and "all is well" not in archived
    assert "rendered from the journal" in archived


def test_a_fix_of_the_test_in_place_of_the_bug_is_no_fix(tmp_path: Path) -> None:
    shown = {"tests/test_rows.py": "import page\n\nassert page.page([1, 2, 3, 4], 1, 2) == [1, 2]\n"}
    calls = [
        gathers("python3 -m tests.test_rows", shown),
        thinks("page.py:4 leaves the last row out", RIGHT_TEST),
        fixes({"tests/test_rows.py": "import page\n"}),
    ]
    world = make_debug_world(tmp_path, OFF_BY_ONE, calls)
    ran = world.debug("start", TEXT)
    assert ran.status == 1 and "cause found, not fixed" in ran.out
    assert world.session.status is Status.DIAGNOSED and not world.session.is_proven
    assert world.git("log", "--format=%s").splitlines() == ["the beginning"]


def test_a_fix_that_breaks_something_else_is_no_fix(tmp_path: Path) -> None:
    breaks = PAGE.replace("rows[start : start + size - 1]", "rows[0:size]")
    calls = [*honest_calls()[:3], fixes({"page.py": breaks}, attempt=1), fixes({"page.py": FIXED_PAGE})]
    world = make_debug_world(tmp_path, OFF_BY_ONE, calls)
    assert world.debug("start", TEXT).status == 0
    assert len(world.session.fixes) == 2 and world.read("page.py") == FIXED_PAGE


def test_what_cannot_be_reproduced_is_said_and_asks_for_no_guess(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, [gathers("python3 -c 'import page'")])
    ran = world.debug("start", TEXT)
    assert ran.status == 1 and "not reproduced" in ran.out
    assert world.session.ideas == () and world.session.repeats.runs == 60


def test_a_person_may_end_a_session_and_that_is_their_word(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    world.debug("start", TEXT, "--find-only")
    done = world.debug("resolve", "--because", "fixed upstream")
    assert done.status == 0 and world.session.status is Status.RESOLVED and not world.session.is_proven
    assert "fixed upstream (by user)" in world.read(ARCHIVED) and not (world.project / FILE).exists()
    assert world.debug("continue", SLUG).status == 2
    world.debug("start", "another thing", "--find-only")
    assert world.debug("abandon", "another-thing").status == 0
    assert json.loads(world.debug("list", "--json").out)["sessions"] == []
    assert "abandoned" in world.debug("list", "--all").out
    notes = notes_of(world.run_state, world.run_state.phase(SESSION))
    assert "autopilot debug show another-thing" in notes and "postmortem" not in notes


def test_an_edit_of_the_file_in_the_checkout_has_no_effect(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    world.debug("start", TEXT, "--find-only")
    world.write(FILE, world.read(FILE).replace("expected: it works", "expected: nothing at all"))
    ran = world.debug("continue", SLUG, "--find-only")
    assert ran.status == 0 and f"{FILE} was edited: this has no effect" in ran.err
    assert "expected: it works" in world.read(FILE)
    assert "was edited" not in world.debug("continue", SLUG, "--find-only").err


@pytest.mark.parametrize("words", [("start",), ("continue", "nothing-like-it"), ("start", "x", "--good", "nowhere")])
def test_what_makes_no_sense_is_refused_before_anything_is_recorded(tmp_path: Path, words: tuple[str, ...]) -> None:
    world: DebugWorld = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    assert world.debug(*words).status == 2
    assert "no debug session" in world.debug("list").out


@pytest.mark.parametrize(
    ("roadmap", "why"), [("", "there is no roadmap"), ("### Phase 1: A\n**Goal**: b\n", "its only phase is 1")]
)
def test_a_phase_that_the_roadmap_does_not_have_is_refused_with_a_way_on(
    tmp_path: Path, roadmap: str, why: str
) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    if roadmap:
        world.write("ROADMAP.md", roadmap)
        world.commit("a roadmap")
    ran = world.debug("start", TEXT, "--phase", "7")
    assert ran.status == 2 and why in ran.err and "leave --phase out" in ran.err
    assert "no debug session" in world.debug("list").out


def test_a_fix_that_waits_to_land_is_listed_until_it_landed_or_is_given_up(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    world.write("page.py", PAGE + "# mine\n")
    ran = world.debug("start", TEXT)
    assert ran.status == 3 and f"autopilot debug continue {SLUG}" in ran.out and "autopilot resume" not in ran.out
    assert f"{SLUG}  [waits_to_land]" in world.debug("list").out
    waiting = world.autopilot("gates").out
    assert f"landing of debug session {SLUG}" in waiting and f"debug continue {SLUG}" in waiting
    assert world.debug("abandon").status == 0
    assert "no debug session is open" in world.debug("list").out
    assert "nothing is waiting for you" in world.autopilot("gates").out
    assert "landing waits" not in world.autopilot("status").out
    assert (world.project / ARCHIVED).exists() and not (world.project / FILE).exists()


def test_a_session_remembers_its_script_by_name_by_the_beginning_of_it_and_by_its_words(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    assert world.debug("start", TEXT, "--find-only").status == 0
    world.write("page.py", PAGE + "# mine\n")
    assert world.autopilot("debug", "continue", "the-last").status == 3
    world.git("checkout", "-q", "page.py")
    assert world.autopilot("debug", "start", TEXT).status == 0
    assert world.read("page.py") == FIXED_PAGE


def test_the_evidence_of_a_session_is_its_reproduction_and_the_checks_around_it(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, honest_calls())
    world.debug("start", TEXT, "--find-only")
    found = world.autopilot("evidence", "debug").out
    assert "FAIL  reproduction.c1" in found and "no fix of it was judged yet" in found
    world.debug("continue", SLUG)
    proven = world.autopilot("evidence", "debug").out
    assert "PASS, replayed red→green  reproduction.c1" in proven and "nothing was checked" not in proven
    with served(world) as page:
        shown = page.read(f"{page.repository}/runs/{world.run_state.run}/phases/debug").text
        [session] = re.findall(r'href="([^"]+/documents/SESSION.md)"', shown)
        assert "root_cause: page.py:4 leaves the last row out" in page.read(session).text
    assert "judged checks passed" in shown and "nothing is judged yet" not in shown
    assert "Fix 1" in shown and "page.py" in shown, "what it changed is there to read"


def test_to_start_over_gives_the_old_session_up_and_begins_another(tmp_path: Path) -> None:
    world = make_debug_world(tmp_path, OFF_BY_ONE, [gathers("python3 -c 'import page'"), *honest_calls()[1:]])
    ran = world.debug("start", TEXT)
    assert f"to start over: `autopilot debug abandon {SLUG} && autopilot debug start '{TEXT}'" in ran.out
    write_script(world, honest_calls())
    assert world.debug("abandon", SLUG).status == 0 and world.debug("start", TEXT).status == 0
    assert world.session.brief.slug == f"{SLUG}-2" and len(world.session.ideas) == 2
