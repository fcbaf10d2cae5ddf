"""The inputs of a run: roadmap, spec and config as they stand in the checkout, and what they make a run about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from autopilot.engine.other_runs import tell_other_runs
from autopilot.engine.past import Past, named
from autopilot.engine.planning_files import CONFIG, Planned, find_planned, read_config
from autopilot.engine.written_plans import find_done, make_brief, plan_doubts, read_plans, read_text
from autopilot.events.people import PhasePassedOver
from autopilot.model.errors import UsageError
from autopilot.model.git import DETACHED_HEAD, SWITCH, CheckoutFacts
from autopilot.model.intent import Purpose
from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.estimate import Estimate
from autopilot.model.planning.other_run import OtherRun
from autopilot.model.planning.outline import Listed
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PLACEHOLDER, PhaseId, Roadmap
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, RunRequest
from autopilot.planning.choosing.estimate import estimate_work, run_warning
from autopilot.planning.choosing.flags import aim, judge_flags
from autopilot.planning.choosing.purposes import choose_phases
from autopilot.planning.choosing.selection import Done, Selection, read_arguments
from autopilot.planning.config.config import Config, narrow
from autopilot.planning.detecting.node_packages import LOCKS
from autopilot.planning.detecting.packages import ROOT_FILES, first_commands
from autopilot.planning.release.version import describe_bump, read_version_files
from autopilot.planning.roadmap.phase_type import classify
from autopilot.planning.spec.spec import choose_spec
from autopilot.ports.git import Checkout
from autopilot.reports.status.files import confidence_path

NO_BUMP = f'"version_bump": false below "autopilot" in {CONFIG} leaves it as it is'
NO_COMMANDS = "no compile, lint, build or test command is known: only the criteria will be run"
READ_ONLY = "the checkout cannot be written, so no work could land in it"
WRITABLE = "make that folder writable for you, or run in a clone of it: `git clone`"
UNCONFINED = "commands run WITHOUT a sandbox, by your written opt-out"
BELOW_ROOT = ("*", "*/*")
SOURCES_MINIMUM_S = 120


class Survey(Struct, frozen=True):
    """What a run would be about if it began now."""

    phases: tuple[PhaseBrief, ...]  # in the order they will run, each with its purpose
    outline: Mapping[PhaseId, PhaseBrief]  # without those that were given up
    planned: Planned
    spec: str  # path
    policy: Policy
    facts: CheckoutFacts
    written: frozenset[str]  # the commands that the config names
    proven: tuple[PhaseId, ...]
    passed_over: tuple[PhasePassedOver, ...]  # `--complete` says of each when it was completed
    skipped: tuple[tuple[PhaseId, str], ...]  # all others, each with its reason
    estimates: Mapping[PhaseId, Estimate]
    warnings: tuple[str, ...]
    other_runs: tuple[OtherRun, ...] = ()  # of another program, found now

    @property
    def roadmap(self) -> Roadmap:
        return self.planned.outline.roadmap

    @property
    def frozen(self) -> tuple[str, ...]:
        """The files of another tool's format that say what the selected phases must do."""
        specs = self.planned.outline.specs
        return tuple(dict.fromkeys(path for brief in self.phases for path in specs.get(brief.id, ())))


def survey(request: RunRequest, policy: Policy, past: Past, checkout: Checkout) -> Survey:
    """Everything is read and checked here, and nothing is made."""
    facts = checkout.facts()
    refuse_repository(facts)
    refuse_read_only(checkout)
    config = read_config(checkout)
    policy, warnings = settle_policy(aim(policy, request.intent), config, facts, checkout)
    planned = find_planned(checkout, policy, past, config.planning)
    roadmap, briefs = planned.outline.roadmap, _briefs(planned, checkout, past)
    scores = {id: _score(brief, past) for id, brief in briefs.items() if named(brief) in past.proven}
    _must_have_landed(request, roadmap, past)
    selection = _choose(request, roadmap, scores)
    given_up = {phase.id for phase in roadmap.phases if phase.dropped and not phase.held} - {*selection.phases, *scores}
    outline = {id: brief for id, brief in briefs.items() if id not in given_up}
    spec = choose_spec(config, lambda path: checkout.read(path) is not None, planned.outline.spec)
    phases = tuple(_with_past(outline[id], selection, past) for id in selection.phases)
    passed_over = _passed_over(selection, outline, past) if request.intent.complete else ()
    reported = {event.phase for event in passed_over}
    skipped = tuple((phase, reason) for phase, reason in selection.skipped if phase not in reported)
    listed = planned.outline.listed
    estimates = {brief.id: estimate_phase(brief, policy, checkout, listed.get(brief.id)) for brief in phases}
    warnings = [*judge_flags(request.intent, fresh=request.fresh).notices, *warn_without_commands(policy), *warnings]
    others = past.find_others(checkout)
    warnings += tell_other_runs(others)
    warnings += [] if facts.branch else [f"{DETACHED_HEAD}; {SWITCH}"]
    warnings += _about_planning(planned, checkout)
    warnings += [str(c) for c in (*config.complaints, *roadmap.warnings_for(selection.phases))]
    warnings += [str(found) for phase, found in roadmap.disagreements if phase in selection.phases]
    warnings += [selection.reason] if selection.reason else []
    doubts = plan_doubts(roadmap, selection.phases, checkout, past.taken_from)
    warnings += [str(doubt) for doubt in doubts if doubt.severity is not Severity.INFO]
    warnings += _builds_on_incomplete(phases, outline, past)
    warnings += run_warning(
        estimates.values(), policy.budget.tokens, of_config="tokens" in (policy.caps_of_config or ())
    )
    if request.intent.visual and policy.interface.visual is None:
        hint = f"describe how the app is started under project.visual_testing in {CONFIG}, or leave --visual out"
        raise UsageError("--visual has nothing to look at: the repository does not describe its interface", hint)
    if policy.parallel.phases < request.intent.parallel:
        message = f"--parallel {request.intent.parallel} is more than {CONFIG} allows: {policy.parallel.phases} at once"
        warnings.append(f"{message} (parallelization.max_concurrent_agents)")
    return Survey(
        phases=phases,
        outline=outline,
        planned=planned,
        spec=spec,
        policy=policy,
        facts=facts,
        written=config.commands_written,
        proven=tuple(sorted(scores)),
        passed_over=passed_over,
        skipped=skipped,
        estimates=estimates,
        warnings=tuple(warnings),
        other_runs=others.runs,
    )


def _briefs(planned: Planned, checkout: Checkout, past: Past) -> dict[PhaseId, PhaseBrief]:
    specs = planned.outline.specs
    return {
        phase.id: make_brief(phase, checkout, past.taken_from(phase), next(iter(specs.get(phase.id, ())), ""))
        for phase in planned.outline.roadmap.phases
    }


def _about_planning(planned: Planned, checkout: Checkout) -> Iterator[str]:
    path = planned.outline.roadmap.path
    if planned.choice:
        yield planned.choice
    if not planned.files.format and PLACEHOLDER in read_text(checkout, path):
        yield f"{path} still contains {PLACEHOLDER}: agents are given it as it is"


def refuse_repository(facts: CheckoutFacts) -> None:
    for refusal in facts.refusals:
        raise UsageError(f"Autopilot cannot start a run in this repository: {refusal.reason}", refusal.remedy)


def refuse_read_only(checkout: Checkout) -> None:
    """Before anything is spent: work that cannot land would only be found to be so at the end of a phase."""
    if place := checkout.unwritable():
        raise UsageError(f"{READ_ONLY}: {place}", WRITABLE)


def _must_have_landed(request: RunRequest, roadmap: Roadmap, past: Past) -> None:
    """A phase that is to be repeated or improved has passed, but waits on a branch of its own."""
    flag = "--force repeats" if request.intent.force else "--gaps improves" if request.intent.gaps else ""
    wanted = read_arguments(request.phases, roadmap)
    for phase in roadmap.phases if flag and not wanted.keyword else ():
        waiting = past.unlanded.get(named(phase))
        if phase.id in wanted.phases and waiting is not None:
            passed = f"phase {phase.id} passed in {waiting.run} but has not landed"
            raise UsageError(f"{flag} phases that have landed; {passed}", f"land it first: `{waiting.command}`")


def _choose(request: RunRequest, roadmap: Roadmap, scores: Mapping[PhaseId, float | None]) -> Selection:
    """A call that is suggested instead of this one needs the same agents and caps."""
    try:
        return choose_phases(request.phases, roadmap, scores, request.intent)
    except UsageError as error:
        hint = re.sub("`(autopilot run [^`]*)`", lambda call: f"`{call[1]}{request.repeated_options}`", error.hint)
        raise type(error)(str(error), hint) from error


def _score(brief: PhaseBrief, past: Past) -> float | None:
    earlier = past.earlier.get(named(brief))
    return earlier.score if earlier else None


def _with_past(brief: PhaseBrief, selection: Selection, past: Past) -> PhaseBrief:
    purpose = selection.purposes.get(brief.id, Purpose.BUILD)
    return replace(brief, purpose=purpose, earlier=past.earlier.get(named(brief)))


def _passed_over(
    selection: Selection, outline: Mapping[PhaseId, PhaseBrief], past: Past
) -> tuple[PhasePassedOver, ...]:
    found = [(id, past.earlier.get(named(outline[id]))) for id, reason in selection.skipped if reason is Done.PROVEN]
    return tuple(PhasePassedOver(id, earlier.run, earlier.completed_at) for id, earlier in found if earlier)


def estimate_phase(brief: PhaseBrief, policy: Policy, checkout: Checkout, listed: Listed | None = None) -> Estimate:
    """Without the plans that were carried out before: no agent is asked to do them again."""
    tasks = planned_tasks(brief, policy, checkout, listed)
    done = find_done(tasks, brief, checkout)
    kind = classify([f for task in tasks for f in task.files], policy.interface.source_dir, policy.interface.extensions)
    gaps = len(brief.earlier.deficiencies) if brief.earlier else 0
    return estimate_work(brief.purpose, [task for task in tasks if task.path not in done], kind, gaps)


def tasks_of(brief: PhaseBrief, seen: Survey, checkout: Checkout) -> tuple[Task, ...]:
    return planned_tasks(brief, seen.policy, checkout, seen.planned.outline.listed.get(brief.id))


def planned_tasks(
    brief: PhaseBrief, policy: Policy, checkout: Checkout, listed: Listed | None = None
) -> tuple[Task, ...]:
    """``listed``: what another tool's files list for this phase."""
    if listed is not None:
        return listed.to_do
    return tuple(task for plan in read_plans(brief, policy, checkout) for task in plan.tasks)


def _builds_on_incomplete(phases: Sequence[PhaseBrief], outline: Mapping[PhaseId, PhaseBrief], past: Past) -> list[str]:
    """What this run does not touch and an earlier one left incomplete; of its own phases preflight knows."""
    selected = {brief.id for brief in phases}
    return [
        f"phase {brief.id} depends on phase {needed}, which is incomplete: see {confidence_path(needed)}"
        for brief in phases
        for needed in brief.depends_on
        if needed in outline and needed not in selected and named(outline[needed]) in past.incomplete
    ]


def settle_policy(policy: Policy, config: Config, facts: CheckoutFacts, checkout: Checkout) -> tuple[Policy, list[str]]:
    """The user's settings, narrowed by the repository's config, with commands detected where none are written."""
    detected = first_commands(manifests(checkout))
    policy, complaints = narrow(replace(policy, commands=detected), config)
    policy = replace(policy, commit_docs=policy.commit_docs and not facts.planning_ignored)
    warnings = [str(complaint) for complaint in complaints]
    if policy.parallel.phases > 1 and not policy.commit_docs:
        # Lines of their own carry the planning folder with them; kept out of commits it would be nowhere.
        policy = replace(policy, parallel=replace(policy.parallel, phases=1))
        warnings.append("--parallel has no effect: .planning is kept out of commits, so phases run one after the other")
    if not policy.confined:
        warnings.append(UNCONFINED)
    warnings += warn_of_open_egress(policy)
    warnings += warn_of_reach(policy)
    if 0 < policy.verifier_min_s < SOURCES_MINIMUM_S:
        warnings.append(f"autopilot.verifier_min_s is {policy.verifier_min_s:g}: the usual minimum is 120")
    return policy, warnings


def warn_of_open_egress(policy: Policy) -> list[str]:
    names = " and ".join(policy.open_agents)
    return [f"{names} may reach any host and every service of this machine, by your settings"] if names else []


def warn_of_reach(policy: Policy) -> list[str]:
    reached = policy.conditions.describe_reach() if policy.confined else ""
    return [f"checks may reach {reached}, by your settings: their evidence is weaker for it"] if reached else []


def warn_without_commands(policy: Policy) -> tuple[str, ...]:
    return () if policy.commands.checks() else (f"{NO_COMMANDS}; `autopilot init` looks for commands that work",)


def _text_or_none(checkout: Checkout, path: str) -> str | None:
    """A manifest that leads out of the repository says nothing about commands; it must not stop a run either."""
    try:
        content = checkout.read(path)
    except UsageError:
        return None
    return content.decode("utf-8", "replace") if content is not None else None


def describe_bump_here(checkout: Checkout) -> str:
    """What a run would do with this project's version, as it stands in the checkout."""
    patterns = ("*.py", "*/*.py", "src/*/*.py", "**/Cargo.toml")
    return describe_bump(read_version_files(partial(_text_or_none, checkout), lambda: checkout.tracked(*patterns)))


def manifests(checkout: Checkout) -> dict[str, str]:
    """Files of the root, and manifests of packages below it, by content; lockfiles there and test folders by name."""
    below = checkout.tracked(*(f"{place}/{name}" for place in BELOW_ROOT for name in ("package.json", *LOCKS)))
    packages = [path for path in below if path.endswith("/package.json")]
    texts = {path: _text_or_none(checkout, path) for path in (*ROOT_FILES, *packages)}
    files = {path: text for path, text in texts.items() if text is not None}
    files |= dict.fromkeys(set(below) - set(packages), "")
    for folder in ("tests", "test"):
        files |= dict.fromkeys(checkout.list(folder)[:200], "")
    return files
