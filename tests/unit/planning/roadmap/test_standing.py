"""How a phase stands by all of its witnesses together. covers: INV-1"""

from __future__ import annotations

import pytest

from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.planning.standing import Stand, Standing
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.roadmap.standing.position import parse_position
from autopilot.planning.roadmap.standing.standing import Surroundings
from autopilot.planning.roadmap.standing.witness import Says, Witness, judge_standing

TICK, TABLE = Witness(Says.DONE, "ticked"), Witness(Says.DONE, "table")
PLANS = Witness(Says.DONE, "all plans", of_phase=False)
BOX, SOME = Witness(Says.OPEN, "box open"), Witness(Says.OPEN, "some plans", quiet=True)
GRADED, LATER = Witness(Says.REFUSED, "not achieved"), Witness(Says.DROPPED, "deferred")


@pytest.mark.parametrize(
    ("witnesses", "standing"),
    [
        ([], Standing()),
        ([BOX, SOME], Standing()),
        ([TICK], Standing(Stand.DONE, "ticked")),
        ([BOX, TABLE], Standing(Stand.DONE, "table", ("box open",))),
        ([BOX, PLANS], Standing(Stand.DONE, "all plans", ("box open",))),
        ([PLANS, TABLE], Standing(Stand.DONE, "table")),
        ([TICK, SOME], Standing(Stand.DONE, "ticked", ("some plans",))),
        ([TICK, SOME, TABLE], Standing(Stand.DONE, "ticked")),
        ([BOX, PLANS, GRADED], Standing(Stand.OPEN, "not achieved", ("all plans",))),
        ([TICK, GRADED], Standing(Stand.DONE, "ticked", ("not achieved",))),
        ([BOX, LATER], Standing(Stand.DROPPED, "deferred")),
        ([LATER, PLANS], Standing(Stand.DROPPED, "deferred", ("all plans",))),
        ([TICK, LATER], Standing(Stand.DONE, "ticked", ("deferred",))),
    ],
)
def test_who_says_done_is_believed_over_who_does_not(witnesses: list[Witness], standing: Standing) -> None:
    assert judge_standing(witnesses) == standing


def read(body: str, state: str = "", files: tuple[str, ...] = (), contents: str = "") -> Roadmap:
    around = Surroundings(parse_position(state), files, lambda _: contents)
    return parse_roadmap(body, "R", around=around)


def stand(roadmap: Roadmap, id: str = "3") -> str:
    (found,) = (phase for phase in roadmap.phases if phase.id == id)
    return str(found.standing)


ONE = "- [ ] **Phase 3: Mail**\n\n### Phase 3: Mail\n**Goal**: g\n{0}\n"
ROW = "## Progress\n| Phase | Milestone | Plans Complete | Status | Completed |\n|--|--|--|--|--|\n{0}\n"
UNTICKED = "- [ ] 03-01: a\n- [ ] 03-02: b"


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        (ONE.format(""), "open"),
        (ONE.format(UNTICKED), "open"),
        (
            ONE.format("- [x] 03-01: a\n- [x] 03-02: b"),
            "all of its 2 plans are ticked (done, unproven), though its box is open",
        ),
        (ONE.format("**Plans**: 3 plans\n- [x] 03-01: a\n- [x] 03-02: b"), "open"),
        (ONE.format("- [x] 12-PLAN-01.md: a"), "its only plan is ticked (done, unproven), though its box is open"),
        (
            ONE.format("**Plans:** 3/3 plans complete\n" + UNTICKED),
            "all of its plans are counted as complete (done, unproven), though its box is open",
        ),
        (ONE.format("**Plans:** 2/3 plans executed"), "open"),
        (ONE.format("**Plans:** 10 plans (8 complete, 2 to close gaps)"), "open"),
        (
            ONE.format("**Plans**: 2 plans (complete)"),
            "all of its plans are counted as complete (done, unproven), though its box is open",
        ),
        (ONE.format("**Status**: Complete"), "complete by its status (done, unproven), though its box is open"),
        (ONE.format("**Completed**: 2026-01-01"), "complete by its status (done, unproven), though its box is open"),
        (ONE.format("**Status**: Superseded by phase 4"), "superseded in the roadmap (not to be run)"),
        (
            ONE.format("- [x] one\n- [x] two"),
            "all of the 2 boxes below it are ticked (done, unproven), though its box is open",
        ),
        (ONE.format("- [x] one\n- [ ] two"), "open"),
        (ONE.replace("Mail**", "Mail** (completed 2026-01-01)").format(""), None),
        (ONE.replace("- [ ]", "- [x]").format(UNTICKED), "ticked in the roadmap (done, unproven)"),
        (
            ONE.replace("- [ ]", "- [x]").format("- [x] 03-01: a\n- [ ] 03-02: b"),
            "ticked in the roadmap (done, unproven), though only 1 of its 2 plans are ticked",
        ),
    ],
)
def test_boxes_and_fields_of_a_phase(text: str, standing: str | None) -> None:
    beside = "marked as completed beside its box (done, unproven), though its box is open"
    assert stand(read(text)) == (standing or beside)


@pytest.mark.parametrize(
    ("row", "standing"),
    [
        ("| 3. Mail | v1 | 2/2 | Complete | 2026-01-01 |", "done"),
        ("| 3. Mail | 6/7 | Complete    | 2026-01-01 | - |", "done"),
        ("| 3. Mail | 6/7 | Complete | 2026-01-01 |", "done"),
        ("| 3. Mail | v1 | 2/2 |  | 2026-01-01 |", "done"),
        ("| **3** | v1 | - | ✅ | |", "done"),
        ("| 3. Mail | 2/3 | In Progress |  | - |", "open"),
        ("| 3. Mail | v1 | 0/TBD | Not started | - |", "open"),
        ("| 3. Mail | v1 | 0/2 |  | - |", "open"),
        ("| 1-4. Everything | v1 | 9/9 | Complete | |", "open"),
        ("| 3. Mail | v1 | 0/2 | Deferred | - |", "dropped"),
        ("| 3. Mail | 0/2 | Deferred | - | |", "dropped"),
    ],
)
def test_rows_of_a_progress_table_with_all_their_columns_and_with_fewer(row: str, standing: str) -> None:
    roadmap = read(ONE.format("") + ROW.format(row))
    assert roadmap.phases[0].standing.stand == standing


def test_a_table_of_requirements_does_not_say_how_a_phase_stands() -> None:
    table = "## Coverage\n| Requirement | Phase | Status |\n|--|--|--|\n| MAIL-1 | Phase 3 | Complete |\n"
    assert stand(read(ONE.format("") + table)) == "open"


def test_a_judgement_in_the_table_outweighs_plans_that_were_merely_carried_out() -> None:
    text = ONE.format("- [x] 03-01: a") + ROW.format("| 3. Mail | v1 | 1/1 | **GOAL NOT ACHIEVED** | - |")
    said = "the progress table says GOAL NOT ACHIEVED (open), though its only plan is ticked"
    assert stand(read(text)) == said


@pytest.mark.parametrize(
    ("state", "standing"),
    [
        ("Phase: 3 of 5 (Mail)\nStatus: Executing\n", "open"),
        (
            "Phase: 3 of 5 (Mail) — COMPLETE\n",
            "complete in .planning/STATE.md (done, unproven), though its box is open",
        ),
        ("Phase: 5 of 5 (Door) — COMPLETE\n", "open"),
        ("Phase: 3 of 5 (Cellar) — COMPLETE\n", "open"),
        (
            "---\nprogress:\n  total_phases: 1\n  completed_phases: 1\n---\nPhase: --\nStatus: Milestone v1 complete\n",
            "counted as complete in .planning/STATE.md (done, unproven), though its box is open",
        ),
    ],
)
def test_the_state_file_is_a_witness(state: str, standing: str) -> None:
    assert stand(read(ONE.format(UNTICKED), state)) == standing


COUNTED = "---\nprogress:\n  total_phases: {0}\n  completed_phases: {1}\n---\nPhase: 4 of 4 (Door)\nStatus: Executing\n"


@pytest.mark.parametrize(
    ("total", "completed", "done"),
    [(2, 1, ["3"]), (2, 2, ["3"]), (2, 0, []), (9, 8, [])],
    ids=["one before", "all", "none", "of another count"],
)
def test_phases_before_the_current_one_are_done_when_the_state_counts_that_many(
    total: int, completed: int, done: list[str]
) -> None:
    text = ONE.format("") + "### Phase 4: Door\n**Goal**: g\n"
    roadmap = read(text, COUNTED.format(total, completed))
    assert [phase.id for phase in roadmap.phases if phase.ticked] == done


def test_a_state_of_another_milestone_is_left_out_of_account_and_that_is_said() -> None:
    roadmap = read(ONE.format(""), "Phase: 3 of 3 (Cellar)\n")
    assert roadmap.current is None
    assert [str(found) for _, found in roadmap.disagreements] == [
        "R:3: .planning/STATE.md is at phase 3 (Cellar), which is another phase here: left out of account"
    ]


def test_a_name_in_another_script_may_be_the_same_name_translated() -> None:
    """GSD calls folders and STATE.md's phase by English slugs, whatever language the roadmap is in."""
    text = "# R\n\n### Phase 3: 过程时间线\n**Goal**: g\n\n### Phase 4: 发布\n**Goal**: g\n"
    state = "Phase: 03 (timeline-and-reliability)\nStatus: Verified and accepted\n"
    assert stand(read(text, state)) == "complete in .planning/STATE.md (done, unproven)"
    assert read(text, state).current == "3"
    folder = ".planning/phases/03-timeline-and-reliability"
    files = (f"{folder}/03-01-PLAN.md", f"{folder}/03-01-SUMMARY.md")
    assert stand(read(text, "", files)) == "its only plan is followed by a summary (done, unproven)"


def test_work_that_was_begun_and_left_behind_is_done_once_the_last_phase_is_over() -> None:
    state = "Phase: 5 of 5 (Door)\nStatus: Phase complete\n"
    text = ONE.format("") + ROW.format("| 3. Mail | v1 | 1/2 | In progress | - |")
    assert stand(read(text, state)).startswith(".planning/STATE.md is at the end, past it (done, unproven)")
    assert stand(read(text.replace("1/2", "0/2"), state)) == "open"
    assert stand(read(text, state.replace("5 of 5", "5 of 6"))) == "open"


def test_whoever_is_at_the_last_phase_and_has_done_it_is_at_the_end_without_saying_so() -> None:
    """What never began is still open, and is what comes next."""
    text = (
        ONE.format("- [x] 03-01: a\n- [ ] 03-02: b")
        + "### Phase 4: Bell\n**Goal**: g\n### Phase 5: Door\n**Goal**: g\n{0}\n"
    )
    through = read(text.format("- [x] 05-01: a"), "Phase: 5 (Door) — EXECUTING\n")
    assert stand(through).startswith(".planning/STATE.md is at the end, past it (done, unproven)")
    assert stand(through, "4") == "open"
    assert stand(through, "5").startswith("its only plan is ticked"), "STATE.md does not call it complete"
    assert stand(read(text.format("- [ ] 05-01: a"), "Phase: 5 (Door) — EXECUTING\n")) == "open"
    assert stand(read(text.format("- [x] 05-01: a"), "Phase: 4 (Bell)\n")) == "open", "it is at another"


FOLDER = ".planning/phases/03-mail/"


@pytest.mark.parametrize(
    ("names", "done"),
    [
        (("03-01-PLAN.md", "03-01-SUMMARY.md"), True),
        (("03-01-PLAN.md", "03-02-PLAN.md", "03-01-SUMMARY.md", "03-02-SUMMARY.md"), True),
        (("03-01-PLAN.md", "03-02-PLAN.md", "03-01-SUMMARY.md"), False),
        (("03-01-PLAN.md", "03-02-PLAN.md", "03-01-SUMMARY.md", "03-SUMMARY.md"), False),
        (("PLAN.md", "SUMMARY.md"), True),
        (("03-SUMMARY.md",), False),
        (("03-01-PLAN.md",), False),
    ],
)
def test_a_summary_for_every_plan_on_disk_is_a_witness(names: tuple[str, ...], done: bool) -> None:
    files = tuple(FOLDER + name for name in names)
    assert read(ONE.format(""), files=files).phases[0].ticked is done


def test_summaries_count_for_this_phase_and_for_all_of_its_plans() -> None:
    files = (FOLDER + "03-01-PLAN.md", FOLDER + "03-01-SUMMARY.md")
    assert not read(ONE.format(UNTICKED), files=files).phases[0].ticked, "a second plan is listed"
    other = tuple(path.replace("03-mail", "03-cellar") for path in files)
    assert not read(ONE.format(""), files=other).phases[0].ticked, "of a milestone that had a phase 3 as well"
    around = Surroundings(files=files, taken=lambda _: {FOLDER.rstrip("/")})
    assert not parse_roadmap(ONE.format(""), "R", around=around).phases[0].ticked, "our own run made it for another"


def test_a_verification_that_found_gaps_keeps_a_summarised_phase_open() -> None:
    files = tuple(FOLDER + name for name in ("03-01-PLAN.md", "03-01-SUMMARY.md", "03-VERIFICATION.md"))
    gaps = read(ONE.format(""), files=files, contents="---\nstatus: gaps_found\n---\n")
    assert stand(gaps) == "its verification found gaps (open), though its only plan is followed by a summary"
    assert read(ONE.format(""), files=files, contents="---\nstatus: passed\n---\n").phases[0].ticked
    person = read(ONE.format(""), files=files, contents="---\nstatus: human_needed\n---\n")
    assert stand(person).startswith("its verification waits for a person (open)")


@pytest.mark.parametrize(
    ("path", "state", "done"),
    [
        ("v1.0-phases/03-mail/03-01-PLAN.md", "Phase: 5\n", True),
        ("v1.0-phases/03-mail/03-01-PLAN.md", "Phase: 3\n", False),  # it counts from one again
        ("v1.0-phases/03-mail/03-01-PLAN.md", "", False),
        ("v1.0-phases/03-cellar/03-01-PLAN.md", "Phase: 5\n", False),
        ("v1.0-phases/04-mail/04-01-PLAN.md", "Phase: 5\n", False),
        ("v1.0-ROADMAP.md", "Phase: 5\n", False),
    ],
)
def test_a_folder_that_was_put_away_with_its_milestone_is_a_witness(path: str, state: str, done: bool) -> None:
    roadmap = read(ONE.format(UNTICKED), state, (f".planning/milestones/{path}",))
    assert stand(roadmap).startswith("its folder was put away with milestone v1.0 (done, unproven)") is done


@pytest.mark.parametrize(
    ("above", "standing"),
    [
        ("## v1.0 First — SHIPPED 2026-01-01\n", "done"),
        ("## ✅ v1.0 First\n", "done"),
        ("## Completed Phases\n", "done"),
        ("## Backlog\n", "dropped"),
        ("## v2.0 Later (deferred)\n", "dropped"),
        ("## v1.1 Second (in progress)\n", "open"),
        ("## ✅ v1.0 First\nText\n## v1.1 Second\n", "open"),
        ("# Milestone v1.0\n**Status:** SHIPPED 2026-01-01\n## Phases\n", "done"),
        ("# Milestone v1.0\n**Status:** Shipped; phase 3 in progress\n## Phases\n", "open"),
        ("# Milestone v1.0\n**Status:** In progress\n## Phases\n", "open"),
        ("# Roadmap\n### Phase 2: Bell\n**Goal**: g\n**Status**: Complete\n", "open"),
    ],
)
def test_the_heading_of_its_milestone_is_a_witness(above: str, standing: str) -> None:
    assert read(f"{above}### Phase 3: Mail\n**Goal**: g\n").phases[-1].standing.stand == standing


ARCHIVE = "<details>\n<summary>{0}</summary>\n\n- [x] **Phase 2: Bell**\n- [ ] **Phase 3: Mail**\n\n</details>\n"


def test_an_open_box_in_an_archive_is_open_where_the_state_is_at_it_or_its_summary_says_so() -> None:
    shipped = ARCHIVE.format("✅ v1.0 - SHIPPED")
    assert (read(shipped).phases, read(shipped).archived) == ((), ("2", "3"))
    for roadmap in (read(shipped, "Phase: 3 of 3 (Mail)\n"), read(ARCHIVE.format("🚧 v1.0 (in progress)"))):
        assert [(phase.id, phase.ticked) for phase in roadmap.phases] == [("2", True), ("3", False)]
        assert roadmap.archived == ()
    assert read(shipped, "Phase: 2 of 3 (Bell)\n").phases == ()
    section = "<details>\n<summary>{0}</summary>\n\n### Phase 3: Mail\n**Goal**: g\n</details>\n"
    assert read(section.format("v1.0 - SHIPPED"), "Phase: 3 of 3 (Mail)\n").phases == ()
    assert [phase.id for phase in read(section.format("v1.0"), "Phase: 3 of 3 (Mail)\n").phases] == ["3"]


CHAIN = (
    "### Phase 1: Bell\n**Goal**: g\n### Phase 2: ~~Door~~\n**Goal**: g\n"
    "### Phase 3: Mail\n**Goal**: g\n**Depends on**: Phase 1, Phase 2\n"
)


def test_a_phase_that_was_given_up_is_not_waited_for() -> None:
    assert {phase.id: phase.depends_on for phase in read(CHAIN).phases}["3"] == ("1",)


def test_who_is_at_a_phase_has_decided_about_what_it_depends_on() -> None:
    roadmap = read(CHAIN, "Phase: 3 of 3 (Mail)\nStatus: Executing\n")
    assert {phase.id: phase.depends_on for phase in roadmap.phases}["3"] == ()
    assert [str(found) for _, found in roadmap.disagreements] == [
        "R:5: phase 3 depends on 1, still open, but .planning/STATE.md is at 3 already: not waited for"
    ]
    assert roadmap.current == PhaseId("3")


def test_a_phase_built_without_a_standing_is_open() -> None:
    assert not Phase(PhaseId("1"), "A").dropped


@pytest.mark.parametrize(
    ("status", "position", "ticked"),
    [
        ("✅ Завершён", "", True),
        ("Shipped 2026-03-18", "", True),
        ("In progress", "", False),
        ("✅ Shipped", "Phase: 1 of 2\n", False),  # who is at a phase is not at the end
    ],
)
def test_a_milestone_that_the_state_file_lists_as_complete_settles_all_of_its_phases(
    status: str, position: str, ticked: bool
) -> None:
    state = f"{position}| Milestone | Status | Date |\n|--|--|--|\n| v1.1 — Tour | {status} | 2026-03-18 |\n"
    text = "# Roadmap\n\n**Milestone:** v1.1 — Tour\n\n### Phase 1: A\n**Goal**: a\n\n### Phase 2: B\n**Goal**: b\n"
    roadmap = parse_roadmap(text, "R", around=Surroundings(parse_position(state)))
    assert [phase.ticked for phase in roadmap.phases] == [ticked, ticked]
