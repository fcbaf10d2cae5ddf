"""Which phases a call with flags is about, and what is done with each. covers: INV-1, CMPL-01, FORCE, QUAL, GAPS"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.model.errors import NothingOpen, UsageError
from autopilot.model.intent import Intent, Purpose
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.planning.standing import Stand, Standing
from autopilot.planning.choosing.purposes import UNSCORED, choose_phases
from autopilot.planning.choosing.selection import Done, Selection


def phase(id: str, *waits: str, ticked: bool = False) -> Phase:
    return Phase(PhaseId(id), f"P{id}", depends_on=tuple(PhaseId(one) for one in waits), ticked=ticked)


# Completed: 1 (8.0), 2 (9.6), 3 (9.8), 4 by a person alone. Open: 5, 6 (waits for 7), 7. Ticked by hand: 8.
ROADMAP = Roadmap(
    "R.md",
    (
        phase("1"),
        phase("2"),
        phase("3"),
        phase("4"),
        phase("5", "1"),
        phase("6", "7"),
        phase("7"),
        phase("8", ticked=True),
    ),
)
SCORES = {PhaseId("1"): 8.0, PhaseId("2"): 9.6, PhaseId("3"): 9.8, PhaseId("4"): None}
FORCE, QUALITY, GAPS, COMPLETE = Intent(force=True), Intent(quality=True), Intent(gaps=True), Intent(complete=True)
BOTH = Intent(quality=True, gaps=True)


def choose(intent: Intent, *words: str) -> Selection:
    return choose_phases(words, ROADMAP, SCORES, intent)


def purposes(selection: Selection) -> dict[str, Purpose]:
    return {id: selection.purposes.get(id, Purpose.BUILD) for id in selection.phases}


BUILD, REDO, REFINE, CLOSE = Purpose.BUILD, Purpose.REDO, Purpose.REFINE, Purpose.GAPS
CHOSEN = [
    ("complete", COMPLETE, (), {"5": BUILD, "7": BUILD, "6": BUILD}),
    ("complete of some", COMPLETE, ("5-6",), {"5": BUILD, "6": BUILD}),
    ("force", FORCE, (), {"1": REDO, "2": REDO, "3": REDO, "4": REDO, "8": BUILD}),
    ("force named", FORCE, ("3", "1"), {"1": REDO, "3": REDO}),
    ("force of a ticked one", FORCE, ("8",), {"8": BUILD}),
    ("force next", FORCE, ("next",), {"1": REDO}),
    ("quality", QUALITY, (), {"5": BUILD, "7": BUILD, "6": BUILD, "1": REFINE}),
    ("quality named", QUALITY, ("1", "5"), {"5": BUILD, "1": REFINE}),
    (
        "quality of all that is outstanding",
        Intent(quality=True, complete=True),
        (),
        {"5": BUILD, "7": BUILD, "6": BUILD},
    ),
    ("quality of a ticked one: proven first", QUALITY, ("8", "1"), {"8": BUILD, "1": REFINE}),
    ("gaps of a ticked one: proven first", GAPS, ("8", "1"), {"8": BUILD, "1": CLOSE}),
    ("gaps", GAPS, (), {"1": CLOSE}),
    ("gaps named from 9.5 on", GAPS, ("2",), {"2": CLOSE}),
    ("quality, then gaps", BOTH, ("1-3",), {"1": REFINE, "2": CLOSE}),
    ("quality, then gaps, of all", BOTH, (), {"5": BUILD, "7": BUILD, "6": BUILD, "1": REFINE, "2": CLOSE}),
    ("map", Intent(map=True), (), {"5": BUILD, "7": BUILD, "6": BUILD}),
    ("discuss named", Intent(discuss=True), ("6",), {"6": BUILD}),
    ("lenient", Intent(lenient=True), ("next",), {"5": BUILD}),
]


@pytest.mark.parametrize(("intent", "words", "expected"), [case[1:] for case in CHOSEN], ids=[c[0] for c in CHOSEN])
def test_flags_choose_phases_and_what_is_done_with_them(
    intent: Intent, words: tuple[str, ...], expected: dict[str, Purpose]
) -> None:
    found = purposes(choose(intent, *words))
    assert list(found.items()) == list(expected.items())


@pytest.mark.parametrize(
    ("intent", "words", "skipped"),
    [
        (COMPLETE, (), {"1": Done.PROVEN, "2": Done.PROVEN, "3": Done.PROVEN, "4": Done.PROVEN, "8": Done.UNPROVEN}),
        (QUALITY, ("1-2",), {"2": "9.6/10 already, and 9.5 is what --quality asks for"}),
        (QUALITY, ("1", "4"), {"4": UNSCORED}),
        (QUALITY, ("all",), {"4": UNSCORED, "8": Done.UNPROVEN}),
        (GAPS, ("1", "3"), {"3": "9.8/10 already: what is missing is negligible"}),
        (GAPS, ("all",), {"2": "9.6/10 already; --gaps goes on to 9.8 only for phases that you name"}),
        (BOTH, ("2", "3"), {"3": "9.8/10 already: what is missing is negligible"}),
        (FORCE, (), {}),
    ],
)
def test_what_is_left_out_is_said_with_its_reason(
    intent: Intent, words: tuple[str, ...], skipped: dict[str, str]
) -> None:
    found = dict(choose(intent, *words).skipped)
    assert {id: found.get(PhaseId(id)) for id in skipped} == skipped
    assert bool(found) == bool(skipped)


@pytest.mark.parametrize(("score", "chosen"), [(8.2, ["9"]), (9.5, []), (None, [])])
@pytest.mark.parametrize("intent", [QUALITY, GAPS])
def test_without_names_what_another_program_scored_low_is_proven_and_bettered(
    intent: Intent, score: float | None, chosen: list[str]
) -> None:
    """covers: QUAL, GAPS"""
    claimed = replace(phase("9", ticked=True), standing=Standing(Stand.DONE, "completed in run-1", score=score))
    roadmap = Roadmap("R.md", (phase("1"), claimed))
    selection = choose_phases((), roadmap, {PhaseId("1"): 9.0}, intent)
    assert [id for id in selection.phases if id != "1"] == chosen


@pytest.mark.parametrize(
    ("intent", "words", "message", "hint"),
    [
        (
            FORCE,
            ("5",),
            "--force repeats completed phases, and phase 5 is not completed: not proven in any run",
            "autopilot run 5",
        ),
        (FORCE, ("1-5",), "--force repeats completed phases, and phase 5 is not completed", "autopilot run 5"),
        (
            GAPS,
            ("5",),
            "--gaps improves completed phases, and phase 5 is not completed: not proven in any run",
            "autopilot run 5",
        ),
        (FORCE, ("9",), "there is no phase 9", "its phases are"),
    ],
)
def test_a_call_about_the_wrong_phases_is_refused(
    intent: Intent, words: tuple[str, ...], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as raised:
        choose(intent, *words)
    assert str(raised.value).startswith(message) and hint in raised.value.hint


@pytest.mark.parametrize(
    ("intent", "words", "message", "hint"),
    [
        (GAPS, ("3",), "nothing to improve: phase 3: 9.8/10 already", "autopilot status"),
        (QUALITY, ("2",), "nothing to improve: phase 2: 9.6/10 already", "autopilot run --gaps 2"),
        (
            COMPLETE,
            ("1",),
            "nothing to run: phase 1 is skipped: completed in an",
            "autopilot run --force 1",
        ),
        (COMPLETE, ("1-3",), "nothing to run: no open phase among 1, 2, 3", "autopilot run --force 3"),
    ],
)
def test_a_call_that_has_what_it_asks_for_is_no_error(
    intent: Intent, words: tuple[str, ...], message: str, hint: str
) -> None:
    # covers: INV-1
    with pytest.raises(NothingOpen) as raised:
        choose(intent, *words)
    assert str(raised.value).startswith(message) and hint in raised.value.hint
    assert raised.value.exit_status == 0


@pytest.mark.parametrize("intent", [FORCE, GAPS])
def test_where_nothing_is_completed_that_is_said(intent: Intent) -> None:
    with pytest.raises(UsageError, match="no phase is completed"):
        choose_phases((), Roadmap("R.md", (phase("1"),)), {}, intent)


def test_phases_that_are_good_enough_for_one_reason_are_named_together() -> None:
    roadmap, scores = Roadmap("R.md", (phase("1"), phase("2"))), {PhaseId("1"): 9.8, PhaseId("2"): 9.8}
    with pytest.raises(UsageError, match=r"^nothing to improve: phases 1, 2: 9\.8/10 already: [^;]*$"):
        choose_phases((), roadmap, scores, GAPS)


@pytest.mark.parametrize("intent", [COMPLETE, QUALITY])
def test_outstanding_phases_in_a_circle_are_named(intent: Intent) -> None:
    with pytest.raises(UsageError, match="1 -> 2 -> 1"):
        choose_phases((), Roadmap("R.md", (phase("1", "2"), phase("2", "1"))), {}, intent)


def test_what_is_done_again_keeps_dependencies_first() -> None:
    roadmap = Roadmap("R.md", (phase("1", "2"), phase("2")))
    assert choose_phases((), roadmap, {PhaseId("1"): 9.0, PhaseId("2"): 9.0}, FORCE).phases == ("2", "1")


def test_gaps_of_phases_that_must_be_named_are_suggested_by_name() -> None:
    with pytest.raises(UsageError, match="only for phases that you name") as raised:
        choose_phases(("all",), ROADMAP, {PhaseId("2"): 9.6}, GAPS)
    assert raised.value.hint == "`autopilot run --gaps 2`"
