"""`run --discuss` as a person at a terminal has it: areas, questions, more of them, and what is built by the answers.

covers: DISC
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autopilot.events.happened import RunStopped, Warned
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.model.run import RunStatus
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.calls import Call
from tests.scenario.kit.hearing import heard
from tests.scenario.kit.terminal import Turn, talk
from tests.scenario.kit.world import make_world

FOLDER = ".planning/phases/01-part-1"
MINE = "# My own words\n\nNo colours.\n"
WISH = "In capitals. Later it should also speak French."
DIGEST: dict[str, Any] = {
    "decisions": [{"area": "Part 1: Part 1 says its name", "decisions": ["It speaks in capitals."]}],
    "discretion": [],
    "ideas": [],
    "deferred": [
        {"idea": "Speaking French", "quote": "it should also speak French"},
        {"idea": "Singing", "quote": "let it sing"},
    ],
}
LATER = "A phase that sings"
SPEAKS, NOTICED = "Part 1: Part 1 says its name", "Part 1: what of it its user notices"
TURNS: tuple[Turn, ...] = (
    ("Which areas? ", "1, 3\n"),
    *(("Area: Part 1: Part 1", ""), ("> ", f"defer: {LATER}\n"), ("Back to 1.1", ""), ("> ", f"{WISH}\n")),
    *(("> ", "\n"), ("> ", "\n")),
    ("[more/next] ", "more\n"),
    *(("Area: Part 1: what of it", ""), ("> ", "you decide\n"), ("> ", "\n"), ("> ", "\n")),
    ("[more/next] ", "next\n"),
    *(
        ("Area: Part 1: Part 1", ""),
        ("> ", "never in a whisper\n"),
        ("> ", "\n"),
        ("[more/next] ", "next\n"),
    ),
)
FRENCH = DIGEST["deferred"][0]
MORE = {"areas": [{"area": SPEAKS, "questions": ["Who hears it?", "How loud is it?"]}], "deferred": [FRENCH]}
READS: list[Call] = [
    {"role": "discusser", "task": "more-1", "reply": MORE},
    {"role": "discusser", "task": "digest", "reply": DIGEST},
    {"role": "researcher", "do": [{"run": "cat .autopilot/CONTEXT.md"}]},
    {"role": "verifier", "do": [{"run": f"ls .autopilot {FOLDER}"}]},
]


def test_a_phase_is_talked_about_at_the_terminal_and_built_by_what_was_said(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.write(f"{FOLDER}/CONTEXT.md", MINE)
    world.commit("what I know already")
    world.play(*READS)

    ran = talk(world, ("run", "--discuss", "1", "--script", str(world.script)), *TURNS)
    assert ran.status == 0, ran.out
    assert all(f"\n{number}. {area} -- " in ran.out for number, area in ((1, SPEAKS), (3, NOTICED)))
    assert "All phases complete" in ran.out.splitlines()[-1]
    words = " ".join(ran.out.split())
    assert f"Noted for another phase, under Deferred Ideas: {LATER}" in words
    assert words.index("Speaking French sounds like a new capability") < words.index("How loud is it?")

    asked = happened(world, HumanAsked)
    assert [each.gate for each in asked] == ["areas-1", "discuss-1-0", "discuss-1-1"]
    assert [question.id for question in asked[1].questions] == ["1.1", "1.2", "1.3", "3.1", "3.2", "3.3"]
    assert [question.id for question in asked[2].questions] == ["1.4", "1.5"]
    said = [(each.answers, each.more) for each in happened(world, HumanAnswered)]
    left = dict.fromkeys(("1.2", "1.3", "3.2", "3.3"), "")
    assert said == [
        ({"areas": "1, 3"}, ()),
        (left | {"1.1": WISH, "3.1": "you decide"}, (SPEAKS,)),
        ({"1.4": "never in a whisper", "1.5": ""}, ()),
    ]
    assert [each.deferred for each in happened(world, HumanAnswered)] == [{}, {"1.1": (LATER,)}, {}]
    rests = [(each.status, each.exit_status) for each in happened(world, RunStopped)]
    assert rests == [(RunStatus.WAITING, 3)] * 3 + [(RunStatus.COMPLETED, 0)]

    landed = world.git("show", f"HEAD:{FOLDER}/CONTEXT.md")
    assert landed.startswith("# My own words\n\nNo colours.\n\n---\n\n# Discussed on ")
    deferred = f'- {LATER}\n- Speaking French ("it should also speak French")'
    assert f"## Deferred Ideas\n\n{deferred}\n\nThese belong in phases of their own: none of them is" in landed
    assert f"- {LATER} (said about phase 1)\n- Speaking French (said about phase 1)" in world.autopilot("report").out
    for words in ("- It speaks in capitals.", f"> {WISH}", "> never in a whisper", "### Autopilot's Discretion"):
        assert words in landed
    assert "Singing" not in landed
    assert any("no answer contains 'let it sing'" in warned.text for warned in happened(world, Warned))

    kept = json.loads(world.read(".autopilot/discuss-context.json"))["phases"]["1"]
    assert [each["answer"] for each in kept["questions"]] == [WISH, "you decide", "never in a whisper"]
    assert "It speaks in capitals." in heard(world, "researcher")[0]
    assert heard(world, "researcher")[0].count(LATER) == 1
    found = heard(world, "verifier")[0]
    assert "PLAN.md" in found and "CONTEXT.md" not in found
