"""Stories of phases that change no code: what agents follow, and what the product reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.scenario.kit.calls import Call, claim, commit_all
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.ratings import rate
from tests.scenario.kit.reviews import verifier
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.story import Story

GREET, TONE, SIGN, AGENTS = "protocols/greet.md", "protocols/tone.md", "protocols/sign.md", "AGENTS.md"
PROMISE = "Part 1 says its name"  # of the roadmap
PRICES = "data/prices.json"
# One reference is broken before anyone begins, and moves down a line with the work.
BASE = {
    AGENTS: f"# For agents\n\nBegin with `{GREET}`, end with `{SIGN}`.\n",
    GREET: "# Greeting\n\nSee `protocols/lost.md` first.\n",
    SIGN: "# Signing\n\nYours.\n",
    PRICES: '{"tea": 2}\n',
}
GREETING = f"# Greeting\n\nMind `{TONE}`.\nSee `protocols/lost.md` first.\n"


def protocol(folder: Path) -> World:
    """The change names a file that is not there, and removes one that an untouched document names."""
    world = _world(folder, GREET, "The tone is minded", f"grep -c tone {GREET}", "returns 1")
    broken = claim("01-01", {"write": GREET, "text": GREETING}, {"delete": SIGN}, *commit_all("01-01"))
    written = {TONE: "# Tone\n\nWarm.\n", SIGN: BASE[SIGN]}
    world.play(broken, _mend(written))
    return world


def data(folder: Path) -> World:
    world = _world(folder, PRICES, "There is coffee", f"grep -c coffee {PRICES}", "returns 1")
    broken = claim("01-01", {"write": PRICES, "text": '{\n  "tea": 2\n  "coffee": 3\n}\n'}, *commit_all("01-01"))
    world.play(broken, _mend({PRICES: '{\n  "tea": 2,\n  "coffee": 3\n}\n'}))
    return world


def already_there(folder: Path) -> World:
    """The part is there before anyone begins; a verifier that names no place for it is asked once more."""
    world = make_world(folder, Plot(criteria=True))
    world.write("part-01-01.sh", part_text("01-01"))
    world.commit("the part, by hand")
    card = {**rate(1, {"01-01": "9.6"})}
    card["reply"]["scorecard"][0]["criterion"] = PROMISE
    world.play(_reader("it speaks", attempt=1), _reader("part-01-01.sh:1 -- it speaks", attempt=2), card)
    return world


def _reader(evidence: str, attempt: int) -> Call:
    call = verifier(1, "01-01", 9.0, attempt=attempt)
    call["reply"]["criteria_results"] = [{"criterion": PROMISE, "status": "verified", "evidence": evidence}]
    return call


def _mend(files: Mapping[str, str]) -> Call:
    written = [{"write": path, "text": text} for path, text in files.items()]
    mended = claim("01-01", *written, *commit_all("mended"), role="debugger")
    return {key: value for key, value in mended.items() if key != "task"}


def _world(folder: Path, file: str, promise: str, command: str, expected: str) -> World:
    plot = Plot(planned=True)
    world = make_world(folder, plot)
    for path, text in BASE.items():
        world.write(path, text)
    world.write(f"{plot.folder(1)}/PLAN.md", _plan(file, promise, command, expected))
    world.write(f"{plot.folder(1)}/tests/task-01-01.sh", _script(promise, command))
    world.commit("documents and data")
    return world


def _plan(file: str, promise: str, command: str, expected: str) -> str:
    return "\n".join(
        [
            "# Phase 1 Plan",
            "",
            "## Traceability",
            "",
            "| Requirement | Task(s) | Description |",
            "|---|---|---|",
            "| PART-01 | 01-01 | all of it |",
            "| SC-1 | 01-01 | all of it |",
            "",
            "## Wave 1",
            "",
            '<task id="01-01" type="auto" complexity="simple">',
            f"### Task 01-01: {promise}",
            "",
            f"**Files:** {file}, {TONE}",
            "",
            f"**Action:** Change {file}.",
            "",
            "**Verify:**",
            f"- {promise} -- verified by: `{command}` ({expected})",
            "",
            "**Done:** It is there.",
            "</task>",
            "",
        ]
    )


def _script(promise: str, command: str) -> str:
    return (
        "#!/bin/bash\n"
        f'if [ "$({command})" = 1 ]; then echo "PASS: {promise}"; exit 0; fi\n'
        f'echo "FAIL: {promise}"\nexit 1\n'
    )


STORIES = (
    Story("protocol_phase", protocol, 0),
    Story("data_phase", data, 0),
    Story("place_not_named", already_there, 0),
)
