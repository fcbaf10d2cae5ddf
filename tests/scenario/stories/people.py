"""Stories in which a person is asked, or need not be."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.scenario.kit.calls import Call, claim, commit_all, plan_call, work
from tests.scenario.kit.hearing import SHOW_PROMPT
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.reviews import cannot_settle, verifier
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.story import Story

LISTEN = "Dial the number on the badge and listen to the greeting"
LOOK = "Visual check that the page looks good"
HEARD = "the greeting stops after one word"
NO_PHONE = cannot_settle(LISTEN, "no telephone line reaches the sandbox, so the spoken greeting was never heard")
# The second phase builds on nothing, the third on the first, which a person has to hear.
THREE = Plot(phases=3, depends={3: [1]}, planned=True, checkpoints={1: LISTEN})
ONE = Plot(planned=True, checkpoints={1: LISTEN})
ONLY_PERSON = Plot(tasks=0, planned=True, checkpoints={1: LISTEN})


def deferred(folder: Path) -> World:
    """A verifier that is not sure, and says in earnest why not; once it is mended, it is."""
    world = make_world(folder, THREE)
    longer = {"write": "part-01-01.sh", "text": f"# {HEARD}: not any more\n{part_text('01-01')}"}
    mended = claim("01-01", longer, *commit_all("01-r1"))
    again = {**verifier(1, "01-01", 8.0, attempt=2), "do": [SHOW_PROMPT]}
    world.play(verifier(1, "01-01", 4.0, NO_PHONE, attempt=1), again, {**mended, "task": "01-r1"})
    return world


def asked_twice(folder: Path) -> World:
    """What was mended is new work, and of that the verifier cannot even say that it passes."""
    world = make_world(folder, ONE)
    mended = claim("01-01", {"write": "part-01-01.sh", "text": f"# louder\n{part_text('01-01')}"}, *commit_all("01-r1"))
    unsure = verifier(1, "01-01", 4.0, NO_PHONE, attempt=2)
    unsure["reply"]["passed"] = False
    world.play(verifier(1, "01-01", 4.0, NO_PHONE, attempt=1), unsure, {**mended, "task": "01-r1"})
    return world


def nobody_mends(folder: Path) -> World:
    world = make_world(folder, ONE)
    world.play(verifier(1, "01-01", 4.0, NO_PHONE, attempt=1))
    return world


NAMES = "names.txt"


def deferred_in_conflict(folder: Path) -> World:
    """While the first phase waits, the second writes to the same place of the same list."""
    world = make_world(folder, Plot(phases=2, planned=True, checkpoints={1: LISTEN}, files=(NAMES,)))
    world.write(NAMES, "names:\n")
    world.commit("a list")
    calls = [work("01-01"), work("02-01")]
    for call in calls:
        call["do"] = [{"write": NAMES, "text": f"names:\n{call['task']}\n"}, *call["do"]]
    world.play(verifier(1, "01-01", 4.0, NO_PHONE, attempt=1), verifier(1, "01-01", 8.0, attempt=2), *calls)
    return world


def only_person(folder: Path) -> World:
    """Nothing to build: the plan asks for a person and for nothing else."""
    return _only_person(folder, verifier(1, "", 4.0, NO_PHONE))


def settled_alone(folder: Path) -> World:
    return _only_person(folder, verifier(1, "", 8.0, NO_PHONE))


def _only_person(folder: Path, said: Call) -> World:
    world = make_world(folder, ONLY_PERSON)
    world.play(said)
    return world


def needless(folder: Path) -> World:
    """The verifier wants a look, which is no reason; told so, it settles the matter by itself."""
    return _needless(folder, verifier(1, "01-01", 8.0, attempt=2))


def needless_again(folder: Path) -> World:
    return _needless(folder)


def _needless(folder: Path, *then: Call) -> World:
    world = make_world(folder, Plot(planned=True, checkpoints={1: LOOK}))
    unseen = cannot_settle(LOOK, "colours and spacing of the rendered badge were never on a display")
    world.play(*then, verifier(1, "01-01", 4.0, unseen))
    return world


TOLD = ".planning/phases/04-part-4/PLAN.md"


def three_verdicts(folder: Path) -> World:
    """Three plans that ask for nothing but a person; a fourth phase is planned by an agent that shows what it knows."""
    plot = Plot(tasks=0, phases=4, planned=True, checkpoints={1: LISTEN, 2: LISTEN, 3: LISTEN})
    world = make_world(folder, plot)
    one = Plot(phases=4)
    shutil.rmtree(world.project / one.folder(4))
    world.commit("the fourth has no plan yet")
    planner = plan_call(one, 4)
    show = {"run": f"sed 's/^/> /' .autopilot/learnings.md >> {TOLD}"}
    planner = {**planner, "do": [*planner["do"][:-2], show, *planner["do"][-2:]]}
    world.play(*(verifier(phase, "", 4.0, NO_PHONE) for phase in (1, 2, 3)), planner, work("04-01"))
    return world


STORIES = (
    Story("deferred", deferred, 3, after=((("verdict", "1", "pass"), 0), (("resume",), 0))),
    Story(
        "deferred_with_issues",
        deferred,
        3,
        after=((("verdict", "1", "issues_found", "--issue", HEARD), 0), (("resume",), 0)),
    ),
    Story("deferred_in_conflict", deferred_in_conflict, 3, after=((("verdict", "1", "pass"), 0), (("resume",), 0))),
    Story(
        "asked_twice",
        asked_twice,
        3,
        after=(
            (("verdict", "1", "issues_found", "--issue", HEARD), 0),
            (("resume",), 3),
            (("verdict", "1", "pass"), 0),
            (("resume",), 0),
        ),
    ),
    Story("deferred_and_refused", deferred, 3, after=((("verdict", "1", "fail"), 0), (("resume",), 1))),
    Story("only_person", only_person, 3, quick=True, after=((("verdict", "1", "pass"), 0), (("resume",), 0))),
    Story("settled_alone", settled_alone, 0),
    Story("needless_deferral", needless, 0),
    Story("needless_deferral_again", needless_again, 0),
)
