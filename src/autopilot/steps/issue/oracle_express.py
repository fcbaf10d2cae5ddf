"""The oracle of a change of documents: documents and nothing else, and every check says what it said."""

from __future__ import annotations

from autopilot.gates.check import judge_checks_of_task
from autopilot.gates.issue.documents import judge_documents
from autopilot.inspection.document_files import is_document_change
from autopilot.model.run import StepStatus
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.evaluation import evaluate_kept
from autopilot.steps.evidence.work import survey
from autopilot.steps.issue.anchor_runs import begun_at, undone
from autopilot.steps.issue.issue_context import issue_of, round_of
from autopilot.steps.issue.oracle_atdd import answer, judgement
from autopilot.steps.observing.observing import list_configured_checks, observe


def verify_documents(ctx: StepContext) -> StepRun:
    """No test can be red without a wording, so the terms mean other things here: ``red_observed``, a document did
    change; ``coverage_ok``, nothing but documents did; ``at_green``, every configured check says what it said before.
    Nothing is run of a change that is more than that.
    """
    yield from ()
    work = round_of(ctx).work
    assert work is not None and work.commit, "only accepted work is observed"
    begun, folder = begun_at(ctx), issue_of(ctx).brief.folder
    whole = survey(ctx, "issue", begun, work.commit, ())
    documents = [c.path for c in whole.changes if is_document_change(c) and not c.path.startswith(f"{folder}/")]
    if others := [c.path for c in whole.changes if not is_document_change(c)]:
        return answer(judgement(ctx, work, judge_documents(documents, others, ())))
    checks = list_configured_checks(ctx)
    before = {seen.subject: seen for seen in observe(ctx, begun, checks, at_base=True)}
    if reason := undone(*before.values()):
        return Result(StepStatus.UNPROVEN, detail=reason)
    evaluation = evaluate_kept(ctx, whole, before, checks)
    if evaluation.undone:
        return Result(StepStatus.UNPROVEN, detail=evaluation.undone)
    verdicts = judge_checks_of_task(evaluation.observations, before)
    oracle = judge_documents(documents, (), verdicts, evaluation.proving.objections)
    return answer(judgement(ctx, work, oracle, evaluation))
