"""``run --dry-run``: the phases that a run would carry out, their order and cost. It only reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import fmean

from autopilot.adapters.agents.prices import known_price
from autopilot.api.assembly import Assembly
from autopilot.engine.earlier_answers import gather_context
from autopilot.engine.history import History, read_history
from autopilot.engine.inputs import Survey, estimate_phase, survey
from autopilot.engine.opening import must_be_meant, read_past, starts_another
from autopilot.engine.planning_files import read_listed
from autopilot.engine.resuming import narrow_again
from autopilot.engine.written_plans import read_text
from autopilot.events.people import PhasePassedOver
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Role
from autopilot.model.errors import AutopilotError
from autopilot.model.planning.forecast import Forecast, Rate
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, PhaseStatus, RunRequest, RunStatus
from autopilot.planning.choosing.flags import spell_call
from autopilot.planning.choosing.forecast import Prospect, make_forecast
from autopilot.planning.people.sufficiency import PAPERS, PROJECT, Sources, assess, rescore
from autopilot.planning.roadmap.graph import open_dependencies
from autopilot.ports.git import Checkout
from autopilot.reports.run.ways_on import attempts_used, command_to_start_over, may_try_again, recorded_options
from autopilot.settings.reading import Settings
from autopilot.text.naming import name_phases

# Agents read far more tokens than they write. No token counts as cached, so the estimate is rather too high.
OUTPUT_SHARE = 0.1


def forecast(request: RunRequest, settings: Settings, assembly: Assembly) -> Forecast:
    """Needs no lock: it writes nothing and does not wait for a run in progress."""
    history = read_history(assembly.ports.journal.read())
    unfinished = history.unfinished
    if (
        unfinished is not None
        and not request.fresh
        and not starts_another(request, unfinished, assembly.ports.checkout)
    ):
        must_be_meant(request, unfinished, settings.policy(), history, assembly.ports)
        return _forecast_unfinished(unfinished, settings, history, assembly)
    ports = assembly.ports
    selection = survey(request, settings.policy(), read_past(history, ports), ports.checkout)
    return make_forecast(
        Prospect(
            call=spell_call(request.intent, request.phases, fresh=request.fresh),
            phases=selection.phases,
            estimates=selection.estimates,
            budget=selection.policy.budget,
            at_once=selection.policy.parallel.phases,
            known=_assess(
                selection.phases,
                read_text(ports.checkout, selection.spec),
                frozenset((*selection.proven, *(p.id for p in selection.roadmap.phases if p.ticked))),
                frozenset(selection.outline),
                history,
                ports.checkout,
            ),
            rate=find_rate(selection.policy, settings),
            cap_of_config="tokens" in (selection.policy.caps_of_config or ()),
            phase_seconds=mean_seconds(history.runs.values()),
            skipped=(
                *((phase.phase, _describe_completed(phase)) for phase in selection.passed_over),
                *selection.skipped,
            ),
            warnings=(
                *_find_warnings(settings),
                *selection.warnings,
                *(() if request.intent.only_maps else warn_of_dependencies(selection, request.repeated_options)),
            ),
            only_maps=request.intent.only_maps,
            in_progress=_in_progress(unfinished, assembly),
        )
    )


def _in_progress(unfinished: RunState | None, assembly: Assembly) -> str:
    holder = assembly.lock.holder()
    if unfinished is None or unfinished.halted or holder is None:
        return ""
    return f"{unfinished.run} is in progress (process {holder.pid})"


def warn_of_dependencies(selection: Survey, options: str) -> Iterator[str]:
    """What preflight would refuse: a phase whose dependencies are neither done nor part of the run."""
    done = {*selection.proven, *(phase.id for phase in selection.roadmap.phases if phase.ticked)}
    selected = [brief.id for brief in selection.phases]
    waits = {id: brief.depends_on for id, brief in selection.outline.items()}
    for brief in selection.phases:
        missing = open_dependencies(brief.id, waits, {*done, *selected})
        if missing:
            are = "are" if len(missing) > 1 else "is"
            call = " ".join(("autopilot run", *missing, *selected)) + options
            needs = f"it depends on {name_phases(missing)}, which {are} not completed"
            yield f"phase {brief.id} would fail: {needs}; to run {'both' if len(missing) == 1 else 'all'}: `{call}`"


def _find_warnings(settings: Settings) -> Iterator[str]:
    """Problems of the settings and agents that a run would report; no agent is started to find them."""
    yield from (f"{settings.source}: {doubt}" for doubt in settings.doubts())
    roster = settings.roster()
    for name in settings.policy().agent_names:
        try:
            if not roster.is_scripted(name):
                roster.program(name)
            elif not (script := roster.script_of(name)).is_file():
                yield f"agent {name} is not available: the script {script} does not exist"
        except AutopilotError as error:
            yield f"agent {name} is not available: {error}"


def _forecast_unfinished(state: RunState, settings: Settings, history: History, assembly: Assembly) -> Forecast:
    checkout = assembly.ports.checkout
    policy = narrow_again(state, settings.policy(), assembly.ports)
    outstanding = [phase for phase in state.phases.values() if _is_outstanding(phase, state.policy)]
    listed = read_listed(state.inputs.planning, checkout, state.policy.commands)
    return make_forecast(
        Prospect(
            call="autopilot resume",
            phases=tuple(phase.brief for phase in outstanding),
            estimates={
                phase.id: estimate_phase(phase.brief, state.policy, checkout, listed.get(phase.id))
                for phase in outstanding
            },
            budget=policy.budget,
            at_once=state.policy.parallel.phases,
            known=_assess(
                tuple(phase.brief for phase in outstanding),
                read_text(checkout, state.inputs.spec.path),
                frozenset((*state.inputs.proven, *state.inputs.ticked, *_completed(state))),
                frozenset(brief.id for brief in state.inputs.outline),
                history,
                checkout,
            ),
            rate=find_rate(policy, settings),
            phase_seconds=mean_seconds(history.runs.values()),
            taken_up=state.run,
            cap_of_config="tokens" in (policy.caps_of_config or ()),
            warnings=(*_nothing_left(state), *_find_warnings(settings)),
            only_maps=state.inputs.intent.only_maps,
            in_progress=_in_progress(state, assembly),
        )
    )


def _nothing_left(state: RunState) -> Iterator[str]:
    if state.status is RunStatus.FAILED and not may_try_again(state):
        command = command_to_start_over(state, recorded_options(state))
        yield f"nothing is left to run: {attempts_used(state)}; after changing roadmap, plan or config: `{command}`"


def _completed(state: RunState) -> Iterator[PhaseId]:
    return (phase.id for phase in state.phases.values() if phase.status is PhaseStatus.COMPLETED)


def _assess(
    phases: tuple[PhaseBrief, ...],
    spec: str,
    met: frozenset[PhaseId],
    outline: frozenset[PhaseId],
    history: History,
    checkout: Checkout,
) -> dict[PhaseId, Sufficiency]:
    """How much is known of each phase, by the same measure as `--map` and with what the user answered before."""
    answers, _ = gather_context(history.runs.values(), phases, checkout, str)
    project = checkout.read(PROJECT)
    described = None if project is None else project.decode("utf-8", "replace")
    known = {}
    for brief in phases:
        own = any(path.endswith(PAPERS) for path in checkout.list(brief.folder))
        before = assess(brief, Sources(spec, described, own, met, outline - met))
        known[brief.id] = rescore(before, [answer.category for answer in answers.get(brief.id, ())])
    return known


def _describe_completed(phase: PhasePassedOver) -> str:
    return f"completed in {phase.run} at {phase.completed_at:%Y-%m-%d %H:%M} UTC"


def _is_outstanding(phase: PhaseState, policy: Policy) -> bool:
    if phase.status is PhaseStatus.FAILED:
        return phase.totals.attempt < policy.attempts.phases
    return phase.status is not PhaseStatus.COMPLETED


def find_rate(policy: Policy, settings: Settings) -> Rate:
    """The rate of the executor, which uses most of the tokens."""
    chain = policy.chain(Role.EXECUTOR.value)
    if not chain:
        return Rate()
    choice = chain[0]
    if settings.roster().is_scripted(choice.agent):
        return Rate(0.0, f"the {choice.agent} agent uses no model")
    config = settings.roster().config(choice.agent)
    model = choice.model or config.model
    price = config.price or known_price(model)
    if price is None:
        reason = f"the price of {model} is not known" if model else f"{choice.agent} chooses its model itself"
        return Rate(None, reason)
    usd = price.input * (1 - OUTPUT_SHARE) + price.output * OUTPUT_SHARE
    return Rate(usd, f"from the price of {model or choice.agent}")


def mean_seconds(runs: Iterable[RunState]) -> float | None:
    """The mean duration of completed phases in all runs."""
    durations = [
        (phase.ending.completed_at - phase.started_at).total_seconds()
        for run in runs
        for phase in run.phases.values()
        if phase.status is PhaseStatus.COMPLETED and phase.started_at and phase.ending.completed_at
    ]
    return fmean(durations) if durations else None
