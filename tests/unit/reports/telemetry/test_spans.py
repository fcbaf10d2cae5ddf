"""A run as spans: nested as it happened, under the same ids each time, without anything that is nobody's business."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.entry import Stored
from autopilot.events.fold import fold_all
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.provision import AgentCutOff, WaitStarted, Woken
from autopilot.model.agent import Act, Ending, Role, Usage
from autopilot.model.human import GateKind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import RunStatus, Step, StepStatus
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.telemetry.spans import Span
from autopilot.reports.telemetry.spans import LONGEST, render_spans
from tests.unit.asking import STARTED
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.model.test_spellings import SPELLINGS

# covers: OTEL-SPANS

BEGAN = datetime(2026, 5, 4, 12, tzinfo=UTC)
ONE = PhaseId("1")
SECRET = "Zx9/kQ7+pL2=mN4vR8tW"
GOLDEN = sorted(FOLDER.glob("*.jsonl"))


def stored(*events: Any) -> list[Stored]:
    """One every ten seconds."""
    return [
        Stored(seq, BEGAN + timedelta(seconds=10 * seq), "run-1", str(seq), event)
        for seq, event in enumerate((STARTED, *events), 1)
    ]


def render(entries: Sequence[Stored], since: int = 0, **secrets: str) -> list[Span]:
    return render_spans(entries, "repository", Redactor(secrets).clean, since)


def replied(**changes: Any) -> h.AgentReplied:
    acts = (Act("file_read", "secrets.env"), Act("command_run", f"curl -H 'X: {SECRET}' example"))
    usage = Usage(900, 100, 300, 0.25)
    event = h.AgentReplied(ONE, Step.EXECUTE, Role.EXECUTOR, "claude", Ending.COMPLETED, usage, 4_000, "01-01")
    return replace(event, **{"acts": acts, "model": "opus", "detail": "it read .env", **changes})


WORK = (
    h.PhaseStarted(ONE, 1, "base"),
    h.StepStarted(ONE, Step.EXECUTE, 1, task="01-01"),
    replied(),
    h.StepEnded(ONE, Step.EXECUTE, 1, StepStatus.COMPLETED, "01-01"),
    h.PhaseCompleted(ONE, 9.5, "commit"),
    h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0),
)


def named(spans: Sequence[Span]) -> dict[str, Span]:
    return {span.name: span for span in spans}


def test_run_phase_step_call_and_act_lie_within_each_other() -> None:
    spans = named(render(stored(*WORK)))
    chain = ["execute_tool command_run", "invoke_agent claude", "execute", "phase 1", "run run-1"]
    for inner, outer in pairwise(chain):
        assert spans[inner].parent == spans[outer].id
        assert spans[outer].began_at <= spans[inner].began_at <= spans[inner].ended_at <= spans[outer].ended_at
    assert (spans["run run-1"].parent, len({span.trace for span in spans.values()})) == ("", 1)
    call = spans["invoke_agent claude"]
    assert (call.ended_at - call.began_at).total_seconds() == 4
    assert call.attributes["gen_ai.request.model"] == "opus"
    assert call.attributes["gen_ai.usage.input_tokens"] == 900
    assert call.attributes["gen_ai.usage.cache_read.input_tokens"] == 300
    assert spans["run run-1"].attributes["autopilot.usd"] == 0.25


def test_a_run_that_stops_shows_what_is_open_and_goes_on_under_the_same_ids() -> None:
    first = stored(*WORK[:3], h.RunStopped(RunStatus.PAUSED, "a cap", 4))
    whole = stored(*WORK[:3], h.RunStopped(RunStatus.PAUSED, "a cap", 4), *WORK[3:])
    before, after = named(render(first)), named(render(whole, since=len(first)))
    assert before["phase 1"].attributes["autopilot.unfinished"] is True
    assert set(after) == {"execute", "phase 1", "run run-1"}, "what was given before is not given again"
    for name, span in after.items():
        assert (before[name].id, before[name].trace, before[name].parent) == (span.id, span.trace, span.parent)
        assert "autopilot.unfinished" not in span.attributes


def test_what_goes_wrong_is_marked_and_nothing_is_said_about_how() -> None:
    failed = h.PhaseFailed(ONE, f"{SECRET} was printed", "tests", Step.VERIFY)
    cut_off = AgentCutOff(ONE, Step.EXECUTE, Role.EXECUTOR, "claude", Usage(5, 5), "01-01")
    limited = replied(ending=Ending.RATE_LIMITED, duration_ms=10**15, acts=())
    ended = (cut_off, h.StepEnded(ONE, Step.EXECUTE, 1, StepStatus.ERROR, "01-01", SECRET), failed)
    spans = render(stored(*WORK[:2], limited, *ended, h.RunStopped(RunStatus.FAILED, SECRET, 1)))
    assert [span.name for span in spans if span.has_failed] == [
        "invoke_agent claude",
        "invoke_agent claude",
        "execute",
        "phase 1",
        "run run-1",
    ]
    assert [span.attributes.get("error.type") for span in spans[:2]] == ["rate_limited", "cancelled"]
    assert spans[0].began_at == BEGAN + timedelta(seconds=30), "no call begins before its step"


def test_waits_and_gates_are_spans_of_the_run() -> None:
    gate = HumanAsked("map", GateKind.MAP, f"title {SECRET}")
    waits = (WaitStarted(BEGAN, SECRET), Woken(90.0), gate, HumanAnswered("map", {"1.1": SECRET}, "you"))
    spans = named(render(stored(*waits, h.RunStopped(RunStatus.COMPLETED, "", 0))))
    root = spans["run run-1"]
    assert spans["wait for an agent"].parent == spans["gate map"].parent == root.id
    assert root.attributes["autopilot.waited_s"] == 90.0
    assert SECRET not in str(list(spans.values()))


@pytest.mark.parametrize("journal", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_every_recorded_run_is_one_tree_whose_calls_add_up(journal: Path) -> None:
    entries = list(read_golden(journal))
    spans = render(entries)
    ids = {span.id for span in spans}
    roots = {span.id for span in spans if not span.parent}
    stops = any(isinstance(each.event, h.RunStopped) for each in entries)
    assert len(roots) == stops
    assert not stops or all(span.parent in ids for span in spans if span.parent)
    calls = [span for span in spans if span.attributes.get("gen_ai.operation.name") == "invoke_agent"]
    tokens = sum(
        int(span.attributes["gen_ai.usage.input_tokens"]) + int(span.attributes["gen_ai.usage.output_tokens"])
        for span in calls
    )
    assert tokens == fold_all(entries).totals.usage.tokens
    assert spans == render(entries)


FORMS = list(SPELLINGS)


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_in_any_form_is_in_no_span_wherever_an_agent_or_a_repository_put_it(form: str) -> None:
    spelt = SPELLINGS[form](SECRET)
    events = (
        h.PhaseStarted(PhaseId(spelt), 1, spelt),
        h.StepStarted(PhaseId(spelt), Step.EXECUTE, 1, task=spelt),
        replied(phase=PhaseId(spelt), task=spelt, agent=spelt, model=spelt, acts=(Act("file_read", spelt),)),
        HumanAsked(spelt, GateKind.MAP, spelt),
        h.RunStopped(RunStatus.PAUSED, spelt, 4),
    )
    shown = str([msg for span in render(stored(*events), key=SECRET) for msg in (span.name, *span.attributes.values())])
    unredacted = str([msg for span in render(stored(*events)) for msg in (span.name, *span.attributes.values())])
    assert "[redacted:key]" in shown
    assert spelt[:LONGEST] not in shown
    assert SECRET not in shown
    assert repr(spelt[:LONGEST])[1:-1] in unredacted or spelt[:LONGEST] in unredacted, "the control"
