"""One phase in the HTML report: what was promised, what was run for it, how it scored, and what it took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import LandingStage, PhaseStatus
from autopilot.reports.documents.objections import objection_words, objections_of
from autopilot.reports.evidence.failure_text import render_failures
from autopilot.reports.evidence.failures import failures_of
from autopilot.reports.evidence.planned import NOTHING_JUDGED, planned_rows
from autopilot.reports.evidence.promised import HEAD, is_judged, promise_rows, ratio_words, standing_words
from autopilot.reports.evidence.proofs import Proof, proofs_of
from autopilot.reports.evidence.strength import tests_words
from autopilot.reports.html.markup import Markup, el, join, link_to
from autopilot.reports.html.pieces import bullet_list, meter, score_tag, status_tag, table_of, tag, with_code
from autopilot.reports.markdown import how_long, seconds
from autopilot.reports.run.agents import agent_lines
from autopilot.reports.run.batch import notes_of
from autopilot.reports.status.files import confidence_path, diagnostics_folder, postmortem_path
from autopilot.reports.status.phase_record import retries_words, usage_of
from autopilot.reports.status.scores import needs_diagnostic, score_of
from autopilot.reports.status.status_text import spent_words
from autopilot.reports.visual.html import visual_pieces

# On a narrow page the first columns are what is seen without scrolling.
EVIDENCE_HEAD = (
    "Criterion or check",
    "Verdict",
    "Strength",
    "Because",
    "Tests",
    "Command",
    "Exit",
    "Commit",
    "Took",
    "Output",
)
SCORE_HEAD = ("Criterion", "Score", "", "Evidence", "Justification")
OUTCOMES = {Outcome.PASS: "good", Outcome.FAIL: "bad", Outcome.UNPROVEN: "warn"}
DOCUMENTS = ("SUMMARY.md", "VERIFICATION.md", "SCORECARD.md", "JUDGE-REPORT.md", "EXECUTION-LOG.md", "TRACE.jsonl")


def render_phase(state: RunState, phase: PhaseState, root: str, pictures: Mapping[str, bytes] | None = None) -> Markup:
    """Open where there is something to read: what did not go well."""
    head = [
        el("b", f"Phase {phase.id}: {phase.brief.name}"),
        join([status_tag(phase.status.value), score_tag(state, phase)], " "),
        *([el("span", ratio_words(phase), class_="quiet")] if is_judged(phase) else []),
    ]
    body = [
        el("p", phase.brief.goal, class_="quiet"),
        *_notes(state, phase),
        *_failures(state, phase),
        *_promised(state, phase),
        *_evidence(state, phase),
        *visual_pieces(phase.observed.visual, pictures or {}),
        *_scores(phase),
        *_history(phase),
        *_agents(state, phase),
        *_documents(state, phase, root),
    ]
    opened = {"open": ""} if phase.status in (PhaseStatus.FAILED, PhaseStatus.NEEDS_HUMAN_VERIFICATION) else {}
    return el("details", el("summary", *head), *body, id=f"phase-{phase.id}", **opened)


def _notes(state: RunState, phase: PhaseState) -> Iterator[Markup]:
    took = (
        how_long(seconds(phase.started_at, phase.ending.completed_at or state.now))
        if phase.started_at
        else "not started"
    )
    used = usage_of(state, phase)
    spent = spent_words(used.tokens, phase.intake.estimate or 0, used.usd, used.usd_is_estimate)
    yield el("p", f"{took}; attempt {phase.totals.attempt}; retries: {retries_words(state, phase)}; {spent}")
    if notes := notes_of(state, phase, failures_of(state, phase)):
        yield el("p", with_code(notes), class_="note")
    for warning in phase.warnings:
        yield el("p", f"warning: {warning}", class_="quiet")


def _failures(state: RunState, phase: PhaseState) -> Iterator[Markup]:
    """What does not hold, before every table."""
    if failures := failures_of(state, phase) if phase.status is PhaseStatus.FAILED else ():
        yield el("h3", "What does not hold")
        yield el("pre", render_failures(failures))
        yield el("p", with_code(f"How to repeat it by hand: `autopilot why {phase.id}`"))


def _promised(state: RunState, phase: PhaseState) -> Iterator[Markup]:
    judged = is_judged(phase)
    rows = promise_rows(state, phase) if judged else planned_rows(phase)
    if rows:
        yield el("h3", "What is asked for")
        yield el("p", f"{standing_words(phase)}." if judged else f"{NOTHING_JUDGED}.")
        yield table_of(HEAD, [row.cells for row in rows], wide=(1, 4))


def _evidence(state: RunState, phase: PhaseState) -> Iterator[Markup]:
    proofs = proofs_of(state, phase)
    if proofs:
        yield el("h3", "Evidence")
        rows = [_proof_row(phase, place, proof) for place, proof in enumerate(proofs, 1)]
        yield table_of(EVIDENCE_HEAD, rows, wide=(0, 3, 5), numbers=(6, 8))
    if lines := [objection_words(objection) for objection in objections_of(state, phase)]:
        yield el("h3", "Objections and flags")
        yield bullet_list(lines)


def _proof_row(phase: PhaseState, place: int, proof: Proof) -> Sequence[str]:
    seen = proof.observation
    verdict = tag(proof.outcome.value, OUTCOMES[proof.outcome]) if proof.outcome else tag("not checked", "")
    anchor = el("span", proof.text, id=f"evidence-{phase.id}-{place}")
    if seen is None:
        return (anchor, verdict, proof.strength, proof.because, *[""] * 6)
    return (
        anchor,
        verdict,
        el("span", proof.strength, title="; ".join((*proof.weighed.replayed_by, *proof.weighed.weak))),
        proof.because,
        _tests_cell(seen),
        el("code", seen.command),
        "" if seen.exit_code is None else str(seen.exit_code),
        el("code", seen.commit[:12]),
        how_long(seen.duration_ms / 1000) if seen.duration_ms >= 1000 else f"{seen.duration_ms} ms",
        el("code", seen.output[:12], title=seen.excerpt) if seen.output else "",
    )


def _tests_cell(seen: Observation) -> str:
    """How many passed; the report's digest is behind it, for who wants to look it up."""
    if seen.tests is None:
        return ""
    return el("span", tests_words(seen.tests), title=f"report {seen.tests.report}")


def _scores(phase: PhaseState) -> Iterator[Markup]:
    if phase.reviews.rating is None:
        return
    yield el("h3", "Scores")
    rows = [
        (s.criterion, f"{s.score:g}", meter(s.score), s.evidence, s.justification)
        for s in phase.reviews.rating.scorecard
    ]
    yield table_of(SCORE_HEAD, rows, wide=(0, 3, 4), numbers=(1,))
    if lost := [deduction for deduction in phase.reviews.deductions if deduction.lost > 0]:
        yield el("p", "Where points were lost:")
        yield bullet_list(
            [
                f"{deduction.criterion}: -{deduction.lost:g}, {deduction.why} {deduction.file}".rstrip()
                for deduction in lost
            ]
        )


def _history(phase: PhaseState) -> Iterator[Markup]:
    """What the scores of one call have in common is said after the last of them."""
    scored = phase.totals.history
    if len(scored) > 1:
        ends = [scored_now.flag != later.flag for scored_now, later in pairwise(scored)] + [True]
        shown = (f"{s.score:g} ({s.flag})" if end else f"{s.score:g}" for s, end in zip(scored, ends, strict=True))
        yield el("p", f"Score history: {' → '.join(shown)}", class_="quiet")


def _agents(state: RunState, phase: PhaseState) -> Iterator[Markup]:
    if lines := agent_lines(state, phase):
        yield el("h3", "Agents")
        yield bullet_list(lines)


def _documents(state: RunState, phase: PhaseState, root: str) -> Iterator[Markup]:
    """Links only to what stands in the checkout."""
    paths: list[str] = []
    if (
        phase.status is PhaseStatus.COMPLETED
        and phase.landing.state == LandingStage.LANDED
        and state.policy.commit_docs
    ):
        made = {
            "SCORECARD.md": phase.reviews.rating,
            "JUDGE-REPORT.md": phase.reviews.judgement,
            "EXECUTION-LOG.md": phase.tasks,
        }
        paths += [f"{phase.brief.folder}/{name}" for name in DOCUMENTS if made.get(name, True)]
    if phase.status is PhaseStatus.FAILED:
        paths += [f"{diagnostics_folder(phase.id)}/VERIFICATION.md", postmortem_path(phase.id)]
    if needs_diagnostic(state, phase):
        paths.append(confidence_path(phase.id))
    if paths and root:
        yield el("h3", "Documents")
        yield el("p", join([link_to(path, root, path.rsplit("/", 1)[-1]) for path in paths], " · "))


def phase_link(state: RunState, phase: PhaseState) -> Markup:
    score = score_of(state, phase)
    shown = f"{phase.id}" if score is None else f"{phase.id} ({score:g})"
    return el("a", f"phase {shown}", href=f"#phase-{phase.id}")
