"""Chance: runs whose world answers by lot, for laws that must hold whatever happens."""

from __future__ import annotations

from hypothesis import strategies as st

from autopilot.model.policy import Budget, Policy
from tests.unit.flows.performer import Choose
from tests.unit.flows.stage import Stage
from tests.unit.making import ONE, THREE, TWO, make_brief, make_criterion, make_started

# The second has a criterion of the roadmap's own beside those of its plan.
PHASES = (make_brief(ONE), make_brief(TWO, ONE, criteria=(make_criterion("phase.c1"),)), make_brief(THREE))
TIGHT = Policy(budget=Budget(tokens=12_000))  # each reply costs 1,000: it trips in the second phase


def by_chance(data: st.DataObject) -> Choose:
    """The good answer most of the time, so that runs get far; a failure shrinks towards all going well."""
    luck = data.draw(st.sampled_from([40, 12, 4]), "good answers to each bad one")

    def choose(question: str, good: object, *bad: object) -> object:
        number = data.draw(st.integers(0, luck + len(bad) - 1), question)
        return good if number < luck else bad[number - luck]

    return choose


@st.composite
def stages(draw: st.DrawFn) -> Stage:
    started = make_started(*PHASES, policy=draw(st.sampled_from([Policy(), TIGHT])))
    return Stage(started, by_chance(draw(st.data())), resumes=draw(st.integers(0, 3)))
