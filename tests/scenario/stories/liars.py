"""Stories of reviewers whose reports contradict the facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tests.scenario.kit.calls import Call, commit_all, debugger_claim, work
from tests.scenario.kit.hearing import SHOW_PROMPT
from tests.scenario.kit.lying import HUGE, LIES, Lie, mini
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.reviews import verifier
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.story import Story

PAIRS = tuple(zip(list(LIES)[::2], list(LIES)[1::2], strict=True))  # two lies of one role: those of one phase
# Speaks only when told to: the criterion's own command is red, the test script, which decides, is green.
SHY = '[ "$1" = loud ] || exit 3\necho part 01-01\n'
LOUD = (
    "#!/bin/bash\n"
    'if [ "$(sh part-01-01.sh loud)" = "part 01-01" ]; then echo "PASS: Part 01-01 says its name"; exit 0; fi\n'
    'echo "FAIL: Part 01-01 says its name"\nexit 1\n'
)
RED = "sh part-01-01.sh -> passed"
UNCLASSIFIED = "part 02-01 mumbles"


def lied_twice(folder: Path, *, lies: Mapping[str, Lie] = LIES) -> World:
    """In each phase one reviewer lies, is asked again and lies again. All but the plan is there already."""
    world = make_world(folder, Plot(phases=len(PAIRS), planned=True))
    calls: list[Call] = []
    for phase, pair in enumerate(PAIRS, start=1):
        task = f"{phase:02}-01"
        if LIES[pair[0]].role != "plan_checker":
            world.write(f"part-{task}.sh", part_text(task))
        calls += [lies[name].call(task, attempt) for attempt, name in enumerate(pair, start=1)]
    world.commit("parts that are there")
    world.play(*calls)
    return world


def lied_once(folder: Path) -> World:
    """Every role lies at first and is honest when asked again; but the second phase's mini-verifier lies on."""
    world = make_world(folder, Plot(phases=3, planned=True))
    world.write(f"{world.plot.folder(1)}/tests/task-01-01.sh", LOUD)
    world.write("part-03-01.sh", part_text("03-01"))
    world.commit("a louder test")
    world.play(
        work("01-01", text=SHY),
        *(lie.call("01-01", 1) for lie in AT_FIRST),
        *({"role": lie.role, "phase": "1", "attempt": 2, "do": [SHOW_PROMPT]} for lie in AT_FIRST),
        {"role": "mini_verifier", "phase": "1", "reply": {**mini("01-01"), "commands_run": [RED]}},
        {"role": "mini_verifier", "phase": "1", "call": 2, "do": [SHOW_PROMPT]},
        *({"role": "mini_verifier", "phase": "2", "call": n, "reply": idle_mini()} for n in (1, 2)),
        {"role": "verifier", "phase": "2", "attempt": 1, "reply": against()},
        {"role": "debugger", "phase": "2", "do": louder(), "reply": debugger_claim()},
        {"role": "verifier", "phase": "3", "reply": red_where_green()},
    )
    return world


AT_FIRST = (
    LIES["plan checker: prose"],
    Lie("verifier", "`sh part-01-01.sh`: it is reported as 'passed', but it failed", {"commands_run": [RED]}),
    LIES["judge: no concern"],
    Lie("rater", "it is reported as 'passed', but it failed with exit status 3", entry={"command_output": "passed"}),
)


def idle_mini() -> dict[str, object]:
    return {**mini("02-01"), "commands_run": []}


def against() -> dict[str, object]:
    """Refuses the work and does not say under which category."""
    found = {"failure": UNCLASSIFIED, "category": ""}
    return {**verifier(2, "02-01", 3.0)["reply"], "passed": False, "failures": [found]}


def louder() -> list[Call]:
    return [{"write": "part-02-01.sh", "text": "# Loud and clear.\necho part 02-01\n"}, *commit_all("louder")]


def red_where_green() -> dict[str, object]:
    return {**verifier(3, "03-01", 9.0)["reply"], "commands_run": ["sh part-03-01.sh -> failed with exit status 1"]}


def lied_shortly(folder: Path) -> World:
    """The same without the longest reply: whoever copies this world at every append copies its script too."""
    return lied_twice(folder, lies={**LIES, HUGE: replace(LIES[HUGE], raw="x")})


WHOLE = Story("lied_twice", lied_twice, 1)
STORIES = (Story("lied_shortly", lied_shortly, 1), Story("lied_once", lied_once, 0))
