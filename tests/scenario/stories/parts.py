"""Stories of a phase that is too much for one agent: cut in three, worked on side by side, put together again.

Each part adds a script of its own and takes a seat. Where they clash, the first and the third add to one list at the
same place, and the first and the second take one seat, which no line of text gives away: only the test sees
it, and only together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.scenario.kit.calls import Call, commit_all, debugger_claim, executor_claim, usage
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.ratings import rate
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.people import LISTEN
from tests.scenario.stories.story import Story

Work = Mapping[str, tuple[tuple[str, str], str]]  # by task: what it writes besides its script, and the seat it takes

NAMES = "names.txt"
MORE = (NAMES, "seat-{task}", *(f"more-{{task}}-{n}.txt" for n in range(1, 4)))
TWENTY = Plot(first=20, tasks=3, planned=True, files=MORE)  # 3 parts, 3 seats, 9 more and the list: over ten files
CHECK = """for part in part-*.sh; do [ ! -e "$part" ] || sh -n "$part" || exit 1; done
twice=$(cat seat-* 2>/dev/null | sort | uniq -d)
[ -z "$twice" ] || { echo "seat $twice is taken twice"; exit 1; }
"""
LONG_S = 0.6  # of every part's work: enough for them to be seen at it together
PARTS = {"20a": "20-01", "20b": "20-02", "20c": "20-03"}
TASKS = tuple(PARTS.values())
ONE, THREE = (NAMES, "names:\none\n"), (NAMES, "names:\nthree\n")
APART = {
    "20-01": (ONE, "1"),
    "20-02": (("more-20-02-1.txt", "two\n"), "2"),
    "20-03": (("more-20-03-1.txt", "3\n"), "3"),
}
CLASH = {**APART, "20-02": (APART["20-02"][0], "1"), "20-03": (THREE, "3")}


def fitting(folder: Path, *calls: Call) -> World:
    """Nothing is in anyone's way."""
    scored = {**rate(20, {"20-02": "9.3"}), "phase": "20b"}
    return _split(folder, *calls, scored)


def conflicting(folder: Path) -> World:
    """The seat is moved by a resolver that thinks; of the list, both sides are kept."""
    return _split(folder, resolve("20b", ("seat-20-02", "2\n")), does=CLASH)


def failing(folder: Path) -> World:
    """A cut that forgets a task is refused first. Then the second part's agents do much, and nothing of use."""
    whole = {"reason": "two is enough", "sub_phases": [cut("One", "20-01"), cut("Two", "20-02")]}
    forgets: Call = {"role": "splitter", "phase": "20", "attempt": 1, "reply": whole}
    useless = [{"run": "echo more >> more-20-02-1.txt"}, *commit_all("20-02")]
    claims = {"executor": executor_claim("20-02"), "debugger": debugger_claim()}
    busy = [{"role": role, "phase": "20b", "do": useless, "reply": said} for role, said in claims.items()]
    return _split(folder, forgets, *busy)


def unresolved(folder: Path) -> World:
    """A resolver that takes one side, and when told so breaks the other: both times not both hold."""
    first = resolve("20b", ("seat-20-02", "1\n"), ("more-20-02-1.txt", "resolved\n"), attempt=1)
    second = resolve("20b", ("seat-20-02", "2\n"), ("part-20-01.sh", "exit 3\n"), attempt=2)
    return _split(folder, first, second, does=CLASH)


def for_a_person(folder: Path) -> World:
    """All parts fit, and there is something that none of them can settle."""
    return _split(folder, plot=replace(TWENTY, checkpoints={20: LISTEN}))


def mended_in_parts(folder: Path) -> World:
    """Four things wanting in four files: that is too much for one agent as well."""
    world = make_world(folder, Plot(tasks=4, planned=True))
    tasks = world.plot.task_ids(1)
    mends = [_mend(f"01-r1.{n}", task) for n, task in enumerate(tasks, 1)]
    world.play(rate(1, dict.fromkeys(tasks, "8.2"), attempt=1), *mends)
    return world


def _mend(name: str, task: str) -> Call:
    do = [*writes([(f"part-{task}.sh", f"# it says why\n{part_text(task)}")]), *commit_all(name)]
    return {"role": "executor", "task": name, "do": do, "reply": executor_claim(name)}


def _split(folder: Path, *calls: Call, plot: Plot = TWENTY, does: Work = APART) -> World:
    config = {"circuit_breaker_config": {"max_debug_attempts_per_phase": 1}}
    world = make_world(folder, plot, config=config | {"project": {"commands": {"test": "sh check.sh"}}})
    world.write("check.sh", CHECK)
    world.write(NAMES, "names:\n")
    world.commit("a list, and seats")
    world.play(*calls, SPLITTER, *(executor(part, does=does) for part in PARTS))
    return world


def cut(name: str, *tasks: str) -> dict[str, Any]:
    return {"name": name, "scope": f"what {name} is about", "tasks": list(tasks)}


SPLITTER: Call = {
    "role": "splitter",
    "reply": {
        "reason": "a part each",
        "sub_phases": [cut("One", "20-01"), cut("Two", "20-02"), cut("Three", "20-03")],
    },
}


def executor(part: str, *first: Call, does: Work = APART) -> Call:
    task = PARTS[part]
    more, seat = does[task]
    written = [(f"part-{task}.sh", part_text(task)), more, (f"seat-{task}", f"{seat}\n")]
    do = [*first, {"sleep": LONG_S}, *writes(written), *commit_all(task)]
    return {"role": "executor", "phase": part, "do": do, "reply": executor_claim(task), "usage": usage()}


def resolve(part: str, *written: tuple[str, str], attempt: int | None = None) -> Call:
    do = [*writes(written), *commit_all("resolved")]
    call: Call = {"role": "executor", "phase": "20", "task": part, "do": do, "reply": executor_claim(part)}
    return call if attempt is None else {**call, "attempt": attempt}


def writes(written: Sequence[tuple[str, str]]) -> list[Call]:
    return [{"write": path, "text": text} for path, text in written]


STORIES = (
    Story("split_in_three", fitting, 0),
    Story("parts_in_conflict", conflicting, 0, quick=True),
    Story("part_that_fails", failing, 1),
    Story("parts_that_never_fit", unresolved, 1),
    Story("parts_and_a_person", for_a_person, 3, after=((("verdict", "20", "pass"), 0), (("resume",), 0))),
    Story("mended_in_parts", mended_in_parts, 0),
)
