"""A spec-kit repository as phases: one per feature, in the order of their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.outline import Listed, Outline
from autopilot.model.planning.plan import Dialect, Plan
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.planning.standing import Stand, Standing
from autopilot.model.policy import Commands
from autopilot.planning.formats.asked import phase_criteria
from autopilot.planning.formats.format import Texts
from autopilot.planning.formats.outlining import MOST_TASKS
from autopilot.planning.formats.speckit.places import CONSTITUTION, PLAN, SPEC, TASKS, Feature, features
from autopilot.planning.formats.speckit.spec_file import SpecFile, open_points, read_spec, read_title
from autopilot.planning.formats.speckit.task_list import make_tasks, read_boxes, unread_boxes
from autopilot.planning.roadmap.phase_id import slugify, sort_key
from autopilot.text.lines import scan_lines

DONE, LEFT_OUT = "xX✓✔", "-"
TEMPLATE = "[FEATURE NAME]"
MOST_UNREAD = 20  # lines that are named


class _Read(Struct, frozen=True):
    feature: Feature
    phase: Phase
    listed: Listed | None
    complaints: tuple[Complaint, ...]
    questions: tuple[Complaint, ...]


def read(texts: Texts, commands: Commands) -> Outline:
    every = sorted(features(texts), key=lambda feature: sort_key(feature.id))
    found = [feature for feature in every if texts.keys() & {feature.file(SPEC), feature.file(TASKS)}]
    reads = [_read(feature, texts, commands) for feature in found]
    empty = [Complaint(f.folder, 0, f"there is neither {SPEC} nor {TASKS}: left out") for f in every if f not in found]
    specs = {r.phase.id: _specs(r.feature, texts) for r in reads}
    first = next((specs[r.phase.id][0] for r in reads if not r.phase.ticked and specs[r.phase.id]), "")
    last = next((specs[r.phase.id][0] for r in reversed(reads) if specs[r.phase.id]), "")
    complaints = tuple(complaint for r in reads for complaint in r.complaints)
    roadmap = Roadmap("specs", tuple(r.phase for r in reads), complaints=(*complaints, *empty))
    return Outline(
        roadmap,
        {r.phase.id: r.listed for r in reads if r.listed},
        specs,
        CONSTITUTION if CONSTITUTION in texts else first or last,
        tuple(question for r in reads for question in r.questions),
    )


def _specs(feature: Feature, texts: Texts) -> tuple[str, ...]:
    """The spec, else the list of tasks, and the plan."""
    wanted = (feature.file(SPEC) if feature.file(SPEC) in texts else feature.file(TASKS), feature.file(PLAN))
    return tuple(path for path in wanted if path in texts)


def _read(feature: Feature, texts: Texts, commands: Commands) -> _Read:
    path, tasks = feature.file(SPEC), feature.file(TASKS)
    spec = read_spec(texts.get(path, ""))
    criteria, complaints = phase_criteria(spec.asked, path, commands)
    questions = _questions(feature, spec, texts)
    listed, standing = _listed(feature, texts, commands)
    if listed and (count := len(read_boxes(texts[tasks])[0])) > MOST_TASKS:
        complaints.append(Complaint(tasks, 0, f"has {count:,} tasks: the first {MOST_TASKS:,} are read"))
    if listed is None and tasks in texts:
        complaints.append(Complaint(tasks, 0, "no task was found: there is no line like `- [ ] T001 …`"))
    for line in unread_boxes(texts.get(tasks, ""))[:MOST_UNREAD]:
        complaints.append(Complaint(tasks, line, "a box that is not read: write it as `- [ ] text`"))
    if not criteria and path in texts:
        complaints.append(Complaint(path, 0, "no acceptance scenario, requirement or outcome was found"))
    if feature.shares:
        text = f"it has the number of {feature.shares}: it is called {feature.id}"
        complaints.append(Complaint(feature.folder, 0, text))
    if questions and standing.stand is Stand.OPEN:
        standing = Standing(Stand.HELD, f"{questions[0].path}:{questions[0].line} {questions[0].text}")
    name = spec.name or read_title(scan_lines(texts.get(tasks, ""))) or feature.slug.replace("-", " ") or feature.id
    phase = Phase(
        feature.id,
        name,
        goal=spec.goal or name,
        criteria=criteria,
        ticked=standing.stand is Stand.DONE,
        line=1,
        slug=slugify(feature.slug or name),
        standing=standing,
        path=path if path in texts else tasks,
    )
    return _Read(feature, phase, listed, (*complaints, *_notes(feature.id, listed, tasks)), questions)


def _questions(feature: Feature, spec: SpecFile, texts: Texts) -> tuple[Complaint, ...]:
    """What a person has to settle before the feature can be worked on."""
    path = feature.file(SPEC)
    found = [Complaint(path, point.line, f"needs clarification: {point.text}") for point in spec.open]
    if spec.name.startswith(TEMPLATE):
        found.insert(0, Complaint(path, 1, "is still the template: describe the feature"))
    for name in (PLAN, TASKS):
        other = feature.file(name)
        found += [Complaint(other, w.line, f"needs clarification: {w.text}") for w in open_points(texts.get(other, ""))]
    return tuple(found)


def _listed(feature: Feature, texts: Texts, commands: Commands) -> tuple[Listed | None, Standing]:
    path = feature.file(TASKS)
    boxes, sections = read_boxes(texts.get(path, ""))
    if not boxes:
        return None, Standing()
    plan = Plan(path, Dialect.MARKDOWN, tuple(make_tasks(boxes[:MOST_TASKS], sections, path, commands)))
    done = frozenset(box.id for box in boxes if box.mark in DONE)
    held = {box.id: f"{path}:{box.line.number} is marked [-]" for box in boxes if box.mark == LEFT_OUT}
    is_ticked = all(box.mark in DONE or box.mark == LEFT_OUT for box in boxes) and bool(done)
    is_done = is_ticked and not unread_boxes(texts[path])
    standing = Standing(Stand.DONE, f"every box of {path} is ticked") if is_done else Standing()
    return Listed(plan, done, held), standing


def _notes(id: PhaseId, listed: Listed | None, path: str) -> Sequence[Complaint]:
    if listed is None or not listed.done or len(listed.done) + len(listed.held) == len(listed.plan.tasks):
        return ()
    count = f"{len(listed.done)} of {len(listed.plan.tasks)} tasks of phase {id} are ticked"
    return (Complaint(path, 0, f"{count}: they are believed and not run again", Severity.INFO),)
