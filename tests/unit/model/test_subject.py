"""What evidence is about: a structure in memory, the spelling of ever in the journal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.events.happened import PhaseObserved, TaskVerified
from autopilot.model.evidence.subject import (
    ProbeKind,
    Subject,
    SubjectKind,
    objection_subject,
    parse_subject,
    probe_subject,
    script_subject,
    whole_task,
)
from tests.unit.events.golden.reading import FOLDER, read_golden

K = SubjectKind
IDS = st.from_regex(r"[0-9]{2}-[0-9]{2}(\.c[0-9]+)?", fullmatch=True)
NAMED = st.builds(Subject, st.sampled_from([K.CRITERION, K.SCRIPT, K.TASK]), IDS)
WHOLE = st.builds(Subject, st.sampled_from([K.PHASE, K.ACCEPTANCE, K.WIRING]))
CHECKED = st.sampled_from([Subject(K.CHECK, "compile"), Subject(K.TYPE_CHECK, "validity")])
SUBJECTS = st.builds(
    lambda base, probe, layer, phase: Subject(base.kind, base.name, probe, layer, phase),
    NAMED | WHOLE | CHECKED,
    st.none() | st.sampled_from(ProbeKind),
    st.sampled_from(["", "S", "R"]),
    st.sampled_from(["", "2", "6.1", "20A"]),
)


@given(SUBJECTS)
def test_a_subject_is_read_as_it_was_spelled(subject: Subject) -> None:
    assert parse_subject(str(subject)) == subject


@given(st.text() | st.from_regex(r"([A-Z]:)?(replay:|again:)?(phase [0-9]+, )?(script:|task |at|phase)?.*"))
def test_whatever_a_journal_spells_comes_back_letter_by_letter(text: str) -> None:
    assert str(parse_subject(text)) == text


@pytest.mark.parametrize("path", sorted(FOLDER.glob("journal-*.jsonl")), ids=lambda path: path.stem)
def test_every_subject_of_a_golden_journal_is_known(path) -> None:  # type: ignore[no-untyped-def]
    events = [entry.event for entry in read_golden(path)]
    seen = [o for event in events if isinstance(event, PhaseObserved | TaskVerified) for o in event.observations]
    assert all(str(o.about) == o.subject for o in seen)
    assert {o.about.kind for o in seen} >= ({K.CHECK, K.CRITERION} if seen else set())


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("01-01.c1", Subject(K.CRITERION, "01-01.c1")),
        ("test", Subject(K.CHECK, "test")),
        (script_subject("01-01"), Subject(K.SCRIPT, "01-01")),
        (whole_task("01-01"), Subject(K.TASK, "01-01")),
        ("phase", Subject(K.PHASE)),
        ("at", Subject(K.ACCEPTANCE)),
        ("wire", Subject(K.WIRING)),
        ("cross_reference", Subject(K.TYPE_CHECK, "cross_reference")),
        (objection_subject("S", "task 01-01"), Subject(K.TASK, "01-01", layer="S")),
        (probe_subject(ProbeKind.AGAIN, "test"), Subject(K.CHECK, "test", ProbeKind.AGAIN)),
        ("phase 2, script:02-01", Subject(K.SCRIPT, "02-01", of_phase="2")),
        ("attic", Subject(K.CRITERION, "attic")),
    ],
)
def test_a_spelling_is_known(text: str, subject: Subject) -> None:
    assert (parse_subject(text), str(subject)) == (subject, text)


def test_an_objection_or_a_probe_is_not_the_thing_itself() -> None:
    script = Subject(K.SCRIPT, "01-01")
    assert script.is_plain(K.SCRIPT, K.TASK) and not script.is_plain(K.TASK)
    for other in (objection_subject("R", str(script)), probe_subject(ProbeKind.REPLAY, str(script))):
        assert not parse_subject(other).is_plain(K.SCRIPT)
    assert parse_subject("R:script:01-01").without_layer == "script:01-01"
    assert parse_subject("replay:01-01.c1").without_probe == "01-01.c1"
