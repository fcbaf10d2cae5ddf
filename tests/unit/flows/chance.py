"""Chance: runs whose world answers by lot, for laws that must hold whatever happens."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.model.policy import Breaker, Budget, Choice, Commands, Policy
from tests.unit.flows.playing import Choose
from tests.unit.flows.provisioning import SEATINGS
from tests.unit.flows.stage import Stage
from tests.unit.making import ONE, THREE, TWO, make_brief, make_criterion, make_policy, make_started

# The second has a criterion of the roadmap's own beside those of its plan.
PHASES = (make_brief(ONE), make_brief(TWO, ONE, criteria=(make_criterion("phase.c1"),)), make_brief(THREE))
POLICIES = (
    make_policy(),
    make_policy(budget=Budget(tokens=12_000)),  # each reply costs 1,000: it trips in the second phase
    make_policy(pass_threshold=7.0, research=False, commands=Commands(test="make test")),
    make_policy(max_parallel=2, breaker=Breaker(no_progress=50, same_error=50, retries_per_run=50)),
    make_policy(commit_docs=False, budget=Budget(tokens_per_phase=9_000)),
)


# Where another answer is no misfortune, only another way.
ADVENTURES = (
    *("size of the plan", "tasks for a person", "triage", "already there", "verdict"),
    *("score", "files found wanting", "integration", "verifier", "half done when it was limited"),
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
    return replace(policy, agents=agents, providers=providers)


@st.composite
def stages(draw: st.DrawFn) -> Stage:
    policy = seated(draw(st.sampled_from(POLICIES)), draw(st.sampled_from(SEATINGS)))
    started = make_started(*PHASES, policy=policy)
    return Stage(started, by_chance(draw(st.data())), resumes=draw(st.integers(0, 3)))


def stage_by_lot(seed: int) -> Stage:
    lot = Random(seed)
    policy, resumes = lot.choice(POLICIES), lot.randrange(5)
    started = make_started(*PHASES, policy=seated(policy, lot.choice(SEATINGS)))
    return Stage(started, by_lot(seed), resumes=resumes)
