"""Laws of objections: none ever raises an outcome, and a flag changes none (T2, T8)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.criterion import worst
from autopilot.gates.decision import Case, rule
from autopilot.model.evidence.objection import Layer, Objection, Weight, verdicts_of
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.policy import Policy
from tests.unit.gates.test_decision_laws import CASES, POLICIES, RANK, VERDICTS

# covers: T2, T8
OBJECTIONS = st.builds(
    Objection,
    st.sampled_from(Layer),
    st.sampled_from(["c1", "test", "task 01", "phase"]),
    st.just("so it was seen"),
    st.sampled_from(["", "tests/test_a.py"]),
    st.sampled_from(["", "mend it"]),
    st.sampled_from(Weight),
)
MANY = st.lists(OBJECTIONS, max_size=4).map(tuple)


@given(VERDICTS, MANY)
def test_no_objection_raises_an_outcome(verdicts: tuple[Verdict, ...], objections: tuple[Objection, ...]) -> None:
    heard = verdicts_of(objections)
    assert all(v.outcome is not Outcome.PASS for v in heard)
    assert RANK[worst((*verdicts, *heard))] <= RANK[worst(verdicts)]


@given(CASES, POLICIES, MANY)
def test_neither_does_it_through_the_gate(case: Case, policy: Policy, objections: tuple[Objection, ...]) -> None:
    heard = verdicts_of(objections)
    ruled = rule(replace(case, verdicts=(*case.verdicts, *heard)), policy)
    assert RANK[ruled.outcome] <= RANK[worst(case.verdicts)]
    if heard:
        assert ruled.outcome is not Outcome.PASS
    if worst(case.verdicts) is not Outcome.PASS:
        assert ruled.outcome is not Outcome.PASS


@given(VERDICTS, MANY)
def test_flags_are_heard_by_no_gate(verdicts: tuple[Verdict, ...], objections: tuple[Objection, ...]) -> None:
    flags = tuple(replace(o, weight=Weight.FLAG) for o in objections)
    assert worst((*verdicts, *verdicts_of(flags))) is worst(verdicts)


@given(MANY)
def test_only_our_own_failure_is_ours(objections: tuple[Objection, ...]) -> None:
    heard = [o for o in objections if o.weight is not Weight.FLAG]
    for objection, verdict in zip(heard, verdicts_of(objections), strict=True):
        assert verdict.ours is (objection.weight is Weight.OURS)
        assert (verdict.outcome is Outcome.FAIL) is (objection.weight is Weight.REFUSE)
