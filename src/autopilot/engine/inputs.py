"""The inputs of a run: roadmap, spec and config as they stand in the checkout, and what they make a run about."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from autopilot.engine.other_runs import OtherRuns, find_other_runs, recall, tell_other_runs
from autopilot.engine.written_plans import make_brief, plan_doubts, read_plans, read_text
from autopilot.events.people import PhasePassedOver
from autopilot.model.errors import UsageError
from autopilot.model.git import DETACHED_HEAD, SWITCH, CheckoutFacts
from autopilot.model.intent import Earlier, Purpose
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.estimate import Estimate
from autopilot.model.planning.other_run import OtherRun
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PLACEHOLDER, Phase, PhaseId, Roadmap
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, RunRequest
from autopilot.planning.choosing.estimate import estimate_work, run_warning
from autopilot.planning.choosing.flags import aim, judge_flags
from autopilot.planning.choosing.purposes import choose_phases
from autopilot.planning.choosing.selection import Done, Selection, read_arguments
from autopilot.planning.config.config import Config, narrow, parse_config
from autopilot.planning.detecting.node_packages import LOCKS
from autopilot.planning.detecting.packages import ROOT_FILES, first_commands
from autopilot.planning.plan.folders import PHASES
from autopilot.planning.release.version import describe_bump, read_version_files
from autopilot.planning.roadmap.phase_type import classify
from autopilot.planning.roadmap.roadmap import read_roadmap
from autopilot.planning.roadmap.standing.disk import MILESTONES
from autopilot.planning.roadmap.standing.position import STATE, parse_position
from autopilot.planning.roadmap.standing.standing import Surroundings
from autopilot.planning.spec.spec import choose_spec
from autopilot.ports.git import Checkout
from autopilot.reports.status.files import confidence_path
from autopilot.text.json_span import line_of

ROADMAPS = (".planning/ROADMAP.md", "ROADMAP.md")
CONFIG = ".planning/config.json"
NO_BUMP = f'"version_bump": false below "autopilot" in {CONFIG} leaves it as it is'
NO_COMMANDS = "no compile, lint, build or test command is known: only the criteria will be run"
READ_ONLY = "the checkout cannot be written, so no work could land in it"
WRITABLE = "make that folder writable for you, or run in a clone of it: `git clone`"
UNCONFINED = "commands run WITHOUT a sandbox, by your written opt-out"
BELOW_ROOT = ("*", "*/*")
SOURCES_MINIMUM_S = 120

Named = tuple[PhaseId, str]


def named(phase: Phase | PhaseBrief) -> Named:
    """By number and name: a new milestone may use a number again."""
    return phase.id, " ".join(phase.name.split()).casefold()


class Unlanded(Struct, frozen=True):
    """Work that passed and has not landed."""

    run: str
    command: str  # the one that lands it


class Past(Struct, frozen=True):
    """What earlier runs have to say about the phases of a roadmap."""

    proven: frozenset[Named] = frozenset()  # completed, and in the user's branch
    incomplete: frozenset[Named] = frozenset()  # completed below the threshold, with remediation exhausted
    folders: frozenset[tuple[str, Named]] = frozenset()  # of every phase that was completed
    earlier: Mapping[Named, Earlier] = {}  # as the last run that completed it left it
    other_runs: tuple[OtherRun, ...] = ()  # of another program, as they were found and recorded
    unlanded: Mapping[Named, Unlanded] = {}  # passed, and not in the user's branch

    def taken_from(self, phase: Phase) -> set[str]:
        """Folders of phases that were completed under other names."""
        return {folder for folder, owner in self.folders if owner != named(phase)}

    def find_others(self, checkout: Checkout) -> OtherRuns:
        """Runs of another program that no run of ours has recorded."""
        return find_other_runs(checkout, (run.run for run in self.other_runs))


NO_PAST = Past()


class Survey(Struct, frozen=True):
    """What a run would be about if it began now."""

    phases: tuple[PhaseBrief, ...]  # in the order they will run, each with its purpose
    outline: Mapping[PhaseId, PhaseBrief]  # without those that were given up
    roadmap: Roadmap
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


def survey(request: RunRequest, policy: Policy, past: Past, checkout: Checkout) -> Survey:
    """Everything is read and checked here, and nothing is made."""
    facts = checkout.facts()
    refuse_repository(facts)
    refuse_read_only(checkout)
    config = read_config(checkout)
    policy, warnings = settle_policy(aim(policy, request.intent), config, facts, checkout)
    roadmap = find_roadmap(checkout, policy, past)
    briefs = {phase.id: make_brief(phase, checkout, past.taken_from(phase)) for phase in roadmap.phases}
    scores = {id: _score(brief, past) for id, brief in briefs.items() if named(brief) in past.proven}
    _must_have_landed(request, roadmap, past)
    selection = _choose(request, roadmap, scores)
    given_up = {phase.id for phase in roadmap.phases if phase.dropped} - {*selection.phases, *scores}
    outline = {id: brief for id, brief in briefs.items() if id not in given_up}
    spec = choose_spec(config, lambda path: checkout.read(path) is not None)
    phases = tuple(_with_past(outline[id], selection, past) for id in selection.phases)
    passed_over = _passed_over(selection, outline, past) if request.intent.complete else ()
    reported = {event.phase for event in passed_over}
    skipped = tuple((phase, reason) for phase, reason in selection.skipped if phase not in reported)
    estimates = {brief.id: estimate_phase(brief, policy, checkout) for brief in phases}
    warnings = [*judge_flags(request.intent, fresh=request.fresh).notices, *warn_without_commands(policy), *warnings]
    others = past.find_others(checkout)
    warnings += tell_other_runs(others)
    warnings += [] if facts.branch else [f"{DETACHED_HEAD}; {SWITCH}"]
    if PLACEHOLDER in read_text(checkout, roadmap.path):
        warnings.append(f"{roadmap.path} still contains {PLACEHOLDER}: agents are given it as it is")
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
        roadmap=roadmap,
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


def estimate_phase(brief: PhaseBrief, policy: Policy, checkout: Checkout) -> Estimate:
    tasks = planned_tasks(brief, policy, checkout)
    kind = classify([f for task in tasks for f in task.files], policy.interface.source_dir, policy.interface.extensions)
    gaps = len(brief.earlier.deficiencies) if brief.earlier else 0
    return estimate_work(brief.purpose, tasks, kind, gaps)


def planned_tasks(brief: PhaseBrief, policy: Policy, checkout: Checkout) -> tuple[Task, ...]:
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


def find_roadmap(checkout: Checkout, policy: Policy, past: Past = NO_PAST) -> Roadmap:
    """The roadmap with how its phases stand, by STATE.md and the phases' folders as they are at the same time."""
    path = next((path for path in ROADMAPS if checkout.read(path) is not None), None)
    if path is None:
        if folder := next((path for path in ROADMAPS if (checkout.path / path).is_dir()), None):
            raise UsageError(
                f"{folder} is a folder, not a file", "remove or rename it; `autopilot init` writes a template"
            )
        hint = "`autopilot init` writes a template"
        raise UsageError("there is no roadmap: neither .planning/ROADMAP.md nor ROADMAP.md", hint)
    around = Surroundings(
        parse_position(read_text(checkout, STATE)),
        (*checkout.list(PHASES), *checkout.list(MILESTONES)),
        lambda path: read_text(checkout, path),
        past.taken_from,
        recall([phase for run in past.other_runs for phase in run.phases], past.find_others(checkout)),
    )
    _must_be_text(checkout.read(path) or b"", path)
    return read_roadmap(read_text(checkout, path), path, policy.commands, around)


def _must_be_text(content: bytes, path: str) -> None:
    """Single letters in another encoding are read as such; of UTF-16 or a binary file nothing could be."""
    if b"\0" in content or content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        every_other = max(content[::2].count(0), content[1::2].count(0)) > len(content) // 4
        guess = "UTF-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or every_other else "a binary file"
        raise UsageError(f"{path} is not UTF-8 text (it looks like {guess})", "save it as UTF-8")


def read_config(checkout: Checkout) -> Config:
    content = checkout.read(CONFIG)
    if content is None and (checkout.path / CONFIG).is_dir():
        return Config(complaints=(Complaint(CONFIG, 0, "is a folder, not a file: ignored"),))
    if not content:
        return Config()
    text = content.decode("utf-8", "replace")
    config = parse_config(text, CONFIG)
    return replace(config, complaints=(*config.complaints, *_missing_specs(config, text, checkout)))


def _missing_specs(config: Config, text: str, checkout: Checkout) -> Iterator[Complaint]:
    """The specs that config names before the first one that is there: another one is pinned instead of them."""
    for path in takewhile(lambda path: checkout.read(path) is None, config.spec_paths):
        message = f"project.spec_paths names `{path}`, which does not exist: ignored"
        yield Complaint(CONFIG, line_of(text, ("project", "spec_paths")), message)


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
