"""The part of the repository map that an agent's prompt gets: what its phase or task is probably about."""

from __future__ import annotations

from collections.abc import Generator

from autopilot.events.criteria import criteria_of
from autopilot.events.happened import Warned
from autopilot.model.errors import CapReached, Unavailable
from autopilot.model.planning.plan import Task
from autopilot.model.repomap.code_map import Links
from autopilot.repomap.excerpt import render_excerpt
from autopilot.repomap.linking import MOST_LINKED, link
from autopilot.repomap.relevance import Topic, order_files, weigh_stems
from autopilot.steps.asking.prompt import render_prompt
from autopilot.steps.context import Batch, StepContext
from autopilot.text.file_kind import is_ours

FAILED = "the map of the code could not be made, and prompts go without it"


def map_of_phase(ctx: StepContext) -> Generator[Batch, None, str]:
    """For who looks at the whole phase; "" where there is no map."""
    return (yield from _section(ctx, _topic_of_phase(ctx)))


def map_of_tasks(ctx: StepContext, *tasks: Task) -> Generator[Batch, None, str]:
    """For who carries out these tasks; "" where there is no map."""
    lines = [line for task in tasks for line in (task.action, *task.promised_lines)]
    paths = tuple(path for task in tasks for path in task.files)
    topic = Topic(" ".join(task.title for task in tasks), "\n".join((ctx.phase.brief.name, *lines)), paths)
    return (yield from _section(ctx, topic))


def refresh_map(ctx: StepContext) -> str:
    """Bring the map up to the phase's last commit; why it could not be, "" when it was."""
    if not ctx.policy.map_tokens:
        return ""
    try:
        ctx.ports.maps.refresh(ctx.tip)
    except (Unavailable, CapReached) as error:
        return f"{FAILED}: {error}"
    return ""


def is_reported(ctx: StepContext) -> bool:
    """Once is enough: whatever keeps the map from being made is the same for every phase."""
    phases = (warning for phase in ctx.state.phases.values() for warning in phase.warnings)
    return any(warning.startswith(FAILED) for warning in (*ctx.state.totals.warnings, *phases))


def _section(ctx: StepContext, topic: Topic) -> Generator[Batch, None, str]:
    """A map that fails never stops a run: the agent can read the code itself."""
    if not ctx.policy.map_tokens:
        return ""
    try:
        excerpt = _excerpt(ctx, topic)
    except (Unavailable, CapReached) as error:
        if not is_reported(ctx):
            yield (Warned(f"{FAILED}: {error}"),)
        return ""
    return render_prompt("parts/code_map", excerpt=excerpt).removesuffix("\n") if excerpt else ""


def _excerpt(ctx: StepContext, topic: Topic) -> str:
    loaded = ctx.ports.maps.load(ctx.tip, MOST_LINKED).files
    files = {path: facts for path, facts in loaded.items() if not is_ours(path)}
    stems = weigh_stems(topic)
    links = link(files) if len(files) <= MOST_LINKED else Links((), ())  # words alone choose then
    order = order_files(files, links, topic, ctx.ports.word_search.count(tuple(stems), ctx.tip))
    return render_excerpt(files, order, ctx.policy.map_tokens, stems).text


def _topic_of_phase(ctx: StepContext) -> Topic:
    brief = ctx.phase.brief
    criteria = (f"{criterion.text} {criterion.command}" for criterion in criteria_of(ctx.phase))
    return Topic(brief.name, "\n".join((brief.goal, *brief.requirements, *criteria)))
