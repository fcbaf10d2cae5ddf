"""Chance: runs whose world answers by lot, for laws that must hold whatever happens."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.model.intent import Deficiency, Earlier, Intent, Purpose, Scored
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Breaker, Budget, Choice, Commands, Policy
from autopilot.model.run import PhaseBrief
from autopilot.planning.choosing.flags import aim
from tests.unit.flows.playing import Choose
from tests.unit.flows.provisioning import SEATINGS
from tests.unit.flows.stage import Stage
from tests.unit.making import ONE, START, THREE, TWO, alter, make_brief, make_criterion, make_policy, make_started

# The second has a criterion of the roadmap's own beside those of its plan.
PHASES = (make_brief(ONE), make_brief(TWO, ONE, criteria=(make_criterion("phase.c1"),)), make_brief(THREE))
POLICIES = (
    make_policy(),
    make_policy(budget=Budget(tokens=12_000)),  # each reply costs 1,000: it trips in the second phase
    make_policy(pass_threshold=7.0, research=False, commands=Commands(test="make test")),
    make_policy(parts=2, breaker=Breaker(no_progress=50, same_error=50, retries_per_run=50)),
    make_policy(commit_docs=False, budget=Budget(tokens_per_phase=9_000)),
)
KNOWN = tuple(
    Deficiency(f"it is {word}", f"promise {n}", 8.0 + n / 10) for n, word in enumerate(("slow", "dear", "dull"))
)
WORRY = Deficiency("nothing says why", weight="medium", source="judge_report")


def completed(id: PhaseId, purpose: Purpose, score: float, *lacks: Deficiency, incomplete: bool = False) -> PhaseBrief:
    """A phase an earlier run completed."""
    earlier = Earlier("run-0", START, score, incomplete, (Scored(score, START, "initial"),), lacks)
    return make_brief(id, purpose=purpose, earlier=earlier)


# Calls with flags: what they make of the phases, and how high they aim.
FORCE = (Intent(force=True), tuple(completed(id, Purpose.REDO, 9.2) for id in (ONE, TWO, THREE)))
QUALITY = (
    Intent(quality=True),
    (
        make_brief(ONE),
        completed(TWO, Purpose.REFINE, 8.3, *KNOWN, incomplete=True),
        completed(THREE, Purpose.REFINE, 9.4),
    ),
)
GAPS = (
    Intent(gaps=True),
    (
        completed(ONE, Purpose.GAPS, 8.3, *KNOWN, WORRY),
        completed(TWO, Purpose.GAPS, 9.6, KNOWN[0]),
        completed(THREE, Purpose.GAPS, 9.0, *(replace(WORRY, text=f"worry {n}") for n in range(7))),
    ),
)
BOTH = (
    Intent(quality=True, gaps=True),
    (make_brief(ONE), completed(TWO, Purpose.REFINE, 9.0, *KNOWN), completed(THREE, Purpose.GAPS, 9.7, WORRY)),
)
CALLS = ((Intent(), PHASES),) * 6 + (FORCE, QUALITY, GAPS, BOTH)


# Where another answer is no misfortune, only another way.
ADVENTURES = (
    *("size of the plan", "tasks for a person", "triage", "already there", "verdict"),
    *("score", "files found wanting", "integration", "verifier", "half done when it was limited"),
    *("higher score", "held already"),
)


def by_chance(data: st.DataObject) -> Choose:
    """The good answer most of the time, so that runs get far; a failure shrinks towards all going well."""
    luck = data.draw(st.sampled_from([40, 12, 4]), "good answers to each bad one")

    def choose(question: str, good: object, *bad: object) -> object:
        number = data.draw(st.integers(0, luck + len(bad) - 1), question)
        return good if number < luck else bad[number - luck]

    return choose


def by_lot(seed: int) -> Choose:
    """From a seed: nothing shrinks, but no run is too long. Each run has its own troubles, some often, most never."""
    lot = Random(seed)
    lucks = {"the world": lot.choice([10_000, 200, 60])} | {name: lot.choice([10_000, 3, 1]) for name in ADVENTURES}

    def choose(question: str, good: object, *bad: object) -> object:
        luck = lucks.setdefault(question, lot.choice([10_000] * 8 + [20, 6, 2, 1]))
        number = lot.randrange(luck + len(bad))
        return good if number < luck else bad[number - luck]

    return choose


def seated(policy: Policy, seating: tuple[Mapping[str, Choice], Mapping[str, str]]) -> Policy:
    agents, providers = seating
    return alter(policy, agents=agents, providers=providers)


@st.composite
def stages(draw: st.DrawFn) -> Stage:
    policy = seated(draw(st.sampled_from(POLICIES)), draw(st.sampled_from(SEATINGS)))
    intent, phases = draw(st.sampled_from(CALLS))
    started = make_started(*phases, policy=aim(policy, intent), intent=intent)
    return Stage(started, by_chance(draw(st.data())), resumes=draw(st.integers(0, 3)))


def stage_by_lot(seed: int) -> Stage:
    lot = Random(seed)
    policy, resumes = lot.choice(POLICIES), lot.randrange(5)
    policy = seated(policy, lot.choice(SEATINGS))
    intent, phases = lot.choice(CALLS)
    return Stage(make_started(*phases, policy=aim(policy, intent), intent=intent), by_lot(seed), resumes=resumes)
