"""Stories in which not everything holds at once: low scores, spent context, spent tokens, agents that do nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.scenario.kit.calls import Call, claim, commit_all, debugger_claim, executor_claim, work
from tests.scenario.kit.hearing import SHOW_FOLDERS, SHOW_PROMPT
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.ratings import rate
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.story import Story

ONE = Plot(planned=True)
TWO_TASKS = Plot(tasks=2, planned=True)
CAP, REPORT = 10_000, 4_000  # tokens: the cap, and what the executor reports at a time
REPORTS = 4
BEGUN = "# begun by the first agent"


# -- scores


def remediated(folder: Path) -> World:
    """8.2, because of the second task alone; whoever mends it brings the phase to 9.3."""
    world = make_world(folder, TWO_TASKS)
    world.play(
        rate(1, {"01-01": "9.6", "01-02": "6.8"}, attempt=1),
        rate(1, {"01-01": "9.6", "01-02": "9.0"}, attempt=2),
        mend(1, "01-02"),
    )
    return world


def stuck(folder: Path) -> World:
    """8.0 whatever is done about it. The second phase, there already, builds on that."""
    world = make_world(folder, Plot(phases=2, depends={2: [1]}, planned=True))
    world.write("part-02-01.sh", part_text("02-01"))
    world.commit("the second part")
    world.play(rate(1, {"01-01": "8.0"}), mend(1, "01-01"), mend(2, "01-01"))
    return world


def mend(cycle: int, task: str) -> Call:
    """What a remediation task does: a line more in the part it is about."""
    text = f"# It speaks so that others hear it ({cycle}).\necho part {task}\n"
    return claim(f"01-r{cycle}", {"write": f"part-{task}.sh", "text": text}, *commit_all("mended"))


def replanned(folder: Path) -> World:
    """6.0 at first; researcher and planner show what they are told."""
    world = make_world(folder, Plot())
    researcher: Call = {"role": "researcher", "phase": "1", "do": [SHOW_PROMPT]}
    world.play(rate(1, {"01-01": "6.0"}, attempt=1), researcher)
    _show_prompt(world, "planner")
    return world


def replanned_twice(folder: Path) -> World:
    world = make_world(folder, Plot())
    world.play(rate(1, {"01-01": "6.0"}))
    return world


# -- context


def handed_over(folder: Path) -> World:
    """The second task's agent runs out of context half-way; an old HANDOFF.md lies in the folder already."""
    world = make_world(folder, TWO_TASKS)
    world.write(f"{world.plot.folder(1)}/HANDOFF.md", "# Of an earlier run\n")
    world.commit("an old handoff")
    part = "part-01-02.sh"
    first: Call = {
        **{"role": "executor", "phase": "1", "task": "01-02", "attempt": 1, "ending": "context_exhausted"},
        "do": [SHOW_FOLDERS, {"write": part, "text": f"{BEGUN}\n"}, *commit_all("half")],
    }
    rest = claim("01-02", {"run": "cat .autopilot/HANDOFF.md"}, {"run": f"echo echo part 01-02 >> {part}"})
    second: Call = {**rest, "attempt": 2, "do": [*rest["do"], *commit_all("rest")]}
    reviewers: list[Call] = [
        {"role": role, "phase": "1", "do": [SHOW_FOLDERS]} for role in ("mini_verifier", "verifier", "judge", "rater")
    ]
    world.play(first, second, *reviewers)
    return world


# -- caps


def capped(cap: str) -> Callable[[Path], World]:
    """An executor with a daemon of its own that reports more and more; what comes after the cap never happens."""

    def make(folder: Path) -> World:
        world = make_world(folder, ONE)
        world.set_settings(f"[budget]\n{cap} = {CAP}\n")
        report: Call = {"usage": {"tokens_in": REPORT}}
        daemon: Call = {"run": "setsid sleep 177 >/dev/null 2>&1 </dev/null &"}
        part: Call = {"write": "part-01-01.sh", "text": part_text("01-01")}
        spending = claim("01-01", daemon, *[report] * (REPORTS - 1), part, *commit_all("done"), report)
        world.play({key: value for key, value in spending.items() if key != "usage"})
        return world

    return make


# -- the breaker


def no_progress(folder: Path) -> World:
    """In the first of two phases, whoever is to do or mend it says that it is done, and commits nothing."""
    world = make_world(folder, Plot(phases=2, planned=True))
    world.play(idle("executor"), idle("debugger"))
    return world


def idle(role: str) -> Call:
    said = executor_claim("01-01") if role == "executor" else debugger_claim()
    return {"role": role, "phase": "1", "reply": said} | ({"task": "01-01"} if role == "executor" else {})


def same_error(folder: Path) -> World:
    """Every verifier crashes: twice in the first phase, and at the third time it is enough."""
    world = make_world(folder, Plot(phases=2, planned=True), config=limits(same_error_threshold=3))
    world.play({"role": "verifier", "ending": "crashed"})
    return world


def retries_spent(folder: Path) -> World:
    world = make_world(folder, ONE, config=limits(max_total_retries_per_run=2))
    world.play(work("01-01", text="echo to be done\n"), *(stub(attempt) for attempt in (1, 2, 3)))
    return world


def stub(attempt: int) -> Call:
    return {**work("01-01", role="debugger", text=f"echo to be done {attempt}\n"), "attempt": attempt}


def limits(**values: int) -> dict[str, object]:
    return {"project": {"commands": {"test": "sh check.sh"}}, "circuit_breaker_config": values}


# -- scores that are all alike


def rubber_stamp(folder: Path) -> World:
    """Seven phases that triage finds done, each scored 9.6; the sixth's judge names one concern where two are asked."""
    world = make_world(folder, Plot(phases=7, criteria=True))
    for phase in range(1, 8):
        world.write(f"part-{phase:02}-01.sh", part_text(f"{phase:02}-01"))
    world.commit("all of it is there")
    findings = {
        **{"recommendation": "proceed", "concerns": ["the name is spelt out"], "scope_creep": [], "traces": []},
        **{"independent_evidence": ["part-06-01.sh:1"], "missing_requirements": [], "notes": "read"},
    }
    hasty: Call = {"role": "judge", "phase": "6", "attempt": 1, "reply": findings}
    shown = [{"role": role, "phase": p, "do": [SHOW_PROMPT]} for p in ("5", "6") for role in ("verifier", "rater")]
    world.play(hasty, {"role": "judge", "phase": "6", "attempt": 2, "do": [SHOW_PROMPT]}, *shown)
    return world


def _show_prompt(world: World, role: str) -> None:
    """Let an agent of the honest script show its prompt before it does what it does."""
    script = json.loads(world.script.read_text(encoding="utf-8"))
    for call in script["calls"]:
        if call["role"] == role:
            call["do"] = [SHOW_PROMPT, *call["do"]]
    world.script.write_text(json.dumps(script), encoding="utf-8")


STORIES = (
    Story("remediated", remediated, 0, quick=True),
    Story("stuck", stuck, 0),
    Story("replanned", replanned, 0),
    Story("replanned_twice", replanned_twice, 1),
    Story("handed_over", handed_over, 0, quick=True),
    Story("run_cap", capped("tokens"), 4),
    Story("phase_cap", capped("tokens_per_phase"), 4, after=((("resume", "--now"), 4),)),
    Story("no_progress", no_progress, 1, after=((("resume", "--now"), 1),)),
    Story("same_error", same_error, 1, after=((("resume", "--now"), 1),)),
    Story("retries_spent", retries_spent, 1),
    Story("rubber_stamp", rubber_stamp, 0),
)
