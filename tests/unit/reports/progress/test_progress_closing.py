"""Progress of what goes beyond the phases: refinement, the audit, the version, and what was passed over."""

from __future__ import annotations

import pytest

from autopilot.events import closing as c
from autopilot.events import happened as h
from autopilot.events import people as e
from autopilot.events import recovery as r
from autopilot.events.fold import fold_all
from autopilot.model.audit import Gap, IntegrationReport, RequirementAudit, VersionAdvice
from autopilot.model.evidence.observation import Seen
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Step
from autopilot.reports.progress.lines import progress_lines
from tests.unit.making import ONE, START, TWO, make_brief, make_observation, make_started, make_task, store

# covers: PROG, DONE-1, QUAL, GAPS, CMPL-02
AUDIT, VERSION, FIX = PhaseId("audit"), PhaseId("version"), PhaseId("fix-1")
BEGUN = (make_started(make_brief(ONE), make_brief(TWO)), h.PhaseStarted(ONE, 1, "base"))
AUDITING = (*BEGUN, c.ClosingBegun(make_brief(AUDIT), "tip"))
FIXING = (*AUDITING, c.ClosingBegun(make_brief(FIX), "tip", (make_task("fix-1-01"),)))
RELEASING = (*BEGUN, c.ClosingBegun(make_brief(VERSION), "tip"))
GAP = Gap("REQ-2", "1", "no test for zero", "small")
PASSED = RequirementAudit("REQ-1", "1", "it counts", "it does", "a.py:1", "pass")
TASK = make_task("01-r1")


def shown(*history: h.Event) -> list[str]:
    entries = store(*history)
    return list(progress_lines(entries[-1], fold_all(entries)))


@pytest.mark.parametrize(
    ("history", "lines"),
    [
        (
            (BEGUN[0], e.PhasePassedOver(TWO, "run-0", START)),
            ["Phase 2 already completed (run-0, 2025-01-01T12:00:00Z). Skipping."],
        ),
        (AUDITING, ["--- [COMPLETION] Part audit ---"]),
        (FIXING, ["--- [COMPLETION] Part fix-1: 1 task ---"]),
        ((*AUDITING, c.IntegrationChecked(AUDIT, IntegrationReport(True))), ["[Phase audit] Integration: pass"]),
        (
            (*AUDITING, c.IntegrationChecked(AUDIT, IntegrationReport(False), (GAP,))),
            ["[Phase audit] Integration: fail", "[Phase audit] REQ-2: gap (small) -- no test for zero"],
        ),
        (
            (*AUDITING, c.AuditStarted(AUDIT, (ONE, TWO), "SPEC.md")),
            ["[Phase audit] Self-audit: 2 phases against SPEC.md"],
        ),
        (
            (*AUDITING, c.Audited(AUDIT, 0, (PASSED,), (GAP,))),
            [
                "[Phase audit] Self-audit: 1 requirement checked, 1 gap found",
                "[Phase audit] REQ-2: gap (small) -- no test for zero",
            ],
        ),
        (
            (*AUDITING, c.Audited(AUDIT, 1, (PASSED,), (GAP,), ("REQ-3",))),
            ["[Phase audit] REQ-3: gap closed", "[Phase audit] Self-audit cycle 1: 1 closed, 1 open"],
        ),
        (
            (*AUDITING, c.AuditEnded(AUDIT, 9, 7, 2, 1, (GAP,), 2)),
            ["[Phase audit] Self-audit complete. 7/9 passed on first check, 2 gaps found, 1 fixed, 1 remaining"],
        ),
        ((*FIXING, h.PhaseCompleted(FIX, 9.4, "c1")), ["--- [COMPLETION] Part fix-1 complete | 1s ---"]),
        (
            (*FIXING, h.PhaseFailed(FIX, "it adds: exit 1", "tool_failure", Step.GATE)),
            ["--- [COMPLETION] Part fix-1 failed: it adds: exit 1 | 1s ---"],
        ),
        ((*AUDITING, h.StepStarted(AUDIT, Step.AUDIT, 1, 1, "integration")), ["[Phase audit] Step: AUDIT integration"]),
        ((*RELEASING, h.StepStarted(VERSION, Step.BUMP, 1)), ["[Phase version] Step: BUMP"]),
        ((*RELEASING, c.VersionAdvised(VERSION, VersionAdvice("minor", "rule"))), []),
        (
            (*RELEASING, c.VersionAdvised(VERSION, None, "it said nothing")),
            ["[Phase version] warning: the version rules could not be read: it said nothing"],
        ),
        (
            (
                *RELEASING,
                c.VersionBumped(
                    VERSION, "c1", "1.2.3", "1.3.0", ("VERSION", "CHANGELOG.md"), "minor", (make_observation("test"),)
                ),
            ),
            ["[Phase version] test PASS", "[Phase version] Version: 1.2.3 -> 1.3.0 in VERSION, CHANGELOG.md -- minor"],
        ),
        (
            (
                *RELEASING,
                c.VersionBumped(VERSION, "c1", "1", "2", ("V",), "m", (make_observation("test", Seen.NOTHING),)),
            ),
            ["[Phase version] test UNPROVEN", "[Phase version] Version: 1 -> 2 in V -- m"],
        ),
        (
            (*RELEASING, c.VersionKept(VERSION, "a gap is open")),
            ["[Phase version] Version: unchanged -- a gap is open"],
        ),
        (
            (*BEGUN, r.RemediationStarted(ONE, 2, 8.7, 9.5, (TASK,), flag="quality")),
            ["[Phase 1] Quality cycle 2: 8.7/10, target 9.5"],
        ),
        (
            (*BEGUN, r.RemediationEnded(ONE, 2, 8.7, 9.5, 9.5, "quality")),
            ["[Phase 1] Quality cycle 2 complete. Score: 8.7/10 -> 9.5/10, target 9.5 reached"],
        ),
        (
            (*BEGUN, r.RemediationStarted(ONE, 1, 9.0, 9.5, (TASK,), flag="gaps", deficiency="no test")),
            ["[Phase 1] Gap iteration 1: 9.0/10, target 9.5 -- no test"],
        ),
        (
            (*BEGUN, r.RemediationEnded(ONE, 1, 9.0, 9.2, 9.5, "gaps", "no test", 1)),
            [
                "[Phase 1] Gap iteration 1 complete. Score: 9.0/10 -> 9.2/10, target 9.5 not reached, "
                "1 gap not tried yet"
            ],
        ),
        (
            (*BEGUN, r.Exhausted(ONE, "gaps", 9.3, 9.5, 5, 1)),
            ["[Phase 1] gaps_exhausted after 5 iterations: 9.3/10 of 9.5; the phase keeps its current result"],
        ),
        (
            (*BEGUN, r.Withdrawn(ONE, "it scored lower")),
            ["[Phase 1] Refinement withdrawn: it scored lower; the phase keeps its earlier result"],
        ),
    ],
)
def test_what_goes_beyond_the_phases_is_told_in_plain_lines(history: tuple[h.Event, ...], lines: list[str]) -> None:
    assert shown(*history) == lines
