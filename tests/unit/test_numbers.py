"""The numbers of the sources beside ours: limits, thresholds, attempts, scores. One row each; where ours differs, why.

covers: CB, INV-3, CENF-01, CENF-02, QUAL, GAPS, PCHK, PVRF-01, DBG, TRI, SPLIT, STAT-04, CMAP-01, CMAP-02, CMAP-05
covers: MTRC-02, CHK-3, CHK-5, CHK-10, DONE-1, OBSV-01, OBSV-04, RATE, SBX, DISC, PLAN, HV, EXEC, PRMT-01
"""

from __future__ import annotations

import pytest

from autopilot.events.phase_tokens import LEAST_PHASE_TOKENS
from autopilot.flows.closing import MAX_ROUNDS
from autopilot.flows.phase import BATCH_OVER
from autopilot.flows.remediation import GOOD_ENOUGH
from autopilot.gates.integrity import FAST_S
from autopilot.gates.score import BANDS, CONCERN_CAP, FAILED_CAP, NO_EVIDENCE_CAP
from autopilot.model.intent import GAP_ITERATIONS, LENIENT, NEAR_PERFECT, QUALITY, QUALITY_CYCLES, USUAL
from autopilot.model.issue.issue import ATDD, MAX_ITERATIONS, PLAN_AND_TESTS, STORIES, USUAL_ITERATIONS
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.policy import DEFERRAL_RATE_TARGET, Policy
from autopilot.planning.choosing.estimate import (
    BUFFER_PERCENT,
    PIPELINE_TOKENS,
    TASK_TOKENS,
    UNPLANNED_TOKENS,
    WARNING_PERCENT,
)
from autopilot.planning.lint.plan_rules import FEWEST_TASKS, MOST_TASKS
from autopilot.planning.people import gray_areas, questions, sufficiency
from autopilot.planning.plan import split
from autopilot.rails import deferral
from autopilot.rails.rubber_stamp import SPREAD, TIERS
from autopilot.reports.documents import execution_log, span_trace, timeline
from autopilot.reports.run.metrics import SUCCESS
from autopilot.reports.status.scores import SATISFIED
from autopilot.steps.pipeline.plan_check import MIN_CONFIDENCE
from autopilot.steps.pipeline.triage import ENOUGH

OURS = Policy()
BREAKER, BUDGET = OURS.breaker, OURS.budget

# What it is called in the sources, their number, ours.
SAME: dict[str, list[tuple[str, object, object]]] = {
    "schemas, section 2: circuit breaker": [
        ("no_progress_threshold", 3, BREAKER.no_progress),
        ("same_error_threshold", 5, BREAKER.same_error),
        ("output_degradation_pct", 70, BREAKER.degraded_below * 10),
        ("max_debug_attempts_per_phase", 3, BREAKER.debugs_per_phase),
        ("max_replan_attempts_per_phase", 1, BREAKER.replans_per_phase),
        ("max_total_retries_per_run", 10, BREAKER.retries_per_run),
        ("cooldown_minutes", 5, BREAKER.cooldown_minutes),
        ("cost_cap_tokens_per_phase, at least", 500_000, LEAST_PHASE_TOKENS),
        ("cost_cap_tokens_total", 5_000_000, BUDGET.tokens),
        ("wall_clock_timeout_minutes_per_phase", 120, BUDGET.minutes_per_phase),
        ("wall_clock_timeout_minutes_total", 1440, BUDGET.minutes),
    ],
    "orchestrator, section 1: what a phase must score": [
        ("pass_threshold", 9.0, USUAL),
        ("pass_threshold of a run", 9.0, OURS.pass_threshold),
        ("--lenient", 7.0, LENIENT),
        ("--quality", 9.5, QUALITY),
        ("max_quality_cycles", 3, QUALITY_CYCLES),
        ("--gaps: from here on there is none", 9.8, NEAR_PERFECT),
        ("max_gap_iterations", 5, GAP_ITERATIONS),
        ("a deficiency is a criterion below", 9.5, GOOD_ENOUGH),
        ("remediation cycles", 2, OURS.attempts.remediations),
        ("a diagnostic below", 9.0, SATISFIED),
        ("a success in metrics from", 7.0, SUCCESS),
    ],
    "orchestrator, section 2: estimates": [
        ("a simple task", 15_000, TASK_TOKENS["simple"]),
        ("a medium task", 30_000, TASK_TOKENS["medium"]),
        ("a complex task", 60_000, TASK_TOKENS["complex"]),
        ("pipeline overhead", 50_000, PIPELINE_TOKENS),
        ("buffer", 20, BUFFER_PERCENT),
        ("warning from", 80, WARNING_PERCENT),
        ("no plan, protocol", 150_000, UNPLANNED_TOKENS[PhaseType.PROTOCOL]),
        ("no plan, ui", 250_000, UNPLANNED_TOKENS[PhaseType.UI]),
        ("no plan, data", 100_000, UNPLANNED_TOKENS[PhaseType.DATA]),
        ("no plan, mixed", 200_000, UNPLANNED_TOKENS[PhaseType.MIXED]),
    ],
    "orchestrator, section 2: what is left to people": [
        ("target of the rate", 0.05, DEFERRAL_RATE_TARGET),
        ("phases from which there is a rate", 2, deferral.RATE_FROM),
        ("confidence that needs nobody", 6.0, OURS.deferral_confidence),
        ("where it starts", 6.0, deferral.START),
        ("how far it moves", 0.5, deferral.STEP),
        ("lowest", 3.0, deferral.LOWEST),
        ("highest", 8.0, deferral.HIGHEST),
        ("verdicts needed", 3, deferral.VERDICTS_NEEDED),
        ("lowered above", 0.80, deferral.OFTEN_FINE),
        ("raised below", 0.70, deferral.OFTEN_NOT),
    ],
    "orchestrator, section 5: integrity": [
        ("uniform scores lie within", 0.2, SPREAD),
        ("tiers, by scores in a row", ((7, 3), (5, 2), (3, 1)), TIERS),
        ("a quick phase, in seconds", 300.0, FAST_S),
        ("audits after the first", 2, MAX_ROUNDS),
    ],
    "orchestrator, sections 1.2 and 1.7: questions to the user": [
        ("weights", [35, 35, 15, 15], list(sufficiency.WEIGHTS.values())),
        ("questioning_threshold", 8, sufficiency.ENOUGH),
        ("warning_threshold", 5, sufficiency.WORRYING),
        ("a stub scores", 1.0, sufficiency.LOWEST),
        ("fewest and most questions", (2, 5), (questions.FEWEST, questions.MOST)),
        ("gray areas", (3, 5), (gray_areas.FEWEST_AREAS, gray_areas.MOST_AREAS)),
        ("questions of an area", (3, 4), (gray_areas.FEWEST_QUESTIONS, gray_areas.MOST_QUESTIONS)),
    ],
    "playbook: the pipeline": [
        ("triage: verify only above", 0.8, ENOUGH),
        ("tasks of a plan", (2, 5), (FEWEST_TASKS, MOST_TASKS)),
        ("plan check: confidence", 7.0, MIN_CONFIDENCE),
        ("plan check: iterations", 3, OURS.attempts.plan_rounds),
        ("debug attempts of a task", 2, OURS.attempts.task_debugs),
        ("tasks above which they are done together", 8, BATCH_OVER),
        ("executor confidence that needs no review", 7.0, execution_log.SURE),
        ("seconds of a criterion", 60.0, OURS.timeouts.criterion),
        ("split: complex tasks", 5, split.MAX_COMPLEX),
        ("split: files", 10, split.MAX_FILES),
        ("split: issues", 3, split.MAX_ISSUES),
        ("split: files of the issues", 4, split.MIN_ISSUE_FILES),
        ("a criterion that failed stays below", 5.0, round(FAILED_CAP + 0.1, 1)),
        ("one without a place stays below", 7.0, round(NO_EVIDENCE_CAP + 0.1, 1)),
        ("excellence needs no concern", 9.5, round(CONCERN_CAP + 0.1, 1)),
        ("score bands from", [9.5, 8.0, 7.0, 5.0, 3.0, 0.0], [low for low, _ in BANDS]),
    ],
    "issue mode": [
        ("maxIterations", [4, 4, 8], [MAX_ITERATIONS[step] for step in (STORIES, PLAN_AND_TESTS, ATDD)]),
        ("maxIterations of any other step", 4, USUAL_ITERATIONS),
    ],
    "schemas, sections 6 and 7: traces and post-mortems": [
        ("characters of a summary", 200, span_trace.SUMMARY_CHARS),
        ("entries of a timeline", 20, timeline.MOST),
    ],
}
ROWS = [(f"{where}: {what}", theirs, ours) for where, rows in SAME.items() for what, theirs, ours in rows]

# Where ours is another one on purpose.
DIFFERENT = [
    ("seconds a verifier takes at least", 120.0, OURS.verifier_min_s, 0.0, "code runs every check again; can be set"),
    ("tokens of a phase", 500_000, BUDGET.tokens_per_phase, 0, "from its estimate, 500,000 at least"),
]


@pytest.mark.parametrize(("theirs", "ours"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_number_of_the_sources_is_our_default(theirs: object, ours: object) -> None:
    assert ours == theirs


@pytest.mark.parametrize(("theirs", "ours", "said"), [row[1:4] for row in DIFFERENT], ids=[row[0] for row in DIFFERENT])
def test_where_ours_is_another_it_is_the_one_that_is_documented(theirs: object, ours: object, said: object) -> None:
    assert ours == said != theirs
