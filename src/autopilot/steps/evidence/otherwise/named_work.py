"""Named work: each new function that the roadmap names does nothing, one at a time; some check has to notice (layer M).

With all of the work as constants one good test speaks for all functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.sabotage import Trial, is_killed, judge_named_work
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving, changed_contents, patience_s, reverted_files
from autopilot.steps.evidence.users_tests import promised_text
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import Check, list_configured_checks, list_criterion_checks, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.testtools.mutants.emptied import empty_function

MOST_NAMES, MOST_BYTES = 6, 200_000
# As code: called, or in backticks.
_NAMES = re.compile(r"\b([A-Za-z_]\w{1,60})\(|`(?:[\w.]{1,60}[.#:])?([A-Za-z_]\w{1,60})`")


def run_named_work(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """One run of the criteria for each such function, none where the roadmap names none; of the suite where they do not
    notice."""
    if not ctx.policy.evidence.mutants or not ctx.policy.evidence.sabotage:
        return Proving()
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED}
    checks = [*list_criterion_checks(ctx, criteria), *(c for c in list_configured_checks(ctx) if c.subject == "test")]
    asked = list({check.command: check for check in checks if check.subject in green}.values())
    proving = Proving()
    for name, edits in list(_emptied(ctx, work, criteria))[:MOST_NAMES] if asked else ():
        trials = list[Trial]()
        for check in asked:
            probe = _observe(ctx, work, edits, check, green[check.subject])
            trials.append(Trial(f"`{name}` doing nothing", probe.seen, report_of(ctx, probe)))
            proving += Proving((probe,))
            if is_killed(report_of(ctx, green[check.subject]), trials[-1]):
                break
        else:
            proving += Proving(objections=judge_named_work(work.subject, name, trials, next(iter(edits))))
    return proving


def _observe(ctx: StepContext, work: Work, edits: Mapping[str, bytes], check: Check, green: Observation) -> Observation:
    """A loop that waits for what the function did would never end."""
    timeout_s = min(check.timeout_s, patience_s(green.duration_ms / 1000))
    check = replace(check, subject=probe_subject(ProbeKind.MUTANT, check.subject), timeout_s=timeout_s)
    made = commit_with(ctx, work.evidence, edits)
    (seen,) = observe_made(ctx, made, work.evidence, [check], is_spoiled=True)
    return seen


def _emptied(ctx: StepContext, work: Work, criteria: Sequence[Criterion]) -> Iterator[tuple[str, dict[str, bytes]]]:
    named = dict.fromkeys(word for found in _NAMES.findall(promised_text(ctx)) for word in found if word)
    changed = changed_contents(ctx, work, reverted_files(ctx, work, [c.command for c in criteria])) if named else {}
    for name in named:
        made = {
            path: emptied
            for path, (old, new) in changed.items()
            if len(new) <= MOST_BYTES and (emptied := empty_function(path, old, new, name))
        }
        if made:
            yield name, made
