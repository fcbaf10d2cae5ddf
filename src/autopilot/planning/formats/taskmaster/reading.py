"""The tasks of Task Master's current tag as phases, in the order of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import criterion_id
from autopilot.model.planning.outline import Listed, Outline
from autopilot.model.planning.plan import Dialect, Plan, Task
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.planning.standing import Stand, Standing
from autopilot.model.policy import Commands
from autopilot.planning.formats.asked import Asked, phase_criteria
from autopilot.planning.formats.format import Texts
from autopilot.planning.formats.named_paths import paths_in
from autopilot.planning.formats.outlining import MOST_PHASES
from autopilot.planning.formats.taskmaster.entries import Entry, TagsRead, read_entries
from autopilot.planning.formats.taskmaster.places import FILE, OLDER, STATE, document_of
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.plan.sentence_command import sentence_command
from autopilot.planning.roadmap.phase_id import carry_id, slugify

MASTER = "master"
DONE, GIVEN_UP = ("done", "completed"), ("cancelled", "canceled")
WAITING = ("review", "deferred", "blocked")
_OPEN = ("pending", "in-progress", "in_progress", "")
# A sentence ends before a capital, or a list goes on in a new line: "Verify that …. Ensure that …", "1. Run …".
_SENTENCE = re.compile(r"(?<=[.!?;])\s{1,9}(?=[A-Z`\"'(])|\s{0,9}\n\s{0,9}(?:[-*+]\s|[0-9]{1,2}[.)]\s)?")
_ITEM = re.compile(r"\A(?:[-*+]|[0-9]{1,2}[.)])\s{1,9}")
_MOST_ASKED = 40
_LONGEST = 8000


def read(texts: Texts, commands: Commands) -> Outline:
    path = OLDER if OLDER in texts and FILE not in texts else FILE
    tag, complaints = current_tag(texts)
    found = read_entries(texts[path], tag) if path in texts else TagsRead()
    if found.problem:
        complaints.append(Complaint(path, found.line, found.problem))
    entries, more = _known(found.entries, path)
    phases = [_phase(id, entry, entries, path, commands) for id, entry in entries.items()]
    complaints += [*more, *(complaint for _, of_phase in phases for complaint in of_phase)]
    document = document_of(texts)
    return Outline(
        Roadmap(path, tuple(phase for phase, _ in phases), complaints=tuple(complaints)),
        {id: _listed(id, entry, path, commands) for id, entry in entries.items()},
        spec=document or path,
        questions=tuple(
            Complaint(path, phase.line, f"task {phase.id}: {phase.standing.because}")
            for phase, _ in phases
            if phase.held
        ),
    )


def current_tag(texts: Texts) -> tuple[str, list[Complaint]]:
    """What ``state.json`` names; ``master`` without it."""
    try:
        state = json.loads(texts.get(STATE, "{}"))
    except (ValueError, RecursionError):
        return MASTER, [Complaint(STATE, 0, f"is not valid JSON: the tag `{MASTER}` is taken")]
    named = state.get("currentTag") if isinstance(state, dict) else None
    return (named if isinstance(named, str) and named else MASTER), []


def _known(entries: Sequence[Entry], path: str) -> tuple[dict[PhaseId, Entry], list[Complaint]]:
    found: dict[PhaseId, Entry] = {}
    complaints = []
    for entry in entries[MOST_PHASES:][:1]:
        complaints.append(Complaint(path, entry.line, f"over {MOST_PHASES:,} tasks: those from here on are left out"))
    for entry in entries[:MOST_PHASES]:
        if not entry.id:
            complaints.append(Complaint(path, entry.line, "a task without an id is left out"))
        elif (id := carry_id(entry.id)) in found:
            complaints.append(Complaint(path, entry.line, f"task {id} is there twice: the first one counts"))
        else:
            found[id] = entry
    return found, complaints


def _phase(
    id: PhaseId, entry: Entry, entries: Mapping[PhaseId, Entry], path: str, commands: Commands
) -> tuple[Phase, list[Complaint]]:
    asked = [Asked(text, entry.line) for text in sentences(entry.text("testStrategy"))]
    asked += _of_subtasks(entry, {sentence.text for sentence in asked}, commands)
    criteria, complaints = phase_criteria(asked, path, commands)
    waits, more = _waits(id, entry, entries, path)
    complaints += more
    name = entry.text("title")[:200] or f"Task {id}"
    standing = _standing(entry, path)
    if entry.status not in (*DONE, *GIVEN_UP, *WAITING, *_OPEN):
        complaints.append(
            Complaint(path, entry.line, f"task {id}: status `{entry.status[:40]}` is not known: taken as open")
        )
    if not criteria and standing.stand is Stand.OPEN:
        complaints.append(Complaint(path, entry.line, f"task {id} has no testStrategy", Severity.INFO))
    goal = entry.text("description")[:_LONGEST] or name
    phase = Phase(
        id,
        name,
        goal=goal,
        depends_on=waits,
        criteria=criteria,
        ticked=standing.stand is Stand.DONE,
        line=entry.line,
        slug=slugify(name),
        standing=standing,
    )
    return phase, complaints


def _of_subtasks(entry: Entry, known: set[str], commands: Commands) -> Iterator[Asked]:
    """The sentences of open subtasks that no command shows are asked of the whole, as those of a roadmap are: a task is
    held to what can be run for it alone."""
    for subtask in entry.subtasks:
        is_open = subtask.status not in (*DONE, *GIVEN_UP, *WAITING)
        for text in sentences(subtask.text("testStrategy")) if is_open else ():
            if text not in known and not sentence_command(text, commands):
                known.add(text)
                yield Asked(text, subtask.line)


def _standing(entry: Entry, path: str) -> Standing:
    because = f"status `{entry.status}` in {path}"
    if entry.status in DONE:
        return Standing(Stand.DONE, because)
    if entry.status in GIVEN_UP:
        return Standing(Stand.DROPPED, because)
    return Standing(Stand.HELD, because) if entry.status in WAITING else Standing()


def _waits(
    id: PhaseId, entry: Entry, entries: Mapping[PhaseId, Entry], path: str
) -> tuple[tuple[PhaseId, ...], list[Complaint]]:
    """Tasks of the same tag; a dependency on a subtask is one on its task."""
    found: list[PhaseId] = []
    complaints = []
    for written in entry.dependencies:
        named = next(
            (known for word in (written, written.partition(".")[0]) if (known := carry_id(word)) in entries), None
        )
        if named is None or named == id:
            why = "itself" if named == id else f"{written[:40]}, which is not there"
            complaints.append(Complaint(path, entry.line, f"task {id} depends on {why}: ignored"))
        elif entries[named].status in GIVEN_UP:
            complaints.append(Complaint(path, entry.line, f"task {id} depends on {named}, which is cancelled: ignored"))
        else:
            found.append(named)
    return tuple(dict.fromkeys(found)), complaints


def _listed(id: PhaseId, entry: Entry, path: str, commands: Commands) -> Listed:
    if not entry.subtasks:
        return Listed(Plan(path, Dialect.MARKDOWN, (_task(str(id), entry, 1, path, commands, whole=True),)))
    own = {task_id(id, sub, number): sub for number, sub in enumerate(entry.subtasks, start=1)}
    tasks = [_task(name, own[name], wave, path, commands) for wave, name in enumerate(_in_order(id, own), start=1)]
    done = frozenset(name for name, sub in own.items() if sub.status in DONE)
    held = {
        name: f"subtask {name} has the status `{sub.status}`"
        for name, sub in own.items()
        if sub.status in (*WAITING, *GIVEN_UP)
    }
    return Listed(Plan(path, Dialect.MARKDOWN, tuple(tasks)), done, held)


def task_id(id: PhaseId, entry: Entry, number: int) -> str:
    """``9.2`` as Task Master shows it; by its place where it has no number of its own."""
    own = entry.id.rpartition(".")[2]
    return f"{id}.{own}" if re.fullmatch(r"[0-9]{1,6}", own) else f"{id}.at-{number}"


def _in_order(id: PhaseId, own: Mapping[str, Entry]) -> Iterator[str]:
    """As the file has them, each after what it depends on; siblings are named `1` or `9.1`. Circles are cut."""
    placed: set[str] = set()
    waits = {
        name: [known for word in entry.dependencies if (known := word if "." in word else f"{id}.{word}") in own]
        for name, entry in own.items()
    }
    pending = list(own)
    while pending:
        name = next((name for name in pending if placed.issuperset(waits[name])), pending[0])
        pending.remove(name)
        placed.add(name)
        yield name


def _task(name: str, entry: Entry, wave: int, path: str, commands: Commands, *, whole: bool = False) -> Task:
    """``whole``: a task without subtasks, whose strategy is that of its phase already."""
    strategy, about = entry.text("testStrategy"), (entry.text("description"), entry.text("details"))
    asked = () if whole else sentences(strategy)
    read = (
        parse_criterion(text, criterion_id(name, number), entry.line, commands, path)[0]
        for number, text in enumerate(asked, start=1)
    )
    asks = f"It is done when: {strategy}" if strategy else ""
    return Task(
        name,
        entry.text("title")[:200] or f"Task {name}",
        files=paths_in("\n".join(about)[:_LONGEST]),
        action="\n\n".join(part for part in (*about, asks) if part)[:_LONGEST],
        criteria=tuple(criterion for criterion in read if criterion.is_runnable),
        done=strategy[:_LONGEST] or entry.text("title"),
        wave=wave,
        line=entry.line,
        path=path,
    )


def sentences(strategy: str) -> tuple[str, ...]:
    """A test strategy is prose: each of its sentences is something to be seen."""
    parts = (_ITEM.sub("", part.strip()) for part in _SENTENCE.split(strategy[:_LONGEST]))
    return tuple(dict.fromkeys(part for part in parts if len(part.split()) > 1))[:_MOST_ASKED]
